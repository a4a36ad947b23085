// Tools from JSON Schema and from schema libraries.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { CountersignError, createSession, init, tool, ToolRegistry } from "countersign";
import { scripted } from "countersign/testing";

before(() => init());

/** A schema as a library with Standard JSON Schema gives it. */
const standard = (schema, more = {}) => ({ "~standard": { version: 1, vendor: "fake", jsonSchema: { input: () => ({ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }) }, ...more } });

test("a schema library's object becomes JSON Schema, asked for the right dialect", () => {
  const asked = [];
  const schema = { "~standard": { version: 1, vendor: "fake", jsonSchema: { input: (options) => (asked.push(options), { type: "object", properties: { n: { type: "number" } } }) } } };
  const made = tool({ name: "t", description: "d", inputSchema: schema, execute: () => "x" });
  assert.deepEqual(asked, [{ target: "draft-2020-12" }]);
  assert.deepEqual(made.inputSchema, { type: "object", properties: { n: { type: "number" } } });
  assert.ok(Object.isFrozen(made));
  const registry = new ToolRegistry([made]);
  assert.equal(registry.prepare("t", { n: "x" }).ok, false);
  registry.free();
});

test("arktype's callable schemas are taken too", () => {
  const callable = Object.assign(() => undefined, standard({ type: "object" }));
  assert.equal(tool({ name: "t", description: "d", inputSchema: callable, execute: () => "x" }).inputSchema.type, "object");
});

test("E1 a library that cannot say its JSON Schema is named, with what would help", () => {
  const old = { "~standard": { version: 1, vendor: "old-lib", validate: () => ({}) } };
  assert.throws(() => tool({ name: "t", description: "d", inputSchema: old, execute: () => "x" }), (error) => error instanceof CountersignError && error.code === "invalid_tool" && error.path === "t.inputSchema" && /old-lib/.test(error.message) && /Standard JSON Schema/.test(error.expected));
  const throwing = { "~standard": { version: 1, vendor: "lib", jsonSchema: { input: () => { throw new Error("Date has no schema"); } } } };
  assert.throws(() => tool({ name: "t", description: "d", inputSchema: throwing, execute: () => "x" }), /Date has no schema/);
  assert.throws(() => tool({ name: "t", description: "d", inputSchema: {} }), (error) => error.path === "execute");
});

test("what a library checks beyond JSON Schema is checked before the tool runs", async () => {
  let ran = 0;
  const schema = standard({ type: "object", properties: { n: { type: "number" } }, required: ["n"] }, { validate: ({ n }) => (n % 2 === 0 ? { value: { n } } : { issues: [{ message: "must be even", path: ["n"] }] }) });
  const even = tool({ name: "even", description: "d", inputSchema: schema, effect: "read", execute: ({ n }) => { ran += 1; return `half is ${n / 2}`; } });
  const session = await createSession({ provider: scripted([{ calls: [{ name: "even", input: { n: 3 } }, { name: "even", input: { n: 4 } }] }, { text: "ok" }]), tools: [even] });
  assert.equal(await session.send("x"), "completed");
  assert.equal(ran, 1);
  assert.deepEqual(session.view.calls.map((call) => call.status), ["failed", "succeeded"]);
  assert.match(session.view.calls[0].result, /n: must be even/);
  session.dispose();
});

const libraries = {
  zod: () => z.object({ title: z.string().min(2), tags: z.array(z.string()).optional() }),
  valibot: () => toStandardJsonSchema(v.object({ title: v.pipe(v.string(), v.minLength(2)), tags: v.optional(v.array(v.string())) })),
  arktype: () => type({ title: "string >= 2", "tags?": "string[]" }),
};
for (const [library, schema] of Object.entries(libraries)) {
  test(`a tool declared with ${library} holds the model to its schema`, () => {
    const made = tool({ name: "t", description: "d", inputSchema: schema(), execute: ({ title }) => title });
    const registry = new ToolRegistry([made]);
    assert.equal(registry.prepare("t", { title: "ab", tags: ["x"] }).ok, true);
    assert.equal(registry.prepare("t", { title: "a" }).ok, false);
    assert.equal(registry.prepare("t", { title: "ab", tags: [1] }).ok, false);
    assert.equal(registry.prepare("t", {}).ok, false);
    registry.free();
  });
}

test("E1 a valibot schema alone cannot say its JSON Schema, and that is said", () => {
  assert.throws(() => tool({ name: "t", description: "d", inputSchema: v.object({ a: v.string() }), execute: () => "x" }), (error) => error.code === "invalid_tool" && /valibot/.test(error.message));
});
