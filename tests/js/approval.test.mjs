// What an approval names: the card of the view that was read last, and never one that nobody saw.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createSession, DocumentStore, entityTools, init } from "countersign";
import { scripted } from "countersign/testing";
import { add, boardTools, definition, initial, remove, until, waits } from "./board.mjs";

before(() => init());

async function asking(t, calls) {
  const document = new DocumentStore(definition, initial());
  const session = await createSession({ provider: scripted([{ calls }, { text: "ok" }]), tools: boardTools, document });
  t.after(() => session.dispose());
  const sent = session.send("go");
  const edit = () => document.edit([{ op: "replace", path: "/cards/0/title", value: `edited ${document.revision}` }], "Edit");
  return { session, document, sent, edit };
}

test("A1 approving all after an edit that nobody saw approves nothing", async (t) => {
  const { session, document, sent, edit } = await asking(t, [add("A"), add("B")]);
  const ids = (await until(session, waits)).pending.map(({ id }) => id);
  edit();
  const stale = { ok: false, reason: "stale_effect", approved: [], refused: ids.map((callId) => ({ callId, reason: "stale_effect" })) };
  assert.deepEqual(session.approveAll(), stale);
  assert.deepEqual(session.approveAll(), stale, "asking again is not looking");
  assert.equal(document.read().cards.length, 2);
  assert.deepEqual(session.view.pending.map(({ id }) => id), ids);
  assert.deepEqual(session.approveAll(), { ok: true, approved: ids, refused: [] });
  assert.equal(await sent, "completed");
});

test("A1 a list with an unknown call renews no card", async (t) => {
  const { session, sent, edit } = await asking(t, [add("A")]);
  const [{ id }] = (await until(session, waits)).pending;
  edit();
  assert.deepEqual(session.approveAll(["bogus", id]).refused, [{ callId: "bogus", reason: "unknown_call" }, { callId: id, reason: "stale_effect" }]);
  assert.equal(session.approve("bogus").reason, "unknown_call");
  assert.equal(session.approve(id).reason, "stale_effect");
  session.cancel();
  await sent;
});

test("A1 A9 a call that came back to the person is approved by its new card alone", async (t) => {
  const { session, sent, edit } = await asking(t, [add("A"), add("B")]);
  const [a, b] = (await until(session, waits)).pending.map(({ id }) => id);
  assert.equal(session.approve(a).ok, true);
  assert.deepEqual(session.view.pending.map(({ id }) => id), [b]);
  edit();
  assert.equal(session.approve(a).reason, "stale_effect");
  assert.deepEqual(session.approveAll([a, b]).approved, []);
  assert.deepEqual(session.view.pending.map(({ id }) => id), [a, b]);
  assert.equal(session.approve(a).ok, true);
  assert.equal(session.approve(b).ok, true);
  assert.equal(await sent, "completed");
});

test("A1 a session whose view was never read approves nothing", async (t) => {
  const { session, document, sent } = await asking(t, [add("A")]);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(session.approveAll().reason, "not_pending");
  assert.equal(session.approve("call_1_1").reason, "stale_effect");
  assert.equal(session.approve("call_1_1", { editedInput: { title: "Mine" } }).reason, "stale_effect");
  assert.equal(document.read().cards.length, 2);
  const [{ id }] = session.view.pending;
  assert.equal(id, "call_1_1");
  assert.equal(session.approve(id).ok, true);
  assert.equal(await sent, "completed");
});

test("A5 a call that arrived after the view was read is not in the batch", async (t) => {
  const document = new DocumentStore(definition, initial());
  const session = await createSession({ provider: scripted([{ calls: [add("A")] }, { calls: [add("B")] }, { text: "ok" }]), tools: boardTools, document });
  t.after(() => session.dispose());
  const sent = session.send("go");
  await until(session, waits);
  assert.deepEqual(session.approveAll().approved, ["call_1_1"]);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.deepEqual(session.approveAll().approved, []);
  assert.deepEqual(session.view.pending.map(({ input }) => input.title), ["B"]);
  session.approveAll();
  assert.equal(await sent, "completed");
});

test("A2 a list that names a call twice approves it once", async (t) => {
  const { session, sent, document } = await asking(t, [add("A"), remove("card-1")]);
  const [{ id }, destroy] = (await until(session, waits)).pending;
  assert.deepEqual(session.approveAll([id, id]), { ok: true, approved: [id], refused: [] });
  assert.deepEqual(session.approveAll([destroy.id, destroy.id]).refused, [{ callId: destroy.id, reason: "destructive_in_batch" }]);
  session.deny(destroy.id);
  assert.equal(await sent, "completed");
  assert.equal(document.read().cards.length, 3);
});

test("A1 a record approves the card it shows, whoever read what since", async (t) => {
  const { session, document, sent, edit } = await asking(t, [add("A"), add("B")]);
  await peeked(session, waits);
  const [a, b] = session.peek().pending;
  assert.equal(session.approve(a.id).reason, "stale_effect", "looking by `peek` shows nothing");
  edit();
  const [newer] = session.view.pending;
  assert.notEqual(newer, a, "over another document the card is another record");
  assert.deepEqual({ ...newer }, { ...a });
  assert.equal(session.approve(a).reason, "stale_effect", "the newer card was shown, and the record is of the old one");
  assert.deepEqual(session.approveAll([a, b]).refused, [a, b].map(({ id }) => ({ callId: id, reason: "stale_effect" })));
  for (const copy of [{ ...newer }, structuredClone(newer)]) assert.equal(session.approve(copy).reason, "stale_effect", "a copy was handed out by nobody");
  assert.equal(session.approve(newer, { editedInput: { title: "Mine" } }).ok, true);
  assert.deepEqual(session.approveAll(session.peek().pending), { ok: true, approved: [b.id], refused: [] });
  assert.equal(await sent, "completed");
  assert.deepEqual(document.read().cards.slice(2).map(({ title }) => title), ["Mine", "B"]);
});

test("A1 A5 records in a list are captured as they are, each call once, and destroy nothing", async (t) => {
  const { session, sent } = await asking(t, [add("A"), remove("card-1")]);
  await peeked(session, waits);
  const [a, gone] = session.peek().pending;
  assert.deepEqual(session.approveAll([a, a.id, gone]), { ok: false, reason: "destructive_in_batch", approved: [a.id], refused: [{ callId: gone.id, reason: "destructive_in_batch" }] });
  session.cancel();
  await sent;
});

test("A1 what was refused because it was never shown says what to do", async (t) => {
  const { session, edit, sent } = await asking(t, [add("A")]);
  await peeked(session, waits);
  const [{ id }] = session.peek().pending;
  assert.match(session.approve(id).detail, /read `session\.view`.*`approve\(call\)`/);
  assert.equal(session.view.pending.length, 1);
  edit();
  assert.equal(session.approve(id).detail, undefined, "it was shown, and changed since");
  session.cancel();
  await sent;
});

test("A1 what a page says that it drew is what an id means, and nothing else", async (t) => {
  const { session, document, edit, sent } = await asking(t, [add("A"), add("B"), remove("card-1")]);
  await peeked(session, waits);
  const [a, b, gone] = session.peek().pending;
  session.saw([structuredClone(a), { ...b }]);
  assert.equal(session.approve(a.id).reason, "stale_effect", "a copy was drawn by nobody");
  assert.equal(session.approveAll().reason, "not_pending");
  session.saw([a, gone]);
  edit();
  assert.equal(session.approve(a.id).reason, "stale_effect", "it is another card by now");
  const [again, , goneAgain] = session.peek().pending;
  session.saw([again, goneAgain]);
  session.saw([]);
  assert.equal(session.approve(b.id).reason, "stale_effect");
  assert.deepEqual(session.approveAll(), { ok: true, approved: [a.id], refused: [] }, "of what was drawn, what may be approved together");
  assert.equal(session.approve(gone.id).ok, true);
  session.deny(b.id);
  assert.equal(await sent, "completed");
  assert.deepEqual(document.read().cards.map(({ title }) => title), ["Test", "A"]);
  session.dispose();
  session.saw([again]);
});

test("A1 A9 a record with a preview holds as long as its effect is the same", async (t) => {
  const document = new DocumentStore(definition, initial());
  const call = { name: "delete_entity", input: { kind: "cards", id: "card-1" } };
  const session = await createSession({ provider: scripted([{ calls: [call] }, { text: "ok" }]), tools: entityTools(definition), document });
  t.after(() => session.dispose());
  const sent = session.send("go");
  await peeked(session, waits);
  const [first] = session.peek().pending;
  document.edit([{ op: "replace", path: "/cards/1/title", value: "Elsewhere" }], "Edit");
  assert.equal(session.peek().pending[0], first, "an edit elsewhere leaves the card");
  document.edit([{ op: "replace", path: "/cards/0/title", value: "Here" }], "Edit");
  const [second] = session.peek().pending;
  assert.notEqual(second.preview.effectDigest, first.preview.effectDigest);
  assert.equal(session.approve(first).reason, "stale_effect");
  document.edit([{ op: "replace", path: "/cards/1/title", value: "Elsewhere again" }], "Edit");
  assert.equal(session.approve(second).ok, true);
  assert.equal(await sent, "completed");
  assert.deepEqual(document.read().cards.map(({ title }) => title), ["Elsewhere again"]);
});

async function peeked(session, wanted) {
  while (!wanted(session.peek())) await new Promise((resolve) => setTimeout(resolve, 1));
}
