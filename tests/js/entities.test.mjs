// The four entity tools through the packed package, on a document of ours that the core knows nothing of.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { before, test } from "node:test";
import * as core from "countersign";
import * as withDomain from "countersign/threat-model";
import { scripted } from "countersign/testing";
import { SCALE, scale } from "../bench/scale.mjs";
import { results, until, waits } from "./board.mjs";

const { createSession, DocumentStore, entityTools, init, ToolLoop, ToolRegistry } = core;
const { definition, document } = JSON.parse(readFileSync(new URL("../support/flowchart.json", import.meta.url), "utf8"));
const NAMES = ["add_entity", "update_entity", "delete_entity", "move_entity"];

before(async () => {
  await init();
  await withDomain.init();
});

const chart = () => structuredClone(document);
const body = (text) => JSON.parse(text.split("\n")[1]);

async function opened(t, messages, options = {}) {
  const store = new DocumentStore(definition, chart());
  const session = await createSession({ provider: scripted(messages), tools: () => entityTools(definition), document: store, ...options });
  t.after(() => {
    session.dispose();
    store.free();
  });
  return { session, store };
}

test("four core tools are declared for a definition, in both entry points", () => {
  for (const entry of [core, withDomain]) {
    const tools = entry.entityTools(definition);
    assert.deepEqual(tools.map(({ name, effect, runsOn, destructive }) => [name, effect, runsOn, destructive]), NAMES.map((name) => [name, "mutate", "core", name === "delete_entity" ? true : undefined]));
    const registry = new entry.ToolRegistry(tools);
    assert.equal(registry.list().length, 4);
    registry.free();
  }
  // a host's own validator is no data, and no tool asks it
  assert.deepEqual(entityTools({ ...definition, rules: () => [] }), entityTools(definition));
  assert.throws(() => entityTools({ kind: "k" }), (error) => error.code === "invalid_definition" && error.path === "definition.sections");
});

test("G1 a host may describe the input otherwise and tighten the rest, never loosen it", () => {
  const [add, , remove] = entityTools(definition);
  new ToolRegistry([{ ...add, description: "Adds a shape.", inputSchema: { type: "object" }, needsApproval: true, requires: ["edit"] }]).free();
  for (const loosened of [{ ...add, effect: "read" }, { ...remove, destructive: false }, { ...add, external: true }]) {
    assert.throws(() => new ToolRegistry([loosened]), (error) => error.code === "invalid_tool");
  }
  const registry = new ToolRegistry([{ ...add, inputSchema: { type: "object" } }]);
  assert.match(registry.prepare("add_entity", { kind: "nodes", fields: [] }).issues[0], /^fields: expected an object/);
  registry.free();
});

test("A5 C3 E4 a whole turn: cards with titles and counts, a delete approved alone, one step", async (t) => {
  const { session, store } = await opened(t, [
    {
      calls: [
        { name: "add_entity", input: { kind: "lanes", fields: { name: "Roof" } } },
        { name: "update_entity", input: { kind: "nodes", id: "node-6", set: { lane: "lane-4" }, clear: ["note"] } },
        { name: "move_entity", input: { kind: "lanes", id: "lane-1" } },
        { name: "delete_entity", input: { kind: "nodes", id: "node-2" } },
      ],
    },
    { text: "done" },
  ]);
  const patches = [];
  store.onChange(({ patch, source }) => patches.push([source, patch.length]));
  const sent = session.send("tidy up");
  const view = await until(session, waits);
  assert.deepEqual(view.calls.map(({ summary }) => summary), [
    'Add "Roof" to lanes',
    'Change "Refund" (node-6) of nodes: lane = "lane-4", clear note',
    'Move "Desk" (lane-1) of lanes to the end',
    'Delete "Inspect" (node-2) from nodes and with it 2 of nodes, 3 of edges; taken out of 2 of comments',
  ]);
  // the batch leaves the delete out
  session.approveAll();
  await until(session, ({ calls }) => calls.filter(({ status }) => status !== "pending").length === 3);
  assert.equal(session.view.calls[3].status, "pending");
  assert.ok(session.approve(session.view.calls[3].id).ok);
  assert.equal(await sent, "completed");
  const told = results(session.view.messages).map(({ content }) => body(content));
  assert.deepEqual(told[0], { action: "add_entity", id: "lane-4", kind: "lanes" });
  assert.deepEqual(told[3].cascades, { removed: { nodes: 2, edges: 3 }, cleared: { comments: 2 } });
  assert.deepEqual(store.read().lanes.map(({ id }) => id), ["lane-2", "lane-3", "lane-4", "lane-1"]);
  assert.deepEqual(store.read().edges.map(({ id }) => id), ["edge-4"]);
  assert.equal(store.issues().length, 0);
  assert.equal(patches.length, 4);
  assert.ok(patches.every(([source, length]) => source === "turn" && length < 10));
  assert.equal(store.history().length, 1);
  assert.ok(session.undo().ok);
  assert.deepEqual(store.read(), document);
});

test("A1 A9 a card told on another document is told anew, and the old click is refused", async (t) => {
  const { session, store } = await opened(t, [{ calls: [{ name: "delete_entity", input: { kind: "nodes", id: "node-2" } }] }, { text: "ok" }]);
  const sent = session.send("delete it");
  const { calls: [card] } = await until(session, waits);
  store.edit([{ op: "remove", path: "/edges/0" }], "mine");
  await until(session, ({ calls }) => calls[0].preview.effectDigest !== card.preview.effectDigest);
  assert.match(session.view.calls[0].preview.title, /with it 2 of nodes, 2 of edges/);
  session.deny(card.id, "not now");
  await sent;
  assert.equal(store.read().nodes.length, 6);
});

test("X1 T1 the same calls make the same ids, and what a model makes up is refused", () => {
  const run = () => {
    const store = new DocumentStore(definition, chart());
    const loop = new ToolLoop({ tools: entityTools(definition), document: store });
    loop.dispatch({ type: "submit", text: "x", nowMs: 1 });
    const inputs = [
      ["add_entity", { kind: "nodes", fields: { label: "A", shape: "step", lane: "lane-1" } }],
      ["add_entity", { kind: "edges", fields: { from: "node-7", to: "node-1" } }],
      ["add_entity", { kind: "edges", fields: { id: "mine", from: "node-1", to: "node-1" } }],
      ["add_entity", { kind: "edges", fields: { from: "node-99", to: "node-1" } }],
      ["add_entity", { kind: "shapes", fields: {} }],
    ];
    for (const [at, [name, input]] of inputs.entries()) loop.dispatch({ type: "tool_call_complete", id: `c${at}`, name, input });
    loop.dispatch({ type: "message_stop", stopReason: "tool_use" });
    const waiting = loop.state().calls.filter(({ status }) => status === "pending").map(({ id }) => id);
    const { effects } = loop.dispatch({ type: "approveBatch", callIds: waiting });
    assert.ok(effects.every(({ type }) => type === "request"), "the host runs none of it");
    const { calls } = loop.state();
    const digest = store.digest;
    loop.free();
    store.free();
    return { calls: calls.map(({ status, errorCode, result }) => [status, errorCode, result]), digest };
  };
  const first = run();
  assert.deepEqual(first.calls.map(([status, code]) => [status, code]), [
    ["succeeded", null],
    ["succeeded", null],
    ["failed", "invalid_arguments"],
    ["failed", "execution_failed"],
    ["failed", "invalid_arguments"],
  ]);
  assert.match(first.calls[3][2], /fields\.from: `node-99` is not in `nodes` now/);
  assert.deepEqual(run(), first);
});

test("C2 an entity that only moves stays the very same value for who reads the document", () => {
  const store = new DocumentStore(definition, chart());
  const before = store.read();
  store.edit([{ op: "remove", path: "/lanes/2" }, { op: "add", path: "/lanes/0", value: { id: "lane-3", name: "Nobody" } }], "up");
  const after = store.read();
  assert.deepEqual(after.lanes.map(({ id }) => id), ["lane-3", "lane-1", "lane-2"]);
  assert.equal(after.lanes[0], before.lanes[2]);
  assert.equal(after.lanes[1], before.lanes[0]);
  assert.equal(after.nodes, before.nodes);
  store.free();
});

test("every act of the scale workload does what it says", () => {
  for (const spec of SCALE.filter(({ size }) => size === 100)) for (const { run } of scale(spec, { core }).variants) run();
});

test("a card that changed when a call before it was declined has to be seen before it is approved", async (t) => {
  const board = { kind: "board", sections: [{ name: "columns", path: "/columns", titleKey: "name" }, { name: "cards", path: "/cards", titleKey: "title", references: [{ path: "/column", section: "columns", onDelete: "cascade" }] }] };
  const store = new DocumentStore(board, { columns: [{ id: "a", name: "Doing" }], cards: [{ id: "b", title: "Mine", column: "a" }] });
  const calls = [
    { name: "delete_entity", input: { kind: "columns", id: "a" } },
    { name: "delete_entity", input: { kind: "cards", id: "b" } },
  ];
  const session = await createSession({ provider: scripted([{ calls }, { text: "done" }]), tools: entityTools(board), document: store });
  t.after(() => {
    session.dispose();
    store.free();
  });
  const sent = session.send("tidy up");
  const { pending: [first, second] } = await until(session, waits);
  assert.equal(second.preview.title, "Delete b from cards");
  assert.ok(second.preview.error.length > 0 && second.preview.lines.length === 0);
  assert.deepEqual(session.deny(first.id), { ok: true });
  assert.equal(session.approve(second.id).reason, "stale_effect");
  assert.equal(session.view.pending[0].preview.title, 'Delete "Mine" (b) from cards');
  assert.equal(session.view.pending[0].stale.because, "calls");
  assert.deepEqual(session.approve(second.id), { ok: true });
  assert.equal(await sent, "completed");
  assert.deepEqual(store.read(), { columns: [{ id: "a", name: "Doing" }], cards: [] });
});

test("what is no definition is refused by name", () => {
  for (const make of [() => new DocumentStore(null, {}), () => entityTools(undefined), () => entityTools("threat-model"), () => core.readTools(undefined)]) {
    assert.throws(make, { code: "invalid_definition", path: "definition", message: "definition: has to be an object that says the sections of a document" });
  }
  for (const make of [(each) => new DocumentStore(each, chart()), entityTools, core.readTools]) {
    assert.throws(() => make({ ...definition, rules: ["none"] }), { code: "invalid_definition", path: "rules" });
  }
});

test("a first document that the schema refuses is refused, one with faulty ids, references or rules is held and told", () => {
  const schema = { properties: { rows: { items: { properties: { of: { type: "string" } } } } } };
  const sheet = { kind: "sheet", schema, sections: [{ name: "rows", path: "/rows", references: [{ path: "/of", section: "rows" }] }], rules: () => ["too dull"] };
  for (const rows of [{}, [{}], [{ id: "a", of: 1 }]]) assert.throws(() => new DocumentStore(sheet, { rows }), { code: "unreadable_document" });
  const store = new DocumentStore(sheet, { rows: [{ id: "a", of: "b" }, { id: "a" }] });
  assert.deepEqual(store.issues().map((line) => line.split(":")[0]).sort(), ["duplicate-id", "invalid-reference", "rule"]);
  store.free();
});

test("the board of the guide does what the guide says", async (t) => {
  const guide = readFileSync(new URL("../../docs/bring-your-own-document.md", import.meta.url), "utf8");
  const output = new URL("../output/", import.meta.url);
  mkdirSync(output, { recursive: true });
  writeFileSync(new URL("board-guide.mjs", output), /```js\n([^]*?)```/.exec(guide)[1]);
  const { open } = await import(new URL("board-guide.mjs", output));
  const calls = [
    { name: "add_entity", input: { kind: "cards", fields: { title: "Print it", column: "column-2" } } },
    { name: "delete_entity", input: { kind: "columns", id: "column-1" } },
  ];
  const { document: board, session } = await open(scripted([{ calls }, { text: "done" }]));
  t.after(() => {
    session.dispose();
    board.free();
  });
  const sent = session.send("tidy up");
  const { calls: [first, second] } = await until(session, waits);
  assert.ok(guide.replace(/\s+/g, " ").includes(`*${second.preview.title}*`), second.preview.title);
  session.approve(first.id);
  session.approve(second.id);
  assert.equal(await sent, "completed");
  assert.deepEqual(board.read(), {
    columns: [{ id: "column-2", name: "Done" }],
    cards: [{ id: "card-2", title: "Read it aloud", column: "column-2", blockedBy: [] }, { id: "card-3", title: "Print it", column: "column-2" }],
  });
  session.undo();
  assert.equal(board.read().cards.length, 2);
});
