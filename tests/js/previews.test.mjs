// Cards show what calls would do: tools of the page run on drafts, and what is approved is exactly the effect that was seen.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createSession, DocumentStore, entityTools, init, tool, ToolError, ToolLoop } from "countersign";
import { fakeClock, scripted } from "countersign/testing";
import { definition, initial, results, until, waits } from "./board.mjs";

before(() => init());

const inputSchema = { type: "object", properties: { id: { type: "string" }, title: { type: "string" } }, required: ["id", "title"], additionalProperties: false };
const retitle = (runs, members = {}) =>
  tool({
    name: "retitle",
    description: "Renames a card.",
    inputSchema,
    summary: "Rename {id} to {title}",
    preview: true,
    execute: ({ id, title }, run) => {
      runs.push(`${run.preview ? "preview" : "run"} ${id} ${title}`);
      const place = run.document.cards.findIndex((card) => card.id === id);
      if (place < 0) throw new ToolError(`there is no card \`${id}\``);
      assert.ok(Object.isFrozen(run.document.cards[place]));
      run.progress("half way");
      return { result: "renamed", patch: [{ op: "replace", path: `/cards/${place}/title`, value: title }] };
    },
    ...members,
  });
const call = (id, title) => ({ name: "retitle", input: { id, title } });
const ready = (view) => waits(view) && view.pending.every((each) => each.awaiting === "user");

async function opened(t, calls, tools, options = {}) {
  const document = new DocumentStore(definition, initial());
  const provider = scripted([{ calls }, { text: "ok" }]);
  const session = await createSession({ provider, tools, document, ...options });
  t.after(() => session.dispose());
  return { session, document, sent: session.send("go"), provider };
}

test("C4 C5 A1 tools of the page are run on drafts in order, and what they showed is what is committed", async (t) => {
  const runs = [];
  const { session, document, sent } = await opened(t, [call("card-1", "One"), call("card-1", "Two")], [retitle(runs)]);
  assert.deepEqual((await until(session, waits)).pending.map(({ awaiting }) => awaiting), ["preview", "preview"]);
  assert.equal(session.approve(session.view.pending[0].id).reason, "stale_effect");
  const { pending } = await until(session, ready);
  assert.deepEqual(runs, ["preview card-1 One", "preview card-1 Two"]);
  assert.deepEqual(pending.map(({ preview }) => [preview.title, preview.lines.map(({ before, after }) => [before, after])]), [
    ["Rename Write to One", [["Write", "One"]]],
    ["Rename One to Two", [["One", "Two"]]],
  ]);
  assert.equal(document.revision, 1);
  assert.deepEqual(session.preview(pending[0].id), { ok: true, input: pending[0].input, preview: pending[0].preview });
  assert.equal(session.approveAll().ok, true);
  assert.equal(await sent, "completed");
  assert.deepEqual(runs.slice(2), ["run card-1 One", "run card-1 Two"]);
  assert.equal(document.read().cards[0].title, "Two");
  assert.deepEqual(session.view.receipts.map(({ summary }) => summary), ["Rename Write to One", "Rename One to Two"]);
});

test("C4 a tool that does something else than it showed changes nothing", async (t) => {
  const document = new DocumentStore(definition, initial());
  const fickle = retitle([], {
    execute: (_input, { preview }) => ({ result: "ok", patch: [{ op: "replace", path: `/cards/${preview ? 0 : 1}/title`, value: "X" }] }),
  });
  const provider = scripted([{ calls: [call("card-1", "X")] }, { text: "ok" }]);
  const session = await createSession({ provider, tools: [fickle], document });
  t.after(() => session.dispose());
  const sent = session.send("go");
  const [{ id }] = (await until(session, ready)).pending;
  session.approve(id);
  assert.equal(await sent, "completed");
  const [{ status, errorCode }] = session.view.calls;
  assert.deepEqual([status, errorCode, document.revision], ["failed", "execution_failed", 1]);
  assert.match(results(session.view.messages)[0].content, /another change than the one that was approved/);
});

test("A9 an edit of the person keeps what was approved for the same effect, and says what changed where it is another", async (t) => {
  const runs = [];
  const { session, document, sent } = await opened(t, [call("card-1", "One"), call("card-2", "Two")], [retitle(runs)]);
  const [one, two] = (await until(session, ready)).pending;
  assert.equal(session.approve(one.id).ok, true);
  document.edit([{ op: "replace", path: "/cards/1/title", value: "Else" }], "mine");
  // nothing that waits to be worked out anew can be approved
  assert.equal(session.approve(two.id).reason, "stale_effect");
  const view = await until(session, (each) => each.calls[0].status === "approved" && each.calls[1].awaiting === "user");
  const card = view.calls[1];
  assert.deepEqual([view.calls[0].stale, card.stale.because], [null, "document"]);
  assert.deepEqual(card.stale.lines.map(({ before, after }) => [before, after]), [["Test", "Else"]]);
  assert.equal(session.approve(two.id).ok, true);
  assert.equal(await sent, "completed");
  assert.deepEqual(document.read().cards.map(({ title }) => title), ["One", "Two"]);
});

test("C4 G6 a preview that fails says so on its card, and the operator hears what was thrown", async (t) => {
  const told = [];
  const broken = retitle([], { execute: () => { throw new TypeError("secret"); } });
  const { session, sent } = await opened(t, [call("card-1", "One"), call("nobody", "Two")], [broken], { onToolError: (id, error) => told.push([id, error.message]) });
  const { pending } = await until(session, ready);
  assert.equal(pending[0].preview.error, "the tool failed; nothing was changed");
  assert.deepEqual(told.map(([, message]) => message), ["secret", "secret"]);
  assert.ok(!session.save().includes("secret"));
  session.cancel();
  assert.equal(await sent, "cancelled");
});

test("C4 L4 T9 a preview that never answers is stopped in the tool's own time, and hears of it", async (t) => {
  const clock = fakeClock(1000);
  let signal;
  const slow = retitle([], { timeoutMs: 2000, execute: (_input, run) => new Promise(() => { signal = run.signal; }) });
  const { session, sent } = await opened(t, [call("card-1", "One")], [slow], { now: clock.now });
  await until(session, waits);
  await until(session, () => signal !== undefined).catch(() => undefined);
  clock.advance(2000);
  const { pending } = await until(session, ready);
  assert.match(pending[0].preview.error, /in time/);
  assert.equal(signal.aborted, true);
  session.cancel();
  await sent;
});

test("C4 what a preview returns that cannot be read is the tool's failure", async (t) => {
  const thrown = [];
  const odd = retitle([], { execute: () => ({ result: "x", patch: "none" }) });
  const { session, sent } = await opened(t, [call("card-1", "One")], [odd], { onToolError: (_id, error) => thrown.push(error) });
  const { pending } = await until(session, ready);
  assert.match(pending[0].preview.error, /cannot be read/);
  assert.equal(thrown.length, 1);
  session.cancel();
  await sent;
});

test("A6 A5 another input for a delete is approved once what it would do was shown", async (t) => {
  const { session, document, sent } = await opened(t, [{ name: "delete_entity", input: { kind: "cards", id: "card-1" } }], entityTools(definition));
  const [{ id, preview }] = (await until(session, ready)).pending;
  assert.deepEqual(preview.counts, [{ kind: "removed", section: "cards", count: 1 }]);
  const editedInput = { kind: "cards", id: "card-2" };
  assert.deepEqual(session.preview(id, { kind: "cards" }).ok, false);
  assert.ok(session.preview(id, { kind: "cards" }).issues.length > 0);
  const shown = session.preview(id, editedInput);
  assert.deepEqual([shown.ok, shown.input, shown.preview.title], [true, editedInput, 'Delete "Test" (card-2) from cards']);
  assert.equal(session.view.calls[0].preview, preview, "looking changes nothing");
  document.edit([{ op: "replace", path: "/cards/1/title", value: "Other" }], "mine");
  assert.equal(session.approve(id, { editedInput }).reason, "stale_effect");
  session.preview(id, editedInput);
  assert.equal(session.approve(id, { editedInput }).ok, true);
  assert.equal(await sent, "completed");
  assert.deepEqual(document.read().cards.map((card) => card.id), ["card-1"]);
  assert.equal(session.view.calls[0].edited, true);
});

test("A6 A5 A1 another input for a delete that nobody was shown is a new proposal: it asks again, and nothing is approved", async (t) => {
  const { session, document, sent } = await opened(t, [{ name: "delete_entity", input: { kind: "cards", id: "card-1" } }], entityTools(definition));
  const first = (await until(session, ready)).pending[0];
  assert.deepEqual(session.approve(first.id, { editedInput: { kind: "cards", id: "card-2" } }), { ok: true });
  assert.equal(session.approve(first.id).reason, "stale_effect", "nobody was shown the new card yet");
  const [call] = session.view.pending;
  assert.deepEqual([call.id, call.status, call.awaiting, call.edited, call.preview.title], [first.id, "pending", "user", true, 'Delete "Test" (card-2) from cards']);
  assert.deepEqual([session.state().grants, document.revision], [[], 1]);
  assert.equal(session.approve(first).reason, "stale_effect", "the card before it is no longer what would run");
  assert.equal(session.approve(call.id).ok, true);
  assert.equal(await sent, "completed");
  assert.deepEqual(document.read().cards.map((card) => card.id), ["card-1"]);
});

test("A1 A5 an input that is no other, or whose effect nobody can tell, is approved by what was seen alone", async (t) => {
  const wipe = tool({ name: "wipe", description: "Wipes.", inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] }, destructive: true, execute: () => "wiped" });
  const calls = [{ name: "delete_entity", input: { kind: "cards", id: "card-1" } }, { name: "wipe", input: { id: "a" } }];
  const { session, document, sent } = await opened(t, calls, [...entityTools(definition), wipe]);
  while (!ready(session.peek())) await new Promise((resolve) => setTimeout(resolve, 1));
  const [gone, wiped] = session.peek().pending;
  assert.equal(session.approve(gone.id, { editedInput: { id: "card-1", kind: "cards" } }).reason, "stale_effect");
  assert.equal(session.approve(wiped.id, { editedInput: { id: "b" } }).reason, "stale_effect");
  assert.equal(session.approve(gone.id, { editedInput: { kind: "cards" } }).reason, "invalid_input");
  assert.deepEqual(session.peek().pending.map(({ input, edited }) => [input, edited]), calls.map(({ input }) => [input, false]));
  assert.deepEqual([session.state().grants, document.revision], [[], 1]);
  session.cancel();
  await sent;
});

test("C4 L4 S2 a preview that never answers is stopped in the tool's own time in a restored session too", async (t) => {
  const clock = fakeClock(1000);
  const slow = retitle([], { timeoutMs: 2000, execute: () => new Promise(() => undefined) });
  const { session, document, sent } = await opened(t, [call("card-1", "One")], [slow], { now: clock.now });
  await until(session, waits);
  const snapshot = session.save();
  session.dispose();
  assert.equal(await sent, "cancelled");
  const restored = await createSession({ provider: scripted([{ text: "ok" }]), tools: [slow], document, snapshot, now: clock.now });
  t.after(() => restored.dispose());
  assert.equal(restored.view.pending[0].awaiting, "preview");
  await clock.advance(1999);
  assert.equal(restored.view.pending[0].awaiting, "preview");
  await clock.advance(1);
  const [{ awaiting, preview }] = restored.view.pending;
  assert.equal(awaiting, "user");
  assert.match(preview.error, /in time/);
});

test("M9 the person chooses where the model gave a title in place of an id", async (t) => {
  const runs = [];
  const aimed = retitle(runs, { target: { section: "cards", path: "/id" } });
  const { session, sent } = await opened(t, [call(" WRITE", "One")], [aimed]);
  const [{ id, act }] = (await until(session, waits)).pending;
  assert.deepEqual([act.result, act.candidates], ["needs_selection", [{ id: "card-1", title: "Write", section: "cards" }]]);
  assert.deepEqual([session.approveAll().reason, session.approve(id).reason, session.select(id, "card-2").reason], ["not_pending", "invalid_input", "invalid_input"]);
  assert.deepEqual(session.select(id, "card-1"), { ok: true });
  const [card] = (await until(session, (view) => ready(view) && view.pending[0].preview !== null)).pending;
  assert.deepEqual([card.act.result, card.input.id, card.edited], ["awaiting_confirmation", "card-1", true]);
  assert.deepEqual(runs, ["preview card-1 One"]);
  assert.equal(session.approve(id).ok, true);
  assert.equal(await sent, "completed");
  const other = new DocumentStore({ ...definition, sections: [{ name: "notes", path: "/notes" }] }, { notes: [] });
  assert.throws(() => new ToolLoop({ tools: [{ ...aimed, execute: undefined }].map(({ execute: _, ...rest }) => rest), document: other }), { code: "invalid_options" });
});

test("a session tells its tools, its time and its turn", async (t) => {
  const clock = fakeClock(5000);
  const { session, sent } = await opened(t, [call("card-1", "One")], [retitle([])], { now: clock.now });
  await until(session, ready);
  assert.deepEqual([session.tool("retitle").inputSchema, session.tool("none"), session.now()], [inputSchema, undefined, 5000]);
  session.tools.clear();
  assert.equal(session.tool("retitle").name, "retitle", "the turn keeps what it began with");
  const state = session.state();
  assert.deepEqual([state.phase, state.calls.length, Object.isFrozen(state)], ["awaiting_approval", 1, true]);
  session.cancel();
  await sent;
});

test("C4 a loop tells what a call would do, and answers a host that lost track", () => {
  const { execute: _, ...declared } = retitle([]);
  const document = new DocumentStore(definition, initial());
  const loop = new ToolLoop({ tools: [declared], document });
  loop.dispatch({ type: "submit", text: "go", nowMs: 1 });
  loop.dispatch({ type: "tool_call_complete", id: "c1", name: "retitle", input: { id: "card-1", title: "One" } });
  const { effects } = loop.dispatch({ type: "message_stop", stopReason: "tool_use" });
  const [effect] = effects;
  assert.deepEqual([effect.type, effect.callId, effect.document, effect.timeoutMs], ["preview", "c1", document.read(), 30000]);
  assert.deepEqual(loop.pending(), [effect]);
  assert.equal(loop.preview("c1"), null);
  const outcome = { status: "ok", result: "", patch: [{ op: "replace", path: "/cards/0/title", value: "One" }] };
  const stale = loop.dispatch({ type: "previewed", callId: "c1", outcome }, "t1.e9");
  assert.deepEqual(stale.updates.map(({ type, reason }) => [type, reason]), [["refused", "stale_effect"]]);
  loop.dispatch({ type: "previewed", callId: "c1", outcome }, effect.id);
  const preview = loop.preview("c1");
  assert.deepEqual(preview, loop.state().calls[0].preview);
  assert.match(loop.preview("c1", { id: 1 }).error, /title/);
  loop.free();
});
