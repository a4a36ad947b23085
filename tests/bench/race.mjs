// Races contenders over one case: each in its process, warmed up and checked, then sampled in turn, round by round.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const WORKER = fileURLToPath(new URL("worker.mjs", import.meta.url));
const SAMPLE_LIMIT_MS = 180_000;
// one sample of what takes longer says enough
const LONG_MS = 20_000;
const WARM_MS = 1_500;
const WARM_RUNS = 200;

/** A process with one contender in it. */
export class Contender {
  #path;
  #process;
  #answer;

  /** `path` is the contender's module. */
  constructor(path) {
    this.#path = path;
  }

  /** Starts the process; afterwards `meta` says what the contender supports. */
  async start() {
    const started = fork(WORKER, { execArgv: ["--expose-gc"], stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#process = started;
    started.on("message", (answer) => this.#answer?.(answer));
    started.on("exit", () => {
      if (this.#process !== started) return;
      this.#process = undefined;
      this.#answer?.({ error: "the process ended" });
    });
    const { meta, error } = await this.ask("load", { path: this.#path });
    if (error !== undefined) {
      this.stop();
      throw new Error(error);
    }
    this.meta = meta;
    return this;
  }

  /** The answer to one question, or an error; a process that does not answer in time is ended. */
  ask(ask, rest = {}, limitMs = SAMPLE_LIMIT_MS) {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        settle({ error: `no answer within ${limitMs / 1000} s` });
        this.stop();
      }, limitMs);
      const settle = (answer) => {
        clearTimeout(timer);
        this.#answer = undefined;
        resolve(answer);
      };
      this.#answer = settle;
      if (this.#process === undefined) settle({ error: "the process ended" });
      else this.#process.send({ ask, ...rest });
    });
  }

  /** Starts the process again where it ended. */
  async ready() {
    if (this.#process === undefined) await this.start();
  }

  /** Ends the process. */
  stop() {
    this.#process?.kill("SIGKILL");
    this.#process = undefined;
  }

  /** Whether the contender says it can do this case. */
  supports(workload, { provider, work }) {
    const supported = this.meta[workload === "mem" ? "w1" : workload];
    // a peer has no document of ours to work on
    if (!supported || (work === "full" && this.meta.kind === "peer")) return false;
    return supported === true || provider === undefined || supported.includes(provider);
  }
}

/** One row for each contender (and each of its variants): medians over the rounds, or the error. */
export async function race(contenders, workload, spec, rounds) {
  const lanes = [];
  const rows = [];
  for (const contender of contenders.filter((each) => each.supports(workload, spec))) {
    await contender.ready();
    const { id } = contender.meta;
    const { skipped, error, units, variants } = await contender.ask("prepare", { workload, spec });
    if (skipped) continue;
    if (error !== undefined) rows.push({ contender: id, error });
    else if (variants === undefined) lanes.push(laneOf({ contender, id, units }));
    else variants.forEach(({ name, fault, told }, variant) => lanes.push(laneOf({ contender, id: name ? `${id}: ${name}` : id, units, variant, fault, told })));
  }
  for (const lane of lanes) await warm(lane, rounds);
  for (let round = 0; round < rounds; round += 1) {
    for (let at = 0; at < lanes.length; at += 1) {
      // whoever was first in this round is last in the next
      const lane = lanes[(at + round) % lanes.length];
      if (lane.error === undefined && round < lane.rounds) await sample(lane);
    }
  }
  return [...rows, ...lanes.map(rowOf)];
}

/** The peak of memory that one run adds, for each contender in a fresh process. */
export async function weigh(contenders, spec) {
  const rows = [];
  for (const contender of contenders.filter((each) => each.supports("mem", spec))) {
    contender.stop();
    await contender.start();
    const { id } = contender.meta;
    const prepared = await contender.ask("prepare", { workload: "mem", spec });
    if (prepared.skipped) continue;
    const { kib, fault, error } = await contender.ask("memory");
    rows.push(error === undefined ? { contender: id, mib: kib / 1024, ...(fault === undefined ? {} : { fault }) } : { contender: id, error });
  }
  return rows;
}

/** The middle of a list of numbers. */
export function median(list) {
  const ordered = [...list].sort((a, b) => a - b);
  const half = Math.floor(ordered.length / 2);
  return ordered.length % 2 === 1 ? ordered[half] : (ordered[half - 1] + ordered[half]) / 2;
}

const laneOf = (lane) => ({ ...lane, ms: [], cpuMs: [], rounds: 0, error: undefined });

// Until the code is optimised, and the first answer is held against what it must be.
async function warm(lane, rounds) {
  const short = lane.variant !== undefined;
  let spent = 0;
  let longest = 0;
  for (let runs = 0; runs < 2 || (!short && spent < WARM_MS && runs < WARM_RUNS); runs += 1) {
    const { ms, cpuMs, fault, error } = await lane.contender.ask("sample", { variant: lane.variant, checked: runs === 0 && !lane.contender.meta.unchecked });
    if (error !== undefined) {
      lane.error = error;
      return;
    }
    lane.fault ??= fault;
    if (ms > LONG_MS) {
      lane.ms.push(ms);
      lane.cpuMs.push(cpuMs);
      return;
    }
    spent += ms;
    longest = Math.max(longest, ms);
    if (spent > 2 * WARM_MS) break;
  }
  // what takes seconds is known after few of them
  lane.rounds = longest > 6_000 ? Math.min(2, rounds) : longest > 2_500 ? Math.min(3, rounds) : rounds;
}

async function sample(lane) {
  const { ms, cpuMs, error } = await lane.contender.ask("sample", { variant: lane.variant });
  if (error !== undefined) {
    lane.error = error;
    return;
  }
  lane.ms.push(ms);
  lane.cpuMs.push(cpuMs);
}

function rowOf({ id, units, ms, cpuMs, fault, told, error }) {
  if (error !== undefined || ms.length === 0) return { contender: id, error: error ?? "no sample" };
  const row = { contender: id, ms: median(ms), minMs: Math.min(...ms), maxMs: Math.max(...ms), cpuMs: median(cpuMs), samples: ms.length };
  if (units?.deltas !== undefined) row.usPerDelta = (row.ms * 1000) / units.deltas;
  if (units?.bytes !== undefined) row.mbPerS = units.bytes / 1000 / row.ms;
  return { ...row, ...(fault === undefined ? {} : { fault }), ...(told === undefined ? {} : { told }) };
}
