// What the cards of one message cost: calls of the core and of the host on threat models of any size, through the package.
//   node tests/bench/preview.mjs        one table, processor time for each call in µs; no peers are installed
import { installPackage } from "../../scripts/consumer.mjs";
import { threatModel } from "./documents.mjs";

const NOW_MS = 1_764_547_200_000;
const ROUNDS = 5;
const SIZES = [10, 1_000, 10_000];
const COUNTS = [50, 200];
const LIMITS = { maxToolCallsPerTurn: 1_000, maxToolCallsPerIteration: 1_000 };

await installPackage();
const core = await import("countersign/threat-model");
await core.init();
const rename = { name: "describe", description: "Describes an element.", effect: "mutate", preview: true, inputSchema: { type: "object" } };
const tools = new core.ToolRegistry([...core.graphActionTools(), rename]);

const adds = (at) => ({ name: "add_element", input: { element: { type: "process", name: `New ${at}`, description: "d" } } });
const describes = (at) => ({ name: "describe", input: { at } });
const patched = ({ at }) => ({ status: "ok", result: "ok", patch: [{ op: "replace", path: `/elements/${at % 10}/description`, value: `new ${at}` }] });

// A message of so many calls that is about to end: what is left to do shows the cards.
function message(document, count, call) {
  const store = new core.DocumentStore("threat-model", document);
  const loop = new core.ToolLoop({ tools, document: store, limits: LIMITS });
  const [{ id }] = loop.dispatch({ type: "submit", text: "x", nowMs: NOW_MS }).effects;
  loop.dispatch({ type: "message_start", model: "m" }, id);
  for (let at = 0; at < count; at += 1) loop.dispatch({ type: "tool_call_complete", id: `c${at}`, ...call(at) }, id);
  return { store, loop, show: () => loop.dispatch({ type: "message_stop", stopReason: "tool_use" }, id) };
}

const cards = ({ loop }) => loop.state().calls.map(({ id, preview }) => ({ id, seen: preview.effectDigest }));
const shown = (made) => (made.show(), { ...made, cards: cards(made) });
const deny = ({ loop }, { id }) => loop.dispatch({ type: "denyCall", callId: id, nowMs: NOW_MS });

// `ready` is not timed.
const ACTS = {
  "shown": { ready: (made) => made, run: ({ show }) => show() },
  "approved, all at once": { ready: shown, run: ({ loop, cards }) => loop.dispatch({ type: "approveBatch", callIds: cards.map(({ id }) => id), seen: cards.map(({ seen }) => seen), nowMs: NOW_MS }) },
  "approved, one by one": { ready: shown, run: ({ loop, cards }) => cards.forEach(({ id, seen }) => loop.dispatch({ type: "approveCall", callId: id, seen, nowMs: NOW_MS })) },
  "shown again after a person's edit": {
    ready: (made) => (shown(made), made.store.edit([{ op: "replace", path: "/elements/0/name", value: "Another" }], "rename"), made),
    run: ({ loop }) => loop.dispatch({ type: "tick", nowMs: NOW_MS }),
  },
  "another input of the last, as it is typed": { ready: shown, run: ({ loop, cards }) => loop.preview(cards.at(-1).id, { element: { type: "process", name: "Typed", description: "d" } }) },
  "denied, the last": { ready: shown, run: (made) => deny(made, made.cards.at(-1)) },
  "denied, the first": { ready: shown, run: (made) => deny(made, made.cards[0]) },
};

function asked({ show }, loop) {
  let { effects } = show();
  for (let effect = effects.find(({ type }) => type === "preview"); effect !== undefined; effect = effects.find(({ type }) => type === "preview")) {
    ({ effects } = loop.dispatch({ type: "previewed", callId: effect.callId, outcome: patched(effect.input) }, effect.id));
  }
}

function measured(document, count, call, { ready, run }) {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const made = ready(message(document, count, call));
    const begin = process.cpuUsage();
    run(made);
    const { user, system } = process.cpuUsage(begin);
    best = Math.min(best, user + system);
    made.loop.free();
    made.store.free();
  }
  return best / count;
}

const columns = COUNTS.flatMap((count) => SIZES.map((size) => [count, size]));
const row = (name, cells) => console.log(name.padEnd(44) + cells.map((cell) => cell.padStart(12)).join(""));
row("µs for each call of the message", columns.map(([count, size]) => `${count} on ${size}`));
const documents = new Map(SIZES.map((size) => [size, threatModel(size)]));
for (const [name, act] of Object.entries(ACTS)) row(name, columns.map(([count, size]) => measured(documents.get(size), count, adds, act).toFixed(1)));
row("asked of the host, shown", columns.map(([count, size]) => measured(documents.get(size), Math.min(count, 50), describes, { ready: (made) => made, run: (made) => asked(made, made.loop) }).toFixed(1)));
