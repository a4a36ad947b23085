// The session over a real HTTP server of the tests' own: slow, cut, stalled, refusing and redirecting answers.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { inspect } from "node:util";
import { before, test } from "node:test";
import { anthropic, CountersignError, createSession, init } from "countersign";
import { fakeClock } from "countersign/testing";
import { addCard, boardTools, definition, initial, until, waits } from "./board.mjs";

const KEY = "sk-ant-very-secret-0123456789";

before(() => init());

const frame = (type, data = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const begin = frame("message_start", { message: { model: "claude-test", usage: { input_tokens: 3 } } }) + frame("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
const text = (said) => frame("content_block_delta", { index: 0, delta: { type: "text_delta", text: said } });
const end = frame("content_block_stop", { index: 0 }) + frame("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } }) + frame("message_stop");
const whole = (said) => begin + text(said) + end;
const stream = (response) => response.writeHead(200, { "content-type": "text/event-stream" });

/** A server that gives one answer for each request, in order, and keeps what it was asked. */
async function serve(t, ...answers) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const asked = { method: request.method, url: request.url, headers: request.headers, body: body === "" ? undefined : JSON.parse(body), closed: new Promise((resolve) => response.once("close", () => resolve(response.writableFinished))) };
    requests.push(asked);
    const answer = answers[requests.length - 1];
    if (answer === undefined) response.writeHead(500).end("no answer left");
    else await answer(response, asked);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, baseURL: `http://127.0.0.1:${server.address().port}` };
}

async function opened(t, baseURL, options = {}, providerOptions = {}) {
  const session = await createSession({ provider: anthropic({ model: "claude-test", apiKey: KEY, baseURL, ...providerOptions }), limits: { maxRetriesPerTurn: 0 }, ...options });
  t.after(() => session.dispose());
  return session;
}

test("a real answer over HTTP: the headers of the API, the body of the core, the text as it comes", async (t) => {
  const { requests, baseURL } = await serve(t, async (response) => {
    stream(response);
    for (const part of [begin, text("Hel"), text("lo"), end]) {
      response.write(part);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    response.end();
  });
  const session = await opened(t, `${baseURL}/`, { system: "Be brief." }, { temperature: 0, extraBody: { top_k: 3 }, headers: { "x-extra": "1" } });
  assert.equal(await session.send("hi"), "completed");
  assert.equal(session.view.messages.at(-1).content[0].text, "Hello");
  const [{ method, url, headers, body }] = requests;
  assert.equal(`${method} ${url}`, "POST /v1/messages");
  assert.equal(headers["x-api-key"], KEY);
  assert.equal(headers["anthropic-version"], "2023-06-01");
  assert.equal(headers["anthropic-dangerous-direct-browser-access"], "true");
  assert.match(headers["content-type"], /^application\/json/);
  assert.equal(headers["x-extra"], "1");
  assert.equal(headers.authorization, undefined);
  assert.deepEqual([body.model, body.system, body.stream, body.max_tokens, body.temperature, body.top_k], ["claude-test", "Be brief.", true, 4096, 0, 3]);
  assert.ok(!JSON.stringify(body).includes(KEY));
});

test("X4 the next request carries the calls and their results, and its answer ends the turn", async (t) => {
  const { requests, baseURL } = await serve(
    t,
    (response) => {
      stream(response);
      const open = frame("content_block_start", { index: 0, content_block: { type: "tool_use", id: "toolu_1", name: "add_card", input: {} } });
      const part = (partial_json) => frame("content_block_delta", { index: 0, delta: { type: "input_json_delta", partial_json } });
      const start = frame("message_start", { message: { model: "m", usage: { input_tokens: 1 } } });
      response.end(start + open + part('{"tit') + part('le":"A"}') + frame("content_block_stop", { index: 0 }) + frame("message_delta", { delta: { stop_reason: "tool_use" }, usage: { output_tokens: 1 } }) + frame("message_stop"));
    },
    (response) => stream(response).end(whole("Added.")),
  );
  const { DocumentStore } = await import("countersign");
  const document = new DocumentStore(definition, initial());
  const session = await opened(t, baseURL, { tools: boardTools, document });
  const sent = session.send("add A");
  await until(session, waits);
  session.approveAll();
  assert.equal(await sent, "completed");
  const [, { body }] = requests;
  assert.deepEqual(body.messages.map((message) => message.role), ["user", "assistant", "user"]);
  assert.equal(body.messages[1].content.at(-1).id, body.messages[2].content[0].tool_use_id);
  assert.equal(document.read().cards.length, 3);
});

const refusals = [
  [401, "http_status", /key/i],
  [403, "http_status", /permission|region/i],
  [404, "http_status", /model|address/i],
  [413, "context_overflow", /too large/i],
  [429, "rate_limited", /slow down|rate/i],
  [529, "overloaded", /overloaded/i],
  [503, "http_status", /temporarily/i],
  [400, "http_status", /could not read/i],
];
for (const [status, code, sentence] of refusals) {
  test(`E3 status ${status} is told in an authored sentence with its number, never in the server's words`, async (t) => {
    const { baseURL } = await serve(t, (response) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ type: "error", error: { type: "some_error", message: `SERVER WORDS about ${KEY} and Bearer abc.def-123` } })));
    const session = await opened(t, baseURL);
    assert.equal(await session.send("hi"), "failed");
    const { error } = session.view;
    assert.deepEqual([error.code, error.status], [code, status]);
    assert.match(error.message, sentence);
    assert.match(error.message, new RegExp(`Anthropic.*${status}|${status}.*Anthropic`));
    assert.ok(!error.message.includes("SERVER WORDS"));
    assert.match(error.providerDetail, /some_error: SERVER WORDS/);
    const everything = JSON.stringify(session.view) + session.save();
    assert.ok(!everything.includes(KEY) && !everything.includes("abc.def-123"), everything);
  });
}

test("L7 a 429 with Retry-After is asked again then, in seconds and as a date", async (t) => {
  for (const hint of [() => "7", (now) => new Date(now + 7000).toUTCString()]) {
    const clock = fakeClock();
    const { requests, baseURL } = await serve(
      t,
      (response) => response.writeHead(429, { "retry-after": hint(clock.now()) }).end("{}"),
      (response) => stream(response).end(whole("ok")),
    );
    const session = await opened(t, baseURL, { now: clock.now, limits: { maxRetriesPerTurn: 1 } });
    const sent = session.send("hi");
    while (requests.length === 0 || session.view.phase !== "requesting") await clock.advance(0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await clock.advance(5900);
    assert.equal(requests.length, 1);
    await clock.advance(1200);
    assert.equal(await sent, "completed");
    assert.equal(requests.length, 2);
  }
});

test("a redirect is refused, and the key goes nowhere else", async (t) => {
  const elsewhere = await serve(t, (response) => stream(response).end(whole("stolen")));
  const { requests, baseURL } = await serve(t, (response) => response.writeHead(307, { location: `${elsewhere.baseURL}/v1/messages` }).end());
  const session = await opened(t, baseURL, { limits: { maxRetriesPerTurn: 3 } });
  assert.equal(await session.send("hi"), "failed");
  assert.match(session.view.error.message, /redirect/);
  assert.equal(elsewhere.requests.length, 0);
  assert.equal(requests.length, 1);
});

test("T8 an answer that is cut keeps its text and fails as truncated", async (t) => {
  const { baseURL } = await serve(t, (response) => stream(response).end(begin + text("Half of")));
  const session = await opened(t, baseURL);
  assert.equal(await session.send("hi"), "failed");
  assert.equal(session.view.error.code, "truncated_stream");
  assert.equal(session.view.messages.at(-1).content[0].text, "Half of");
});

test("T8 a connection that breaks fails as transport, with a sentence that helps", async (t) => {
  const { baseURL } = await serve(t, async (response) => {
    stream(response).write(begin + text("Half"));
    await new Promise((resolve) => setTimeout(resolve, 30));
    response.destroy();
  });
  const session = await opened(t, baseURL);
  assert.equal(await session.send("hi"), "failed");
  assert.equal(session.view.error.code, "transport");
  assert.match(session.view.error.message, /Anthropic.*(offline|CORS)/);
  assert.equal(session.view.messages.at(-1).content[0].text, "Half");
});

test("nobody at the address is a transport failure", async (t) => {
  const session = await opened(t, "http://127.0.0.1:9");
  assert.equal(await session.send("hi"), "failed");
  assert.equal(session.view.error.code, "transport");
});

test("a server that says nothing for too long is given up, and its connection closed", async (t) => {
  const { requests, baseURL } = await serve(t, (response) => void stream(response).write(begin));
  const session = await opened(t, baseURL, { silenceTimeoutMs: 80 });
  assert.equal(await session.send("hi"), "failed");
  assert.equal(session.view.error.code, "transport");
  assert.match(session.view.error.message, /80 milliseconds/);
  assert.equal(await requests[0].closed, false);
});

test("stop closes the connection at once", async (t) => {
  const { requests, baseURL } = await serve(t, (response) => void stream(response).write(begin + text("One")));
  const session = await opened(t, baseURL);
  const sent = session.send("hi");
  await until(session, (view) => view.messages.at(-1)?.content[0]?.text === "One");
  session.cancel();
  assert.equal(await sent, "cancelled");
  assert.equal(await requests[0].closed, false);
});

test("T14 after the end of a message nothing more is read", async (t) => {
  const { requests, baseURL } = await serve(t, async (response) => {
    stream(response).write(whole("ok") + whole("second"));
    const timer = setInterval(() => response.write(text("more")), 5);
    response.on("close", () => clearInterval(timer));
  });
  const session = await opened(t, baseURL);
  assert.equal(await session.send("hi"), "completed");
  assert.equal(session.view.messages.length, 2);
  assert.equal(await requests[0].closed, false);
});

test("L8 an error page without end is read no further than 16 KiB", async (t) => {
  const { requests, baseURL } = await serve(t, async (response) => {
    response.writeHead(500, { "content-type": "text/html" });
    const timer = setInterval(() => response.write("<p>sorry</p>".repeat(200)), 1);
    response.on("close", () => clearInterval(timer));
  });
  const session = await opened(t, baseURL);
  assert.equal(await session.send("hi"), "failed");
  assert.ok([...session.view.error.providerDetail].length <= 201);
  assert.equal(await requests[0].closed, false);
});

test("a page in place of a stream says to check the address", async (t) => {
  const { baseURL } = await serve(t, (response) => response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><p>hello</p>"));
  const session = await opened(t, baseURL);
  assert.equal(await session.send("hi"), "failed");
  assert.match(session.view.error.message, /address|base URL/);
});

test("E3 the key is nowhere in the provider object", () => {
  const provider = anthropic({ model: "m", apiKey: KEY, headers: { authorization: "Bearer topsecret-token" } });
  const shown = [JSON.stringify(provider), inspect(provider, { depth: 10, showHidden: true }), String(provider), Object.values(provider).map(String).join()];
  for (const line of shown) assert.ok(!line.includes("sk-ant") && !line.includes("topsecret"), line);
  assert.ok(Object.isFrozen(provider));
  assert.equal(provider.mask(`x ${KEY} y`), "x [redacted-key] y");
});

test("E3 a key that cannot be sent is refused without being repeated", async (t) => {
  assert.throws(() => anthropic({ model: "m", apiKey: `${KEY}\n` }), (error) => error instanceof CountersignError && error.code === "no_api_key" && !inspect(error).includes(KEY));
  assert.throws(() => anthropic({ apiKey: KEY }), (error) => error.code === "invalid_options" && error.path === "model");
  const session = await createSession({ provider: anthropic({ model: "m" }), limits: { maxRetriesPerTurn: 0 } });
  t.after(() => session.dispose());
  assert.equal(await session.send("hi"), "failed");
  assert.equal(session.view.error.code, "no_api_key");
});

test("a key can be asked for at each request, and the host's own fetch is used", async (t) => {
  let asked = 0;
  const calls = [];
  const session = await createSession({
    provider: anthropic({ model: "m", apiKey: async () => `key-${(asked += 1)}-abcdefgh` }),
    fetch: async (url, init) => {
      calls.push([url, init.headers["x-api-key"], init.redirect, init.credentials]);
      return new Response(whole("ok"), { headers: { "content-type": "text/event-stream" } });
    },
  });
  t.after(() => session.dispose());
  await session.send("one");
  await session.send("two");
  assert.deepEqual(calls, [["https://api.anthropic.com/v1/messages", "key-1-abcdefgh", "manual", "omit"], ["https://api.anthropic.com/v1/messages", "key-2-abcdefgh", "manual", "omit"]]);
});

test("E1 a reserved member in extraBody is the host's mistake, told once and not asked again", async (t) => {
  const session = await createSession({ provider: anthropic({ model: "m", apiKey: KEY, extraBody: { messages: [] } }), tools: [addCard], fetch: () => assert.fail("nothing may be sent") });
  t.after(() => session.dispose());
  assert.equal(await session.send("hi"), "failed");
  assert.match(session.view.error.message, /messages/);
});

test("an answer that is there at once is read in pieces, and others have their turn between them; under a clock that stands still it is read through", async (t) => {
  const words = Array.from({ length: 20_000 }, (_, at) => `word ${at} `);
  const answer = begin + words.map(text).join("") + end;
  for (const [isPaused, options] of [[true, {}], [false, { now: fakeClock().now }]]) {
    let turns = 0;
    const others = setInterval(() => { turns += 1; }, 0);
    const told = new Set();
    const provider = { name: "Mine", format: "anthropic", params: { model: "m" }, open: async () => new Response(answer) };
    const session = await createSession({ provider, onUpdates: (updates) => updates.some(({ type }) => type === "text") && told.add(turns), ...options });
    t.after(() => session.dispose());
    assert.equal(await session.send("go"), "completed");
    clearInterval(others);
    assert.equal(told.size > 1, isPaused, `told in ${told.size} turns`);
    assert.equal(session.view.messages[1].content[0].text, words.join(""));
  }
});
