// What this package must reach, and whether the rows of one run say it did. Ratios compare rows of the same run alone.
import { SCALE_TARGETS } from "./scale.mjs";

const COUNTS = [1_000, 10_000, 100_000];

const ratio = (name, workload, spec, of, to, most) => ({ name, most, unit: "×", measure: (time) => divided(time(workload, spec, of), time(workload, spec, to)) });

// a cost for each byte, whatever came before it: the larger case takes as many times longer as it is larger
const linear = (name, provider, [less, more], times) => ({
  name: `${provider}, ${name}`,
  most: 1.5,
  unit: "×",
  measure: (time) => divided(time("w1", `${provider}/${more}`, "ours"), times * time("w1", `${provider}/${less}`, "ours")),
});

const growth = ([provider, kib]) => [
  linear("a byte a chunk, a delta of 10000 to one of 1000", provider, ["text 1000/1", "text 10000/1"], 10),
  linear(`a call, a KiB of ${kib} to one of 64`, provider, ["a call of 64 KiB/event", `a call of ${kib} KiB/event`], kib / 64),
];

const answers = (provider) => [
  ...COUNTS.map((deltas) => ratio(`${provider}, ${deltas} deltas: ours to floor-hand`, "w1", `${provider}/text ${deltas}/event`, "ours", "floor-hand", 1)),
  {
    name: `${provider}, a delta of 100000 to a delta of 1000`,
    most: 1.2,
    unit: "×",
    measure: (time) => divided(time("w1", `${provider}/text 100000/event`, "ours"), 100 * time("w1", `${provider}/text 1000/event`, "ours")),
  },
];

/** Every target: `measure` finds its number among the rows, or nothing where they were not run. */
export const TARGETS = [
  ...SCALE_TARGETS,
  ...answers("anthropic"),
  ...answers("openai"),
  ...answers("responses"),
  ...answers("gemini"),
  ...[["anthropic", 1_024], ["openai", 1_024], ["responses", 512], ["gemini", 512]].flatMap(growth),
  {
    name: "100000 deltas, each appended where it is shown",
    most: 1_000,
    unit: "ms",
    measure: (time) => time("w1obs", "anthropic/text 100000/event", "ours"),
  },
  ...COUNTS.map((deltas) => ratio(`${deltas} deltas, the whole text read after each: ours-view to floor-hand`, "w1obs", `anthropic/text ${deltas}/event`, "ours-view", "floor-hand", 1)),
  ratio("8 × 4 approved calls without document work: ours to floor-turn", "w2", "anthropic/no document work", "ours", "floor-turn", 1),
  ratio("8 × 4 approved calls without document work, chat format: ours to floor-turn", "w2", "openai/no document work", "ours", "floor-turn", 1),
  {
    name: "8 × 4 approved calls on 10000 elements to 100",
    most: 4,
    unit: "×",
    measure: (time) => divided(time("w2", "anthropic/document of 10000", "ours"), time("w2", "anthropic/document of 100", "ours")),
  },
];

function divided(part, whole) {
  return part === undefined || whole === undefined || Number.isNaN(whole) ? undefined : part / whole;
}

/**
 * Each target with its number and whether it was met; `met` is undefined where its rows were not run. `cpu` is the same number by the
 * processes' own time instead of the clock's: what to read where others use the machine too.
 */
export function judged(rows) {
  const timeBy = (member) => (workload, spec, contender) => rows.find((row) => row.workload === workload && row.case === spec && row.contender === contender)?.[member];
  return TARGETS.map(({ name, most, unit, measure }) => {
    const value = measure(timeBy("ms"));
    return { target: name, most, unit, value, cpu: measure(timeBy("cpuMs")), met: value === undefined ? undefined : value <= most };
  });
}
