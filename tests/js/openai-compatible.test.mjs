// Chat Completions over real HTTP: whole turns with approvals, and the ways in which servers differ or fail.
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { before, test } from "node:test";
import { CountersignError, createSession, DocumentStore, init, openaiCompatible, pairingViolations } from "countersign";
import { fakeClock } from "countersign/testing";
import { boardTools, definition, initial, until, waits } from "./board.mjs";
import { answer, begin, calls, chatServer, chunk, finish, part, redirect, refuse, say, stream, usage } from "./servers/chat.mjs";

const KEY = "sk-proj-very-secret-0123456789";

before(() => init());

async function served(t, answers, options = {}) {
  const server = await chatServer(answers, options);
  t.after(() => server.close());
  return server;
}

async function opened(t, { baseURL }, options = {}, providerOptions = {}) {
  const document = new DocumentStore(definition, initial());
  const session = await createSession({ provider: openaiCompatible({ model: "m-local", baseURL, ...providerOptions }), tools: boardTools, document, limits: { maxRetriesPerTurn: 0 }, ...options });
  t.after(() => session.dispose());
  return { session, document };
}

const titles = (document) => document.read().cards.map((card) => card.title);
const failed = async (session) => {
  assert.equal(await session.send("hi"), "failed");
  return session.view.error;
};

/** Sends, approves whatever is asked until the turn settles; gives the outcome and the ids that were approved. */
async function turn(session, text) {
  const approved = [];
  const sent = session.send(text).then((outcome) => ({ outcome }));
  for (;;) {
    const asked = until(session, (view) => waits(view) || view.phase === "settled").then(() => undefined);
    const settled = await Promise.race([sent, asked]);
    if (settled !== undefined) return { outcome: settled.outcome, approved };
    if (!waits(session.view)) continue;
    const ids = session.view.pending.map((call) => call.id);
    approved.push(...ids);
    session.approveAll(ids);
  }
}

test("a whole turn: a read at once, an approval, the results behind their calls, words at the end", async (t) => {
  const server = await served(t, [
    stream(answer("Let me look.", ["call_a", "count_cards", {}], ["call_b", "add_card", { title: "Übersicht 😀" }]), { pauseMs: 1 }),
    stream(answer("Added.")),
  ]);
  const { session, document } = await opened(t, server, { system: "Be brief." }, { apiKey: KEY, temperature: 0, extraBody: { seed: 3 }, headers: { "x-extra": "1" } });
  const { outcome, approved } = await turn(session, "add one");
  assert.equal(outcome, "completed");
  assert.deepEqual(approved, ["call_b"]);
  assert.deepEqual(titles(document), ["Write", "Test", "Übersicht 😀"]);
  const [first, second] = server.requests;
  assert.equal(`${first.method} ${first.url}`, "POST /v1/chat/completions");
  assert.equal(first.headers.authorization, `Bearer ${KEY}`);
  assert.equal(first.headers["x-extra"], "1");
  assert.equal(first.headers["x-api-key"], undefined);
  const { model, stream: streams, stream_options, max_completion_tokens, temperature, seed, messages } = first.body;
  assert.deepEqual([model, streams, stream_options, max_completion_tokens, temperature, seed], ["m-local", true, { include_usage: true }, 4096, 0, 3]);
  assert.deepEqual(messages, [{ role: "system", content: "Be brief." }, { role: "user", content: "add one" }]);
  assert.deepEqual(first.body.tools.map(({ type, function: { name } }) => `${type} ${name}`), ["function count_cards", "function add_card", "function remove_card"]);
  assert.ok(!JSON.stringify(first.body).includes("strict") && !JSON.stringify(first.body).includes(KEY));
  assert.deepEqual(second.body.messages.map(({ role }) => role), ["system", "user", "assistant", "tool", "tool"]);
  const [, , said, ...results] = second.body.messages;
  assert.equal(said.content, "Let me look.");
  assert.deepEqual(said.tool_calls.map((call) => call.id), results.map((result) => result.tool_call_id));
  assert.deepEqual(JSON.parse(said.tool_calls[1].function.arguments), { title: "Übersicht 😀" });
  assert.equal(session.view.usage.inputTokens, 24);
  assert.equal(document.undo().status, "committed");
  assert.deepEqual(titles(document), ["Write", "Test"]);
});

test("T6 what was declined reaches the model as a failure in words, as the format has no flag for it", async (t) => {
  const server = await served(t, [stream(answer("", ["call_a", "add_card", { title: "A" }], ["call_b", "add_card", { title: "B" }])), stream(answer("Fine."))]);
  const { session, document } = await opened(t, server);
  const sent = session.send("add two");
  await until(session, waits);
  session.approve("call_a");
  session.deny("call_b", "not today");
  assert.equal(await sent, "completed");
  assert.deepEqual(titles(document), ["Write", "Test", "A"]);
  const [, , assistant, ok, declined] = [undefined, ...server.requests[1].body.messages];
  assert.equal(assistant.content, null);
  assert.ok(!ok.content.startsWith("Error: "));
  assert.match(declined.content, /^Error: .*not today/s);
});

const whole = '{"title":"A"}';
const quirks = {
  "no [DONE]": stream(answer("", ["call_a", "add_card", { title: "A" }]), { done: false }),
  "no finish reason": stream([begin(), calls(part(0, "call_a", "add_card", whole))]),
  "no index": stream([begin(), calls(part(undefined, "call_a", "add_card", "")), calls(part(undefined, undefined, undefined, whole)), finish("tool_calls")]),
  "no id": stream([begin(), calls(part(0, undefined, "add_card", whole)), finish("tool_calls")]),
  "ids and names again as empty texts": stream([begin(), calls(part(0, "call_a", "add_card", "")), calls(part(0, "", "", whole.slice(0, 5))), calls(part(0, null, null, whole.slice(5))), finish("tool_calls")]),
  "stop beside a call": stream([chunk({ role: "assistant", content: "Now.", tool_calls: [part(0, "call_a", "add_card", whole)] }, "stop", { usage: usage().usage })]),
  "arguments as an object": stream([begin(), calls({ id: "call_a", function: { name: "add_card", arguments: { title: "A" } } }), finish("tool_calls")]),
  "arguments at the end alone": stream([begin(), calls(part(0, "call_a", "add_card", "")), { id: "chatcmpl-1", choices: [{ message: { tool_calls: [part(0, "call_a", "add_card", whole)] }, finish_reason: "tool_calls" }] }]),
  "the older form of a call": stream([begin(), chunk({ function_call: { name: "add_card", arguments: "" } }), chunk({ function_call: { arguments: whole } }), finish("function_call")]),
  "no model, no choices, nulls": stream([{ choices: null }, { choices: [] }, chunk({ role: "assistant", content: null, tool_calls: null }, null, { model: null, usage: null }), calls(part(0, "call_a", "add_card", whole)), finish("tool_calls")]),
  "comments between": stream(answer("Wait.", ["call_a", "add_card", { title: "A" }]), { keepAlive: true }),
  "JSON as its content type": stream(answer("", ["call_a", "add_card", { title: "A" }]), { type: "application/json", pauseMs: 1 }),
  "one byte at a time": stream(answer("größer 😀", ["call_a", "add_card", { title: "A" }]), { bytes: 1 }),
  "seven bytes at a time": stream(answer("größer 😀", ["call_a", "add_card", { title: "A" }]), { bytes: 7 }),
};
for (const [name, first] of Object.entries(quirks)) {
  test(`a server with ${name}: the call asks, runs once, and is answered`, async (t) => {
    const server = await served(t, [first, stream(answer("Done."))]);
    const { session, document } = await opened(t, server);
    const { outcome, approved } = await turn(session, "add A");
    assert.equal(outcome, "completed");
    assert.equal(approved.length, 1);
    assert.deepEqual(titles(document), ["Write", "Test", "A"]);
    const [call, result] = server.requests[1].body.messages.slice(-2);
    assert.equal(call.tool_calls[0].id, result.tool_call_id);
    assert.deepEqual(JSON.parse(call.tool_calls[0].function.arguments), { title: "A" });
    assert.deepEqual(pairingViolations(session.view.messages), []);
  });
}

for (const [name, id] of [["the same id in every message", "call_0"], ["no id at all", undefined]]) {
  test(`A10 a server that gives ${name}: each call is a new one and asks again`, async (t) => {
    const one = (title) => stream([begin(), calls(part(0, id, "add_card", JSON.stringify({ title }))), finish("tool_calls")]);
    const server = await served(t, [one("A"), one("A"), one("B"), stream(answer("Done.")), one("A"), stream(answer("Done again."))]);
    const { session, document } = await opened(t, server);
    const first = await turn(session, "add three");
    assert.equal(first.outcome, "completed");
    assert.equal(new Set(first.approved).size, 3);
    const next = await turn(session, "add another");
    assert.equal(next.outcome, "completed");
    assert.equal(new Set([...first.approved, ...next.approved]).size, 4);
    assert.deepEqual(titles(document), ["Write", "Test", "A", "A", "B", "A"]);
    const sent = server.requests.at(-1).body.messages;
    const opened_ = sent.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.id));
    assert.deepEqual(opened_, sent.filter(({ role }) => role === "tool").map((result) => result.tool_call_id));
    assert.equal(new Set(opened_).size, 4);
  });
}

test("A10 one id twice in a message: the second is refused, whatever it asks for", async (t) => {
  const server = await served(t, [stream([begin(), calls(part(0, "call_a", "add_card", whole), part(1, "call_a", "add_card", '{"title":"wider"}')), finish("tool_calls")]), stream(answer("Hm."))]);
  const { session, document } = await opened(t, server);
  const { approved } = await turn(session, "add A");
  assert.deepEqual(approved, ["call_a"]);
  assert.deepEqual(titles(document), ["Write", "Test", "A"]);
});

test("T14 a second answer spliced in fails, and neither is run", async (t) => {
  const second = (payload) => ({ ...payload, id: "chatcmpl-2" });
  const server = await served(t, [stream([begin(), say("One"), second(begin()), second(calls(part(0, "call_b", "add_card", whole))), second(finish("tool_calls"))])]);
  const { session, document } = await opened(t, server);
  assert.equal((await failed(session)).code, "protocol_violation");
  assert.deepEqual(titles(document), ["Write", "Test"]);
});

const broken = {
  "closes in the text": [[begin(), say("Half")], { done: false }, "truncated_stream"],
  "closes in a call that looks whole": [[begin(), say("Half"), calls(part(0, "call_a", "add_card", whole))], { done: false }, "truncated_stream"],
  "breaks": [[begin(), say("Half"), calls(part(0, "call_a", "add_card", whole))], { done: false, then: "break" }, "transport"],
  "fails after 200": [[begin(), say("Half"), { error: { code: 502, message: "upstream died" } }, finish()], {}, "http_status"],
};
for (const [name, [payloads, options, code]] of Object.entries(broken)) {
  test(`T8 a connection that ${name} keeps the text and runs nothing`, async (t) => {
    const server = await served(t, [stream(payloads, options)]);
    const { session, document } = await opened(t, server);
    assert.equal((await failed(session)).code, code);
    assert.equal(session.view.messages.at(-1).content[0].text, "Half");
    assert.deepEqual(titles(document), ["Write", "Test"]);
    assert.deepEqual(pairingViolations(session.view.messages), []);
  });
}

test("L7 a failure inside the stream before any content is asked again, one after it is not", async (t) => {
  const busy = stream([{ error: { code: 429, message: "pool is busy" } }]);
  const again = await served(t, [busy, stream(answer("Hello."))]);
  const first = await opened(t, again, { limits: { maxRetriesPerTurn: 1 } });
  assert.equal(await first.session.send("hi"), "completed");
  assert.equal(again.requests.length, 2);
  const once = await served(t, [stream([begin(), say("He"), { error: { code: 429 } }]), stream(answer("no"))]);
  const second = await opened(t, once, { limits: { maxRetriesPerTurn: 1 } });
  assert.equal((await failed(second.session)).code, "rate_limited");
  assert.equal(once.requests.length, 1);
});

test("L7 a 429 with Retry-After is asked again then, in seconds and as a date", async (t) => {
  for (const hint of [() => "7", (now) => new Date(now + 7000).toUTCString()]) {
    const clock = fakeClock();
    const server = await served(t, [(response) => refuse(429, undefined, { "retry-after": hint(clock.now()) })(response), stream(answer("ok"))]);
    const { session } = await opened(t, server, { now: clock.now, limits: { maxRetriesPerTurn: 1 } });
    const sent = session.send("hi");
    while (server.requests.length === 0 || session.view.phase !== "requesting") await clock.advance(0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await clock.advance(5900);
    assert.equal(server.requests.length, 1);
    await clock.advance(1200);
    assert.equal(await sent, "completed");
    assert.equal(server.requests.length, 2);
  }
});

const refusals = [
  [400, "http_status", /could not read/],
  [401, "http_status", /key/],
  [404, "http_status", /model.*base URL/],
  [429, "rate_limited", /slow down/],
  [500, "http_status", /temporarily/],
];
for (const [status, code, sentence] of refusals) {
  test(`E3 status ${status} is told in a sentence that helps, the server's words masked beside it`, async (t) => {
    const server = await served(t, [refuse(status, { error: { message: `bad key ${KEY}`, type: "invalid_request_error", code: "some_code" } })]);
    const { session } = await opened(t, server, {}, { apiKey: KEY, name: "Local" });
    const error = await failed(session);
    assert.deepEqual([error.code, error.status], [code, status]);
    assert.match(error.message, sentence);
    assert.match(error.message, /^Local .*\b\d{3}\b/);
    assert.equal(error.providerDetail, "invalid_request_error: some_code: bad key [redacted-key]");
    assert.ok(!(JSON.stringify(session.view) + session.save()).includes(KEY));
  });
}

test("a wrong path is told so", async (t) => {
  const server = await served(t, []);
  const { session } = await opened(t, { baseURL: server.origin });
  const error = await failed(session);
  assert.equal(error.status, 404);
  assert.match(error.message, /check the model's name and the base URL/);
  assert.equal(error.providerDetail, "404 page not found");
});

test("a redirect is refused, and the key goes nowhere else", async (t) => {
  const elsewhere = await served(t, [stream(answer("stolen"))]);
  const server = await served(t, [redirect(`${elsewhere.baseURL}/chat/completions`)]);
  const { session } = await opened(t, server, {}, { apiKey: KEY });
  assert.match((await failed(session)).message, /redirect/);
  assert.equal(elsewhere.requests.length, 0);
});

test("a web page or a whole answer in place of a stream says what to check", async (t) => {
  const page = await served(t, [refuse(200, "<!doctype html><p>hello</p>")]);
  assert.match((await failed((await opened(t, page)).session)).message, /web page.*base URL/);
  const json = await served(t, [refuse(200, { object: "chat.completion", choices: [{ message: { role: "assistant", content: "Hello" } }] })]);
  assert.match((await failed((await opened(t, json)).session)).message, /all at once.*stream/);
  const error = await served(t, [refuse(200, { error: { message: "model is loading", type: "busy" } })]);
  assert.equal((await failed((await opened(t, error)).session)).providerDetail, "busy: model is loading");
});

test("stop closes the connection at once, silence after a while", async (t) => {
  const server = await served(t, [stream([begin(), say("One")], { done: false, then: "stall" }), stream([begin(), say("Two")], { done: false, then: "stall" })]);
  const { session } = await opened(t, server, { silenceTimeoutMs: 1000 });
  const sent = session.send("hi");
  await until(session, (view) => view.messages.at(-1)?.content[0]?.text === "One");
  session.cancel();
  assert.equal(await sent, "cancelled");
  assert.equal(await server.requests[0].finished, false);
  assert.match((await failed(session)).message, /1 seconds/);
  assert.equal(await server.requests[1].finished, false);
  const merged = server.requests[1].body.messages;
  assert.deepEqual(merged.map(({ role }) => role), ["user", "assistant", "user"]);
});

test("nobody at the address: told where, and what to check", async (t) => {
  const { session } = await opened(t, { baseURL: "http://127.0.0.1:9/v1" });
  const error = await failed(session);
  assert.equal(error.code, "transport");
  assert.match(error.message, /^the connection to http:\/\/127\.0\.0\.1:9 failed: check that the server is running there and that it allows requests from this page \(CORS\)$/);
  const named = await opened(t, { baseURL: "http://127.0.0.1:9/v1" }, {}, { name: "Ollama" });
  assert.match((await failed(named.session)).message, /^the connection to Ollama at http:\/\/127\.0\.0\.1:9 failed/);
});

test("in a browser the page's own origin is named: it is what the server must allow", async (t) => {
  const refusing = () => Promise.reject(new TypeError("Failed to fetch"));
  globalThis.location = { origin: "https://editor.example" };
  t.after(() => delete globalThis.location);
  const local = await opened(t, { baseURL: "http://localhost:11434/v1" }, { fetch: refusing });
  assert.match((await failed(local.session)).message, /running there and that it allows requests from this page \(https:\/\/editor\.example\) \(CORS\)/);
  const plain = await opened(t, { baseURL: "http://models.example/v1" }, { fetch: refusing });
  assert.match((await failed(plain.session)).message, /begins with https as this page's does/);
  const own = await opened(t, { baseURL: undefined }, { fetch: refusing }, { apiKey: KEY });
  assert.match((await failed(own.session)).message, /^the connection to OpenAI failed: .*offline.*https:\/\/editor\.example/);
});

test("a key is wanted by OpenAI alone, and sent as it is given at each request", async (t) => {
  const calls_ = [];
  let keys = 0;
  const fetch = async (url, { headers, redirect: mode, credentials }) => {
    calls_.push([url, headers.authorization, mode, credentials]);
    return new Response('data: {"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\n', { headers: { "content-type": "text/event-stream" } });
  };
  const without = await opened(t, { baseURL: undefined }, { fetch });
  assert.equal((await failed(without.session)).code, "no_api_key");
  assert.match(without.session.view.error.message, /OpenAI/);
  const asked = await opened(t, { baseURL: undefined }, { fetch }, { apiKey: async () => `key-${(keys += 1)}-abcdefgh` });
  await asked.session.send("one");
  await asked.session.send("two");
  const local = await opened(t, { baseURL: "http://localhost:11434/v1/" }, { fetch }, { apiKey: "" });
  assert.equal(await local.session.send("three"), "completed");
  assert.deepEqual(calls_, [
    ["https://api.openai.com/v1/chat/completions", "Bearer key-1-abcdefgh", "manual", "omit"],
    ["https://api.openai.com/v1/chat/completions", "Bearer key-2-abcdefgh", "manual", "omit"],
    ["http://localhost:11434/v1/chat/completions", undefined, "manual", "omit"],
  ]);
});

test("E1 E3 options that cannot work are refused at once, and the key is nowhere in the provider object", () => {
  const refused = (options, path) => assert.throws(() => openaiCompatible({ model: "m", ...options }), (error) => error instanceof CountersignError && error.path === path && !inspect(error).includes(KEY));
  refused({ model: "" }, "model");
  refused({ baseURL: "localhost:11434/v1" }, "baseURL");
  refused({ baseURL: "" }, "baseURL");
  // a network error would tell what stands in an address; what looks like a path may be another server
  for (const baseURL of [`https://user:${KEY}@gateway.example/v1`, `https://${KEY}@gateway.example/v1`, `https://gateway.example/v1?key=${KEY}`, `/v1#${KEY}`, "https://gateway.example/v1?", "//evil.example/v1", "/\\evil.example/v1", "/\t/evil.example/v1", "https://gateway.example/v1 ", "https://", "https://[::1/v1"]) {
    refused({ baseURL, apiKey: KEY }, "baseURL");
  }
  for (const baseURL of ["/v1", "./v1", "../v1", "/", "http://[::1]:8080/v1", "HTTPS://gateway.example/%20/v1/"]) openaiCompatible({ model: "m", baseURL });
  refused({ apiKey: `${KEY}\n` }, "apiKey");
  const provider = openaiCompatible({ model: "m", apiKey: KEY, headers: { authorization: "Bearer topsecret-token" }, baseURL: "https://gateway.example/secret-path/v1" });
  for (const line of [JSON.stringify(provider), inspect(provider, { depth: 10, showHidden: true }), Object.values(provider).map(String).join()]) {
    assert.ok(!/sk-proj|topsecret|secret-path/.test(line), line);
  }
  assert.ok(Object.isFrozen(provider));
  assert.deepEqual([provider.name, provider.address, provider.format], ["gateway.example", "https://gateway.example", "openai-chat"]);
  assert.equal(openaiCompatible({ model: "m" }).name, "OpenAI");
  assert.equal(openaiCompatible({ model: "m", baseURL: "/api/v1" }).name, "the provider");
  assert.equal(provider.mask(`x ${KEY} y`), "x [redacted-key] y");
});

test("the older name of the output limit, and one call at a time", async (t) => {
  const server = await served(t, [stream(answer("ok"))]);
  const { session } = await opened(t, server, {}, { maxTokensField: "max_tokens", maxOutputTokens: 50, parallelToolCalls: false, toolChoice: "none" });
  await session.send("hi");
  const { max_tokens, max_completion_tokens, parallel_tool_calls, tool_choice } = server.requests[0].body;
  assert.deepEqual([max_tokens, max_completion_tokens, parallel_tool_calls, tool_choice], [50, undefined, false, "none"]);
});

test("a page of another origin may read the answers only where the server says so", async (t) => {
  const open = await served(t, [], { cors: "https://editor.example" });
  const preflight = await fetch(`${open.baseURL}/chat/completions`, { method: "OPTIONS" });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get("access-control-allow-origin"), "https://editor.example");
  const closed = await served(t, []);
  const refused = await fetch(`${closed.baseURL}/chat/completions`, { method: "OPTIONS" });
  assert.equal(refused.status, 405);
  assert.equal(refused.headers.get("access-control-allow-origin"), null);
});
