// The public JSON Schema suite in the wasm, through the package: the same verdicts as natively, the same refusals.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { DocumentStore, init } from "countersign";

const corpus = (name) => JSON.parse(readFileSync(new URL(`../corpus/${name}`, import.meta.url), "utf8"));
const suite = corpus("schema-suite.json").files;
const refused = corpus("schema-suite-refused.json").flatMap(({ file, why, schemas }) => schemas.map((name) => ({ file, name, why })));

before(() => init());

/** Whether `data` satisfies the schema; one that is not taken throws `invalid_schema`. */
function holds(schema, data) {
  // a document is an object, so the case is one member of it: a resource of its own, in which `#` is its root
  const inner = typeof schema === "object" ? { $id: "https://case.invalid/", ...schema } : schema;
  try {
    new DocumentStore({ kind: "case", schema: { properties: { value: inner } }, sections: [] }, { value: data }).free();
    return true;
  } catch (error) {
    if (error.code === "unreadable_document" && error.message.startsWith("initial: schema: value")) return false;
    throw error;
  }
}

let decided = 0;
const seen = [];

for (const [file, groups] of Object.entries(suite)) {
  test(`suite: ${file}`, () => {
    for (const { description, schema, tests } of groups) {
      const listed = refused.find((entry) => entry.file === file && entry.name === description);
      if (listed !== undefined) {
        seen.push(listed);
        assert.throws(() => holds(schema, null), (error) => error.code === "invalid_schema" && error.path.startsWith("schema") && error.message.includes(listed.why), `${description} is taken`);
        continue;
      }
      for (const { description: what, data, valid } of tests) {
        assert.equal(holds(schema, data), valid, `${description} / ${what}`);
        decided += 1;
      }
    }
  });
}

test("every case is decided but those of the listed schemas, and the list holds nothing else", () => {
  assert.deepEqual(new Set(seen), new Set(refused));
  const all = Object.values(suite).flat();
  const left = all.filter(({ description }) => refused.some(({ name }) => name === description));
  const cases = (list) => list.reduce((sum, { tests }) => sum + tests.length, 0);
  assert.equal(decided + cases(left), cases(all));
  const { length } = refused;
  const docs = readFileSync(new URL("../../docs/schemas.md", import.meta.url), "utf8");
  assert.match(docs, new RegExp(`${decided} of its ${cases(all)} cases`), "docs/schemas.md says how many");
  assert.match(docs, new RegExp(`the other ${cases(all) - decided} belong to ${length} schemas`));
});
