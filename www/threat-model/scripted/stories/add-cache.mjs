// Story 1: additions that build on each other, over two rounds. Enters: where the conversation stands. Leaves: blocks.

import { call, changes, closest, heard, look, text } from "./parts.mjs";

const STORES = new Set(["sql_database", "nosql_database", "data_store", "object_storage", "file_storage", "search_index"]);

/** Puts a cache in front of a database. */
export function addCache(state) {
  const { first, found } = look(state, "I look at what there is.", ["elements", "data_flows"]);
  if (first) return first;
  const made = changes(state);
  const [cache, warmer] = ["cache", "background_worker"].map((type) => idOf(made, type));
  const there = found.elements.find((element) => element.type === "cache");
  const database = closest(found.elements.filter((element) => STORES.has(element.type)), state.asked);
  if (made.length === 0) {
    if (there !== undefined) return [text(`“${there.name}” is there already; a second cache would only make it harder to say which of them is right.`)];
    if (database === undefined) return [text("I find no database here that a cache could stand in front of. Add one, then ask me again.")];
    return propose(database, found.elements);
  }
  if (!made.some((each) => each.tool === "add_data_flow") && (cache ?? warmer) !== undefined && database !== undefined) return connect(database, readerOf(found, database), cache, warmer);
  const done = made.filter((each) => each.ok);
  if (done.length === 0) return [text(`${heard(made, "Understood, nothing is added. ")}The database keeps answering every read itself.`)];
  return [text(
    done.some((each) => each.tool === "add_data_flow")
      ? `The cache stands beside “${database?.name ?? "the database"}” and is connected. The noted risk is worth a look before this goes live: until entries are signed, whoever writes to the cache decides what is read.`
      : "What you approved is in the document. Nothing is connected yet; draw the flows by hand, or ask me again.",
  )];
}

function propose(database, elements) {
  const zone = database.trust_zone;
  // the page's own web shop has room above its database; elsewhere the editor finds the place
  const isShop = ["product-db", "order-export"].every((id) => elements.some((element) => element.id === id));
  const at = (x, y) => (isShop ? { position: { x, y } } : {});
  const name = /\bdatabase\b/i.test(database.name) ? database.name.replace(/\bdatabase\b/i, "cache") : `${database.name} cache`;
  return [
    text(`A cache in front of “${database.name}” takes most reads off it. I would add two parts and note the risk; the connections follow once these exist.`),
    call("add_element", { element: { type: "cache", name, trust_zone: zone, description: "Keeps what was read for five minutes.", technologies: ["Redis"], ...at(900, 40) } }),
    call("add_element", { element: { type: "background_worker", name: "Cache warmer", trust_zone: zone, description: "Fills the cache after each change.", ...at(1220, 40) } }),
    call("add_threat", { threat: { title: "Forged entries are served from the cache", category: "Tampering", element: database.id, severity: "medium", description: "Whoever can write to the cache decides what everybody reads.", mitigation: { status: "not_started", description: "Sign entries, and allow writes from the warmer only." } } }),
  ];
}

function connect(database, reader, cache, warmer) {
  const flow = (name, from, to, more) => call("add_data_flow", { data_flow: { name, from, to, protocol: "Redis over TLS", authenticated: true, ...more } });
  const flows = [
    cache && reader && flow("Cached reads", reader, cache, { data: ["entries"] }),
    cache && warmer && flow("Fill the cache", warmer, cache, { data: ["entries"] }),
    warmer && flow("Changes to cache", database.id, warmer, { protocol: "SQL over TLS", data: ["changed rows"] }),
  ].filter(Boolean);
  if (flows.length === 0) return [text("The cache is there. Nothing reads from the database yet, so there is nothing to connect it to.")];
  return [text(cache && warmer ? "Both parts exist now, so here are the connections." : `You left out the ${cache ? "warmer" : "cache"}, so I connect only what is there.`), ...flows];
}

// whoever asks the database now asks the cache then
function readerOf(found, database) {
  return found.data_flows.find((flow) => flow.to === database.id)?.from;
}

// the core makes ids; the result of the call that made the element names it
function idOf(calls, type) {
  const made = calls.find((each) => each.ok && each.tool === "add_element" && each.input?.element?.type === type);
  return typeof made?.value.id === "string" ? made.value.id : undefined;
}
