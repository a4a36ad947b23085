// What may cross into the core, and how what may not is refused.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { canonicalJson, CountersignError, init, inputDigest, resolveLimits, budgetExhaustion, pairingViolations, repairHistory, budgetMessages, buildRequest, ToolRegistry } from "countersign";

before(() => init());

const refused = (code, path) => (error) => {
  assert.ok(error instanceof CountersignError, String(error));
  assert.equal(error.code, code, error.message);
  if (path !== undefined) assert.equal(error.path, path);
  return true;
};

test("E1 a value that JSON cannot hold is refused with its place", () => {
  const circle = { a: [{}] };
  circle.a[0].back = circle;
  const cases = [
    [NaN, "value"],
    [{ a: { b: [1, Infinity] } }, "value.a.b[1]"],
    [{ a: 1n }, "value.a"],
    [{ "odd key": () => 1 }, 'value["odd key"]'],
    [{ a: Symbol("s") }, "value.a"],
    [[undefined], "value[0]"],
    [undefined, "value"],
    [{ at: new Date(0) }, "value.at"],
    [{ map: new Map() }, "value.map"],
    [circle, "value.a[0].back"],
    [{ text: "half \ud800" }, "value.text"],
  ];
  for (const [value, path] of cases) assert.throws(() => canonicalJson(value), refused("invalid_value", path));
});

test("E2 a value nested beyond the stack is refused, not a crash", () => {
  let deep = 1;
  for (let level = 0; level < 200_000; level += 1) deep = [deep];
  assert.throws(() => canonicalJson(deep), (error) => error instanceof CountersignError);
  assert.equal(canonicalJson([1]), "[1]");
});

test("a member given as undefined is one left out, and one value may stand in two places", () => {
  const shared = { n: 1 };
  assert.equal(canonicalJson({ b: shared, a: shared, c: undefined }), '{"a":{"n":1},"b":{"n":1}}');
});

test("canonical JSON and digests are those of RFC 8785 and SHA-256", async () => {
  const value = { z: 1e21, "é": -0, a: [0.1, "\u007f", null, true] };
  const text = '{"a":[0.1,"\u007f",null,true],"z":1e+21,"é":0}';
  assert.equal(canonicalJson(value), text);
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`{"input":${text},"tool":"t"}`)));
  assert.equal(inputDigest("t", value), Buffer.from(bytes).toString("hex"));
});

test("an own `__proto__` key crosses as what it is", () => {
  const value = JSON.parse('{"__proto__":{"x":1}}');
  assert.equal(canonicalJson(value), '{"__proto__":{"x":1}}');
  assert.equal({}.x, undefined);
});

test("L1 limits must be positive whole numbers, and a wrong one is named", () => {
  assert.equal(resolveLimits().maxIterations, 8);
  assert.equal(resolveLimits({ maxIterations: 3 }).maxIterations, 3);
  assert.equal(resolveLimits({ maxRetriesPerTurn: 0 }).maxRetriesPerTurn, 0);
  for (const wrong of [{ maxIterations: 0 }, { maxIterations: -1 }, { maxIterations: 0.5 }, { maxIteration: 3 }]) {
    assert.throws(() => resolveLimits(wrong), (error) => error instanceof CountersignError && new RegExp(Object.keys(wrong)[0]).test(`${error.path} ${error.message}`));
  }
  assert.throws(() => resolveLimits({ maxIterations: NaN }), refused("invalid_value", "overrides.maxIterations"));
});

test("L1 the first exhausted bound is named, and none is null", () => {
  const budget = { startedAtMs: 0, pausedMs: 0, pausedSinceMs: null, requestsStarted: 1, iterationsStarted: 1, callsOpened: 0, callsThisIteration: 0, retriesUsed: 0, inputTokens: 0, outputTokens: 0, costMicros: 0, highestRepeat: 0 };
  const limits = resolveLimits({ maxIterations: 2 });
  assert.equal(budgetExhaustion(budget, limits, 1), null);
  assert.equal(budgetExhaustion({ ...budget, iterationsStarted: 2, callsOpened: 99 }, limits, 1), "iterations");
  assert.equal(budgetExhaustion(budget, limits, 400_000), "deadline");
});

const call = { role: "assistant", content: [{ type: "tool_call", id: "a", name: "t", input: {} }] };
const user = (text) => ({ role: "user", content: [{ type: "text", text }] });

test("T6 an unanswered call is found, and a repaired history answers it", () => {
  assert.deepEqual(pairingViolations([user("hi"), call]), [{ kind: "unanswered_tool_call", toolCallId: "a", messageIndex: 1 }]);
  const { messages, repairs } = repairHistory([user("hi"), call]);
  assert.equal(repairs.length, 1);
  assert.deepEqual(pairingViolations(messages), []);
});

test("a history is cut to the window by whole groups, or the window is said to be too small", () => {
  const long = Array.from({ length: 40 }, (_, at) => user(`${at} ${"word ".repeat(50)}`));
  const cut = budgetMessages(long, { maxInputTokens: 2000, reserveOutputTokens: 100 });
  assert.equal(cut.ok, true);
  assert.ok(cut.dropped > 0 && cut.messages.length + cut.dropped === long.length);
  const none = budgetMessages(long, { maxInputTokens: 101, reserveOutputTokens: 100 });
  assert.equal(none.ok, false);
  assert.equal(none.error.code, "context_overflow");
});

test("a request is built in the provider's form", () => {
  const { path, body } = buildRequest("anthropic", { model: "m", system: "s", messages: [user("hi")], tools: [], maxOutputTokens: 10 });
  assert.equal(path, "/v1/messages");
  assert.equal(body.model, "m");
  assert.equal(body.stream, true);
  assert.throws(() => buildRequest("telepathy", { model: "m", messages: [], tools: [], maxOutputTokens: 1 }), refused("unknown_format"));
});

test("G2 names resolve exactly or not at all", () => {
  const registry = new ToolRegistry([{ name: "move", description: "Moves.", inputSchema: { type: "object" } }]);
  assert.equal(registry.get("move").effect, "mutate");
  for (const name of ["Move", "move ", "constructor", "__proto__", "m\u043eve", "toString"]) {
    assert.equal(registry.get(name), undefined);
    assert.equal(registry.prepare(name, {}).ok, false);
  }
  registry.free();
});

test("G1 contradictions and duplicates are refused with the tool's place", () => {
  const base = { name: "t", description: "d", inputSchema: { type: "object" } };
  for (const tools of [[base, base], [{ ...base, effect: "read", destructive: true }], [{ ...base, needsApproval: false }], [{ ...base, inputSchema: { type: "nonsense" } }]]) {
    assert.throws(() => new ToolRegistry(tools), (error) => error instanceof CountersignError && error.code !== "internal" && /tools|\[\d\]/.test(error.path ?? error.message));
  }
  assert.throws(() => new ToolRegistry([{ ...base, surprise: 1 }]), (error) => /surprise/.test(error.message + error.path));
});

test("prepare gives what would run, or lines a model can correct itself by", () => {
  const registry = new ToolRegistry([{ name: "t", description: "d", summary: "Set {n}", inputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"], additionalProperties: false } }]);
  const good = registry.prepare("t", { n: 4 });
  assert.equal(good.ok, true);
  assert.deepEqual(good.call.input, { n: 4 });
  assert.equal(good.call.inputDigest, inputDigest("t", { n: 4 }));
  assert.match(good.call.summary, /4/);
  const bad = registry.prepare("t", { n: "four", m: 1 });
  assert.equal(bad.ok, false);
  assert.ok(bad.issues.length >= 2 && bad.issues.every((issue) => !issue.includes("\n")));
});
