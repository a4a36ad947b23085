// A real session over the real engine, recorded, and the inspector beside it.
import { createSession, DocumentStore, init, replay, tool } from "/package/index.js";
import { scripted } from "/package/testing.js";
import { defineInspector } from "/package/inspector.js";

await init();
const definition = { kind: "board", sections: [{ name: "cards", path: "/cards", titleKey: "title" }] };
const first = { cards: [{ id: "card-1", title: "Write" }, { id: "card-2", title: "Test" }] };
const object = (properties) => ({ type: "object", properties, required: Object.keys(properties), additionalProperties: false });
const count = tool({ name: "count_cards", description: "Counts.", inputSchema: object({}), effect: "read", execute: (_, { document }) => ({ result: { count: document.cards.length } }) });
const rename = tool({
  name: "rename_card", description: "Renames a card.", summary: "Rename {id} to {title}", inputSchema: object({ id: { type: "string" }, title: { type: "string" } }),
  execute: ({ id, title }, { document }) => ({ result: "renamed", patch: [{ op: "replace", path: `/cards/${document.cards.findIndex((card) => card.id === id)}/title`, value: title }] }),
});
const remove = tool({ name: "remove_card", description: "Removes a card.", destructive: true, inputSchema: object({ id: { type: "string" } }), execute: () => ({ result: "removed" }) });

/** Opens a session that answers by this script. */
window.begin = async (script, options = {}) => {
  let now = 1_764_500_000_000;
  window.store = new DocumentStore(definition, first);
  window.session = await createSession({ provider: scripted(script), tools: [count, rename, remove], document: store, recordInputs: true, context: { principal: "ann", tenant: "acme" }, now: () => (now += 125), ...options });
  const element = document.createElement("countersign-inspector");
  window.travelled = [];
  element.addEventListener("countersign-travel", ({ detail }) => travelled.push(detail));
  element.session = session;
  element.travel = (recording, until) => {
    const own = new DocumentStore(definition, JSON.parse(recording).document);
    const loop = replay(recording, { tools: [count, rename, remove], document: own, until });
    const past = { state: loop.state(), document: own.read(), digest: loop.stateDigest() };
    loop.free();
    own.free();
    return past;
  };
  place.replaceChildren(element);
  return element;
};
window.until = async (wanted) => {
  while (!wanted(session.view)) await new Promise((done) => setTimeout(done, 10));
};
window.defineInspector = defineInspector;
document.documentElement.dataset.ready = "";
