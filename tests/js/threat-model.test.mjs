// The shipped domain through the session: core tools that run inside the wasm, over the provider's own bytes.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createSession, DocumentStore, emptyThreatModel, graphActionTools, init, tool, ToolLoop } from "countersign/threat-model";
import { scripted } from "countersign/testing";
import { results, until, waits } from "./board.mjs";

before(() => init());

const element = (name, type) => ({ name: "add_element", input: { element: { name, type } } });

async function opened(t, steps, options = {}) {
  const document = new DocumentStore("threat-model", emptyThreatModel({ title: "Shop", author: "Ada", today: "2026-11-30" }));
  const provider = scripted(steps, { wire: "anthropic", chunkBytes: 11 });
  const session = await createSession({ provider, tools: graphActionTools(), document, ...options });
  t.after(() => {
    session.dispose();
    document.free();
  });
  return { session, document, provider };
}

test("X1 C3 several additions in two rounds are one undo step, and every id is the core's", async (t) => {
  const { session, document, provider } = await opened(t, [
    { text: "Two parts first.", calls: [element("Web app", "web_server"), element("Orders", "sql_database")] },
    { calls: [{ name: "add_data_flow", input: { data_flow: { from: "web_server-1", to: "sql_database-1", name: "orders" } } }] },
    { text: "Done." },
  ]);
  const before = document.read();
  const sent = session.send("Draw the shop");
  await until(session, waits);
  assert.equal(session.approveAll().approved.length, 2);
  await until(session, (view) => waits(view) && view.pending[0].toolName === "add_data_flow");
  const told = JSON.stringify(provider.requests[1].body.messages.at(-1));
  for (const { id } of document.read().elements) assert.ok(told.includes(id), told);
  const [web, database] = document.read().elements;
  session.approve(session.view.pending[0].id, { editedInput: { data_flow: { from: web.id, to: database.id, name: "orders" } } });
  assert.equal(await sent, "completed");
  assert.equal(document.read().data_flows.length, 1);
  assert.deepEqual(document.issues(), []);
  assert.equal(document.history().length, 1);
  assert.equal(session.view.receipts.length, 3);
  assert.deepEqual(session.undo(), { ok: true });
  assert.deepEqual(document.read(), before);
  assert.ok(session.view.calls.every((call) => call.status === "undone"));
});

test("A5 A4 a deletion is approved alone, a denied call is told, and the model corrects itself", async (t) => {
  const { session, document, provider } = await opened(t, [
    { calls: [element("Web app", "web_server"), element("Cache", "web_server")] },
    (request) => ({ calls: [{ name: "delete_element", input: { id: document.read().elements[1].id } }, element(`Round ${request.index}`, "web_server")] }),
    { text: "As you like." },
  ]);
  const sent = session.send("Go");
  await until(session, waits);
  session.approveAll();
  await until(session, (view) => waits(view) && view.pending.some((call) => call.destructive));
  const destructive = session.view.pending.find((call) => call.destructive);
  assert.equal(session.approveAll([destructive.id]).refused[0].reason, "destructive_in_batch");
  session.approve(destructive.id);
  session.deny(session.view.pending[0].id, "no more of these");
  assert.equal(await sent, "completed");
  assert.deepEqual(document.read().elements.map(({ name }) => name), ["Web app"]);
  assert.match(JSON.stringify(provider.requests[2].body.messages.at(-1)), /no more of these/);
});

test("a core tool on an id that is not there fails in words the model can use", async (t) => {
  const { session, document } = await opened(t, [{ calls: [{ name: "delete_element", input: { id: "nowhere" } }] }, { text: "I see." }]);
  const before = document.revision;
  const sent = session.send("Go");
  await until(session, waits);
  session.approve(session.view.pending[0].id);
  assert.equal(await sent, "completed");
  assert.equal(session.view.calls[0].status, "failed");
  assert.match(session.view.calls[0].result, /nowhere/);
  assert.equal(document.revision, before);
  assert.equal(results(session.view.messages).length, 1);
});

test("a listener that changes the document at each commit sees its own change win, and the cards follow", async (t) => {
  const { session, document } = await opened(t, [{ calls: [element("A", "web_server"), element("B", "web_server")] }, { text: "ok" }]);
  let stamped = 0;
  document.onChange((change) => {
    if (change.source === "turn") document.edit([{ op: "replace", path: "/metadata/description", value: `stamp ${(stamped += 1)}` }], "Stamp");
  });
  const sent = session.send("Go");
  await until(session, waits);
  session.approve(session.view.pending[0].id);
  session.approve(session.view.pending[0].id);
  const view = await until(session, (now) => now.outcome !== null || (waits(now) && now.pending.length === 1 && now.calls[0].status === "succeeded"));
  assert.equal(view.calls[0].status, "succeeded");
  if (waits(view)) assert.equal(session.approve(view.pending[0].id).ok, true);
  assert.equal(await sent, "completed");
  assert.deepEqual(document.read().elements.map(({ name }) => name), ["A", "B"]);
  assert.equal(document.read().metadata.description, "stamp 2");
  assert.deepEqual(session.view.calls.map((call) => call.status), ["succeeded", "succeeded"]);
});

test("client tools stand beside core tools", async (t) => {
  const went = [];
  const navigate = tool({ name: "navigate", description: "Shows a part.", inputSchema: { type: "object", properties: { to: { enum: ["canvas", "list"] } }, required: ["to"] }, effect: "read", execute: ({ to }) => void went.push(to) });
  const { session } = await opened(t, [{ calls: [{ name: "navigate", input: { to: "list" } }, { name: "navigate", input: { to: "/etc" } }] }, { text: "ok" }], { tools: () => [...graphActionTools(), navigate] });
  assert.equal(await session.send("Show the list"), "completed");
  assert.deepEqual(went, ["list"]);
  assert.equal(session.view.calls[1].errorCode, "invalid_arguments");
});

test("E1 a core tool without a document is refused at construction", () => {
  assert.throws(() => new ToolLoop({ tools: graphActionTools() }), (error) => error.code === "invalid_options" && error.path === "document");
});
