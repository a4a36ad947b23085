// Hosts that call a session in the middle of one of its steps: from a listener of the document, of an abort, of the view.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { init, tool } from "countersign";
import { fakeClock, scripted } from "countersign/testing";
import { add, until, waits } from "./board.mjs";
import { opened } from "./opened.mjs";

before(() => init());

/** Calls `act` in the listener of the document that hears of an undo. */
async function insideUndo(t, act) {
  const made = await opened(t, [{ calls: [add("A")] }, { text: "ok" }, { text: ["sec", "ond"], delayMs: 5 }]);
  const { session, document } = made;
  const first = session.send("go");
  await until(session, waits);
  session.approveAll();
  assert.equal(await first, "completed");
  let sent;
  const stop = document.onChange(({ source }) => {
    if (source !== "undo") return;
    stop();
    sent = session.send("again");
    act(made);
  });
  assert.deepEqual(session.undo(), { ok: true });
  return { ...made, outcome: await sent };
}

test("T8 what was sent inside of a step is stopped by a cancel there", async (t) => {
  const { session, outcome } = await insideUndo(t, ({ session }) => session.cancel());
  assert.deepEqual([outcome, session.view.phase, session.view.outcome], ["cancelled", "settled", "cancelled"]);
  assert.equal(session.view.calls[0].status, "undone");
});

test("what was sent inside of a step settles where the session is disposed of there", async (t) => {
  const { session, provider, outcome } = await insideUndo(t, ({ session }) => session.dispose());
  assert.equal(outcome, "cancelled");
  assert.equal(provider.requests.length, 2);
  assert.throws(() => session.save(), { code: "use_after_free" });
});

test("another provider is refused inside of the step that a turn began in", async (t) => {
  const other = scripted([{ text: "other" }]);
  const { session, outcome } = await insideUndo(t, ({ session }) => assert.throws(() => session.use(other), { code: "turn_live" }));
  assert.equal(outcome, "completed");
  assert.equal(session.view.messages.at(-1).content[0].text, "second");
  assert.equal(other.requests.length, 0);
});

/** A tool that hangs and calls `aborted` when it is stopped. */
const hanging = (aborted) =>
  tool({
    name: "look", description: "Looks.", effect: "read", inputSchema: { type: "object" },
    execute: (_input, { signal }) => new Promise(() => signal.addEventListener("abort", aborted)),
  });

/** Asks for the tool, and in its second turn never answers. */
function silentAfterwards() {
  let turns = 0;
  return {
    async *events() {
      turns += 1;
      if (turns > 1) return await new Promise(() => undefined);
      yield { type: "message_start", model: "m" };
      yield { type: "tool_call_complete", id: "c1", name: "look", input: {} };
      yield { type: "message_stop", stopReason: "tool_use" };
    },
  };
}

test("L4 a message that a listener of an abort sends has its deadline", async (t) => {
  const clock = fakeClock();
  let second;
  const look = hanging(() => (second = session.send("again")));
  const { session } = await opened(t, silentAfterwards(), { tools: [look], now: clock.now, limits: { turnDeadlineMs: 700 } });
  const first = session.send("go");
  await clock.advance(0);
  assert.equal(session.view.calls[0].status, "running");
  session.cancel();
  assert.equal(await first, "cancelled");
  assert.equal(session.view.phase, "requesting");
  await clock.advance(700);
  assert.equal(session.view.phase, "settled");
  assert.equal(await second, "bounded");
});

test("T9 a request that is stopped by a listener of an abort is never made", async (t) => {
  const slow = tool({
    name: "slow", description: "Slow.", inputSchema: { type: "object" }, preview: true,
    execute: (_input, { signal }) => new Promise(() => signal.addEventListener("abort", () => session.cancel())),
  });
  const { session, provider } = await opened(t, [{ calls: [{ name: "slow", input: {} }] }, { text: "never" }], { tools: [slow] });
  const first = session.send("go");
  await until(session, waits);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const second = session.send("instead");
  assert.deepEqual(await Promise.all([first, second]), ["cancelled", "cancelled"]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(provider.requests.length, 1);
});

test("a session that a listener of an abort disposes of leaves no timer", async (t) => {
  // timers that are counted, and never go off
  const open = new Set();
  const later = (fn) => (open.add(fn), () => void open.delete(fn));
  const now = Object.assign(() => 1000, { [Symbol.for("countersign.timers")]: { later } });
  let asked;
  const slow = tool({
    name: "slow", description: "Slow.", inputSchema: { type: "object" }, preview: true,
    execute: (_input, { signal }) => new Promise(() => (asked = signal).addEventListener("abort", () => session.dispose())),
  });
  const { session, provider } = await opened(t, [{ calls: [{ name: "slow", input: {} }] }, { text: "never" }], { tools: [slow], now });
  const first = session.send("go");
  while (asked === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
  assert.ok(open.size > 0);
  const second = session.send("instead");
  assert.deepEqual(await Promise.all([first, second]), ["cancelled", "cancelled"]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual([open.size, provider.requests.length], [0, 1]);
});

test("G3 a message that a subscriber sends while a tool is replaced has the new tool, declared and run", async (t) => {
  const ran = [];
  const made = (name, description) => tool({ name, description, inputSchema: { type: "object" }, execute: () => (ran.push(description), "ok") });
  const act = { calls: [{ name: "act", input: {} }, { name: "other", input: {} }] };
  const { session, provider } = await opened(t, [act, { calls: [{ name: "act", input: {} }] }, { text: "ok" }], { tools: [made("act", "old"), made("other", "other")] });
  const first = session.send("go");
  await until(session, waits);
  session.approve(session.view.pending[0]);
  let second;
  const stop = session.subscribe(() => {
    stop();
    second = session.send("again");
  });
  session.tools.replace(made("act", "new"));
  assert.equal(await first, "cancelled");
  await until(session, waits);
  assert.deepEqual(provider.requests.map(({ tools }) => tools[0].description), ["old", "new"]);
  session.approveAll();
  assert.equal(await second, "completed");
  assert.deepEqual(ran, ["new"]);
});

test("G3 tools that the core refuses change nothing", async (t) => {
  const ran = [];
  const old = tool({ name: "act", description: "old", effect: "read", inputSchema: { type: "object" }, execute: () => (ran.push("old"), "ok") });
  const { session, provider } = await opened(t, [{ calls: [{ name: "act", input: {} }] }, { text: "ok" }], { tools: [old] });
  assert.throws(() => session.tools.replace(tool({ ...old, description: "new", inputSchema: { type: 4 } })), { code: "invalid_schema" });
  assert.deepEqual(session.tools.list(), [old]);
  assert.equal(await session.send("go"), "completed");
  assert.deepEqual([provider.requests[0].tools[0].description, ran], ["old", ["old"]]);
});
