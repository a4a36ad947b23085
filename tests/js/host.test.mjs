// What a session owes its host: the operator hears of failures, storage is ahead of what happens, and putting it away loses nothing.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createSession, init, tool, ToolError } from "countersign";
import { scripted } from "countersign/testing";
import { add, results, until, waits } from "./board.mjs";
import { opened } from "./opened.mjs";

before(() => init());

const quiet = () => new Promise((resolve) => setTimeout(resolve, 15));

const failing = (name, execute, more = {}) => tool({ name, description: "Fails.", inputSchema: { type: "object" }, effect: "read", execute, ...more });
const SECRET = "SECRET-DETAIL";
const troubles = [
  failing("thrown", () => { throw new TypeError(`${SECRET} is not a function`); }),
  failing("detailed", () => { throw new ToolError("the disk is full", { detail: SECRET, cause: new Error(SECRET) }); }),
  failing("unknowing", () => { throw new ToolError(SECRET, { unknown: true }); }, { external: true }),
  failing("unreadable", () => ({ [SECRET]: 1n })),
  failing("no_patch", () => ({ result: "x", patch: [{ op: SECRET }] })),
  failing("nothing", () => { throw Object.create(null); }),
  failing("half", () => { throw new ToolError("half \ud800"); }),
];

test("G6 what a tool throws reaches the operator with its call's id, and nobody else", async (t) => {
  const heard = [];
  const updates = [];
  const { session, provider } = await opened(t, [{ calls: troubles.map(({ name }) => ({ name, input: {} })) }, { text: "ok" }], {
    tools: troubles,
    onToolError: (callId, error) => heard.push([callId, error]),
    onUpdates: (more) => updates.push(...more),
  });
  assert.equal(await session.send("go"), "completed");
  assert.deepEqual(heard.map(([callId]) => callId), session.view.calls.map(({ id }) => id));
  assert.match(heard[0][1].message, /SECRET-DETAIL is not a function/);
  assert.equal(heard[1][1].detail, SECRET);
  assert.ok(!JSON.stringify([updates, session.view, session.save(), provider.requests]).includes(SECRET));
  const told = results(provider.requests[1].messages).map(({ content }) => content);
  assert.match(told[1], /the disk is full/);
  assert.match(told[6], /half \ufffd/);
  assert.deepEqual(session.view.calls.map(({ status }) => status), ["failed", "failed", "unknown", "failed", "failed", "failed", "failed"]);
});

test("G6 without a function of the host the page's error reporting hears of it, where there is more than the authored line", async (t) => {
  const heard = [];
  globalThis.reportError = (error) => heard.push(error);
  t.after(() => delete globalThis.reportError);
  const tools = [...troubles.slice(0, 2), failing("plain", () => { throw new ToolError("there is no such card"); })];
  const { session } = await opened(t, [{ calls: tools.map(({ name }) => ({ name, input: {} })) }, { text: "ok" }], { tools });
  assert.equal(await session.send("go"), "completed");
  const [first, second] = session.view.calls;
  assert.deepEqual(heard.map(({ code, message }) => [code, message]), [
    ["tool_failed", `the tool \`thrown\` failed in the call "${first.id}"`],
    ["tool_failed", `the tool \`detailed\` failed in the call "${second.id}"`],
  ]);
  assert.equal(heard[1].cause.detail, SECRET);
});

test("A8 an option that no session has is refused by its name, not passed over", async () => {
  const provider = scripted([{ text: "ok" }]);
  for (const name of ["authorize", "iUnderstandNothingWillAsk", "wrapUp", "sytem", "toString"]) {
    await assert.rejects(createSession({ provider, [name]: () => ({ deny: "no" }) }), (error) => error.code === "invalid_options" && error.path === name && /one of `provider`/.test(error.expected));
  }
  const session = await createSession({ provider, authorize: undefined });
  assert.equal(await session.send("go"), "completed");
  session.dispose();
});

test("G6 a tool that was stopped did not fail", async (t) => {
  const heard = [];
  const slow = failing("slow", (_input, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))));
  const { session } = await opened(t, [{ calls: [{ name: "slow", input: {} }] }], { tools: [slow], onToolError: (...told) => heard.push(told) });
  const sent = session.send("go");
  await until(session, (view) => view.calls[0]?.status === "running");
  await quiet();
  session.cancel();
  assert.equal(await sent, "cancelled");
  await quiet();
  assert.deepEqual(heard, []);
});

for (const [what, more] of [["an external tool", { external: true }], ["a tool on a server", { runsOn: "server", external: true }], ["a pure tool on a server", { runsOn: "server" }]]) {
  test(`S1 S2 X6 before ${what} runs it is on record that it may have`, async (t) => {
    const saves = [];
    let release;
    let ran = 0;
    const mail = failing("mail", () => ((ran += 1), "sent"), { effect: "mutate", ...more });
    const storage = { save: (snapshot) => new Promise((resolve) => (saves.push(snapshot), (release = resolve))) };
    const { session, document } = await opened(t, [{ calls: [{ name: "mail", input: {} }] }, { text: "ok" }], { tools: [mail], storage });
    const sent = session.send("go");
    await quiet();
    release();
    await until(session, waits);
    await quiet();
    release();
    await quiet();
    const before = saves.length;
    session.approve(session.view.pending[0].id);
    await quiet();
    assert.deepEqual([session.view.calls[0].status, saves.length - before, ran], ["running", 1, 0]);
    const status = "external" in more ? "unknown" : "pending";
    assert.equal(JSON.parse(saves.at(-1)).state.calls[0].status, status);
    if (status === "unknown") {
      const restored = await createSession({ provider: scripted([{ text: "ok" }]), tools: [mail], document, snapshot: saves.at(-1) });
      assert.equal(restored.view.calls[0].status, "unknown");
      assert.equal(restored.view.pending.length, 0);
      restored.dispose();
    }
    const letting = setInterval(() => release(), 2);
    assert.equal(await sent, "completed");
    clearInterval(letting);
    assert.equal(ran, 1);
  });
}

test("S1 X6 where that cannot be saved the tool does not run, and stopping meanwhile runs nothing", async (t) => {
  let ran = 0;
  let broken = false;
  const mail = failing("mail", () => ((ran += 1), "sent"), { external: true });
  const { session, provider } = await opened(t, [() => ((broken = true), { calls: [{ name: "mail", input: {} }] })], { tools: [mail], storage: { save: async () => { if (broken) throw new Error("full"); } } });
  const updates = [];
  session.subscribe(() => updates.push(session.view.calls[0]?.result));
  const errors = [];
  const { queueMicrotask: real } = globalThis;
  globalThis.queueMicrotask = (fn) => real(() => { try { fn(); } catch (error) { errors.push(error.message); } });
  t.after(() => void (globalThis.queueMicrotask = real));
  assert.equal(await session.send("go"), "failed");
  await quiet();
  assert.equal(ran, 0);
  assert.match(session.view.calls[0].result, /could not be saved/);
  assert.equal(provider.requests.length, 1);
  assert.ok(errors.every((message) => message === "full"));

  let hold = false;
  const held = await opened(t, [() => ((hold = true), { calls: [{ name: "mail", input: {} }] })], { tools: [mail], storage: { save: () => (hold ? new Promise((resolve) => setTimeout(resolve, 20)) : undefined) } });
  const sent = held.session.send("go");
  await until(held.session, (view) => view.calls[0]?.status === "running");
  held.session.cancel();
  assert.equal(await sent, "cancelled");
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.equal(ran, 0);
});

test("S1 stopping and putting away in one tick keeps the settled state", async (t) => {
  for (const end of [(session) => (session.cancel(), session.dispose()), (session) => session.dispose()]) {
    const saves = [];
    const provider = { async *events({ signal }) { yield { type: "message_start", model: "m" }; await new Promise((resolve) => signal.addEventListener("abort", resolve)); } };
    const { session } = await opened(t, provider, { storage: { save: (snapshot) => void saves.push(snapshot) } });
    const sent = session.send("go");
    await until(session, (view) => view.phase === "streaming");
    end(session);
    assert.equal(await sent, "cancelled");
    await quiet();
    assert.deepEqual([JSON.parse(saves.at(-1)).state.phase, JSON.parse(saves.at(-1)).state.outcome], ["settled", "cancelled"]);
    assert.equal(session.view.outcome, "cancelled");
  }
});

test("a session put away by a listener of its document, in the middle of a commit, keeps its last view", async (t) => {
  const saves = [];
  const { session, document, provider } = await opened(t, [{ calls: [add("A"), add("B")] }, { text: "never" }], { storage: { save: (snapshot) => void saves.push(snapshot) } });
  const sent = session.send("go");
  await until(session, waits);
  const inside = [];
  document.onChange(() => {
    if (inside.length > 0) return;
    session.dispose();
    inside.push(session.view.phase);
    assert.throws(() => session.save(), (error) => error.code === "use_after_free");
    session.dispose();
  });
  let told = 0;
  session.subscribe(() => (told += 1));
  session.approveAll();
  assert.equal(await sent, "cancelled");
  assert.equal(inside.length, 1);
  const { view } = session;
  assert.equal(session.view, view);
  assert.deepEqual([view.phase, view.outcome, view.calls.map(({ status }) => status)], ["settled", "cancelled", ["succeeded", "failed"]]);
  assert.equal(document.read().cards.length, 3);
  assert.equal(provider.requests.length, 1);
  await quiet();
  assert.equal(JSON.parse(saves.at(-1)).state.phase, "settled");
  const before = told;
  document.edit([{ op: "replace", path: "/title", value: "later" }], "Later");
  assert.equal(told, before);
  assert.equal(session.view, view);
  document.free();
});

test("a session put away by a subscriber, by `onUpdates` or by its own `context` keeps its last view", async (t) => {
  const subscribed = await opened(t, [{ text: "hello" }]);
  subscribed.session.subscribe(() => { if (subscribed.session.view.phase === "streaming") subscribed.session.dispose(); });
  assert.equal(await subscribed.session.send("go"), "cancelled");
  assert.equal(subscribed.session.view.outcome, "cancelled");
  const updated = await opened(t, [{ calls: [add("A")] }], { onUpdates: (updates) => { if (updates.some(({ phase }) => phase === "awaiting_approval")) updated.session.dispose(); } });
  assert.equal(await updated.session.send("go"), "cancelled");
  assert.equal(updated.session.view.calls[0].denialReason, "turn_cancelled");
  let sending = false;
  const asked = await opened(t, [{ text: "never" }], { context: () => { if (sending) asked.session.dispose(); return { principal: "ada" }; } });
  sending = true;
  await assert.rejects(asked.session.send("go"), (error) => error.code === "use_after_free");
  assert.equal(asked.session.view.phase, "idle");
});

test("a conversation gets a name of its own where `crypto.randomUUID` is missing", async (t) => {
  const own = Object.getOwnPropertyDescriptor(crypto, "randomUUID");
  Object.defineProperty(crypto, "randomUUID", { value: undefined, configurable: true });
  t.after(() => (own === undefined ? delete crypto.randomUUID : Object.defineProperty(crypto, "randomUUID", own)));
  const mail = failing("mail", () => "x", { external: true });
  const names = [];
  for (let at = 0; at < 2; at += 1) {
    const { session } = await opened(t, [{ text: "x" }], { tools: [mail] });
    names.push(JSON.parse(session.save()).conversationId);
  }
  assert.ok(names.every((name) => name.length >= 32));
  assert.notEqual(names[0], names[1]);
});
