// What can come in place of a stream, and what is said of it: statuses, error bodies of each provider, pages, whole answers, hints to wait.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createSession, init, openaiCompatible } from "countersign";
import { fakeClock } from "countersign/testing";
import { chat } from "./servers/chat.mjs";
import { gemini } from "./servers/gemini.mjs";

const NAME = "Acme";
const KEY = "acme-very-secret-0123456789";

before(() => init());

/** One turn with a provider whose every answer is `answer()`; gives what was told of it. */
async function told(t, answer, { attempts = 1, format = "openai-chat", ...options } = {}) {
  let asked = 0;
  const session = await createSession({
    provider: { name: NAME, format, params: { model: "m" }, mask: (text) => text.replaceAll(KEY, "[redacted-key]"), open: async () => ((asked += 1), answer()) },
    limits: { maxRetriesPerTurn: attempts - 1 },
    ...options,
  });
  t.after(() => session.dispose());
  const outcome = await session.send("hi");
  return { outcome, error: session.view.error, asked, session };
}

const json = (status, body, headers = {}) => () => new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
const google = (code, status, message, ...details) => ({ error: { code, message, status, details } });
const info = (reason) => ({ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "googleapis.com" });

const STATUSES = [
  [400, "http_status", /^Acme could not read the request \(400\): the model may not take something in it/],
  [401, "http_status", /^Acme did not accept the key.*\(401\).*settings$/],
  [402, "http_status", /payment \(402\).*balance$/],
  [403, "http_status", /refused.*\(403\).*permission.*region/],
  [404, "http_status", /model or the address \(404\)/],
  [405, "http_status", /\(405\).*base URL/],
  [408, "http_status", /took too long.*\(408\)/],
  [409, "http_status", /^Acme refused the request \(409\)$/],
  [413, "context_overflow", /too large for Acme \(413\); start a new one/],
  [422, "http_status", /did not accept something in the request \(422\)/],
  [429, "rate_limited", /slow down \(429\)/],
  [500, "http_status", /temporarily unavailable \(500\)/],
  [503, "http_status", /temporarily unavailable \(503\)/],
  [504, "http_status", /took too long.*\(504\)/],
  [529, "overloaded", /overloaded \(529\)/],
];
for (const [status, code, sentence] of STATUSES) {
  test(`E3 ${status} is a sentence with the name and the number, in no words of the provider`, async (t) => {
    const { error } = await told(t, json(status, { error: { message: `SERVER WORDS ${KEY}`, type: "t" } }));
    assert.deepEqual([error.code, error.status], [code, status]);
    assert.match(error.message, sentence);
    assert.ok(!error.message.includes("SERVER WORDS"));
    assert.equal(error.providerDetail, "t: SERVER WORDS [redacted-key]");
  });
}

const FINER = {
  "OpenAI: context_length_exceeded": [400, { error: { message: "This is too much.", type: "invalid_request_error", param: "messages", code: "context_length_exceeded" } }, "context_overflow", 400, /too large/],
  "Anthropic: told in prose": [400, { type: "error", error: { type: "invalid_request_error", message: "prompt is too long: 213462 tokens > 200000 maximum" } }, "context_overflow", 400, /too large/],
  "Anthropic: request_too_large": [413, { type: "error", error: { type: "request_too_large", message: "Request exceeds the maximum size" } }, "context_overflow", 413, /too large/],
  "Gemini: told in prose": [400, google(400, "INVALID_ARGUMENT", "The input token count (1091639) exceeds the maximum number of tokens allowed (1048576)."), "context_overflow", 400, /too large/],
  "llama.cpp: exceed_context_size_error": [400, { error: { code: 400, message: "request (4476 tokens) exceeds the available context size (4096 tokens)", type: "exceed_context_size_error", n_prompt_tokens: 4476, n_ctx: 4096 } }, "context_overflow", 400, /too large/],
  "vLLM: told in prose": [400, { object: "error", message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.", type: "BadRequestError", param: null, code: 400 }, "context_overflow", 400, /too large/],
  "too long an answer asked for is no overflow": [400, { type: "error", error: { type: "invalid_request_error", message: "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens" } }, "http_status", 400, /could not read/],
  "Gemini: a key that is wrong has the status it has elsewhere": [400, google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", info("API_KEY_INVALID")), "http_status", 401, /did not accept the key \(400\)/],
  "Gemini: a key that is restricted": [403, google(403, "PERMISSION_DENIED", "Requests from referer <empty> are blocked.", info("API_KEY_HTTP_REFERRER_BLOCKED")), "http_status", 403, /key is restricted/],
  "Gemini: a region": [400, google(400, "FAILED_PRECONDITION", "User location is not supported for the API use."), "http_status", 400, /billing.*region/],
  "OpenAI: a quota that is used up": [429, { error: { message: "You exceeded your current quota", type: "insufficient_quota", param: null, code: "insufficient_quota" } }, "rate_limited", 429, /quota.*used up \(429\)/],
  "Gemini: a model that is overloaded": [503, google(503, "UNAVAILABLE", "The model is overloaded. Please try again later."), "overloaded", 503, /overloaded \(503\)/],
  "a list around the error": [400, [google(400, "INVALID_ARGUMENT", "API key not valid.", info("API_KEY_INVALID"))], "http_status", 401, /key/],
};
for (const [what, [status, body, code, told_, sentence]] of Object.entries(FINER)) {
  test(`E1 by the provider's own code: ${what}`, async (t) => {
    const { error } = await told(t, json(status, body));
    assert.deepEqual([error.code, error.status], [code, told_]);
    assert.match(error.message, sentence);
    assert.ok(error.message.includes(String(status)));
  });
}

const DETAILS = [
  [{ error: "plain words" }, "plain words"],
  [{ detail: "Not Found" }, "Not Found"],
  [{ object: "error", message: "words", type: "T", code: 1 }, "T: words"],
  [google(400, "INVALID_ARGUMENT", "words"), "INVALID_ARGUMENT: words"],
  [{ unknown: true }, '{"unknown":true}'],
  [null, "null"],
  [[], "[]"],
];
for (const [body, detail] of DETAILS) {
  test(`E3 the detail of ${JSON.stringify(body)}`, async (t) => assert.equal((await told(t, json(400, body))).error.providerDetail, detail));
}

const stream = (text, type = "text/event-stream") => () => new Response(text, { headers: type === undefined ? {} : { "content-type": type } });
const whole = chat.whole("Hello").join("");
const PLACES = {
  "nothing, 204": [() => new Response(null, { status: 204 }), "http_status", /nothing \(204\).*base URL/],
  "an empty body": [stream(""), "http_status", /nothing \(200\).*base URL/],
  "blanks alone": [stream(" \r\n\n"), "http_status", /nothing \(200\)/],
  "a page": [stream("<!doctype html><p>hello</p>", "text/html; charset=utf-8"), "http_status", /web page.*Acme.*base URL/],
  "a page called text": [stream("\n  <html>", "text/plain"), "http_status", /web page.*base URL/],
  "a page called a stream": [stream("<html>"), "http_status", /web page/],
  "a whole answer": [json(200, { object: "chat.completion", choices: [{ message: { role: "assistant", content: "Hello" } }] }), "http_status", /all at once.*stream/],
  "a whole answer that names no error": [json(200, { object: "response", error: null, output: [] }), "http_status", /all at once/],
  "a list of answers": [stream('[{"candidates":[]}]', "application/json; charset=UTF-8"), "http_status", /all at once/],
  "a whole answer called a stream": [stream('\ufeff {"id":"x"}'), "http_status", /all at once/],
  "an error beside 200": [json(200, { error: { message: "model is loading", type: "busy" } }), "http_status", /error in place of a stream \(200\)/],
  "an error beside 200 that names its status": [json(200, { error: { message: "slow down", code: 429 } }), "rate_limited", /slow down \(429\)/],
};
for (const [what, [answer, code, sentence]] of Object.entries(PLACES)) {
  test(`${what} in place of a stream is told as that`, async (t) => {
    const { error } = await told(t, answer);
    assert.equal(error.code, code);
    assert.match(error.message, sentence);
  });
}

for (const type of ["text/event-stream; charset=utf-8", "text/plain", "application/json", "application/octet-stream", undefined]) {
  test(`a stream is read whatever it is called: ${type}`, async (t) => {
    for (const begin of ["", "\n\n", ": comment\n\n", "\ufeff", " \r\n".repeat(600)]) {
      const { outcome, session } = await told(t, () => new Response(new TextEncoder().encode(begin + whole), { headers: type === undefined ? {} : { "content-type": type } }));
      assert.equal(outcome, "completed", JSON.stringify(session.view.error));
      assert.equal(session.view.messages.at(-1).content.find((block) => block.type === "text").text, "Hello");
    }
  });
}

test("L7 hints to wait: seconds, milliseconds, a date, the body's own; absurd ones are bounded, and no hint is none", async (t) => {
  const clock = fakeClock();
  const at = (ms) => new Date(clock.now() + ms).toUTCString();
  const retry = (seconds) => google(429, "RESOURCE_EXHAUSTED", "quota", { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: seconds });
  const hints = [
    [{ "retry-after": "7" }, {}, 7000],
    [{ "retry-after": "0.5" }, {}, 500],
    [{ "retry-after": " 7 " }, {}, 7000],
    [{ "retry-after-ms": "1234.5", "retry-after": "7" }, {}, 1235],
    [{ "retry-after": at(90_000) }, {}, 90_000],
    [{ "retry-after": at(-90_000) }, {}, 0],
    [{ "retry-after": "99999999999999999999" }, {}, 600_000],
    [{ "retry-after": at(9e9) }, {}, 600_000],
    [{ "retry-after": "soon" }, {}, undefined],
    [{}, {}, undefined],
    [{}, retry("34.07s"), 34_070],
    [{}, retry("99999s"), 600_000],
    [{}, retry("-3s"), undefined],
    [{ "retry-after": "2" }, retry("34s"), 2000],
  ];
  for (const [headers, body, ms] of hints) {
    // the date has whole seconds
    const { error } = await told(t, json(429, body, headers), { now: clock.now });
    const close = error.retryAfterMs === ms || Math.abs(error.retryAfterMs - ms) < 1000;
    assert.ok(close, `${JSON.stringify([headers, body])}: ${error.retryAfterMs}`);
  }
});

test("L7 429, 5xx, 529 and the network are asked again, other statuses and a context that is too long are not", async (t) => {
  const soon = { "retry-after-ms": "1" };
  for (const [answer, asked] of [[json(429, {}, soon), 2], [json(500, {}, soon), 2], [json(529, {}, soon), 2], [() => Promise.reject(new TypeError("fetch failed")), 2], [json(400, {}), 1], [json(401, {}), 1], [json(413, {}), 1], [json(200, {}), 1]]) {
    assert.equal((await told(t, answer, { attempts: 2 })).asked, asked);
  }
});

test("L8 an error body is read no further than 16 KiB, and one that hangs no longer than ten seconds", async (t) => {
  let pulled = 0;
  let cancelled = false;
  const endless = new ReadableStream({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new TextEncoder().encode("sorry ".repeat(200)));
    },
    cancel() {
      cancelled = true;
    },
  });
  const { error } = await told(t, () => new Response(endless, { status: 500 }));
  assert.ok(pulled * 1200 < 20_000, `${pulled} pulls`);
  assert.ok(cancelled);
  assert.ok([...error.providerDetail].length <= 201);

  const clock = fakeClock();
  const hanging = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"error":{"message":"words')) });
  const sent = told(t, () => new Response(hanging, { status: 400 }), { now: clock.now });
  let settled;
  sent.then((result) => (settled = result));
  for (let ms = 0; ms < 10_000; ms += 1000) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(settled, undefined);
    await clock.advance(1000);
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(settled?.error.status, 400);
  assert.match(settled.error.providerDetail, /words/);
});

test("T9 an answer that never begins is given up as silence; one that was stopped is not told as an error", async (t) => {
  const clock = fakeClock();
  const never = new ReadableStream({});
  const sent = told(t, () => new Response(never), { now: clock.now, silenceTimeoutMs: 2000 });
  await new Promise((resolve) => setTimeout(resolve, 30));
  await clock.advance(2100);
  const { error } = await sent;
  assert.deepEqual([error.code, error.message], ["transport", "Acme sent nothing for 2 seconds; the connection was closed"]);
});

test("E3 keys of every provider are masked where a server repeats them, exactly or by their shape", async (t) => {
  const keys = ["sk-ant-api03-AbCdEf", "sk-proj-AbCd_Ef-9", "AIzaSyA1234567890abcdefghijklmnopqrstuv", "AQ.Ab8RN6Kabcdefghijklmnop0123456789"];
  for (const key of keys) {
    for (const words of [`key ${key} is wrong`, `x-goog-api-key: ${key}`, `https://example.com/v1beta?key=${key}`, `{"authorization":"Bearer ${key}"}`, `x-api-key=${key}`]) {
      const { error, session } = await told(t, json(400, { error: { message: words } }));
      assert.ok(!error.providerDetail.includes(key), error.providerDetail);
      assert.ok(!session.save().includes(key));
    }
  }
});

test("E3 a key that a server repeats as an address, JSON or base64 writes it is masked too, in a refusal and in a stream", async (t) => {
  const key = "a/very+secret=key";
  const event = (message) => `data: ${JSON.stringify({ error: { code: 500, message } })}\n\n`;
  for (const form of [key, encodeURIComponent(key), btoa(key), key.replaceAll("/", "\\/")]) {
    for (const answer of [json(401, { error: { message: `wrong: ${form} is` } }), () => new Response(`proxy: ${form} is`, { status: 502 }), () => new Response(event(`wrong: ${form} is`))]) {
      for (const given of [{ apiKey: key }, { apiKey: () => key }, { headers: { "x-gateway": `Token ${key}` } }]) {
        const provider = openaiCompatible({ model: "m", baseURL: "http://localhost:1/v1", ...given });
        const { session } = await told(t, undefined, { provider, fetch: async () => answer() });
        assert.match(session.view.error.providerDetail, /: \[redacted(-key)?\] is$/);
        assert.ok(!(JSON.stringify(session.view) + session.save()).includes(form));
      }
    }
  }
});

test("E3 a key shorter than eight characters is masked where it stands alone, and leaves ordinary words as they are", async (t) => {
  const provider = openaiCompatible({ model: "m", baseURL: "http://localhost:1/v1", name: "Tests", apiKey: "no+e" });
  const { error } = await told(t, undefined, { provider, fetch: async () => new Response('{"error":{"message":"(no+e) is not no+elty, no+e"}}', { status: 401 }) });
  assert.equal(error.providerDetail, "([redacted-key]) is not no+elty, [redacted-key]");
  const word = openaiCompatible({ model: "m", baseURL: "http://localhost:1/v1", name: "Tests", apiKey: "k", maxOutputTokens: -1 });
  assert.match((await told(t, undefined, { provider: word })).error.message, /maxOutputTokens/);
});

test("E1 a key that is none is told as that, a function of the page that fails as the page's, and neither is asked again", async (t) => {
  const reported = t.mock.method(console, "error", () => undefined);
  const base = { model: "m", baseURL: "http://localhost:1/v1", name: "Tests" };
  const asked = [];
  const fetch = async (_url, { headers }) => (asked.push(headers.authorization), new Response("{}", { status: 418 }));
  for (const [apiKey, sentence] of [[() => 42, /the key is no text/], [async () => Promise.reject(new Error(`the store of ${KEY} is closed`)), /^this page's own `apiKey` function failed, so nothing was sent to Tests$/]]) {
    const { error, session } = await told(t, undefined, { provider: openaiCompatible({ ...base, apiKey }), fetch, attempts: 3 });
    assert.equal(error.code, "no_api_key");
    assert.match(error.message, sentence);
    assert.ok(!(JSON.stringify(session.view) + session.save()).includes(KEY));
    assert.match(session.save(), /"retriesUsed":0\b/);
  }
  assert.equal(reported.mock.callCount(), 1);
  assert.deepEqual(asked, []);
  for (const apiKey of [undefined, null, "", () => null, () => undefined]) await told(t, undefined, { provider: openaiCompatible({ ...base, apiKey }), fetch });
  assert.deepEqual(asked, [undefined, undefined, undefined, undefined, undefined]);
  assert.throws(() => openaiCompatible({ ...base, apiKey: 42 }), (error) => error.code === "no_api_key" && error.path === "apiKey");
  assert.throws(() => openaiCompatible({ ...base, headers: { "x-version": 3 } }), (error) => error.code === "invalid_options" && error.path === "headers.x-version");
});

/** An answer that says `text` after a while each and stays open. */
const open = (...texts) => {
  const state = { closed: false };
  const body = new ReadableStream({
    start(controller) {
      for (const text of texts) controller.enqueue(new TextEncoder().encode(text));
      state.controller = controller;
    },
    cancel() {
      state.closed = true;
    },
  });
  return { state, answer: () => new Response(body) };
};
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

for (const wire of [chat, gemini]) {
  const frames = wire.whole("Done.", ["call_a", "count_cards", {}]).filter((frame) => !frame.includes("[DONE]"));

  test(`T8 ${wire.format}: an answer whose finish reason came is whole ten seconds later, though its connection stays open and is kept alive`, async (t) => {
    const clock = fakeClock();
    const { state, answer } = open(...frames);
    const answers = [answer, () => new Response(wire.whole("That was all.").join(""))];
    const sent = told(t, () => answers.shift()(), { format: wire.format, now: clock.now });
    await settled();
    for (let at = 0; at < 9; at += 1) {
      await clock.advance(1_000);
      state.controller.enqueue(new TextEncoder().encode(": ping\n\n"));
      await settled();
      assert.equal(state.closed, false, `${at}`);
    }
    await clock.advance(1_100);
    await settled();
    assert.equal(state.closed, true);
    const { outcome, session } = await sent;
    assert.equal(outcome, "completed");
    assert.deepEqual(session.view.messages.flatMap(({ content }) => content.flatMap(({ text }) => text ?? [])), ["hi", "Done.", "That was all."]);
    assert.deepEqual(session.view.calls.map(({ toolName }) => toolName), ["count_cards"]);
  });

  test(`T8 ${wire.format}: an answer without a finish reason is waited for as long as ever`, async (t) => {
    const clock = fakeClock();
    const { state, answer } = open(...wire.half("Half"));
    const sent = told(t, answer, { format: wire.format, now: clock.now, silenceTimeoutMs: 60_000 });
    await settled();
    await clock.advance(59_000);
    assert.equal(state.closed, false);
    await clock.advance(1_100);
    assert.equal((await sent).error.code, "transport");
  });

  test(`T8 ${wire.format}: a connection that breaks behind the finish reason breaks nothing`, async (t) => {
    const { state, answer } = open(...wire.whole("Done.").filter((frame) => !frame.includes("[DONE]")));
    const sent = told(t, answer, { format: wire.format });
    await settled();
    state.controller.error(new TypeError("network error"));
    const { outcome, error } = await sent;
    assert.deepEqual([outcome, error], ["completed", null]);
  });
}
