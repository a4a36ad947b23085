// The classes over wasm memory: identity, freezing, listeners, and what happens after the end.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as plain from "countersign";
import * as withDomain from "countersign/threat-model";
import { boardTools, definition, initial, reported } from "./board.mjs";

const { CountersignError, DocumentStore, StreamDecoder, ToolLoop, ToolRegistry } = plain;

before(() => Promise.all([plain.init(), withDomain.init()]));

const code = (wanted) => (error) => error instanceof CountersignError && error.code === wanted;

test("E1 use after free says so, and freeing twice is nothing", () => {
  const store = new DocumentStore(definition, initial());
  const registry = new ToolRegistry(boardTools);
  const decoder = new StreamDecoder("anthropic");
  const loop = new ToolLoop({ tools: registry, document: store });
  const uses = [
    [store, () => store.read()],
    [registry, () => registry.list()],
    [decoder, () => decoder.end()],
    [loop, () => loop.state()],
  ];
  for (const [object, use] of uses) {
    object.free();
    object.free();
    assert.throws(use, code("use_after_free"));
  }
});

test("E1 a loop keeps its store and its tools when their handles are freed", () => {
  const store = new DocumentStore(definition, initial());
  const registry = new ToolRegistry(boardTools);
  const loop = new ToolLoop({ tools: registry, document: store });
  registry.free();
  store.free();
  const { effects } = loop.dispatch({ type: "submit", text: "hi", nowMs: 1 });
  assert.equal(effects[0].type, "request");
  loop.free();
});

test("classes can be disposed of where the engine knows how", { skip: typeof Symbol.dispose !== "symbol" }, () => {
  const registry = new ToolRegistry([]);
  registry[Symbol.dispose]();
  assert.throws(() => registry.list(), code("use_after_free"));
});

test("E1 objects of the other entry point are told apart", () => {
  const store = new withDomain.DocumentStore(definition, initial());
  const registry = new withDomain.ToolRegistry([]);
  assert.throws(() => new ToolLoop({ tools: [], document: store }), code("foreign_instance"));
  assert.throws(() => new ToolLoop({ tools: registry }), code("foreign_instance"));
  assert.throws(() => plain.idleTurn({ tools: registry }), code("foreign_instance"));
  assert.throws(() => new ToolLoop({ tools: [], document: {} }), code("invalid_options"));
  store.free();
  registry.free();
});

test("E1 the threat model is a definition of its own entry point alone", () => {
  assert.throws(() => new DocumentStore("threat-model", {}), code("unknown_definition"));
  const store = new withDomain.DocumentStore("threat-model", withDomain.emptyThreatModel({ title: "Shop", author: "Ada", today: "2026-11-30" }));
  assert.deepEqual(store.issues(), []);
  assert.equal(withDomain.graphActionTools().length, 12);
  assert.equal(plain.graphActionTools, undefined);
  store.free();
});

test("read gives the same deeply frozen value while the revision stands, keys in their order", () => {
  const store = new DocumentStore(definition, { z: 1, a: { d: 1, c: 2 }, cards: [{ title: "T", id: "card-1" }] });
  const document = store.read();
  assert.equal(store.read(), document);
  assert.ok(Object.isFrozen(document) && Object.isFrozen(document.cards) && Object.isFrozen(document.cards[0]) && Object.isFrozen(document.a));
  assert.deepEqual(Object.keys(document), ["z", "a", "cards"]);
  assert.deepEqual(Object.keys(document.cards[0]), ["title", "id"]);
  const digest = store.digest;
  assert.equal(store.edit([{ op: "replace", path: "/z", value: 2 }], "Set z").status, "committed");
  assert.notEqual(store.read(), document);
  assert.equal(document.z, 1);
  assert.notEqual(store.digest, digest);
  store.undo();
  assert.equal(store.digest, digest);
  store.free();
});

test("listeners hear of each change once, in one order, with frozen patches, and may change the document themselves", () => {
  const store = new DocumentStore(definition, initial());
  const heard = [];
  store.onChange((change) => {
    heard.push(`first ${change.source} ${change.revision}`);
    assert.ok(Object.isFrozen(change) && Object.isFrozen(change.patch) && Object.isFrozen(change.patch[0]));
    if (change.revision === store.revision && heard.length === 1) store.edit([{ op: "replace", path: "/title", value: "Again" }], "Again");
  });
  const stop = store.onChange((change) => heard.push(`second ${change.source} ${change.revision}`));
  const before = store.revision;
  store.edit([{ op: "replace", path: "/title", value: "New" }], "Rename");
  assert.deepEqual(heard, [`first user ${before + 1}`, `second user ${before + 1}`, `first user ${before + 2}`, `second user ${before + 2}`]);
  stop();
  store.undo();
  store.redo();
  assert.deepEqual(heard.slice(4).map((line) => line.split(" ")[1]), ["undo", "redo"]);
  assert.equal(store.edit(store.read(), "Nothing").status, "unchanged");
  assert.equal(heard.length, 6);
  assert.deepEqual(store.history().map(({ label, source }) => [label, source]), [["Rename", "user"], ["Again", "user"]]);
  store.free();
});

test("a listener that throws breaks neither the edit nor the others", async () => {
  const store = new DocumentStore(definition, initial());
  let reached = false;
  store.onChange(() => {
    throw new Error("mine");
  });
  store.onChange(() => {
    reached = true;
  });
  const errors = await reported(() => assert.equal(store.edit([{ op: "replace", path: "/title", value: "x" }], "x").status, "committed"));
  assert.ok(reached);
  assert.deepEqual(errors.map((error) => error.message), ["mine"]);
  store.free();
});

test("a host's rules are asked at each commit and may not call back in", () => {
  let inside;
  const store = new DocumentStore(
    {
      ...definition,
      rules: (document) => {
        if (document.title === "call back") {
          try {
            inside = store.read();
          } catch (error) {
            inside = error;
          }
        }
        if (document.title === "throw") throw new Error("rules broke");
        return document.title === "bad" ? ["title: `bad` is not allowed"] : [];
      },
    },
    initial(),
  );
  const titled = (title) => store.edit([{ op: "replace", path: "/title", value: title }], "Rename");
  const refused = titled("bad");
  assert.equal(refused.status, "refused");
  assert.equal(refused.refusal, "invalid_document");
  assert.match(refused.result, /not allowed/);
  assert.equal(titled("throw").status, "refused");
  assert.equal(titled("good").status, "committed");
  titled("call back");
  assert.equal(inside?.code, "reentrant_call");
  assert.equal(store.read().title === "call back" || store.read().title === "good", true);
  store.free();
});

test("E1 a document whose shape cannot be read is refused, one with broken references is held", () => {
  assert.throws(() => new DocumentStore(definition, { cards: "none" }), (error) => error instanceof CountersignError && error.code !== "internal");
  assert.throws(() => new DocumentStore(definition, { cards: [{ id: NaN }] }), code("invalid_value"));
  const references = { kind: "b", sections: [{ name: "cards", path: "/cards", references: [{ path: "/parent", section: "cards", onDelete: "clear" }] }] };
  const store = new DocumentStore(references, { cards: [{ id: "a", parent: "gone" }] });
  assert.equal(store.issues().length, 1);
  store.free();
});

test("a decoder gives the same events for whole bytes and for single ones", () => {
  const frame = (type, data) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const bytes = new TextEncoder().encode(
    frame("message_start", { message: { model: "m", usage: { input_tokens: 3 } } }) +
      frame("content_block_start", { index: 0, content_block: { type: "text", text: "" } }) +
      frame("content_block_delta", { index: 0, delta: { type: "text_delta", text: "größer 😀" } }) +
      frame("content_block_stop", { index: 0 }) +
      frame("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } }) +
      frame("message_stop", {}),
  );
  const decode = (size) => {
    const decoder = new StreamDecoder("anthropic");
    const events = [];
    for (let at = 0; at < bytes.length; at += size) events.push(...decoder.push(bytes.subarray(at, at + size)));
    events.push(...decoder.end());
    decoder.free();
    return events;
  };
  assert.deepEqual(decode(1), decode(bytes.length));
  assert.deepEqual(decode(7).map((event) => event.type), ["message_start", "text_delta", "usage", "message_stop"]);
  assert.throws(() => new StreamDecoder("smoke"), code("unknown_format"));
});

test("many objects made and freed leave the memory as it was", () => {
  const round = () => {
    const store = new DocumentStore(definition, initial());
    const loop = new ToolLoop({ tools: boardTools, document: store });
    loop.dispatch({ type: "submit", text: "x".repeat(10_000), nowMs: 1 });
    store.edit([{ op: "replace", path: "/title", value: "y".repeat(10_000) }], "t");
    loop.free();
    store.free();
  };
  const size = () => process.memoryUsage().arrayBuffers + process.memoryUsage().external;
  for (let n = 0; n < 200; n += 1) round();
  const before = size();
  for (let n = 0; n < 3000; n += 1) round();
  assert.ok(size() - before < 16 * 1024 * 1024, `${size() - before} bytes more`);
});
