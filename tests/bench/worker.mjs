// One contender in a process of its own; the parent asks for one sample after another, in turn with those of the others.
import { prepare } from "./workloads.mjs";

const SHORTEST_SAMPLE_MS = 40;
// a run that is over in a moment is made again, until the sample says something
const SHORTEST_RUNS_MS = 20;
const MOST_RUNS = 25;
let contender;
let work;

const answers = {
  async load({ path }) {
    contender = await import(path);
    await contender.init?.();
    return { meta: contender.meta };
  },
  async prepare({ workload, spec }) {
    work = undefined;
    if (contender.skip?.(workload, spec)) return { skipped: true };
    work = prepare(workload, spec, contender);
    if (work.variants === undefined) return { units: work.units };
    const variants = [];
    for (const { name, run, check, tell } of work.variants) {
      const got = await run();
      variants.push({ name, fault: check?.(got), told: tell?.(got) });
    }
    return { units: work.units, variants };
  },
  async sample({ variant, checked }) {
    return variant === undefined ? long(checked) : short(work.variants[variant]);
  },
  // the peak only grows, so one run in a fresh process tells it
  async memory() {
    globalThis.gc?.();
    const before = process.resourceUsage().maxRSS;
    const { fault } = await long(true);
    return { kib: process.resourceUsage().maxRSS - before, fault };
  },
};

async function long(checked) {
  const times = checked || work.lastMs === undefined ? 1 : Math.max(1, Math.min(MOST_RUNS, Math.ceil(SHORTEST_RUNS_MS / work.lastMs)));
  globalThis.gc?.();
  let [ms, cpuMs, fault] = [0, 0, undefined];
  for (let at = 0; at < times; at += 1) {
    const context = await work.setup?.();
    const cpu = process.cpuUsage();
    const begin = performance.now();
    let result = work.run(context);
    if (typeof result?.then === "function") result = await result;
    work.finish?.(result);
    ms += performance.now() - begin;
    const { user, system } = process.cpuUsage(cpu);
    cpuMs += (user + system) / 1000;
    if (checked) fault = work.check(result);
    await work.after?.(context);
  }
  work.lastMs = ms / times;
  return { ms: ms / times, cpuMs: cpuMs / times, fault };
}

async function short(variant) {
  globalThis.gc?.();
  variant.times ??= await timesOf(variant.run);
  const cpu = process.cpuUsage();
  const ms = await repeated(variant.run, variant.times);
  const { user, system } = process.cpuUsage(cpu);
  return { ms: ms / variant.times, cpuMs: (user + system) / 1000 / variant.times };
}

async function timesOf(run) {
  for (let times = 1; ; ) {
    const ms = await repeated(run, times);
    if (ms >= SHORTEST_SAMPLE_MS) return times;
    times = Math.max(times + 1, Math.min(times * 8, Math.ceil((times * SHORTEST_SAMPLE_MS * 1.2) / Math.max(ms, 0.01))));
  }
}

let kept;

async function repeated(run, times) {
  const begin = performance.now();
  for (let at = 0; at < times; at += 1) {
    kept = run();
    if (typeof kept?.then === "function") kept = await kept;
  }
  return performance.now() - begin;
}

process.on("message", async ({ ask, ...rest }) => {
  try {
    process.send(await answers[ask](rest));
  } catch (error) {
    process.send({ error: String(error?.stack ?? error).slice(0, 600) });
  }
});
