// An editor's own store kept in step with a document: by one value, by Zustand, by a reducer, by patches alone.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createSession, DocumentStore, init, tool } from "countersign";
import { applyPatch, bindObject, bindZustand } from "countersign/adapters";
import { scripted } from "countersign/testing";
import * as threatModel from "countersign/threat-model";
import { createStore } from "zustand/vanilla";
import { add, boardTools, reported, until, waits } from "./board.mjs";

before(() => init());

const definition = {
  kind: "board",
  sections: [
    { name: "lists", path: "/lists", titleKey: "name" },
    { name: "cards", path: "/cards", titleKey: "title", references: [{ path: "/list", section: "lists", onDelete: "refuse" }] },
  ],
};

const initial = () => ({
  title: "Plan",
  lists: [{ id: "l1", name: "Now" }, { id: "l2", name: "Later" }],
  cards: [{ id: "card-1", title: "Write", list: "l1", tags: ["a"] }, { id: "card-2", title: "Test", list: "l1" }, { id: "card-3", title: "Ship", list: "l2" }],
});

const rename = tool({
  name: "rename_card",
  description: "Renames a card.",
  inputSchema: { type: "object", properties: { id: { type: "string" }, title: { type: "string" } }, required: ["id", "title"], additionalProperties: false },
  execute: ({ id, title }, { document }) => ({ result: "renamed", patch: [{ op: "replace", path: `/cards/${document.cards.findIndex((card) => card.id === id)}/title`, value: title }] }),
});
const renamed = (id, title) => ({ name: "rename_card", input: { id, title } });

/** An editor's state as one value, and how often it was set. */
function plainEditor(value = initial()) {
  const listeners = new Set();
  const editor = {
    value,
    sets: [],
    get: () => editor.value,
    set: (next, why) => {
      editor.value = next;
      editor.sets.push(why);
      for (const listener of listeners) listener();
    },
    /** What a person does in the editor. */
    edit: (change) => {
      editor.value = change(editor.value);
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
    listeners,
  };
  return editor;
}

const retitled = (id, title) => (document) => ({ ...document, cards: document.cards.map((card) => (card.id === id ? { ...card, title } : card)) });

async function bound(t, options = {}, editor = plainEditor()) {
  const store = new DocumentStore(definition, initial());
  const binding = bindObject(store, editor, options);
  t.after(() => {
    binding.dispose();
    store.free();
  });
  return { store, editor, binding };
}

async function turn(t, store, steps, options = {}) {
  const session = await createSession({ provider: scripted(steps), tools: [...boardTools, rename], document: store, ...options });
  t.after(() => session.dispose());
  return session;
}

async function approved(session) {
  const sent = session.send("go");
  await until(session, waits);
  for (const call of session.view.pending) session.approve(call.id);
  return sent;
}

test("C2 what a turn changes comes as a value that shares everything else, and is no edit", async (t) => {
  const { store, editor, binding } = await bound(t);
  const before = editor.value;
  const session = await turn(t, store, [{ calls: [renamed("card-2", "Try")] }, { text: "ok" }]);
  assert.equal(await approved(session), "completed");
  const after = editor.value;
  assert.deepEqual(after, store.read());
  assert.equal(after.cards[1].title, "Try");
  assert.notEqual(after.cards[1], before.cards[1]);
  assert.deepEqual([after.lists === before.lists, after.cards[0] === before.cards[0], after.cards[2] === before.cards[2]], [true, true, true]);
  assert.equal(before.cards[1].title, "Test");
  assert.equal(editor.sets.length, 1);
  assert.deepEqual(editor.sets[0].patch, [{ op: "replace", path: "/cards/1/title", value: "Try" }]);
  assert.deepEqual([editor.sets[0].source, editor.sets[0].turnId], ["turn", store.history()[0].turnId]);
  assert.deepEqual(store.history().map(({ source }) => source), ["turn"]);
  assert.equal(session.view.undo, "undoable");
  assert.deepEqual(binding.held, []);
});

test("C3 an edit of the editor is the person's own step, named, and nothing comes back to the editor", async (t) => {
  const labels = [];
  const { store, editor } = await bound(t, { label: (edit) => (labels.push(edit), "Renamed a card") });
  editor.edit(retitled("card-1", "Mine"));
  assert.equal(store.read().cards[0].title, "Mine");
  assert.deepEqual(store.history().map(({ label, source }) => [label, source]), [["Renamed a card", "user"]]);
  assert.deepEqual(labels, [{ patch: [{ op: "replace", path: "/cards/0/title", value: "Mine" }], remote: false }]);
  assert.equal(editor.sets.length, 0);
  store.undo();
  assert.equal(editor.value.cards[0].title, "Write");
  assert.equal(editor.sets[0].source, "undo");
  store.redo();
  assert.equal(editor.value.cards[0].title, "Mine");
  assert.equal(store.history().length, 1);
});

test("C3 undoing a turn of several commits is one step, and no later edit of the person is taken back", async (t) => {
  const { store, editor } = await bound(t);
  const session = await turn(t, store, [{ calls: [add("A"), renamed("card-1", "B")] }, { text: "ok" }, { calls: [add("C")] }, { text: "ok" }]);
  await approved(session);
  assert.deepEqual(editor.value.cards.map(({ title }) => title), ["B", "Test", "Ship", "A"]);
  assert.deepEqual(session.undo(), { ok: true });
  assert.deepEqual(editor.value, initial());
  assert.equal(editor.sets.at(-1).source, "undo");
  assert.match(editor.sets.at(-1).turnId, /./);
  await approved(session);
  editor.edit(retitled("card-3", "Mine"));
  assert.equal(session.view.undo, "superseded");
  assert.deepEqual(session.undo(), { ok: false, reason: "superseded" });
  assert.equal(editor.value.cards[2].title, "Mine");
});

test("A9 an edit in the editor makes a card that waits stale", async (t) => {
  const { store, editor } = await bound(t);
  const session = await turn(t, store, [{ calls: [add("A")] }, { text: "ok" }]);
  const sent = session.send("go");
  const view = await until(session, waits);
  editor.edit(retitled("card-1", "Mine"));
  assert.equal(session.approve(view.pending[0].id).reason, "stale_effect");
  await until(session, (next) => next !== view && waits(next));
  assert.deepEqual(session.approve(session.view.pending[0].id), { ok: true });
  assert.equal(await sent, "completed");
  assert.deepEqual(editor.value.cards.map(({ title }) => title), ["Mine", "Test", "Ship", "A"]);
});

test("what a broken document holds back stays in the editor, is told, and goes on when it is whole", async (t) => {
  const told = [];
  const { store, editor, binding } = await bound(t, { onHeld: (issues) => told.push(issues) });
  editor.edit((document) => ({ ...document, lists: document.lists.slice(0, 1) }));
  assert.equal(store.read().lists.length, 2);
  assert.equal(editor.value.lists.length, 1);
  assert.match(binding.held[0], /card-3|l2/);
  // held as well: one broken place holds all
  editor.edit(retitled("card-1", "Mine"));
  assert.equal(store.read().cards[0].title, "Write");
  editor.edit((document) => ({ ...document, cards: document.cards.filter((card) => card.list !== "l2") }));
  assert.deepEqual(binding.held, []);
  assert.deepEqual(store.read(), editor.value);
  assert.deepEqual([store.read().cards[0].title, store.read().lists.length, store.history().length], ["Mine", 1, 1]);
  assert.equal(told.length, 2);
  assert.deepEqual(told[1], []);
});

test("C3 while edits are held a turn still commits, and its undo takes nothing of theirs", async (t) => {
  const { store, editor, binding } = await bound(t);
  editor.edit((document) => ({ ...document, lists: document.lists.slice(0, 1), cards: [{ id: "card-0", title: "New", list: "l1" }, ...document.cards] }));
  editor.edit(retitled("card-2", "Mine"));
  const session = await turn(t, store, [{ calls: [renamed("card-1", "Turn"), renamed("card-2", "Turn"), add("A")] }, { text: "ok" }]);
  await approved(session);
  assert.deepEqual(store.read().cards.map(({ title }) => title), ["Turn", "Turn", "Ship", "A"]);
  // where both changed a place, the person's word stands
  assert.deepEqual(editor.value.cards.map(({ title }) => title), ["New", "Turn", "Mine", "Ship", "A"]);
  assert.equal(binding.held.length > 0, true);
  assert.deepEqual(session.undo(), { ok: true });
  assert.deepEqual(editor.value.cards.map(({ title }) => title), ["New", "Write", "Mine", "Ship"]);
  editor.edit((document) => ({ ...document, lists: initial().lists }));
  assert.deepEqual(binding.held, []);
  assert.deepEqual(store.read(), editor.value);
});

test("values that JSON cannot hold are held, and told with their place", async (t) => {
  const { store, editor, binding } = await bound(t);
  editor.edit(retitled("card-1", new Date(0)));
  assert.match(binding.held[0], /Date/);
  editor.edit(retitled("card-1", undefined));
  assert.deepEqual(binding.held, []);
  assert.equal("title" in store.read().cards[0], false);
});

test("an editor that throws or does not take a change loses neither side", async (t) => {
  const editor = plainEditor();
  const { set } = editor;
  const { store, binding } = await bound(t, {}, editor);
  editor.set = () => {
    throw new Error("broken");
  };
  const errors = await reported(async () => void store.edit([{ op: "replace", path: "/title", value: "Other" }], "other"));
  assert.equal(errors[0].message, "broken");
  assert.match(binding.held[0], /did not take/);
  assert.equal(store.read().title, "Other");
  editor.set = () => undefined;
  editor.edit(retitled("card-1", "Mine"));
  assert.equal(store.read().title, "Other");
  editor.set = set;
  binding.changed();
  assert.deepEqual([editor.value.title, editor.value.cards[0].title], ["Other", "Mine"]);
  assert.deepEqual(store.read(), editor.value);
  assert.deepEqual(binding.held, []);
});

test("an editor that answers every change with another one is stopped", async (t) => {
  const editor = plainEditor();
  const { store, binding } = await bound(t, {}, editor);
  editor.subscribe(() => {
    if (editor.value.title !== "Plan") editor.value = { ...editor.value, title: `${editor.value.title}!` };
  });
  store.edit([{ op: "replace", path: "/title", value: "Other" }], "other");
  assert.equal(binding.held.length + store.history().length > 1, true);
  assert.equal(store.history().length <= 12, true);
});

test("what an editor does in answer to a change is an edit of its own", async (t) => {
  const editor = plainEditor();
  const { store, binding } = await bound(t, {}, editor);
  editor.subscribe(() => {
    if (editor.value.count !== editor.value.cards.length) editor.edit((document) => ({ ...document, count: document.cards.length }));
  });
  const session = await turn(t, store, [{ calls: [add("A")] }, { text: "ok" }]);
  await approved(session);
  assert.deepEqual(store.read(), editor.value);
  assert.equal(store.read().count, 4);
  assert.deepEqual(binding.held, []);
  assert.equal(session.view.undo, "superseded");
});

test("where they differ at first the editor's document counts, or the store's where that is said", async (t) => {
  const mine = plainEditor(retitled("card-1", "Mine")(initial()));
  const { store } = await bound(t, {}, mine);
  assert.equal(store.read().cards[0].title, "Mine");
  const empty = plainEditor({});
  const second = await bound(t, { initial: "store" }, empty);
  assert.deepEqual(empty.value, initial());
  assert.equal(second.store.history().length, 0);
});

test("after dispose neither side hears of the other", async (t) => {
  const { store, editor, binding } = await bound(t);
  binding.dispose();
  assert.equal(editor.listeners.size, 0);
  store.edit([{ op: "replace", path: "/title", value: "Other" }], "other");
  editor.edit(retitled("card-1", "Mine"));
  binding.changed();
  assert.deepEqual([editor.value.title, store.read().cards[0].title], ["Plan", "Write"]);
});

test("Zustand: the document in a part of a state, with its actions and its selection left alone", async (t) => {
  const zustand = createStore((set) => ({
    board: initial(),
    selection: ["card-2"],
    rename: (id, title) => set(({ board }) => ({ board: retitled(id, title)(board) })),
    select: (selection) => set({ selection }),
  }));
  const store = new DocumentStore(definition, initial());
  const binding = bindZustand(store, zustand, { select: ({ board }) => board, merge: (board) => ({ board }), label: "Edit" });
  t.after(() => binding.dispose());
  const renders = [];
  zustand.subscribe((state, previous) => renders.push(state.board.cards.filter((card, at) => card !== previous.board.cards[at]).map(({ id }) => id)));
  const { selection, rename: action } = zustand.getState();
  const session = await turn(t, store, [{ calls: [renamed("card-3", "Sent"), add("A")] }, { text: "ok" }]);
  await approved(session);
  assert.deepEqual(renders.flat(), ["card-3", "card-4"]);
  assert.equal(zustand.getState().selection, selection);
  assert.equal(zustand.getState().rename, action);
  zustand.getState().select(["card-1"]);
  assert.equal(store.history().length, 1);
  zustand.getState().rename("card-1", "Mine");
  assert.deepEqual(store.history().map(({ source, label }) => [source, label === "Edit"]), [["turn", false], ["user", true]]);
  assert.deepEqual(store.read(), zustand.getState().board);
});

test("a store that tells its value at once when it is subscribed to, as Svelte's do", async (t) => {
  let value = initial();
  const listeners = new Set();
  const svelte = {
    set: (next) => {
      value = next;
      for (const listener of listeners) listener(value);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      listener(value);
      return () => listeners.delete(listener);
    },
  };
  const store = new DocumentStore(definition, initial());
  const binding = bindObject(store, { get: () => value, set: svelte.set, subscribe: (listener) => svelte.subscribe(() => listener()) });
  t.after(() => store.free());
  store.edit([{ op: "remove", path: "/cards/0" }], "x");
  assert.equal(value.cards.length, 2);
  svelte.set(retitled("card-2", "Mine")(value));
  assert.equal(store.read().cards[0].title, "Mine");
  assert.equal(store.history().length, 2);
  binding.dispose();
  assert.equal(listeners.size, 0);
});

test("a threat model's defaults come to the editor, and a list of values is changed item by item", async (t) => {
  await threatModel.init();
  const document = threatModel.emptyThreatModel({ title: "T", author: "A", today: "2026-11-30" });
  const editor = plainEditor({ ...document, elements: [{ id: "e", type: "service", name: "E" }] });
  const store = new threatModel.DocumentStore("threat-model", document);
  const binding = bindObject(store, editor);
  t.after(() => {
    binding.dispose();
    store.free();
  });
  assert.deepEqual(binding.held, []);
  assert.deepEqual(editor.value, store.read());
  assert.equal(Object.keys(editor.value.elements[0]).length > 3, true);
  editor.edit((model) => ({ ...model, elements: [{ id: "e", type: "service", name: "F" }] }));
  assert.deepEqual(editor.value, store.read());
  assert.equal(editor.value.elements[0].name, "F");
  const elements = () => store.read().elements[0].technologies;
  for (const technologies of [["a", "b", "c"], ["a", "x", "b", "c"], ["x", "c"], []]) {
    editor.edit((model) => ({ ...model, elements: [{ ...model.elements[0], technologies }] }));
    assert.deepEqual(elements(), technologies);
  }
});

test("a reducer takes patches, and onCommit is enough for it", async (t) => {
  const store = new DocumentStore(definition, initial());
  let state = { board: initial(), selected: "card-1" };
  const dispatch = (action) => (state = action.type === "patched" ? { ...state, board: applyPatch(state.board, action.patch) } : state);
  const told = [];
  const session = await turn(t, store, [{ calls: [renamed("card-2", "Try"), add("A")] }, { text: "ok" }], {
    onCommit: (change) => {
      told.push(change);
      dispatch({ type: "patched", patch: change.patch });
      if (told.length === 1) throw new Error("a host's mistake");
    },
  });
  const { cards } = state.board;
  const errors = await reported(() => approved(session));
  assert.equal(errors[0].message, "a host's mistake");
  assert.deepEqual(state.board, store.read());
  assert.equal(state.board.cards[0], cards[0]);
  const [{ turnId }] = store.history();
  // the host's own edit is told to nobody but onChange
  store.edit([{ op: "replace", path: "/title", value: "Mine" }], "mine");
  dispatch({ type: "patched", patch: [{ op: "replace", path: "/title", value: "Mine" }] });
  store.undo();
  store.undo();
  store.redo();
  assert.deepEqual(told.map(({ source, turnId }) => [source, turnId]), [["turn", turnId], ["turn", turnId], ["undo", undefined], ["undo", turnId], ["redo", turnId]]);
  assert.deepEqual(told.map(({ revision }) => revision), [2, 3, 5, 6, 7]);
  assert.deepEqual(state.board, store.read());
  session.undo();
  assert.deepEqual([told.at(-1).source, told.at(-1).turnId], ["undo", turnId]);
  assert.deepEqual(state.board, { ...initial() });
});

test("applyPatch shares what it can, takes odd names, and refuses a patch of another document", () => {
  const document = Object.freeze(JSON.parse('{"a":[{"id":"x","n":1},{"id":"y","n":2}],"o":{"p/q":{"r~s":1},"__proto__":{"z":1}},"":3}'));
  const next = applyPatch(document, [
    { op: "replace", path: "/a", value: [{ id: "y", n: 2 }, { id: "x", n: 5 }] },
    { op: "add", path: "/a/-", value: { id: "z" } },
    { op: "replace", path: "/o/p~1q/r~0s", value: 2 },
    { op: "add", path: "/o/__proto__/w", value: 2 },
    { op: "remove", path: "/" },
    { op: "test", path: "/a/1/n", value: 5 },
  ]);
  assert.equal(JSON.stringify(next), '{"a":[{"id":"y","n":2},{"id":"x","n":5},{"id":"z"}],"o":{"p/q":{"r~s":2},"__proto__":{"z":1,"w":2}}}');
  assert.equal(next.a[0], document.a[1]);
  assert.deepEqual({}.w, undefined);
  for (const patch of [[{ op: "remove", path: "/b" }], [{ op: "replace", path: "/a/2", value: 1 }], [{ op: "add", path: "/a/9", value: 1 }], [{ op: "add", path: "/b/c", value: 1 }], [{ op: "test", path: "/", value: 4 }], [{ op: "remove", path: "/a/x" }]]) {
    assert.throws(() => applyPatch(document, patch), (error) => error.code === "invalid_value", JSON.stringify(patch));
  }
});

test("editors and stores that change by chance end up alike, in every order, and no identity is lost without need", (t) => {
  let seed = 7;
  const chance = (n) => ((seed = (seed * 1103515245 + 12345) % 2147483648), Math.floor(seed / 65536) % n);
  for (let run = 0; run < 60; run += 1) {
    const store = new DocumentStore(definition, initial());
    const editor = plainEditor();
    const binding = bindObject(store, editor);
    for (let step = 0; step < 25; step += 1) {
      const { cards } = store.read();
      const at = cards.length === 0 ? -1 : chance(cards.length);
      const before = editor.value.cards;
      const id = `n${run}-${step}`;
      const moved = (list) => {
        const next = [...list];
        const [card] = next.splice(at, 1);
        next.splice(chance(list.length), 0, card);
        return next;
      };
      const what = [
        () => store.edit([{ op: "add", path: `/cards/${chance(cards.length + 1)}`, value: { id, title: "s", list: "l1" } }], "s"),
        () => at >= 0 && store.edit([{ op: "remove", path: `/cards/${at}` }], "s"),
        () => at >= 0 && store.edit([{ op: "replace", path: `/cards/${at}/title`, value: id }], "s"),
        () => store.edit({ ...store.read(), cards: at < 0 ? [] : moved(cards) }, "s"),
        () => store.undo(),
        () => store.redo(),
        () => editor.edit((document) => ({ ...document, cards: [...document.cards.slice(0, at + 1), { id, title: "e", list: "l2" }, ...document.cards.slice(at + 1)] })),
        () => at >= 0 && editor.edit((document) => ({ ...document, cards: document.cards.filter((_, place) => place !== at) })),
        () => at >= 0 && editor.edit((document) => ({ ...document, cards: moved(document.cards) })),
        () => at >= 0 && editor.edit((document) => ({ ...document, cards: document.cards.map((card, place) => (place === at ? { ...card, tags: [id] } : card)) })),
      ];
      what[chance(what.length)]();
      assert.deepEqual(editor.value, store.read());
      assert.deepEqual(binding.held, []);
      const known = new Map(before.map((card) => [JSON.stringify(card), card]));
      for (const card of editor.value.cards) assert.equal(known.get(JSON.stringify(card)) ?? card, card);
    }
    binding.dispose();
    store.free();
  }
});
