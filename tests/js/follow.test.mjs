// What `read()` gives after changes: the core's document to the last key, with everything that did not change the same value as before.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { DocumentStore, init } from "countersign";

before(() => init());

const definition = {
  kind: "board",
  sections: [
    { name: "cards", path: "/a~1b/cards", references: [{ path: "/lane", section: "lanes" }] },
    { name: "lanes", path: "/lanes" },
  ],
};

const initial = () => ({
  title: "Plan",
  "a/b": { note: { kept: true }, cards: [0, 1, 2, 3].map((n) => ({ id: `card-${n}`, at: { x: n, y: [n] }, title: "t", lane: "lane-1" })) },
  lanes: [{ id: "lane-1", name: "One" }],
});

const cards = (document) => document["a/b"].cards;
const card = (place, rest = "") => `/a~1b/cards/${place}${rest}`;

test("C2 what a change does not touch is the very same value in the next document", () => {
  const store = new DocumentStore(definition, initial());
  const first = store.read();
  assert.equal(store.edit([{ op: "replace", path: card(1, "/title"), value: "new" }], "Name").status, "committed");
  const second = store.read();
  assert.notEqual(second, first);
  assert.equal(second.lanes, first.lanes);
  assert.equal(second["a/b"].note, first["a/b"].note);
  assert.deepEqual(cards(second).map((item, place) => item === cards(first)[place]), [true, false, true, true]);
  assert.equal(cards(second)[1].at, cards(first)[1].at);
  assert.equal(cards(first)[1].title, "t");
  for (const value of [second, second["a/b"], cards(second), cards(second)[1]]) assert.ok(Object.isFrozen(value));
  assert.equal(store.undo().status, "committed");
  assert.deepEqual(store.read(), first);
  store.free();
});

test("C2 a document that is followed is the one that is read anew, key for key", () => {
  const followed = new DocumentStore(definition, initial());
  const steps = [
    (store) => store.edit([{ op: "add", path: card("-"), value: { id: "n", __proto__: null, ["__proto__"]: { x: 1 } } }], "Add"),
    (store) => store.edit([{ op: "remove", path: card(0) }, { op: "add", path: card(1), value: { title: "z", id: "card-9" } }], "Swap"),
    (store) => store.edit([{ op: "remove", path: card(0, "/title") }], "Untitle"),
    (store) => store.undo(),
    (store) => store.undo(),
    (store) => store.edit([{ op: "add", path: "/title", value: "Other" }], "Title"),
    (store) => store.edit([{ op: "replace", path: card(0), value: { lane: "lane-1", id: "card-0", title: "t", at: { y: [0], x: 0 } } }, { op: "remove", path: card(2) }], "Turn"),
    (store) => store.undo(),
    (store) => store.redo(),
    (store) => store.edit({ ...initial(), lanes: [{ id: "lane-1" }, { id: "lane-2" }] }, "Whole"),
    (store) => store.edit([{ op: "remove", path: "/lanes/1" }], "Remove"),
    (store) => store.undo(),
    (store) => store.undo(),
    (store) => store.redo(),
  ];
  followed.read();
  for (let count = 1; count <= steps.length; count += 1) {
    assert.equal(steps[count - 1](followed).status, "committed");
    const anew = new DocumentStore(definition, initial());
    for (const step of steps.slice(0, count)) step(anew);
    assert.equal(JSON.stringify(followed.read()), JSON.stringify(anew.read()), `after step ${count}`);
    // some of them are read together
    if (count % 3 === 0) followed.read();
    anew.free();
  }
  followed.free();
});

test("C2 an edit of a thousand revisions is followed or read anew, never lost", () => {
  const store = new DocumentStore(definition, initial());
  store.read();
  for (let n = 0; n < 1500; n += 1) store.edit([{ op: "replace", path: card(n % 4, "/title"), value: String(n) }], "Name");
  assert.deepEqual(cards(store.read()).map((item) => item.title), ["1496", "1497", "1498", "1499"]);
  store.free();
});
