// What the embedded assistant says: two stories over the page's web shop, and a friendly answer to anything else.
// Enters: where the conversation stands. Leaves: blocks of text and tool calls. A function of the history alone.

import { reasonIn } from "./reading.mjs";

const text = (words) => ({ text: words });
const call = (tool, input) => ({ tool, input });

/** The next answer. */
export function answer(state) {
  if (/\bcach(e|es|ing)\b/i.test(state.asked)) return cacheStory(state);
  if (/\b(clean|tidy)\b|\bexport\b/i.test(state.asked)) return cleanUpStory(state);
  return {
    blocks: [text(
      "I am the scripted assistant that comes with this page, so I know two requests by heart. Ask me to “add a cache” and I propose several additions " +
      "that you can approve together. Ask me to “clean up the old export” and I propose a deletion, which you always decide on its own, beside another change. " +
      "Whatever you deny, tell me why: I read it and propose something else.",
    )],
  };
}

// Story 1: additions that build on each other, over two rounds.
function cacheStory({ step, calls }) {
  if (step === 0) {
    return {
      blocks: [
        text("A cache between the shop API and the product database takes most reads off the database. I would add two parts and note the risk; the connections follow once these exist."),
        call("add_element", { action: "add_element", element: { type: "cache", name: "Product cache", trust_zone: "data", description: "Keeps product pages for five minutes.", technologies: ["Redis"], position: { x: 900, y: 40 } } }),
        call("add_element", { action: "add_element", element: { type: "background_worker", name: "Cache warmer", trust_zone: "data", description: "Fills the cache after each catalogue change.", position: { x: 1220, y: 40 } } }),
        call("add_threat", { action: "add_threat", threat: { title: "Wrong prices are served from the cache", category: "Tampering", element: "product-db", severity: "medium", description: "Whoever can write to the cache decides what shoppers see and pay.", mitigation: { status: "not_started", description: "Sign entries, and allow writes from the warmer only." } } }),
      ],
    };
  }
  const [cache, warmer] = ["cache", "background_worker"].map((type) => idOf(calls, type));
  if (step === 1 && (cache ?? warmer) !== undefined) {
    const flow = (name, from, to, more) => call("add_data_flow", { action: "add_data_flow", data_flow: { name, from, to, protocol: "Redis over TLS", authenticated: true, ...more } });
    const flows = [
      cache && flow("Read product pages", "shop-api", cache, { data: ["product page"] }),
      cache && warmer && flow("Fill the cache", warmer, cache, { data: ["product page"] }),
      warmer && flow("Catalogue changes", "product-db", warmer, { protocol: "SQL over TLS", data: ["product"] }),
    ].filter(Boolean);
    const words = cache && warmer ? "Both parts exist now, so here are the connections." : `You left out the ${cache ? "warmer" : "cache"}, so I connect only what is there.`;
    return { blocks: [text(words), ...flows] };
  }
  const done = calls.filter((each) => each.ok).length;
  if (done === 0) return { blocks: [text(`Understood, nothing is added.${because(calls)} The database keeps answering every read itself.`)] };
  const connected = calls.some((each) => each.ok && each.tool === "add_data_flow");
  return {
    blocks: [text(
      connected
        ? "The cache stands beside the product database and is connected. The noted risk is worth a look before this goes live: until entries are signed, whoever writes to the cache sets the prices."
        : "What you approved is in the document. Nothing is connected yet; draw the flows by hand, or ask me again.",
    )],
  };
}

// Story 2: a deletion beside an update; what was denied is answered with something else.
function cleanUpStory({ step, calls }) {
  if (step === 0) {
    return {
      blocks: [
        text("Two things stand out. The order export is from 2019 and nothing reads what it writes, so I would delete it. And the charge to the payment provider travels without protection; I would change that, and note it at the threat."),
        call("delete_element", { action: "delete_element", id: "order-export" }),
        call("update_data_flow", { action: "update_data_flow", id: "flow-5", updates: { protocol: "HTTPS with client certificates", authenticated: true } }),
        call("update_threat", { action: "update_threat", id: "threat-2", updates: { mitigation: { status: "in_progress", description: "The charge is protected on its way." } } }),
      ],
    };
  }
  if (step === 1) {
    const [removal, tightening] = ["delete_element", "update_data_flow"].map((tool) => calls.find((each) => each.tool === tool));
    const proposals = [];
    if (removal && !removal.ok) {
      proposals.push(
        call("update_element", { action: "update_element", id: "order-export", updates: { name: "Order export (retiring)", description: "Kept for now; to be removed once nobody needs its files.", encryption: "Files are encrypted at rest" } }),
      );
    }
    if (tightening && !tightening.ok) {
      proposals.push(call("update_data_flow", { action: "update_data_flow", id: "flow-5", updates: { protocol: "HTTPS" } }));
    }
    if (proposals.length > 0) {
      const kept = removal && !removal.ok;
      const what = kept ? "Then the export stays. Instead I would mark it as retiring and have its files encrypted, so that it does less harm while it is there." : "Then without certificates: plain HTTPS would already protect the charge on its way.";
      return { blocks: [text(`${heard(calls)}${what}`), ...proposals] };
    }
  }
  const done = calls.filter((each) => each.ok);
  if (done.length === 0) return { blocks: [text("Understood, I leave everything as it is.")] };
  const removed = done.some((each) => each.tool === "delete_element");
  const safe = done.some((each) => each.tool === "update_data_flow");
  const retired = done.some((each) => each.tool === "update_element");
  const told = [
    removed && "The old export is gone, with the flows that led to it.",
    retired && "The export stays, marked as retiring.",
    safe && "The charge to the payment provider is protected now.",
  ].filter(Boolean);
  return { blocks: [text(told.join(" "))] };
}

// the core makes ids; the result of the call that made the element names it
function idOf(calls, type) {
  const made = calls.find((each) => each.ok && each.tool === "add_element" && each.input?.element?.type === type);
  return typeof made?.value.id === "string" ? made.value.id : undefined;
}

function heard(calls) {
  const reason = calls.filter((each) => !each.ok).map((each) => reasonIn(each.told)).find((words) => words !== "");
  return reason === undefined ? "Understood. " : `You said: “${reason}”. `;
}

function because(calls) {
  const reason = calls.filter((each) => !each.ok).map((each) => reasonIn(each.told)).find((words) => words !== "");
  return reason === undefined ? "" : ` You said: “${reason}”.`;
}
