// The same scripts as events and as bytes of the provider, in every cut: the person sees the same.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createSession, DocumentStore, init, StreamDecoder } from "countersign";
import { scripted } from "countersign/testing";
import { add, boardTools, definition, initial, remove, until, waits } from "./board.mjs";

before(() => init());

const steps = [
  { text: ["Ich füge ", "zwei Karten hinzu 🧭"], calls: [{ id: "toolu_a", ...add("Über") }, { id: "toolu_b", ...add("漢字") }, { id: "toolu_c", ...remove("card-1") }] },
  { text: "Fertig." },
];

async function play(options) {
  const document = new DocumentStore(definition, initial());
  const session = await createSession({ provider: scripted(steps, options), tools: boardTools, document, conversationId: "same", now: () => 1_700_000_000_000 });
  const sent = session.send("los");
  await until(session, waits);
  session.deny(session.view.pending[2].id, "keep");
  session.approveAll();
  const outcome = await sent;
  const { phase, messages, calls, receipts, usage } = session.view;
  const shown = structuredClone({ outcome, phase, messages, calls, receipts, usage, document: document.read() });
  session.dispose();
  document.free();
  return shown;
}

test("T15 events and wire bytes in any cut end in the same view", async () => {
  const asEvents = await play({});
  for (const chunkBytes of [undefined, 1, 2, 7, 64, 100_000]) assert.deepEqual(await play({ wire: "anthropic", chunkBytes }), asEvents, `chunks of ${chunkBytes}`);
});

test("a script over the wire fails as HTTP does", async () => {
  const provider = scripted([{ error: { code: "overloaded" } }, { error: { code: "http_status", status: 400 } }], { wire: "anthropic" });
  const session = await createSession({ provider, limits: { maxRetriesPerTurn: 0 } });
  assert.equal(await session.send("x"), "failed");
  assert.deepEqual([session.view.error.code, session.view.error.status], ["overloaded", 529]);
  assert.equal(await session.send("x"), "failed");
  assert.deepEqual([session.view.error.code, session.view.error.status], ["http_status", 400]);
  assert.equal(provider.requests[0].body.model, "scripted");
  session.dispose();
});

test("a script that is asked more than it holds says so", async () => {
  const session = await createSession({ provider: scripted([]) });
  assert.equal(await session.send("x"), "failed");
  assert.match(session.view.error.message, /script has 0 steps/);
  session.dispose();
});

test("the bytes of a script decode to its events", async () => {
  const provider = scripted([{ text: "a", calls: [{ id: "t", name: "n", input: { k: [1] } }], usage: { inputTokens: 4, outputTokens: 9 } }], { wire: "anthropic", chunkBytes: 5 });
  const response = await provider.open({ path: "/v1/messages", body: {}, signal: new AbortController().signal, fetch });
  const decoder = new StreamDecoder("anthropic");
  const events = [];
  for await (const chunk of response.body) events.push(...decoder.push(chunk));
  events.push(...decoder.end());
  assert.deepEqual(events.filter((event) => event.type !== "tool_call_input_delta"), [
    { type: "message_start", model: "scripted" },
    { type: "text_delta", text: "a" },
    { type: "tool_call_start", id: "t", name: "n" },
    { type: "tool_call_complete", id: "t", name: "n", input: { k: [1] } },
    { type: "usage", usage: { inputTokens: 4, outputTokens: 9 } },
    { type: "message_stop", stopReason: "tool_use" },
  ]);
});
