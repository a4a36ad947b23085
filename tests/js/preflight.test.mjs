// What providers put into their requests, and what a model that cannot do it is never asked.
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { before, test } from "node:test";
import { anthropic, CountersignError, createSession, gemini, init, openai, openaiCompatible } from "countersign";
import { boardTools } from "./board.mjs";

const KEY = "AIzaSyVerySecretKeyOfTheTests0123456789";

before(() => init());

/** The requests of one turn that is refused at once. */
async function asked(t, provider, { text = "hi", ...options } = {}) {
  const requests = [];
  const session = await createSession({
    provider,
    limits: { maxRetriesPerTurn: 0 },
    fetch: async (url, init) => {
      requests.push({ url, ...init, body: JSON.parse(init.body) });
      return new Response("{}", { status: 418 });
    },
    ...options,
  });
  t.after(() => session.dispose());
  const outcome = await session.send(text);
  return { requests, outcome, error: session.view.error, body: requests[0]?.body };
}

test("6.11 tools for a model that cannot call them: one sentence, and no byte leaves", async (t) => {
  const { requests, error } = await asked(t, anthropic({ model: "small", apiKey: KEY, capabilities: { tools: false } }), { tools: boardTools });
  assert.equal(requests.length, 0);
  assert.equal(error.code, "unsupported_capability");
  assert.match(error.message, /^the model `small` cannot call tools, so nothing was sent; choose another one, or go on without tools$/);
  const without = await asked(t, anthropic({ model: "small", apiKey: KEY, capabilities: { tools: false } }));
  assert.equal(without.requests.length, 1);
});

test("6.11 a model that cannot stream is refused, whatever it is asked; the key is not asked for", async (t) => {
  const provider = openaiCompatible({ model: "batch", baseURL: "http://localhost:1/v1", apiKey: () => assert.fail("no key is needed"), capabilities: { streaming: false } });
  const { requests, error } = await asked(t, provider);
  assert.deepEqual([requests.length, error.code], [0, "unsupported_capability"]);
  assert.match(error.message, /cannot stream/);
});

test("6.11 one call at a time is asked of a model that can do no more, where the format has a word for it", async (t) => {
  const capabilities = { parallelToolCalls: false };
  const chat = await asked(t, openaiCompatible({ model: "m", baseURL: "http://localhost:1/v1", capabilities }), { tools: boardTools });
  assert.equal(chat.body.parallel_tool_calls, false);
  const responses = await asked(t, openai({ model: "m", apiKey: KEY, capabilities }), { tools: boardTools });
  assert.equal(responses.body.parallel_tool_calls, false);
  const messages = await asked(t, anthropic({ model: "m", apiKey: KEY, capabilities }), { tools: boardTools });
  assert.equal(messages.body.tool_choice.disable_parallel_tool_use, true);
  const google = await asked(t, gemini({ model: "m", apiKey: KEY, capabilities }), { tools: boardTools });
  assert.ok(!JSON.stringify(google.body).includes("arallel"));
  const plain = await asked(t, openaiCompatible({ model: "m", baseURL: "http://localhost:1/v1" }), { tools: boardTools });
  assert.equal("parallel_tool_calls" in plain.body, false);
});

test("6.11 of an unknown model nothing is assumed: everything is sent, and there is no window", async (t) => {
  const long = "word ".repeat(400_000);
  for (const provider of [anthropic({ model: "claude-sonnet-99", apiKey: KEY }), openaiCompatible({ model: "gpt-4o", baseURL: "http://localhost:1/v1" })]) {
    assert.deepEqual(provider.capabilities, {});
    assert.equal((await asked(t, provider, { text: long, tools: boardTools })).requests.length, 1);
  }
});

test("6.11 the window of a model that is known holds where the host names none", async (t) => {
  const long = "word ".repeat(200_000);
  const known = anthropic({ model: "claude-haiku-4-5-20251001", apiKey: KEY });
  const over = await asked(t, known, { text: long });
  assert.deepEqual([over.requests.length, over.error.code], [0, "context_overflow"]);
  assert.equal((await asked(t, known, { text: long, maxInputTokens: 2_000_000 })).requests.length, 1);
  const told = anthropic({ model: "claude-haiku-4-5", apiKey: KEY, capabilities: { maxInputTokens: 2_000_000 } });
  assert.equal((await asked(t, told, { text: long })).requests.length, 1);
});

test("6.11 a conversation that goes on with another model has that model's window", async (t) => {
  const long = "word ".repeat(200_000);
  const wide = await createSession({ provider: anthropic({ model: "claude-sonnet-5", apiKey: KEY }), limits: { maxRetriesPerTurn: 0 }, fetch: async () => new Response("{}", { status: 418 }) });
  await wide.send(long);
  assert.equal(wide.view.error.status, 418);
  const snapshot = wide.save();
  wide.dispose();
  const narrow = { provider: anthropic({ model: "claude-haiku-4-5", apiKey: KEY }), snapshot, text: "and now?" };
  const { body } = await asked(t, narrow.provider, narrow);
  assert.equal(body.messages.length, 1, "what does not fit any more is left out");
  const { body: whole } = await asked(t, narrow.provider, { ...narrow, maxInputTokens: 2_000_000 });
  assert.ok(JSON.stringify(whole).length > long.length);
});

test("6.11 models are looked up by provider and id, a dated snapshot as what it was taken of, the host's word first", () => {
  const of = ({ capabilities: { tools, maxInputTokens } }) => [tools, maxInputTokens];
  assert.deepEqual(of(anthropic({ model: "claude-sonnet-5" })), [true, 1_000_000]);
  assert.deepEqual(of(anthropic({ model: "claude-haiku-4-5-20251001" })), [true, 200_000]);
  assert.deepEqual(of(openai({ model: "gpt-5.6-sol" })), [true, 1_050_000]);
  assert.deepEqual(of(openai({ model: "gpt-4o-2024-08-06" })), [true, 128_000]);
  assert.deepEqual(of(openaiCompatible({ model: "gpt-5.6-luna" })), [true, 1_050_000]);
  assert.deepEqual(of(gemini({ model: "gemini-2.5-flash" })), [true, 1_048_576]);
  assert.deepEqual(of(gemini({ model: "claude-sonnet-5" })), [undefined, undefined]);
  for (const model of ["constructor", "__proto__", "toString"]) assert.deepEqual(openai({ model }).capabilities, {});
  const own = anthropic({ model: "claude-sonnet-5", capabilities: { tools: false, maxInputTokens: undefined } });
  assert.deepEqual(own.capabilities, { tools: false, parallelToolCalls: true, maxInputTokens: 1_000_000 });
  assert.ok(Object.isFrozen(own.capabilities));
  for (const maxInputTokens of [0, -1, 1.5, Number.NaN, "many"]) {
    assert.throws(() => gemini({ model: "m", capabilities: { maxInputTokens } }), (error) => error instanceof CountersignError && error.path === "capabilities.maxInputTokens");
  }
});

test("openai: the Responses API, nothing stored, reasoning asked for in its encrypted form", async (t) => {
  const provider = openai({ model: "gpt-5.6-sol", apiKey: KEY, reasoning: { effort: "low", summary: "auto" }, temperature: 1, maxOutputTokens: 50, extraBody: { service_tier: "flex" }, headers: { "openai-project": "p" } });
  const { requests, body } = await asked(t, provider, { system: "Be brief.", tools: boardTools });
  const [{ url, headers, redirect, credentials, referrerPolicy }] = requests;
  assert.deepEqual([url, headers.authorization, headers["openai-project"], redirect, credentials, referrerPolicy], ["https://api.openai.com/v1/responses", `Bearer ${KEY}`, "p", "manual", "omit", "no-referrer"]);
  assert.deepEqual([body.model, body.instructions, body.stream, body.store, body.include, body.max_output_tokens, body.temperature, body.service_tier], ["gpt-5.6-sol", "Be brief.", true, false, ["reasoning.encrypted_content"], 50, 1, "flex"]);
  assert.deepEqual(body.reasoning, { effort: "low", summary: "auto" });
});

test("openai: a model that does not reason is not asked for its reasoning; the host's own include stands", async (t) => {
  for (const options of [{ model: "m", reasoning: false }, { model: "gpt-4.1-mini" }, { model: "m", capabilities: { reasoning: false } }]) {
    const { body } = await asked(t, openai({ apiKey: KEY, ...options }));
    assert.deepEqual([body.include ?? [], body.store, "reasoning" in body], [[], false, false]);
  }
  const own = await asked(t, openai({ model: "gpt-4o", apiKey: KEY, extraBody: { include: ["message.output_text.logprobs"] } }));
  assert.deepEqual(own.body.include, ["message.output_text.logprobs"]);
});

test("gemini: the key in a header and never in the address, temperature and thinking in generationConfig", async (t) => {
  const provider = gemini({ model: "gemini-2.5-pro", apiKey: KEY, temperature: 0, maxOutputTokens: 50, thinking: { includeThoughts: true, thinkingBudget: 1024 }, extraBody: { generationConfig: { topK: 3 }, safetySettings: [] } });
  const { requests, body } = await asked(t, provider, { system: "Be brief.", tools: boardTools });
  const [{ url, headers, redirect, credentials, referrerPolicy }] = requests;
  assert.equal(url, "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse");
  assert.deepEqual([headers["x-goog-api-key"], headers.authorization, redirect, credentials, referrerPolicy], [KEY, undefined, "manual", "omit", "strict-origin"]);
  assert.deepEqual(body.generationConfig, { topK: 3, temperature: 0, thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 }, maxOutputTokens: 50 });
  assert.deepEqual(body.safetySettings, []);
  assert.equal("temperature" in body, false);
  assert.throws(() => gemini({ model: "m", extraBody: { generationConfig: 1 } }), (error) => error.path === "extraBody.generationConfig");
});

test("E3 the new providers hold their key as the others do, and want one at their own address alone", async (t) => {
  for (const [make, own, name] of [[openai, "https://api.openai.com/v1", "OpenAI"], [gemini, "https://generativelanguage.googleapis.com/v1beta/", "Gemini"]]) {
    const provider = make({ model: "m", apiKey: KEY, headers: { "x-secret": "topsecret-token" } });
    for (const line of [JSON.stringify(provider), inspect(provider, { depth: 10, showHidden: true }), Object.values(provider).map(String).join()]) assert.ok(!/AIza|topsecret/.test(line), line);
    assert.ok(Object.isFrozen(provider));
    assert.deepEqual([provider.name, provider.address, provider.mask(`x ${KEY} y`)], [name, undefined, "x [redacted-key] y"]);
    for (const baseURL of [undefined, own]) {
      const { error, requests } = await asked(t, make({ model: "m", baseURL }));
      assert.deepEqual([requests.length, error.code], [0, "no_api_key"]);
      assert.ok(error.message.includes(name));
    }
    const gateway = await asked(t, make({ model: "m", baseURL: "https://gateway.example/ai/v1" }));
    assert.equal(gateway.requests.length, 1);
    assert.ok(gateway.requests[0].url.startsWith("https://gateway.example/ai/v1/"));
    assert.throws(() => make({ model: "m", apiKey: `${KEY}\n` }), (error) => error.code === "no_api_key" && !inspect(error).includes(KEY));
    assert.throws(() => make({ apiKey: KEY }), (error) => error.path === "model");
  }
  const header = await asked(t, gemini({ model: "m", headers: { "x-goog-api-key": KEY } }));
  assert.equal(header.requests[0].headers["x-goog-api-key"], KEY);
});
