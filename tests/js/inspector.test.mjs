// The inspector without a page: it can be imported anywhere, and its words are one replaceable table.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { defineInspector, inspectorWords } from "countersign/inspector";

test("importing and defining the inspector where there is no page does nothing and throws nothing", () => {
  assert.equal(globalThis.HTMLElement, undefined);
  defineInspector();
  defineInspector();
});

test("the inspector brings neither the engine nor the session, and makes no markup from strings", () => {
  const code = readFileSync(fileURLToPath(import.meta.resolve("countersign/inspector")), "utf8");
  const imported = [...code.matchAll(/from"(\.[^"]+)"|from "(\.[^"]+)"/g)].map(([, tight, loose]) => tight ?? loose);
  for (const path of imported) {
    const shared = readFileSync(fileURLToPath(new URL(path, import.meta.resolve("countersign/inspector"))), "utf8");
    assert.ok(!/WebAssembly|innerHTML|insertAdjacentHTML/.test(shared), path);
  }
  assert.ok(!/WebAssembly|innerHTML|insertAdjacentHTML/.test(code));
});

test("every word is there, and none is empty", () => {
  const texts = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(texts));
  assert.ok(texts(inspectorWords).length > 80);
  assert.ok(texts(inspectorWords).every((text) => text.trim() !== ""));
});
