// A session over scripted events: every decision a person can take, and what the model is told of it.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { CountersignError, createSession, init, pairingViolations, tool, ToolError } from "countersign";
import { fakeClock, recordTranscript, scripted } from "countersign/testing";
import { add, addCard, boardTools, remove, reported, results, until, waits } from "./board.mjs";
import { opened } from "./opened.mjs";

before(() => init());

// drawing that takes longer than a frame
const busy = () => {
  const until = performance.now() + 10;
  while (performance.now() < until);
};

const titles = (document) => document.read().cards.map((card) => card.title);

test("a question is answered, and the view tells it as it grows", async (t) => {
  const { session, provider } = await opened(t, [{ text: ["Hel", "lo"], usage: { inputTokens: 7, outputTokens: 2 } }], { system: () => "Be brief." });
  assert.equal(session.view.phase, "idle");
  const record = recordTranscript(session);
  assert.equal(await session.send("hi"), "completed");
  record.stop();
  assert.equal(session.view.messages.at(-1).content[0].text, "Hello");
  assert.deepEqual(session.view.usage, { inputTokens: 7, outputTokens: 2, costMicros: 0 });
  assert.equal(provider.requests[0].system, "Be brief.");
  assert.deepEqual(provider.requests[0].tools.map((each) => each.name), ["count_cards", "add_card", "remove_card"]);
  assert.match(record.text(), /user: hi\n.*\n?.*assistant: Hello/s);
  assert.match(record.text(), /= completed$/);
});

test("M1 a read runs without a card, and its result goes back fenced", async (t) => {
  const { session, provider } = await opened(t, [{ calls: [{ name: "count_cards", input: {} }] }, { text: "Two." }]);
  assert.equal(await session.send("How many?"), "completed");
  const [result] = results(provider.requests[1].messages);
  assert.match(result.content, /"count":2/);
  assert.equal(session.view.calls[0].status, "succeeded");
  assert.deepEqual(session.view.receipts, []);
});

test("T6 every opened call is answered once, in call order, whatever became of it", async (t) => {
  const { session, provider, document } = await opened(t, [
    { text: "Let me.", calls: [add("A"), { name: "invent", input: {} }, { name: "add_card", input: { tittle: "x" } }, remove("card-1"), { name: "count_cards", input: {} }] },
    { text: "Done." },
  ]);
  const sent = session.send("go");
  await until(session, waits);
  const [first, destroy] = session.view.pending;
  assert.deepEqual(session.view.pending.map((call) => call.toolName), ["add_card", "remove_card"]);
  assert.equal(session.deny(destroy.id, "keep it").ok, true);
  assert.equal(session.approve(first.id).ok, true);
  assert.equal(await sent, "completed");
  const asked = provider.requests[1].messages.at(-2).content.filter((block) => block.type === "tool_call").map((block) => block.id);
  const answered = results([provider.requests[1].messages.at(-1)]);
  assert.deepEqual(answered.map((block) => block.toolCallId), asked);
  assert.equal(new Set(asked).size, 5);
  assert.deepEqual(pairingViolations([...session.view.messages]), []);
  assert.match(answered[3].content, /keep it/);
  assert.deepEqual(answered.map((block) => block.isError === true), [false, true, true, true, false]);
  assert.deepEqual(titles(document), ["Write", "Test", "A"]);
  assert.deepEqual(session.view.receipts.map(({ summary, undone }) => [summary, undone]), [[session.view.calls[0].summary, false]]);
});

test("A2 A5 approving all covers what the view showed, and never what destroys", async (t) => {
  const { session, document } = await opened(t, [{ calls: [add("A"), remove("card-1"), add("B")] }, { text: "ok" }]);
  const sent = session.send("go");
  await until(session, waits);
  const [a, destroy, b] = session.view.pending.map((call) => call.id);
  assert.deepEqual(session.approveAll(), { ok: true, approved: [a, b], refused: [] });
  assert.deepEqual(session.view.pending.map((call) => call.id), [destroy]);
  assert.equal(session.approve(destroy).ok, true);
  assert.equal(await sent, "completed");
  assert.deepEqual(titles(document), ["Test", "A", "B"]);
  assert.deepEqual(session.approveAll(), { ok: false, reason: "not_pending", approved: [], refused: [] });
});

test("A5 T11 a batch that names a destructive call approves the others and reports it", async (t) => {
  const { session } = await opened(t, [{ calls: [add("A"), remove("card-1")] }, { text: "ok" }]);
  const sent = session.send("go");
  await until(session, waits);
  const [a, destroy] = session.view.pending.map((call) => call.id);
  const decision = session.approveAll([a, destroy, "nobody"]);
  assert.equal(decision.ok, false);
  assert.deepEqual(decision.approved, [a]);
  assert.deepEqual(decision.refused, [{ callId: destroy, reason: "destructive_in_batch" }, { callId: "nobody", reason: "unknown_call" }]);
  session.cancel();
  assert.equal(await sent, "cancelled");
});

test("A6 an edited input is what runs, the record says so, and the model is told", async (t) => {
  const { session, document, provider } = await opened(t, [{ calls: [add("A")] }, { text: "ok" }]);
  const sent = session.send("go");
  const { pending } = await until(session, waits);
  const wrong = session.approve(pending[0].id, { editedInput: { title: 4 } });
  assert.equal(wrong.ok, false);
  assert.equal(wrong.reason, "invalid_input");
  assert.equal(session.approve(pending[0].id, { editedInput: { title: "Mine" } }).ok, true);
  await sent;
  assert.deepEqual(titles(document), ["Write", "Test", "Mine"]);
  assert.equal(session.view.calls[0].edited, true);
  assert.match(results(provider.requests[1].messages)[0].content, /Mine/);
});

test("A4 a declined call is not asked again in the same turn", async (t) => {
  const { session, provider } = await opened(t, [{ calls: [add("A")] }, { calls: [add("A")] }, { text: "ok" }]);
  const sent = session.send("go");
  const { pending } = await until(session, waits);
  session.deny(pending[0].id);
  assert.equal(await sent, "completed");
  assert.deepEqual(session.view.calls.map((call) => [call.status, call.denialReason]), [["denied", "user_declined"], ["denied", "user_declined"]]);
  assert.equal(provider.requests.length, 3);
});

test("A1 A9 a decision about a card that is no longer current changes nothing and asks again", async (t) => {
  const { session, document } = await opened(t, [{ calls: [add("A")] }, { text: "ok" }]);
  const sent = session.send("go");
  const { pending } = await until(session, waits);
  const shown = session.view;
  document.edit([{ op: "replace", path: "/title", value: "Changed by hand" }], "Rename");
  const stale = session.approve(pending[0].id);
  assert.deepEqual([stale.ok, stale.reason], [false, "stale_effect"]);
  assert.notEqual(session.view, shown);
  assert.equal(session.view.pending[0].status, "pending");
  assert.equal(session.approve(pending[0].id).ok, true);
  assert.equal(await sent, "completed");
  assert.deepEqual(titles(document), ["Write", "Test", "A"]);
});

test("A9 an edit between approval and start sends the call back to the person", async (t) => {
  let begin;
  const begun = new Promise((resolve) => (begin = resolve));
  const slow = tool({ name: "slow", description: "Waits.", inputSchema: { type: "object" }, execute: () => new Promise((resolve) => begin(() => resolve("ok"))) });
  const { session, document } = await opened(t, [{ calls: [{ name: "slow", input: {} }, add("A")] }, { text: "ok" }], { tools: [slow, addCard] });
  const sent = session.send("go");
  await until(session, waits);
  session.approveAll();
  // a pause may come between the start of a call and its tool
  const release = await begun;
  assert.equal(session.view.calls[0].status, "running");
  document.edit([{ op: "replace", path: "/title", value: "Other" }], "Rename");
  release();
  const view = await until(session, waits);
  assert.deepEqual(view.pending.map((call) => call.toolName), ["add_card"]);
  session.approveAll();
  assert.equal(await sent, "completed");
});

test("C3 a turn is one undo step, and undo flips its calls together", async (t) => {
  const { session, document } = await opened(t, [{ calls: [add("A"), add("B")] }, { text: "ok" }, { text: "later" }]);
  assert.deepEqual(session.undo(), { ok: false, reason: "already_undone" });
  const sent = session.send("go");
  await until(session, waits);
  session.approveAll();
  await sent;
  assert.equal(document.history().length, 1);
  assert.equal(session.view.undo, "undoable");
  await session.send("and now?");
  assert.equal(session.view.undo, "undoable");
  assert.deepEqual(session.undo(), { ok: true });
  assert.deepEqual(titles(document), ["Write", "Test"]);
  assert.deepEqual(session.view.calls.map((call) => call.status), ["undone", "undone"]);
  assert.deepEqual(session.view.receipts.map((receipt) => receipt.undone), [true, true]);
  assert.deepEqual(session.undo(), { ok: false, reason: "already_undone" });
});

test("C3 a turn undone and redone through the store tells its calls", async (t) => {
  const { session, document } = await opened(t, [{ calls: [add("A")] }, { text: "ok" }]);
  const sent = session.send("go");
  await until(session, waits);
  session.approveAll();
  await sent;
  document.undo();
  assert.equal(session.view.calls[0].status, "undone");
  document.redo();
  assert.equal(session.view.calls[0].status, "succeeded");
  document.edit([{ op: "replace", path: "/title", value: "By hand" }], "Rename");
  assert.equal(session.view.undo, "superseded");
  assert.deepEqual(session.undo(), { ok: false, reason: "superseded" });
  assert.equal(document.read().title, "By hand");
});

test("T8 stop answers at once, keeps what arrived and is no error", async (t) => {
  const { session } = await opened(t, [{ text: ["One ", "two ", "three"], delayMs: 20 }]);
  const sent = session.send("count");
  await until(session, (view) => view.messages.length > 1 && view.messages.at(-1).content.length > 0);
  session.cancel();
  assert.equal(session.view.phase, "settled");
  assert.equal(session.view.outcome, "cancelled");
  session.cancel();
  assert.equal(await sent, "cancelled");
  assert.equal(session.view.error, null);
  assert.match(session.view.messages.at(-1).content[0].text, /^One/);
});

test("T9 what an aborted request still says reaches no later one", async (t) => {
  let late;
  const provider = {
    turns: 0,
    async *events({ signal }) {
      this.turns += 1;
      yield { type: "message_start", model: "m" };
      if (this.turns === 1) {
        await new Promise((resolve) => (late = resolve));
        yield { type: "text_delta", text: `late, aborted: ${signal.aborted}` };
      } else {
        yield { type: "text_delta", text: "second" };
        yield { type: "message_stop", stopReason: "end_turn" };
      }
    },
  };
  const { session } = await opened(t, provider);
  const first = session.send("one");
  await until(session, (view) => view.phase === "streaming");
  session.cancel();
  await first;
  const second = session.send("two");
  late();
  assert.equal(await second, "completed");
  assert.ok(!JSON.stringify(session.view.messages).includes("late"));
});

test("X6 a pure call stopped in flight did nothing, an external one is unknown", async (t) => {
  const never = (name, more) => tool({ name, description: "Waits.", inputSchema: { type: "object" }, execute: (_input, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))), ...more });
  for (const [external, status, errorCode] of [[false, "failed", "cancelled"], [true, "unknown", "outcome_unknown"]]) {
    const { session } = await opened(t, [{ calls: [{ name: "wait", input: {} }] }, { text: "ok" }], { tools: [never("wait", { external })] });
    const sent = session.send("go");
    await until(session, waits);
    session.approveAll();
    await until(session, (view) => view.calls[0].status === "running");
    session.cancel();
    assert.equal(await sent, "cancelled");
    assert.deepEqual([session.view.calls[0].status, session.view.calls[0].errorCode], [status, errorCode]);
  }
});

test("L4 a tool that takes too long is stopped by its own time", async (t) => {
  const clock = fakeClock();
  let signalled;
  const slow = tool({ name: "slow", description: "Waits.", inputSchema: { type: "object" }, effect: "read", timeoutMs: 1000, execute: (_input, { signal }) => new Promise(() => signal.addEventListener("abort", () => (signalled = true))) });
  const { session, provider } = await opened(t, [{ calls: [{ name: "slow", input: {} }] }, { text: "ok" }], { tools: [slow], now: clock.now });
  const sent = session.send("go");
  await clock.advance(999);
  assert.equal(session.view.calls[0].status, "running");
  await clock.advance(2);
  assert.equal(await sent, "completed");
  assert.equal(session.view.calls[0].errorCode, "timeout");
  assert.equal(signalled, true);
  assert.equal(results(provider.requests[1].messages)[0].isError, true);
});

test("L4 the deadline ends a silent stream and pauses while the person thinks", async (t) => {
  const clock = fakeClock();
  const silent = { async *events() { yield { type: "message_start", model: "m" }; await new Promise(() => undefined); } };
  const { session } = await opened(t, silent, { now: clock.now, limits: { turnDeadlineMs: 10_000 } });
  const sent = session.send("go");
  await clock.advance(9_000);
  assert.equal(session.view.phase, "streaming");
  await clock.advance(1_100);
  assert.equal(await sent, "bounded");
  const thinking = await opened(t, [{ calls: [add("A")] }, { text: "ok" }], { now: clock.now, limits: { turnDeadlineMs: 10_000 } });
  const other = thinking.session.send("go");
  await clock.advance(0);
  assert.equal(thinking.session.view.phase, "awaiting_approval");
  await clock.advance(3_600_000);
  assert.equal(thinking.session.view.phase, "awaiting_approval");
  thinking.session.approveAll();
  assert.equal(await other, "completed");
});

test("A11 a card that nobody decides expires by itself", async (t) => {
  const clock = fakeClock();
  const { session } = await opened(t, [{ calls: [add("A")] }, { text: "ok" }], { now: clock.now, limits: { approvalTtlMs: 5000 } });
  const sent = session.send("go");
  await clock.advance(0);
  assert.equal(session.view.pending[0].expiresAtMs, clock.now() + 5000);
  await clock.advance(5001);
  assert.equal(await sent, "completed");
  assert.deepEqual([session.view.calls[0].status, session.view.calls[0].denialReason], ["denied", "approval_expired"]);
});

test("L7 a passing failure before content is asked again after the wait it names", async (t) => {
  const clock = fakeClock();
  const { session, provider } = await opened(t, [{ error: { code: "rate_limited", retryAfterMs: 4000 } }, { error: { code: "overloaded" } }, { text: "ok" }], { now: clock.now });
  const sent = session.send("go");
  await clock.advance(3900);
  assert.equal(provider.requests.length, 1);
  await clock.advance(200);
  assert.equal(provider.requests.length, 2);
  await clock.advance(2000);
  assert.equal(await sent, "completed");
  assert.equal(provider.requests.length, 3);
});

test("L7 stop ends a wait at once", async (t) => {
  const clock = fakeClock();
  const { session, provider } = await opened(t, [{ error: { code: "rate_limited", retryAfterMs: 60_000 } }, { text: "never" }], { now: clock.now });
  const sent = session.send("go");
  await clock.advance(10);
  session.cancel();
  assert.equal(await sent, "cancelled");
  await clock.advance(120_000);
  assert.equal(provider.requests.length, 1);
});

test("T14 a failure after content is not asked again", async (t) => {
  const { session, provider } = await opened(t, [{ text: "Half", error: { code: "transport", message: "the line broke" } }]);
  assert.equal(await session.send("go"), "failed");
  assert.equal(session.view.error.message, "the line broke");
  assert.equal(session.view.messages.at(-1).content[0].text, "Half");
  assert.equal(provider.requests.length, 1);
});

test("T14 events that simply end are a truncated answer", async (t) => {
  const { session } = await opened(t, [[{ type: "message_start", model: "m" }, { type: "text_delta", text: "x" }]]);
  assert.equal(await session.send("go"), "failed");
  assert.equal(session.view.error.code, "truncated_stream");
});

test("E1 a provider that throws settles the turn in one authored sentence", async (t) => {
  const { session } = await opened(t, { name: "Mine", events() { throw new Error("Bearer abcdef123456 leaked"); } }, { limits: { maxRetriesPerTurn: 0 } });
  assert.equal(await session.send("go"), "failed");
  assert.equal(session.view.error.code, "transport");
  assert.match(session.view.error.message, /Mine/);
  assert.ok(!JSON.stringify(session.view).includes("abcdef123456"));
});

test("L3 at a bound the turn settles with a notice and keeps what was committed", async (t) => {
  const { session, document } = await opened(t, [{ calls: [add("A")] }, { text: "never" }], { limits: { maxIterations: 1 } });
  const sent = session.send("go");
  await until(session, waits);
  session.approveAll();
  assert.equal(await sent, "bounded");
  assert.equal(session.view.error, null);
  assert.ok(session.view.notice.length > 0);
  assert.deepEqual(titles(document), ["Write", "Test", "A"]);
});

test("a message while a turn runs is refused, one while calls wait supersedes them", async (t) => {
  const { session, provider } = await opened(t, [{ calls: [add("A")] }, { text: "second" }]);
  const first = session.send("one");
  await assert.rejects(session.send("two"), (error) => error instanceof CountersignError && error.code === "turn_live");
  const { pending } = await until(session, waits);
  const second = session.send("two instead");
  assert.equal(await first, "cancelled");
  assert.equal(await second, "completed");
  assert.equal(session.view.outcome, "completed");
  assert.equal(session.view.calls[0].denialReason, "superseded");
  assert.equal(session.approve(pending[0].id).ok, false);
  assert.equal(results(provider.requests[1].messages).length, 1);
  await assert.rejects(session.send("  "), (error) => error.code === "invalid_input");
});

test("G6 a tool's failure has a public line, and its detail stays with the operator", async (t) => {
  const failing = (name, execute) => tool({ name, description: "Fails.", inputSchema: { type: "object" }, effect: "read", execute });
  const tools = [
    failing("told", () => { throw new ToolError("the disk is full", { detail: "inode 77" }); }),
    failing("untold", () => { throw new Error("secret path /etc/x"); }),
    failing("odd", () => ({ big: 1n })),
    failing("patchy", () => ({ result: "x", patch: "no patch" })),
  ];
  const { session, provider } = await opened(t, [{ calls: tools.map(({ name }) => ({ name, input: {} })) }, { text: "ok" }], { tools, onToolError: () => undefined });
  assert.equal(await session.send("go"), "completed");
  const told = results(provider.requests[1].messages);
  assert.match(told[0].content, /the disk is full/);
  assert.ok(told.every((result) => result.isError === true));
  assert.ok(!JSON.stringify(told).includes("inode 77") && !JSON.stringify(told).includes("/etc/x"));
});

test("C1 a read tool that returns a changed document is refused", async (t) => {
  const sly = tool({ name: "sly", description: "Reads.", inputSchema: { type: "object" }, effect: "read", execute: (_input, { document }) => ({ result: "x", document: { ...document, title: "hijacked" } }) });
  const { session, document } = await opened(t, [{ calls: [{ name: "sly", input: {} }] }, { text: "ok" }], { tools: [sly] });
  await session.send("go");
  assert.equal(session.view.calls[0].errorCode, "read_tool_mutated");
  assert.equal(document.read().title, "Plan");
});

test("tools begin in the order of their calls, also where the page is given a pause before them", async (t) => {
  const began = [];
  const look = tool({ name: "look", description: "Looks.", inputSchema: { type: "object", properties: { n: { type: "number" } } }, effect: "read", execute: ({ n }) => (began.push(n), "seen") });
  const { session } = await opened(t, [{ calls: [1, 2, 3].map((n) => ({ name: "look", input: { n } })) }, { text: "ok" }], { tools: [look], limits: { maxConcurrentCalls: 3 } });
  session.subscribe(busy);
  assert.equal(await session.send("go"), "completed");
  assert.deepEqual(began, [1, 2, 3]);
});

test("where there are no message channels a pause is a timer's, and ends", async (t) => {
  const own = Object.getOwnPropertyDescriptor(globalThis, "MessageChannel");
  delete globalThis.MessageChannel;
  t.after(() => Object.defineProperty(globalThis, "MessageChannel", own));
  const { session } = await opened(t, [{ calls: [{ name: "count_cards", input: {} }] }, { text: ["T", "w", "o"] }]);
  session.subscribe(busy);
  assert.equal(await session.send("How many?"), "completed");
});

test("G9 progress is shown, paced and bounded", async (t) => {
  const clock = fakeClock();
  let told;
  let finish;
  const long = tool({
    name: "long", description: "Works.", inputSchema: { type: "object" }, effect: "read",
    execute: (_input, { progress }) => {
      told = progress;
      return new Promise((resolve) => (finish = () => resolve("ok")));
    },
  });
  const { session } = await opened(t, [{ calls: [{ name: "long", input: {} }] }, { text: "ok" }], { tools: [long], now: clock.now });
  const sent = session.send("go");
  await clock.advance(0);
  let notified = 0;
  session.subscribe(() => (notified += 1));
  told("start", 0.1);
  assert.deepEqual(session.view.progress, { callId: session.view.calls[0].id, label: "start", fraction: 0.1 });
  for (let step = 2; step < 100; step += 1) told(`step ${step}`, step / 100);
  assert.equal(notified, 1);
  await clock.advance(150);
  assert.equal(session.view.progress.label, "step 99");
  assert.equal(notified, 2);
  finish();
  assert.equal(await sent, "completed");
  assert.equal(session.view.progress, null);
});

test("what did not change keeps its identity, and the view itself while nothing happens", async (t) => {
  const { session, document } = await opened(t, [{ text: ["a", "b"], calls: [add("A"), add("B")] }, { text: ["c", "d", "e"], delayMs: 2 }]);
  const sent = session.send("go");
  const first = await until(session, waits);
  assert.equal(session.view, first);
  assert.ok(Object.isFrozen(first) && Object.isFrozen(first.messages) && Object.isFrozen(first.messages[0].content) && Object.isFrozen(first.calls[0].input));
  session.approve(first.pending[0].id);
  const second = session.view;
  assert.equal(second.calls[1], first.calls[1]);
  assert.notEqual(second.calls[0], first.calls[0]);
  assert.equal(second.messages, first.messages);
  session.approve(first.pending[1].id);
  await until(session, (view) => view.messages.at(-1).content[0]?.text === "cd");
  const third = session.view;
  assert.equal(third.messages[0], first.messages[0]);
  await until(session, (view) => view.messages.at(-1).content[0]?.text === "cde" && view.phase === "streaming");
  const fourth = session.view;
  assert.equal(fourth.calls, third.calls);
  assert.equal(fourth.receipts, third.receipts);
  assert.equal(fourth.messages.at(-2), third.messages.at(-2));
  assert.notEqual(fourth.messages.at(-1), third.messages.at(-1));
  await sent;
  document.edit([{ op: "replace", path: "/title", value: "x" }], "x");
  assert.equal(session.view.messages, (await until(session, () => true)).messages);
});

test("text grows by what arrived: the view equals the core's own messages at every step", async (t) => {
  const pieces = Array.from({ length: 300 }, (_, at) => `w${at} `);
  const seen = [];
  const { session } = await opened(t, [{ text: pieces }], { onUpdates: (updates) => seen.push(...updates.filter((update) => update.type === "text")) });
  const shown = [];
  session.subscribe(() => {
    const { phase, messages } = session.view;
    if (phase === "streaming") shown.push(messages.at(-1).content[0]?.text ?? "");
  });
  await session.send("go");
  assert.equal(session.view.messages.at(-1).content[0].text, pieces.join(""));
  assert.equal(seen.map((update) => update.delta).join(""), pieces.join(""));
  const texts = [...new Set(shown)];
  assert.equal(texts.length, 301);
  assert.ok(texts.every((text, at) => at === 0 || text === texts[at - 1] + pieces[at - 1]));
});

test("half a surrogate pair at the end of a delta is joined with the next", async (t) => {
  const events = [{ type: "message_start", model: "m" }, { type: "text_delta", text: "a\ud83d" }, { type: "text_delta", text: "\ude00b" }, { type: "message_stop", stopReason: "end_turn" }];
  const { session } = await opened(t, [events]);
  assert.equal(await session.send("go"), "completed");
  assert.equal(session.view.messages.at(-1).content[0].text, "a😀b");
});

test("G3 tools change from the next message on, and a changed tool loses its approval", async (t) => {
  const { session, provider } = await opened(t, [{ calls: [add("A")] }, { text: "ok" }, { text: "ok" }]);
  const sent = session.send("go");
  await until(session, waits);
  const extra = tool({ name: "extra", description: "More.", inputSchema: { type: "object" }, effect: "read", execute: () => "x" });
  session.tools.register(extra);
  assert.throws(() => session.tools.register(extra), (error) => error.code === "invalid_tool");
  assert.throws(() => session.tools.register({ name: "bad name", description: "", inputSchema: {} }), (error) => error instanceof CountersignError);
  assert.deepEqual(session.tools.list().map(({ name }) => name), ["count_cards", "add_card", "remove_card", "extra"]);
  session.approveAll();
  await sent;
  assert.ok(provider.requests[1].tools.every(({ name }) => name !== "extra"));
  assert.equal(session.tools.remove("count_cards"), true);
  assert.equal(session.tools.remove("count_cards"), false);
  await session.send("again");
  assert.deepEqual(provider.requests[2].tools.map(({ name }) => name), ["add_card", "remove_card", "extra"]);
  session.tools.clear();
  assert.deepEqual(session.tools.list(), []);
});

test("X2 a declared tool that nothing runs here fails with a clear line", async (t) => {
  const { session, provider } = await opened(t, [{ calls: [{ name: "ghost", input: {} }] }, { text: "ok" }], { tools: [{ name: "ghost", description: "Nobody.", inputSchema: { type: "object" }, effect: "read" }] });
  assert.equal(await session.send("go"), "completed");
  assert.match(results(provider.requests[1].messages)[0].content, /ghost/);
  assert.equal(session.view.calls[0].errorCode, "execution_failed");
});

test("S1 S2 a session goes on from a snapshot: what waited asks again, and nothing runs twice", async (t) => {
  const { session, document } = await opened(t, [{ calls: [add("A"), add("B")] }]);
  void session.send("go");
  const { pending } = await until(session, waits);
  session.approve(pending[0].id);
  const snapshot = session.save();
  const provider = scripted([{ text: "ok" }]);
  const restored = await createSession({ provider, tools: boardTools, document, snapshot });
  t.after(() => restored.dispose());
  assert.equal(restored.view.phase, "awaiting_approval");
  assert.deepEqual(restored.view.pending.map(({ id, inputDigest }) => [id, inputDigest]), pending.map(({ id, inputDigest }) => [id, inputDigest]));
  assert.equal(restored.save(), snapshot);
  await assert.rejects(createSession({ provider, tools: boardTools, document, snapshot: snapshot.slice(0, -5) }), (error) => error instanceof CountersignError);
});

test("S3 the host's storage has the record before anything is sent", async (t) => {
  const saved = [];
  const provider = scripted([() => ({ text: `saved ${saved.length}` }), { text: "more" }]);
  const { session, document } = await opened(t, provider, { storage: { load: () => null, save: async (snapshot) => void saved.push(snapshot) } });
  await session.send("hi");
  assert.equal(session.view.messages.at(-1).content[0].text, "saved 1");
  await new Promise((resolve) => setTimeout(resolve, 10));
  const again = await createSession({ provider: scripted([{ text: "more" }]), tools: boardTools, document, storage: { load: async () => saved.at(-1), save: () => undefined } });
  t.after(() => again.dispose());
  assert.equal(again.view.messages.length, 2);
  const broken = await opened(t, [{ text: "never" }], { storage: { save: () => { throw new Error("full"); } } });
  const errors = await reported(async () => assert.equal(await broken.session.send("hi"), "failed"));
  assert.equal(broken.provider.requests.length, 0);
  assert.match(broken.session.view.error.message, /not be saved/);
  assert.ok(errors.every((error) => error.message === "full"));
});

test("tools may be made after the core is loaded, and a session without tools or document talks", async (t) => {
  const session = await createSession({ provider: scripted([{ text: "hi" }]), tools: async () => boardTools });
  t.after(() => session.dispose());
  assert.equal(session.tools.list().length, 3);
  const bare = await createSession({ provider: scripted([{ text: "hi" }]) });
  assert.equal(await bare.send("x"), "completed");
  assert.equal(bare.view.documentRevision, 0);
  bare.dispose();
  bare.dispose();
  assert.equal(bare.view.outcome, "completed");
  await assert.rejects(bare.send("x"), (error) => error.code === "use_after_free");
  await assert.rejects(createSession({ tools: [] }), (error) => error.code === "invalid_options" && error.path === "provider");
});

test("disposing stops what runs and settles what was sent", async (t) => {
  const { session } = await opened(t, [{ text: ["a", "b", "c"], delayMs: 30 }]);
  const sent = session.send("go");
  await until(session, (view) => view.phase === "streaming");
  session.dispose();
  assert.equal(await sent, "cancelled");
});

test("onCommit tells each change the session made, with its patch", async (t) => {
  const told = [];
  const { session, document } = await opened(t, [{ calls: [add("A")] }, { text: "ok" }], { onCommit: (change) => told.push(change) });
  document.edit([{ op: "replace", path: "/title", value: "mine" }], "mine");
  const sent = session.send("go");
  await until(session, waits);
  session.approveAll();
  await sent;
  session.undo();
  assert.deepEqual(told.map(({ source }) => source), ["turn", "undo"]);
  assert.deepEqual(told[0].patch, [{ op: "add", path: "/cards/2", value: { id: "card-3", title: "A" } }]);
  assert.equal(told[1].revision, document.revision);
});

test("two sessions over one document: the other's commit counts as somebody else's edit", async (t) => {
  const { session, document } = await opened(t, [{ calls: [add("A")] }, { text: "ok" }]);
  const other = await createSession({ provider: scripted([{ calls: [add("B")] }, { text: "ok" }]), tools: boardTools, document });
  t.after(() => other.dispose());
  const [first, second] = [session.send("go"), other.send("go")];
  await until(session, waits);
  await until(other, waits);
  other.approveAll();
  await second;
  const view = session.view;
  assert.equal(view.documentRevision, document.revision);
  assert.equal(session.approveAll().ok, true);
  assert.equal(await first, "completed");
  assert.deepEqual(titles(document), ["Write", "Test", "B", "A"]);
  assert.equal(other.view.undo, "superseded");
});
