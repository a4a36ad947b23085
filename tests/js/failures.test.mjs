// Providers and hosts at their worst: whatever they throw, yield or answer, the turn ends, blames the right one and keeps no secret.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { anthropic, createSession, init } from "countersign";
import { fakeClock, scripted } from "countersign/testing";
import { boardTools } from "./board.mjs";

before(() => init());

async function opened(t, provider, options = {}) {
  const session = await createSession({ provider, limits: { maxRetriesPerTurn: 0 }, ...options });
  t.after(() => session.dispose());
  return session;
}

/** The outcome, or "stuck". */
const ended = (sent) => Promise.race([sent, new Promise((resolve) => setTimeout(resolve, 2000, "stuck"))]);

const http = (open) => ({ name: "Mine", format: "anthropic", params: { model: "m" }, open });
const events = (list) => ({ name: "Mine", async *events() { yield* list; } });
const start = { type: "message_start", model: "m" };
const end = { type: "message_stop", stopReason: "end_turn" };
const cyclic = Object.create(null);

for (const [what, thrown] of [["half a surrogate pair", new Error("bad \ud800 thing")], ["a value without text", cyclic], ["a cause of half a pair", new Error("x", { cause: new Error("\udc00") })], ["nothing", undefined]]) {
  test(`E2 a provider that throws ${what} ends its turn as a failed connection`, async (t) => {
    for (const provider of [http(async () => { throw thrown; }), { name: "Mine", async *events() { throw thrown; } }]) {
      const session = await opened(t, provider);
      assert.equal(await ended(session.send("go")), "failed");
      assert.equal(session.view.error.code, "transport");
      assert.ok(session.view.error.message.isWellFormed());
      assert.ok((session.view.error.providerDetail ?? "").isWellFormed());
      session.dispose();
    }
  });
}

test("E2 T8 a provider that never stops saying nothing keeps nobody from stopping it", async (t) => {
  let ended = false;
  const endless = {
    name: "Mine",
    async *events() {
      yield start;
      for (let at = 0; at < 200_000; at += 1) yield { type: "text_delta", text: "" };
      ended = true;
      yield end;
    },
  };
  const session = await opened(t, endless);
  const sent = session.send("go");
  setTimeout(() => session.cancel(), 0);
  assert.equal(await sent, "cancelled");
  assert.equal(ended, false);
});

test("E2 a provider that cannot even mask ends its turn, and nothing unmasked is told", async (t) => {
  const mask = () => { throw new Error("no"); };
  const stream = `event: error\ndata: ${JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "words of the server" } })}\n\n`;
  for (const open of [async () => { throw new Error("words of the server"); }, async () => new Response("words of the server", { status: 500 }), async () => new Response(stream)]) {
    const session = await opened(t, { ...http(open), mask });
    assert.equal(await ended(session.send("go")), "failed");
    assert.ok(!(JSON.stringify(session.view) + session.save()).includes("words of the server"));
    session.dispose();
  }
});

test("E1 L7 an error body of half surrogate pairs stays a retryable status", async (t) => {
  const clock = fakeClock();
  let asked = 0;
  const open = async () => ((asked += 1), new Response('{"error":{"type":"x","message":"a \\ud83d b"}}', { status: 500 }));
  const session = await opened(t, http(open), { now: clock.now, limits: { maxRetriesPerTurn: 1 } });
  const sent = session.send("go");
  await clock.advance(20_000);
  assert.equal(await ended(sent), "failed");
  assert.equal(asked, 2);
  assert.deepEqual([session.view.error.code, session.view.error.status, session.view.error.providerDetail], ["http_status", 500, "x: a \ufffd b"]);
});

test("L7 an absurd hint to wait counts as the longest there is", async (t) => {
  for (const headers of [{ "retry-after": "9".repeat(400) }, { "retry-after-ms": "9".repeat(400) }, { "retry-after": "99999999999" }, { "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT" }]) {
    const clock = fakeClock();
    let asked = 0;
    const open = async () => ((asked += 1), new Response("{}", { status: 429, headers }));
    const session = await opened(t, http(open), { now: clock.now, limits: { maxRetriesPerTurn: 1, turnDeadlineMs: 3_600_000 } });
    const sent = session.send("go");
    await clock.advance(599_000);
    assert.deepEqual([asked, session.view.phase], [1, "requesting"]);
    await clock.advance(2_000);
    assert.equal(asked, 2);
    assert.equal(await ended(sent), "failed");
    assert.deepEqual([session.view.error.code, session.view.error.retryAfterMs], ["rate_limited", 600_000]);
    session.dispose();
  }
});

test("L7 an error event whose hint is no number is told all the same", async (t) => {
  for (const [hint, told] of [[Number.POSITIVE_INFINITY, 600_000], [Number.NaN, 0], [-5, 0]]) {
    const session = await opened(t, events([{ type: "error", error: { code: "rate_limited", message: "slow\ud800 down", retryAfterMs: hint } }]));
    assert.equal(await ended(session.send("go")), "failed");
    assert.deepEqual({ ...session.view.error }, { code: "rate_limited", message: "slow\ufffd down", retryAfterMs: told });
    session.dispose();
  }
});

test("L7 a failure whose body never ends falls under the silence timeout", async (t) => {
  const clock = fakeClock();
  let cancelled = false;
  const hanging = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("sorry, ")), cancel: () => void (cancelled = true) });
  let trickle;
  const trickling = new ReadableStream({ start: (controller) => void (trickle = () => controller.enqueue(new TextEncoder().encode("."))) });
  for (const body of [hanging, trickling]) {
    const session = await opened(t, http(async () => new Response(body, { status: 500 })), { now: clock.now, silenceTimeoutMs: 1000 });
    const sent = session.send("go");
    await clock.advance(600);
    if (body === trickling) trickle();
    await clock.advance(600);
    assert.equal(await ended(sent), "failed");
    assert.deepEqual([session.view.error.code, session.view.error.status], ["http_status", 500]);
    if (body === hanging) assert.deepEqual([session.view.error.providerDetail, cancelled], ["sorry,", true]);
    session.dispose();
  }
});

const call = { type: "tool_call_complete", id: "c1", name: "add_card", input: { title: "Z" } };
const commands = [
  { type: "cancel" }, { type: "approveCall", callId: "c1" }, { type: "submit", text: "x", nowMs: 1 }, { type: "undoTurn" }, { type: "tick", nowMs: 1 }, { type: "retry" },
  { type: "documentEdited", documentRevision: 99 }, { type: "callSettled", callId: "c1", outcome: { status: "ok", result: "x" } }, { type: "constructor" }, { type: 7 }, null, "text_delta", [start],
];
for (const given of commands) {
  test(`A7 a provider that yields ${JSON.stringify(given)} gives no command: the turn fails`, async (t) => {
    const updates = [];
    const session = await opened(t, events([start, { type: "text_delta", text: "kept" }, call, given, end]), { tools: boardTools, onUpdates: (more) => updates.push(...more), limits: { maxRetriesPerTurn: 3 } });
    assert.equal(await ended(session.send("go")), "failed");
    assert.equal(session.view.error.code, "protocol_violation");
    assert.match(session.view.error.message, /^Mine gave what is no stream event/);
    assert.equal(session.view.messages[1].content[0].text, "kept");
    assert.deepEqual(updates.filter(({ type }) => type === "refused"), []);
    assert.equal(session.view.calls[0].status, "denied");
  });
}

test("E1 an event that is not as events are is the provider's fault, and not asked again", async (t) => {
  for (const wrong of [{ type: "text_delta" }, { type: "message_stop", stopReason: "bored" }, { type: "usage", usage: 3 }, { type: "error", error: "x" }, { type: "tool_call_complete", id: "c", name: "n", input: { big: 1n } }]) {
    let asked = 0;
    const provider = { name: "Mine", async *events() { asked += 1; yield wrong; } };
    const session = await opened(t, provider, { limits: { maxRetriesPerTurn: 3 } });
    assert.equal(await ended(session.send("go")), "failed");
    assert.deepEqual([session.view.error.code, asked], ["protocol_violation", 1], JSON.stringify(session.view.error));
    session.dispose();
  }
});

test("E2 what closes an iterator may fail or be no promise", async (t) => {
  for (const close of [() => undefined, () => { throw new Error("no"); }, async () => { throw new Error("no"); }]) {
    const list = [start, { type: "text_delta", text: "x" }, end];
    const iterator = { next: () => ({ done: list.length === 0, value: list.shift() }), return: close };
    const session = await opened(t, { events: () => ({ [Symbol.asyncIterator]: () => iterator }) });
    assert.equal(await ended(session.send("go")), "completed");
    session.dispose();
  }
});

test("a delta of any kind may end inside a surrogate pair, and the next of its kind goes on", async (t) => {
  const list = [
    start, { type: "reasoning_delta", text: "r\ud83d" }, { type: "text_delta", text: "t\ud83d" }, { type: "reasoning_delta", text: "\ude00s" }, { type: "text_delta", text: "\ude01u" },
    { type: "tool_call_input_delta", id: "c1", partialJson: '{"a":"\ud83d' }, { type: "tool_call_input_delta", id: "c1", partialJson: '\ude00"}' },
    { type: "text_delta", text: "\ud800lost" }, end,
  ];
  const session = await opened(t, events(list));
  assert.equal(await ended(session.send("go")), "completed", JSON.stringify(session.view.error));
  assert.equal(session.view.reasoning, "r😀s");
  assert.equal(session.view.messages[1].content[0].text, "t😁u\ufffdlost");
});

test("E1 a `system` that throws or is no text is the page's own fault: told once, nothing sent, never asked again", async (t) => {
  const told = [];
  const { error: real } = console;
  console.error = (error) => told.push(error);
  t.after(() => void (console.error = real));
  for (const system of [() => { throw new Error("host bug"); }, async () => "late", () => 7]) {
    for (const provider of [scripted([{ text: "never" }]), scripted([{ text: "never" }], { wire: "anthropic" })]) {
      const session = await opened(t, provider, { system, limits: { maxRetriesPerTurn: 3 } });
      assert.equal(await ended(session.send("go")), "failed");
      assert.equal(session.view.error.code, "unsupported_capability");
      assert.match(session.view.error.message, /this page's own `system`/);
      assert.ok(!JSON.stringify(session.view).includes("host bug"));
      assert.equal(provider.requests.length, 0);
      session.dispose();
    }
  }
  assert.deepEqual(told.map(({ code, cause }) => [code, cause.message]), Array(2).fill(["host_failed", "host bug"]));
});

const wire = (message) => new Response(`event: error\ndata: ${JSON.stringify({ type: "error", error: { type: "authentication_error", message } })}\n\n`, { headers: { "content-type": "text/event-stream" } });

test("E3 the exact key in use is masked in an error inside the stream: updates, view, snapshot, and after a restore", async (t) => {
  const key = "hunter-of-two";
  for (const [said, kept] of [[`bad credential ${key}!`, /bad credential \[redacted-key\]!/], [`"${key}" \\ said`, /"\[redacted-key\]" \\ said/], [`${"word ".repeat(33)}: ${key} and more`, /: \[redacted-key\]…$/]]) {
    const updates = [];
    const saves = [];
    const provider = anthropic({ model: "m", apiKey: () => key });
    const session = await opened(t, provider, { fetch: async () => wire(said), onUpdates: (more) => updates.push(...more), storage: { save: (snapshot) => void saves.push(snapshot) } });
    assert.equal(await ended(session.send("go")), "failed");
    assert.match(session.view.error.providerDetail, kept);
    const snapshot = session.save();
    assert.equal(JSON.parse(snapshot).state.error.providerDetail, session.view.error.providerDetail);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const everything = JSON.stringify([updates, session.view, snapshot, saves]);
    assert.ok(!everything.includes(key.slice(0, 6)), everything);
    const restored = await opened(t, provider, { snapshot });
    assert.deepEqual(restored.view.error, session.view.error);
    assert.equal(restored.save(), snapshot);
    session.dispose();
    restored.dispose();
  }
});

test("E3 a snapshot that was kept unmasked is masked when it is taken up", async (t) => {
  const plain = await opened(t, http(async () => wire("bad credential hunter-of-two")));
  await plain.send("go");
  assert.match(plain.view.error.providerDetail, /hunter-of-two/);
  const session = await opened(t, anthropic({ model: "m", apiKey: "hunter-of-two" }), { snapshot: plain.save() });
  assert.ok(!(JSON.stringify(session.view) + session.save()).includes("hunter-of-two"));
});

test("E3 the secret after the scheme of an authorization header is masked without its scheme too", async (t) => {
  const provider = anthropic({ model: "m", headers: { authorization: "Bearer hunter-pass", "x-flag": "true" }, baseURL: "https://gateway.example" });
  const session = await opened(t, provider, { fetch: async () => new Response(JSON.stringify({ error: { message: "it is true: hunter-pass is bad" } }), { status: 401 }) });
  await session.send("go");
  assert.equal(session.view.error.providerDetail, "it is true: [redacted-key] is bad");
});

test("L8 an error body made to be slow costs a moment", async (t) => {
  for (const body of ["a-".repeat(8192), "x-".repeat(8192), "<".repeat(16_384), "token ".repeat(2700)]) {
    const session = await opened(t, anthropic({ model: "m", apiKey: "hunter-of-two" }), { fetch: async () => new Response(body, { status: 401 }) });
    const start = process.cpuUsage();
    await session.send("go");
    const { user, system } = process.cpuUsage(start);
    assert.ok((user + system) / 1000 < 250, `${Math.round((user + system) / 1000)} ms for ${body.slice(0, 4)}`);
  }
});

test("E3 a provider of events masks its own secrets too", async (t) => {
  const provider = { name: "Mine", mask: (text) => text.replaceAll("hunter", "[mine]"), async *events() { yield { type: "error", error: { code: "http_status", status: 401, message: "no hunter", providerDetail: "key hunter" } }; } };
  const session = await opened(t, provider);
  await session.send("go");
  assert.deepEqual({ ...session.view.error }, { code: "http_status", status: 401, message: "no [mine]", providerDetail: "key [mine]" });
});

// a person stops at the first word they see: the stop comes from inside the very step that brought the word
for (const kind of ["bytes", "events"]) {
  test(`T9 stopping from within a notice leaves nothing unhandled (${kind})`, async (t) => {
    const unhandled = [];
    const heard = (reason) => unhandled.push(reason);
    process.on("unhandledRejection", heard);
    t.after(() => process.off("unhandledRejection", heard));
    const frame = (data) => new TextEncoder().encode(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
    const bytes = http(async ({ signal }) => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(frame({ type: "message_start", message: { model: "m" } }));
          controller.enqueue(frame({ type: "content_block_start", index: 0, content_block: { type: "text", text: "hi" } }));
          signal.addEventListener("abort", () => controller.error(signal.reason));
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    });
    const told = { name: "Mine", async *events({ signal }) { yield start; yield { type: "text_delta", text: "hi" }; if (signal.aborted) throw signal.reason; yield end; } };
    const session = await opened(t, kind === "bytes" ? bytes : told);
    session.subscribe(() => {
      if (JSON.stringify(session.view.messages).includes('"hi"')) session.cancel();
    });
    assert.equal(await ended(session.send("go")), "cancelled");
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(unhandled, []);
  });
}
