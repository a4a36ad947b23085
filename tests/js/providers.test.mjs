// One suite over the four formats: what a person sees of a session is the same whoever answers, and however badly.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as countersign from "countersign";
import { fakeClock } from "countersign/testing";
import { boardTools, definition, initial, until, waits } from "./board.mjs";
import { anthropic } from "./servers/anthropic.mjs";
import { chat } from "./servers/chat.mjs";
import { gemini } from "./servers/gemini.mjs";
import { responses } from "./servers/responses.mjs";
import { redirect, refuse, serve, streamed } from "./servers/server.mjs";

const { createSession, DocumentStore, init, pairingViolations } = countersign;

const KEYS = { anthropic: "sk-ant-api03-very-secret-0123", "openai-chat": "sk-proj-very-secret-0123", "openai-responses": "sk-proj-other-secret-4567", gemini: "AIzaSyVerySecretKeyOfTheTests0123456789" };
const MAKERS = { anthropic: countersign.anthropic, "openai-chat": countersign.openaiCompatible, "openai-responses": countersign.openai, gemini: countersign.gemini };
const SECOND = new Date("2026-01-05T10:00:07Z");

before(() => init());

for (const wire of [anthropic, chat, responses, gemini]) suite(wire);

function suite(wire) {
  const { format } = wire;
  const named = (what, run) => test(`${format}: ${what}`, run);
  const key = KEYS[format];
  const look = ["call_a", "count_cards", {}];
  const add = ["call_b", "add_card", { title: "Übersicht 😀" }];

  async function opened(t, answers, options = {}, providerOptions = {}) {
    const server = await serve(answers, { path: wire.path });
    t.after(() => server.close());
    const document = new DocumentStore(definition, initial());
    const provider = MAKERS[format]({ model: wire.model, apiKey: key, baseURL: server.origin + wire.base, ...providerOptions });
    const session = await createSession({ provider, tools: boardTools, document, limits: { maxRetriesPerTurn: 0 }, ...options });
    t.after(() => session.dispose());
    return { session, document, requests: server.requests, sent: (at) => wire.sent(server.requests[at].body) };
  }

  const titles = (document) => document.read().cards.map((card) => card.title);
  const failed = async (session) => {
    assert.equal(await session.send("hi"), "failed");
    return session.view.error;
  };
  const said = (session) => session.view.messages.at(-1).content.filter(({ type }) => type === "text").map(({ text }) => text).join("");

  for (const [how, options] of [["frame by frame", {}], ["one byte at a time", { bytes: 1 }], ["slowly", { bytes: 64, pauseMs: 1, keepAlive: true }]]) {
    named(`a whole turn ${how}: a read at once, an approval, results where they are wanted, words at the end, undo`, async (t) => {
      const { session, document, requests, sent } = await opened(
        t,
        [streamed(wire.whole("Let me look.", look, add), options), streamed(wire.whole("Added."), options)],
        { system: "Be brief." },
      );
      const turn = session.send("add one");
      await until(session, waits);
      assert.deepEqual(session.view.pending.map(({ toolName, input }) => [toolName, input]), [["add_card", { title: "Übersicht 😀" }]]);
      assert.deepEqual(titles(document), ["Write", "Test"]);
      session.approveAll();
      assert.equal(await turn, "completed");
      assert.deepEqual(titles(document), ["Write", "Test", "Übersicht 😀"]);
      assert.equal(said(session), "Added.");
      const { usage } = session.view;
      assert.ok(usage.inputTokens >= 24 && usage.outputTokens >= 8, JSON.stringify(usage));
      assert.equal(requests.length, 2);
      assert.ok(requests.every(({ headers, url, body }) => wire.key(headers) === key && !url.includes(key) && !JSON.stringify(body).includes(key)));
      const first = sent(0);
      assert.deepEqual([first.limit, first.system, first.tools], [4096, "Be brief.", ["count_cards", "add_card", "remove_card"]]);
      assert.deepEqual(first.turns, [{ role: "user", text: "add one" }]);
      const [asked, told, ...results] = sent(1).turns;
      assert.deepEqual(asked, { role: "user", text: "add one" });
      assert.equal(told.text, "Let me look.");
      assert.deepEqual(told.calls.map(({ name, input }) => [name, input]), [["count_cards", {}], ["add_card", { title: "Übersicht 😀" }]]);
      // one result for each call, in call order, and nothing between
      assert.equal(results.length, 2);
      for (const [at, { result }] of results.entries()) {
        assert.equal(result.id, told.calls[at].id);
        if (result.name !== undefined) assert.equal(result.name, told.calls[at].name);
        assert.match(JSON.stringify(result.content), at === 0 ? /count.*2/ : /added card-3/);
      }
      assert.deepEqual(pairingViolations(session.view.messages), []);
      assert.deepEqual(session.undo(), { ok: true });
      assert.deepEqual(titles(document), ["Write", "Test"]);
    });
  }

  named("what the first answer said for its issuer alone is in the second request as it came, in no text, and not sent to another model", async (t) => {
    const { session, requests } = await opened(t, [streamed(wire.whole("Let me look.", look)), streamed(wire.whole("Two."))]);
    assert.equal(await session.send("count"), "completed");
    assert.deepEqual(wire.state(requests[1].body), wire.issued);
    assert.equal(said(session), "Two.");
    let body;
    const refusing = async ({ text }) => {
      body = JSON.parse(text);
      return new Response("{}", { status: 418 });
    };
    session.use({ ...MAKERS[format]({ model: "another", apiKey: key }), open: refusing });
    assert.equal(await session.send("again"), "failed");
    assert.deepEqual(wire.state(body), []);
    assert.deepEqual(wire.sent(body).turns.map(({ role, result }) => role ?? (result === undefined ? "" : "result")), ["user", "assistant", "result", "assistant", "user"]);
  });

  named("T8 an answer that ends in the text, or in a call, fails as truncated: the text is kept and nothing ran", async (t) => {
    for (const frames of [wire.half("Half of"), wire.halfCall("Half of", add, '{"title":"A')]) {
      const { session, document } = await opened(t, [streamed(frames)]);
      assert.equal((await failed(session)).code, "truncated_stream");
      assert.equal(said(session), "Half of");
      assert.deepEqual(titles(document), ["Write", "Test"]);
      assert.deepEqual(pairingViolations(session.view.messages), []);
    }
  });

  named("T8 a connection that breaks is told as that, not as one that was never there", async (t) => {
    for (const frames of [wire.half("Half of"), wire.halfCall("Half of", add, '{"title":"A')]) {
      const { session, document } = await opened(t, [streamed(frames, { then: "break" })]);
      const error = await failed(session);
      assert.equal(error.code, "transport");
      assert.match(error.message, /broke before the answer was complete/);
      assert.ok(!error.message.includes("CORS"));
      assert.equal(said(session), "Half of");
      assert.deepEqual(titles(document), ["Write", "Test"]);
    }
  });

  named("a server that falls silent is given up after 300 seconds, and its connection closed", async (t) => {
    const clock = fakeClock();
    const { session, requests } = await opened(t, [streamed(wire.half("One"), { then: "stall" })], { now: clock.now, limits: { maxRetriesPerTurn: 0, turnDeadlineMs: 900_000 } });
    const sent = session.send("hi");
    await until(session, () => said(session) === "One");
    await clock.advance(299_000);
    assert.equal(session.view.phase, "streaming");
    await clock.advance(1_100);
    assert.equal(await sent, "failed");
    assert.equal(session.view.error.code, "transport");
    assert.match(session.view.error.message, /300 seconds/);
    assert.equal(await requests[0].finished, false);
  });

  named("T9 stop closes the connection at once, what arrived stays, and nothing of it reaches the next answer", async (t) => {
    const { session, requests } = await opened(t, [streamed(wire.half("One"), { then: "stall" }), streamed(wire.whole("Two."))]);
    const sent = session.send("hi");
    await until(session, () => said(session) === "One");
    session.cancel();
    assert.equal(await sent, "cancelled");
    assert.equal(await requests[0].finished, false);
    assert.equal(said(session), "One");
    assert.equal(session.view.error, null);
    assert.equal(await session.send("again"), "completed");
    assert.equal(said(session), "Two.");
  });

  named("a turn that is stopped before its request leaves asks for no key and sends nothing", async (t) => {
    const { session, requests } = await opened(t, [], {}, { apiKey: () => assert.fail("no key is needed") });
    const sent = session.send("hi");
    session.cancel();
    assert.equal(await sent, "cancelled");
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(requests.length, 0);
  });

  named("T14 a second answer spliced in fails, and neither is run", async (t) => {
    const { session, document, requests } = await opened(t, [streamed(wire.spliced("One", add))], { limits: { maxRetriesPerTurn: 3 } });
    assert.equal((await failed(session)).code, "protocol_violation");
    assert.equal(requests.length, 1);
    assert.deepEqual(titles(document), ["Write", "Test"]);
  });

  named("L7 a 429 with Retry-After, in seconds or as a date, is asked again then, and counts as one retry", async (t) => {
    for (const hint of ["7", SECOND.toUTCString()]) {
      const clock = fakeClock(SECOND.getTime() - 7000);
      const { session, requests } = await opened(t, [refuse(429, wire.refusal(429, "slow down"), { "retry-after": hint }), streamed(wire.whole("ok"))], { now: clock.now, limits: { maxRetriesPerTurn: 1 } });
      const sent = session.send("hi");
      while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 50));
      await clock.advance(6_000);
      assert.equal(requests.length, 1);
      await clock.advance(1_500);
      assert.equal(await sent, "completed");
      assert.equal(requests.length, 2);
      assert.equal(said(session), "ok");
      assert.match(session.save(), /"retriesUsed":1\b/);
    }
  });

  named("L7 an error inside the stream is asked again before any content, and ends the turn after it", async (t) => {
    const before_ = await opened(t, [streamed([wire.failure(429, "pool is busy")]), streamed(wire.whole("ok"))], { limits: { maxRetriesPerTurn: 1 } });
    assert.equal(await before_.session.send("hi"), "completed");
    assert.equal(before_.requests.length, 2);
    const after_ = await opened(t, [streamed([...wire.half("Half of"), wire.failure(500, `SERVER WORDS about ${key}`)])], { limits: { maxRetriesPerTurn: 3 } });
    const error = await failed(after_.session);
    assert.equal(error.code, "http_status");
    assert.equal(said(after_.session), "Half of");
    assert.equal(after_.requests.length, 1);
    assert.ok(!error.message.includes("SERVER WORDS"));
    assert.ok(!(JSON.stringify(after_.session.view) + after_.session.save()).includes(key));
  });

  named("E3 a refusal is told in an authored sentence, and a key in it nowhere", async (t) => {
    const { session } = await opened(t, [refuse(401, wire.refusal(401, `SERVER WORDS about ${key}`))]);
    const error = await failed(session);
    assert.deepEqual([error.code, error.status], ["http_status", 401]);
    assert.match(error.message, /key.*401/);
    assert.match(error.providerDetail, /^SOME_STATUS: SERVER WORDS|some_error: SERVER WORDS/);
    assert.ok(!(JSON.stringify(session.view) + session.save()).includes(key));
  });

  named("E3 a redirect is refused, and the key goes nowhere else", async (t) => {
    const elsewhere = await serve([streamed(wire.whole("stolen"))], { path: wire.path });
    t.after(() => elsewhere.close());
    for (const status of [301, 302, 303, 307, 308]) {
      const { session, requests } = await opened(t, [redirect(elsewhere.origin + wire.path, status)], { limits: { maxRetriesPerTurn: 3 } });
      const error = await failed(session);
      assert.match(error.message, /redirect.*base URL/);
      assert.equal(error.status, status);
      assert.equal(requests.length, 1);
    }
    assert.equal(elsewhere.requests.length, 0);
  });
}
