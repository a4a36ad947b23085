// Races this package against its peers and against what plain JavaScript can do at best.
//   npm run bench                                  everything (about an hour)
//   npm run bench -- --only w1,w2                  some workloads
//   npm run bench -- --contender ours,floor-hand   some contenders
//   npm run bench -- --case "text 10000"           the cases whose name holds this
//   npm run bench -- --rounds 7                    samples of each; --quick takes three
//   npm run bench -- --json                        one object a row, and no words
//   npm run bench -- --gate                        fails where a target is missed
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installPackage } from "../../scripts/consumer.mjs";
import { hashOf, main, root, run, Stop } from "../../scripts/run.mjs";
import { Contender, race, weigh } from "./race.mjs";
import { judged } from "./targets.mjs";
import { WORKLOADS } from "./workloads.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    contender: { type: "string" },
    case: { type: "string" },
    rounds: { type: "string" },
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    gate: { type: "boolean", default: false },
  },
});
const say = options.json ? () => undefined : console.log;
const rounds = Number(options.rounds ?? (options.quick ? 3 : 7));

await main(async () => {
  if (!Number.isInteger(rounds) || rounds < 1) throw new Stop(`\`--rounds ${options.rounds}\` is not a number of rounds`);
  const workloads = chosen(options.only, Object.keys(WORKLOADS), "workload");
  const ids = readdirSync(join(here, "contenders")).filter((name) => name.endsWith(".mjs")).map((name) => basename(name, ".mjs"));
  const paths = chosen(options.contender, ids, "contender").map((id) => join(here, "contenders", `${id}.mjs`));
  await installPackage();
  installPeers();
  say(`Node ${process.version}, ${cpus()[0].model.trim()} × ${cpus().length}, load ${loadavg()[0].toFixed(1)}; medians of ${rounds} rounds\n`);
  const contenders = await started(paths);
  const rows = [];
  try {
    for (const workload of workloads) {
      for (const spec of WORKLOADS[workload]) {
        if (options.case !== undefined && !spec.name.includes(options.case)) continue;
        const raced = workload === "mem" ? await weigh(contenders, spec) : await race(contenders, workload, spec, rounds);
        const found = raced.map((row) => ({ workload, case: spec.name, ...row }));
        rows.push(...found);
        tell(workload, spec, found);
      }
    }
  } finally {
    for (const contender of contenders) contender.stop();
  }
  summary(rows);
});

function chosen(list, known, what) {
  if (list === undefined) return known;
  const names = list.split(",");
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Stop(`no ${what} is named \`${unknown}\`: there are ${known.join(", ")}`);
  return names;
}

// The peers are nobody's dependency but the race's own: they are installed when it runs, each version as the lock file says.
function installPeers() {
  for (const [folder, more] of [[here, []], [join(here, "v7"), ["--force"]]]) {
    const stamp = join(folder, "node_modules", ".bench-stamp");
    const wanted = hashOf([join(folder, "package.json"), join(folder, "package-lock.json")]);
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) continue;
    say(`npm ci in ${folder.slice(root.length + 1)}`);
    run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", ...more], { cwd: folder, quiet: true, env: { npm_config_loglevel: "error" } });
    writeFileSync(stamp, wanted);
  }
}

async function started(paths) {
  const contenders = [];
  for (const path of paths) {
    try {
      contenders.push(await new Contender(path).start());
    } catch (error) {
      throw new Stop(`${basename(path)} does not start: ${error.message}`);
    }
  }
  return contenders;
}

function tell(workload, spec, rows) {
  if (options.json) {
    for (const row of rows) console.log(JSON.stringify(row));
    return;
  }
  if (rows.length === 0) return;
  console.log(`${workload}  ${spec.name}`);
  const limit = rows.find(({ contender }) => contender === (workload === "w2" ? "floor-turn" : "floor-hand"));
  for (const row of rows) console.log(`  ${row.contender.padEnd(42)}${told(row, limit)}`);
}

function told({ error, fault, told: says, ms, minMs, maxMs, cpuMs, usPerDelta, mbPerS, mib }, limit) {
  if (error !== undefined) return `failed: ${error.split("\n")[0]}`;
  const wrong = fault === undefined ? "" : `  WRONG: ${fault}`;
  if (mib !== undefined) return `${mib.toFixed(0).padStart(9)} MiB${wrong}`;
  const each = usPerDelta === undefined ? "" : `${usPerDelta.toFixed(3).padStart(9)} µs/delta`;
  const flow = mbPerS === undefined ? "" : `${mbPerS.toFixed(1).padStart(8)} MB/s`;
  const against = limit?.ms === undefined ? "" : `${(ms / limit.ms).toFixed(2).padStart(9)} ×  (CPU ${(cpuMs / limit.cpuMs).toFixed(2)} ×)`;
  return `${timeOf(ms).padStart(12)}  [${timeOf(minMs)} … ${timeOf(maxMs)}]`.padEnd(46) + `CPU ${timeOf(cpuMs)}`.padEnd(18) + each + flow + against + (says === undefined ? "" : `  ${says}`) + wrong;
}

function timeOf(ms) {
  return ms >= 1 ? `${ms.toFixed(3)} ms` : `${(ms * 1000).toFixed(3)} µs`;
}

function summary(rows) {
  const judgements = judged(rows);
  const broken = rows.filter(({ contender, fault, error }) => contender.startsWith("ours") && (fault ?? error) !== undefined);
  if (options.json) {
    for (const judgement of judgements) if (judgement.met !== undefined) console.log(JSON.stringify(judgement));
  } else {
    console.log("\n── targets");
    for (const { target, most, unit, value, cpu, met } of judgements) {
      const verdict = met === undefined ? "not run" : met ? "met" : "MISSED";
      const number = value === undefined ? "" : `${value.toFixed(2)} ${unit}, CPU ${cpu.toFixed(2)} ${unit}`;
      console.log(`${verdict.padEnd(9)}${number.padStart(28)}  (at most ${most} ${unit})  ${target}`);
    }
  }
  if (options.gate && (broken.length > 0 || judgements.some(({ met }) => met === false))) process.exitCode = 1;
}
