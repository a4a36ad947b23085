// Loading, as a program in Node does it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const { version: published } = JSON.parse(readFileSync(require.resolve("countersign/package.json"), "utf8"));

for (const entry of ["countersign", "countersign/threat-model"]) {
  test(`${entry} says what to call before anything else`, async () => {
    const { CountersignError, version } = await fresh(entry);
    assert.throws(version, (error) => error instanceof CountersignError && error.code === "not_initialized" && /init\(\)/.test(error.message));
  });

  test(`${entry} loads itself where no file can be fetched`, async () => {
    const { init, version } = await fresh(entry);
    await init();
    assert.equal(version(), published);
  });

  test(`${entry} starts once, however often it is asked`, async () => {
    const { init } = await fresh(entry);
    const first = init();
    assert.equal(init(), first);
    await first;
    assert.equal(init(), first);
  });

  test(`${entry} takes the bytes or a compiled module of its wasm`, async () => {
    const file = entry === "countersign" ? "countersign/countersign.wasm" : "countersign/threat-model.wasm";
    const bytes = readFileSync(require.resolve(file));
    for (const source of [bytes, await WebAssembly.compile(bytes)]) {
      const { init, version } = await fresh(entry);
      await init(source);
      assert.equal(version(), published);
    }
  });

  test(`${entry} can be asked again after a source that was no wasm`, async () => {
    const { init, version } = await fresh(entry);
    await assert.rejects(init(new Uint8Array([1, 2, 3, 4])));
    await init();
    assert.equal(version(), published);
  });
}

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
