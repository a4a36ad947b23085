// The race itself is nobody's test; that our own entries give the right answers is.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as ours from "../bench/contenders/ours.mjs";
import * as session from "../bench/contenders/ours-session.mjs";
import * as view from "../bench/contenders/ours-view.mjs";
import { judged, TARGETS } from "../bench/targets.mjs";
import { prepare, WORKLOADS } from "../bench/workloads.mjs";

before(async () => {
  for (const { init } of [ours, session, view]) await init();
});

const small = { provider: "anthropic", deltas: 300, calls: 2, fragments: 40, cut: "event" };

async function fault(workload, spec, contender) {
  const { setup, run, after, check } = prepare(workload, { name: "small", ...spec }, contender);
  const context = await setup?.();
  const found = check(await run(context));
  await after?.(context);
  return found;
}

test("long answers are decoded as they are, however they are cut", async () => {
  for (const provider of ours.meta.w1) {
    for (const cut of ["event", 100, 1]) assert.equal(await fault("w1", { ...small, provider, cut }, ours), undefined, `${provider}, ${cut}`);
  }
  assert.equal(await fault("w1hist", { ...small, history: 30 }, ours), undefined);
  assert.equal(await fault("w1", { ...small, calls: 0 }, session), undefined);
});

test("the text can be read after every delta", async () => {
  for (const contender of [ours, view, session]) assert.equal(await fault("w1obs", { ...small, calls: 0, observed: true }, contender), undefined);
});

test("a turn of approved calls ends, with the document as the calls say", async () => {
  for (const contender of [ours, session]) assert.equal(await fault("w2", { provider: "anthropic", size: 20, work: "none" }, contender), undefined);
  assert.equal(await fault("w2", { provider: "anthropic", size: 20, work: "full" }, ours), undefined);
});

test("inputs are judged and canonical JSON is written right", async () => {
  for (const [workload, specs] of [["w4", WORKLOADS.w4], ["w5", WORKLOADS.w5.filter(({ size }) => size === "1 KB")]]) {
    for (const spec of specs) for (const { run, check, name } of prepare(workload, spec, ours).variants) assert.equal(check?.(await run()), undefined, `${spec.name}: ${name}`);
  }
});

test("every target names rows that exist", () => {
  const rows = ["w1", "w1obs", "w2", "w6"].flatMap((workload) =>
    WORKLOADS[workload].flatMap((spec) => ["ours", "ours-view", "floor-hand", "floor-turn"].map((contender) => ({ workload, case: spec.name, contender, ms: 2, cpuMs: 1 }))),
  );
  const judgements = judged(rows);
  assert.equal(judgements.length, TARGETS.length);
  assert.ok(judgements.every(({ value, cpu, met }) => value > 0 && cpu > 0 && typeof met === "boolean"));
  assert.ok(judged([]).every(({ met }) => met === undefined));
});
