// Loading, as a program in Node does it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const works = ({ canonicalJson }) => assert.equal(canonicalJson({ b: 1, a: 2 }), '{"a":2,"b":1}');

for (const entry of ["countersign", "countersign/threat-model"]) {
  test(`${entry} says what to call before anything else`, async () => {
    const { CountersignError, canonicalJson, StreamDecoder, ToolRegistry } = await fresh(entry);
    for (const use of [() => canonicalJson(1), () => new StreamDecoder("anthropic"), () => new ToolRegistry([])]) assert.throws(use, (error) => error instanceof CountersignError && error.code === "not_initialized" && /init\(\)/.test(error.message));
  });

  test(`${entry} loads itself where no file can be fetched`, async () => {
    const loaded = await fresh(entry);
    await loaded.init();
    works(loaded);
  });

  test(`${entry} starts once, however often it is asked`, async () => {
    const { init } = await fresh(entry);
    const first = init();
    assert.equal(init(), first);
    await first;
    assert.equal(init(), first);
  });

  test(`${entry} takes its wasm as bytes, a compiled module, a response, a file's URL or a promise`, async () => {
    const file = entry === "countersign" ? "countersign/countersign.wasm" : "countersign/threat-model.wasm";
    const bytes = readFileSync(require.resolve(file));
    const sources = [bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), await WebAssembly.compile(bytes), new Response(bytes), new URL(import.meta.resolve(file)), Promise.resolve(bytes)];
    for (const source of sources) {
      const loaded = await fresh(entry);
      await loaded.init(source);
      works(loaded);
    }
  });

  test(`${entry} can be asked again after a source that was no wasm`, async () => {
    const loaded = await fresh(entry);
    await assert.rejects(loaded.init(new Uint8Array([1, 2, 3, 4])), (error) => error.code === "init_failed");
    await loaded.init();
    works(loaded);
  });
}

test("E1 a source that answers with something else is named", async () => {
  const server = createServer((request, response) => (request.url === "/page.wasm" ? response.end("<!doctype html>") : response.writeHead(404).end()));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${server.address().port}`;
  const { init } = await fresh("countersign");
  for (const source of [new URL(`${base}/page.wasm`), new URL(`${base}/gone.wasm`), new Response("", { status: 404 }), "countersign.wasm", 7]) {
    await assert.rejects(init(source), (error) => error.code === "init_failed" && error.message.length > 10, String(source));
  }
  server.closeAllConnections();
  server.close();
});

test("the two engines share the TypeScript that imports no engine", async () => {
  const [plain, withDomain, testing] = await Promise.all([import("countersign"), import("countersign/threat-model"), import("countersign/testing")]);
  assert.equal(plain.CountersignError, withDomain.CountersignError);
  assert.equal(plain.CountersignError, testing.CountersignError);
  assert.notEqual(plain.init, withDomain.init);
});

test("importing runs nothing and leaves nothing behind on the global object", async () => {
  const before = Object.getOwnPropertyNames(globalThis);
  await fresh("countersign");
  assert.deepEqual(Object.getOwnPropertyNames(globalThis), before);
});

let copies = 0;
/** The module anew, so that no test sees another's engine. */
async function fresh(entry) {
  return import(`${import.meta.resolve(entry)}?copy=${(copies += 1)}`);
}
