// S4 through the package: recordings that were made natively lead to the same digests, and a loop's own to its own.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { createSession, DocumentStore, init, openaiCompatible, replay, ToolLoop, ToolRegistry } from "countersign";
import { scripted } from "countersign/testing";
import { addCard, boardTools, definition, initial } from "./board.mjs";

before(() => init());

const folder = new URL("../corpus/", import.meta.url);
const shared = JSON.parse(readFileSync(new URL("turn-tools.json", folder), "utf8"));
const lines = readFileSync(new URL("recordings.jsonl", folder), "utf8").trim().split("\n").map((line) => JSON.parse(line));
const registry = (tools) => new ToolRegistry(tools.map((tool) => (typeof tool === "string" ? shared.tools[tool] : tool)));

for (const { id, name, tools, definition: named, digest, recording } of lines) {
  test(`S4 ${id} ${name} (a native recording, through the package)`, () => {
    const [first, ...laterTools] = tools.map(registry);
    const document = named === undefined ? undefined : new DocumentStore(shared.definitions[named], JSON.parse(recording).document);
    const own = document === undefined ? {} : { document };
    const loop = replay(recording, { tools: first, laterTools, ...own });
    assert.equal(loop.stateDigest(), digest);
    assert.equal(loop.recording(), recording);
    loop.free();
  });
}

function played() {
  const document = new DocumentStore(definition, initial());
  const loop = new ToolLoop({ tools: boardTools, document, recordInputs: true, context: { principal: "p" } });
  loop.dispatch({ type: "submit", text: "add one", nowMs: 1000 });
  const { name } = addCard;
  loop.dispatch({ type: "tool_call_complete", id: "c1", name, input: { title: "New" } });
  loop.dispatch({ type: "message_stop", stopReason: "tool_use" });
  document.edit([{ op: "replace", path: "/cards/0/title", value: "Edited" }], "an edit");
  loop.dispatch({ type: "denyCall", callId: "c1", reason: "no", nowMs: 1200 });
  return { document, loop };
}

test("S4 a replay stops after any input, and shows state and document as they were", () => {
  const { document, loop } = played();
  const recording = loop.recording();
  const { inputs, document: first } = JSON.parse(recording);
  assert.deepEqual(inputs.map(({ type }) => type), ["dispatch", "dispatch", "dispatch", "document", "dispatch"]);
  const seen = inputs.map((_, at) => {
    const own = new DocumentStore(definition, first);
    const past = replay(recording, { tools: boardTools, document: own, until: at });
    const told = [past.state().phase, own.read().cards[0].title];
    past.free();
    return told;
  });
  const title = initial().cards[0].title;
  assert.deepEqual(seen, [["idle", title], ["requesting", title], ["streaming", title], ["awaiting_approval", title], ["awaiting_approval", "Edited"]]);
  const own = new DocumentStore(definition, first);
  const now = replay(recording, { tools: boardTools, document: own });
  assert.equal(now.stateDigest(), loop.stateDigest());
  assert.deepEqual([own.read(), own.revision], [document.read(), document.revision]);
  // and it goes on from there
  own.undo();
  assert.equal(own.read().cards[0].title, title);
});

test("S4 what does not fit is told by its code", () => {
  const { loop } = played();
  const recording = loop.recording();
  const code = (text, options) => {
    try {
      replay(text, options);
    } catch (error) {
      return error.code;
    }
    return undefined;
  };
  const document = () => new DocumentStore(definition, JSON.parse(recording).document);
  assert.equal(code(recording, { tools: boardTools, document: document() }), undefined);
  assert.equal(code(recording, { tools: [], document: document() }), "tools_mismatch");
  assert.equal(code(recording, { tools: boardTools }), "document_mismatch");
  assert.equal(code(recording, { tools: boardTools, document: new DocumentStore(definition, { ...initial(), cards: [] }) }), "document_mismatch");
  assert.equal(code(recording.slice(1), { tools: boardTools, document: document() }), "invalid_recording");
  assert.equal(code(recording.replace('"version":1', '"version":9'), { tools: boardTools, document: document() }), "unsupported_recording");
  assert.equal(code(recording, { tools: boardTools, document: document(), until: -1 }), "invalid_options");
  assert.throws(() => new ToolLoop({ tools: [] }).recording(), ({ code: told }) => told === "not_recorded");
});

test("S4 a session records, and its recording rebuilds its turn", async () => {
  const document = new DocumentStore(definition, initial());
  const provider = scripted([{ text: "Hello." }]);
  const session = await createSession({ provider, tools: boardTools, document, recordInputs: true, now: () => 5000 });
  await session.send("hi");
  const recording = session.recording();
  const own = new DocumentStore(definition, JSON.parse(recording).document);
  const loop = replay(recording, { tools: boardTools, document: own });
  assert.equal(loop.state().outcome, "completed");
  assert.deepEqual(loop.messages(), session.view.messages);
  assert.equal(loop.snapshot(), session.save());
  session.dispose();
  assert.throws(() => session.recording());
});

test("E3 a provider's key is masked wherever it stands in a session's recording", async () => {
  const apiKey = "sk-very-secret-0123456789";
  const body = JSON.stringify({ error: { message: `the key ${apiKey} is not allowed` } });
  const stream = `data: ${JSON.stringify({ choices: [{ delta: { content: `your key is ${apiKey}` } }] })}\n\ndata: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;
  const answers = [() => new Response(body, { status: 401 }), () => new Response(stream, { headers: { "content-type": "text/event-stream" } })];
  const provider = openaiCompatible({ model: "m", apiKey, baseURL: "https://host.invalid/v1" });
  const session = await createSession({ provider, recordInputs: true, fetch: async () => answers.shift()() });
  await session.send(`my key is ${apiKey}`);
  await session.send("again");
  const recording = session.recording();
  assert.ok(!recording.includes(apiKey), recording);
  assert.ok(recording.includes("[redacted-key]"));
  assert.equal(replay(recording, { tools: [] }).state().phase, "settled");
  session.dispose();
});
