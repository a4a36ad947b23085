// What one change costs on documents of any size: the flow chart of the tests, with as many entities as are asked for.
//   npm run bench -- --only w6         among the other workloads
//   node tests/bench/scale.mjs         alone, with no peers installed: one table, and how each act grows
import { readFileSync } from "node:fs";

const { definition } = JSON.parse(readFileSync(new URL("../support/flowchart.json", import.meta.url), "utf8"));
const NOW_MS = 1_764_547_200_000;
const SIZES = [100, 1_000, 10_000, 100_000];
const LIMITS = { maxIterations: 16, maxToolCallsPerTurn: 64 };

/** A flow chart of so many entities, two fifths of them steps and two fifths ways between them. */
export function chartOf(size) {
  const nodes = Math.floor(size * 0.4);
  const list = (length, make) => Array.from({ length }, (_, at) => make(at + 1, at));
  const lanes = Math.max(2, Math.floor(size / 100));
  return {
    title: "Any size",
    lanes: list(lanes, (no) => ({ id: `lane-${no}`, name: `Lane ${no}` })),
    nodes: list(nodes, (no, at) => ({ id: `node-${no}`, label: `Step ${no}`, shape: "step", lane: `lane-${(at % lanes) + 1}`, ...(at % 7 === 6 ? { parent: `node-${no - 1}` } : {}), note: `what is done in step ${no}` })),
    edges: list(nodes, (no, at) => ({ id: `edge-${no}`, from: `node-${no}`, to: `node-${((at * 7919) % nodes) + 1}`, label: "then" })),
    review: { comments: list(size - 2 * nodes - lanes, (no) => ({ key: `c-${no}`, text: `Comment ${no}`, about: [`node-${(no % nodes) + 1}`] })) },
  };
}

/** One turn by events: every message holds calls, every call is approved; how many succeeded. */
function turn(loop, messages) {
  let { effects } = loop.dispatch({ type: "submit", text: "x", nowMs: NOW_MS });
  let succeeded = 0;
  for (const [message, calls] of messages.entries()) {
    const { id } = effects.find(({ type }) => type === "request");
    loop.dispatch({ type: "message_start", model: "m" }, id);
    for (const [at, { name, input }] of calls.entries()) loop.dispatch({ type: "tool_call_complete", id: `c${message}-${at}`, name, input }, id);
    loop.dispatch({ type: "message_stop", stopReason: "tool_use" }, id);
    for (const call of loop.state().calls.filter(({ status }) => status === "pending")) {
      const outcome = loop.dispatch({ type: "approveCall", callId: call.id, nowMs: NOW_MS });
      effects = outcome.effects.length > 0 ? outcome.effects : effects;
      succeeded += outcome.updates.filter((update) => update.type === "call" && update.call.status === "succeeded").length;
    }
  }
  return succeeded;
}

const call = (name, input) => ({ name, input });

// Each act leaves the document as large as it was, or one larger; `each` is how many changes one run makes.
const ACTS = {
  "add_entity": { each: 1, run: (made) => made.turn([[call("add_entity", { kind: "nodes", fields: { label: "New", shape: "step", lane: "lane-2" } })]]) },
  "update_entity": { each: 1, run: (made) => made.turn([[call("update_entity", { kind: "nodes", id: made.middle, set: { label: `Step ${made.next()}` } })]]) },
  "move_entity": { each: 1, run: (made) => made.turn([[call("move_entity", { kind: "nodes", id: made.middle, ...(made.turns() ? { before: "node-1" } : {}) })]]) },
  "add and delete_entity": { each: 2, run: (made) => made.turn([[call("add_entity", { kind: "edges", fields: { from: made.middle, to: "node-1" } })], [call("delete_entity", { kind: "edges", id: `edge-${made.edges + 1}` })]]) },
  "a user's patch": { each: 1, run: (made) => made.store.edit([{ op: "replace", path: `/nodes/${made.place}/label`, value: `Step ${made.next()}` }], "rename") },
  "a user's patch that moves": { each: 1, run: (made) => made.store.edit([{ op: "remove", path: `/lanes/1` }, { op: "add", path: "/lanes/0", value: made.lane() }], "move") },
  "undo and redo": { each: 2, run: (made) => [made.store.undo(), made.store.redo()] },
  "undoAvailability": { each: 1, run: (made) => made.loop.undoAvailability() },
  "a patch and a read": {
    each: 1,
    run: (made) => (made.store.edit([{ op: "replace", path: `/nodes/${made.place}/label`, value: `Step ${made.next()}` }], "rename"), made.store.read()),
  },
  "a turn of 32 calls": {
    each: 32,
    run: (made) =>
      made.turn(
        Array.from({ length: 8 }, (_, at) => [
          call("add_entity", { kind: "nodes", fields: { label: "New", shape: "step", lane: "lane-2" } }),
          call("update_entity", { kind: "nodes", id: made.middle, set: { label: `Step ${made.next()}` } }),
          call("add_entity", { kind: "edges", fields: { from: made.middle, to: "node-1" } }),
          call("move_entity", { kind: "nodes", id: `node-${at + 1}`, ...(made.turns() ? { before: made.middle } : {}) }),
        ]),
      ),
  },
};

/** What there is to measure. */
export const SCALE = Object.keys(ACTS).flatMap((act) => SIZES.map((size) => ({ name: `${act}/${size}`, act, size })));

const grows = (act, large, small) => ({
  name: `${act}: on ${large} entities to ${small}`,
  most: 2,
  unit: "×",
  measure(time) {
    const [after, before] = [time("w6", `${act}/${large}`, "ours"), time("w6", `${act}/${small}`, "ours")];
    return after === undefined || before === undefined || Number.isNaN(before) ? undefined : after / before;
  },
});

/** How much each may cost more on the larger document; to read it is to copy the lists that changed, and has no bound here. */
export const SCALE_TARGETS = [
  ...Object.keys(ACTS).filter((act) => !act.endsWith("read")).map((act) => grows(act, 100_000, 1_000)),
  grows("a turn of 32 calls", 10_000, 100),
];

/** One act on one document, made ready: taken in, and changed once so that what is looked up stands. */
export function scale({ act, size }, { core }) {
  const store = new core.DocumentStore(definition, chartOf(size));
  const tools = new core.ToolRegistry(core.entityTools(definition));
  const nodes = Math.floor(size * 0.4);
  let [count, there, lanes] = [0, false, store.read().lanes.slice(0, 2)];
  const made = {
    store,
    middle: `node-${Math.ceil(nodes / 2)}`,
    place: Math.floor(nodes / 2),
    edges: nodes,
    loop: new core.ToolLoop({ tools, document: store, limits: LIMITS }),
    next: () => (count += 1),
    turns: () => (there = !there),
    lane: () => (lanes = [lanes[1], lanes[0]])[0],
    turn(messages) {
      made.loop.free();
      made.loop = new core.ToolLoop({ tools, document: store, limits: LIMITS, conversationId: `t${made.next()}` });
      const [wanted, got] = [messages.flat().length, turn(made.loop, messages)];
      if (got !== wanted) throw new Error(`${act}: ${got} of ${wanted} calls were committed`);
    },
  };
  ACTS["update_entity"].run(made);
  return { variants: [{ name: "", run: () => ACTS[act].run(made) }] };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { installPackage } = await import("../../scripts/consumer.mjs");
  await installPackage();
  const core = await import("countersign");
  await core.init();
  console.log(`${"µs for each change".padEnd(32)}${SIZES.map((size) => String(size).padStart(12)).join("")}${"100000 : 1000".padStart(16)}`);
  for (const [act, { each }] of Object.entries(ACTS)) {
    const best = SIZES.map((size) => measured(scale({ act, size }, { core }).variants[0].run, each));
    console.log(`${act.padEnd(32)}${best.map((us) => us.toFixed(1).padStart(12)).join("")}${(best[3] / best[1]).toFixed(2).padStart(16)}`);
  }
}

// The best of several rounds: what others do on the machine only ever adds.
function measured(run, each) {
  let [best, runs] = [Infinity, 1];
  for (let round = 0; round < 12; round += 1) {
    const begin = performance.now();
    for (let at = 0; at < runs; at += 1) run();
    const ms = performance.now() - begin;
    best = Math.min(best, (ms * 1000) / runs / each);
    if (ms < 20) runs = Math.min(runs * 2, 500);
  }
  return best;
}
