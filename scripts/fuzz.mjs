// Fuzzing of the decoders, one target after the other.
//   npm run fuzz                                 every target for a minute
//   npm run fuzz -- --seconds 600                each for ten
//   npm run fuzz -- --target gemini              one of them
//   npm run fuzz -- --run path/to/an/input --target gemini    one input, once
//   npm run fuzz -- --update-seeds               writes tests/fuzz/seeds anew from the corpus
// What a target starts from is tests/fuzz/seeds, every stream of the corpus, and what earlier runs found worth keeping
// (tests/fuzz/corpus, not in git). What it finds wrong goes to tests/fuzz/artifacts; once understood, to
// tests/fuzz/regressions/<format>, from where `cargo test` replays it for ever.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join, relative, resolve } from "node:path";
import { firstLine, main, onPath, root, run, Stop } from "./run.mjs";
import { toolsFolder } from "./tools.mjs";

const CARGO_FUZZ = "0.13.2";
const fuzz = join(root, "tests", "fuzz");
const corpus = join(root, "tests", "corpus");
const FORMATS = readdirSync(corpus).map((name) => name.match(/^(.+)-sse\.jsonl$/)?.[1]).filter((name) => name !== undefined);
const TARGETS = ["splitter", ...FORMATS];
// There is no unsafe code that a sanitizer could watch, and without one three times as much is tried in the same time.
const BUILD = ["--fuzz-dir", fuzz, "--sanitizer", "none"];
// The seeds in git: few and short, and together they hold every word of the corpus.
const MOST_SEEDS = 40;
const LONGEST_SEED = 3_000;
// the first eight bytes of an input: limits, then the lengths of the chunks
const HEAD = 8;

await main(() => {
  if (process.argv.includes("--update-seeds")) return FORMATS.forEach(writeSeeds);
  const seconds = Number(option("--seconds") ?? 60);
  if (!(seconds >= 1)) throw new Stop("`--seconds` wants a number from 1");
  const target = option("--target");
  if (target !== undefined && !TARGETS.includes(target)) throw new Stop(`no target is named \`${target}\`; there are: ${TARGETS.join(", ")}`);
  nightly();
  cargoFuzz();
  const input = option("--run");
  if (input !== undefined) {
    if (target === undefined) throw new Stop("an input is run with its `--target`");
    if (!existsSync(resolve(input))) throw new Stop(`there is no file \`${input}\``);
    cargo(["fuzz", "run", ...BUILD, target, resolve(input)]);
    return console.log("no law is broken by this input");
  }
  for (const each of target === undefined ? TARGETS : [target]) runTarget(each, seconds);
});

function option(name) {
  const at = process.argv.findIndex((argument) => argument === name || argument.startsWith(`${name}=`));
  return at < 0 ? undefined : (process.argv[at].split("=")[1] ?? process.argv[at + 1]);
}

function nightly() {
  if (!onPath("rustup")) throw new Stop("Fuzzing needs a nightly Rust, and there is no rustup that could install it. Install rustup as rust-lang.org describes and run this again.");
  if (firstLine("rustup", ["run", "nightly", "rustc", "--version"])) return;
  console.log("fuzz: installing a nightly Rust (once)");
  try {
    run("rustup", ["toolchain", "install", "nightly", "--profile", "minimal"]);
  } catch {
    throw new Stop("rustup could not download a nightly Rust, without which nothing can be fuzzed. Check the network, then run `rustup toolchain install nightly --profile minimal` and this again. The kept inputs are replayed without it: `cargo test --test fuzz_replay`.");
  }
}

function cargoFuzz() {
  if (existsSync(join(toolsFolder, "bin")) && tool("cargo-fuzz", ["--version"]) === `cargo-fuzz ${CARGO_FUZZ}`) return;
  console.log(`fuzz: installing cargo-fuzz ${CARGO_FUZZ} into the project (once, about a minute)`);
  try {
    run("cargo", ["install", "cargo-fuzz", "--version", CARGO_FUZZ, "--locked", "--root", toolsFolder, "--quiet", "--force"]);
  } catch {
    throw new Stop("cargo-fuzz could not be installed. Check the network and that there is a C++ compiler, then run this again. The kept inputs are replayed without it: `cargo test --test fuzz_replay`.");
  }
}

function tool(name, args) {
  return firstLine(join(toolsFolder, "bin", process.platform === "win32" ? `${name}.exe` : name), args);
}

// Both write all they say to stderr: of what the fuzzer says while all is well, its counts are worth reading.
function cargo(args) {
  const env = { ...process.env, PATH: `${join(toolsFolder, "bin")}${delimiter}${process.env.PATH}` };
  const { status, stderr } = spawnSync("rustup", ["run", "nightly", "cargo", ...args], { cwd: root, env, encoding: "utf8", maxBuffer: 256 * 1024 * 1024, stdio: ["ignore", "inherit", "pipe"] });
  for (const line of stderr.split("\n")) if (status === 0 ? line.startsWith("stat::") : !/^"|^#/.test(line)) console.log(line);
  if (status !== 0) throw new Stop(`\`cargo ${args.slice(0, 2).join(" ")}\` ended with ${status}`);
}

function runTarget(target, seconds) {
  console.log(`\n── ${target}, ${seconds} s`);
  const formats = target === "splitter" ? FORMATS : [target];
  const found = folder("corpus", target);
  const start = folder("corpus", `${target}-start`);
  rmSync(start, { recursive: true });
  mkdirSync(start);
  for (const format of formats) for (const stream of streams(format)) writeFileSync(join(start, nameOf(stream)), seedOf(stream));
  const dictionary = join(fuzz, "corpus", `${target}.dict`);
  writeFileSync(dictionary, dictionaryOf(formats));
  const artifacts = folder("artifacts", target);
  const kept = ["seeds", "regressions"].flatMap((name) => formats.map((format) => join(fuzz, name, format))).filter((path) => existsSync(path));
  const options = [`-max_total_time=${seconds}`, `-dict=${dictionary}`, `-artifact_prefix=${artifacts}/`, "-max_len=6000", "-timeout=10", "-rss_limit_mb=1024", "-print_final_stats=1", "-verbosity=0"];
  try {
    cargo(["fuzz", "run", ...BUILD, target, found, start, ...kept, "--", ...options]);
  } catch (error) {
    const inputs = readdirSync(artifacts);
    if (inputs.length === 0) throw error;
    const newest = relative(root, join(artifacts, inputs.at(-1)));
    throw new Stop(`\`${target}\` found an input that breaks a law. It lies in ${relative(root, artifacts)} (${inputs.join(", ")}).\nAgain: npm run fuzz -- --target ${target} --run ${newest}\nWhen it is understood, put it into tests/fuzz/regressions/<format>, where \`cargo test\` replays it.`);
  }
}

function folder(...parts) {
  const path = join(fuzz, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
}

function streams(format) {
  const cases = readFileSync(join(corpus, `${format}-sse.jsonl`), "utf8").split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  return cases.map(({ chunks, base64 }) => Buffer.concat(chunks ? chunks.map((text) => Buffer.from(text)) : [base64].flat().map((text) => Buffer.from(text, "base64"))));
}

// An input for a stream: cut in ways that its own hash chooses, under the usual limits.
function seedOf(stream) {
  const head = createHash("sha256").update(stream).digest().subarray(0, HEAD);
  head[0] = 0;
  return Buffer.concat([head, stream]);
}

function nameOf(stream) {
  return createHash("sha256").update(stream).digest("hex").slice(0, 12);
}

// What a format is written with: member names, short words, event names.
function wordsOf(stream) {
  const text = stream.toString("utf8");
  return new Set([...text.matchAll(/"[A-Za-z_][\w.-]{1,40}"(?:\s*:)?|^event: .+$/gm)].map(([word]) => word));
}

function dictionaryOf(formats) {
  const words = new Set(formats.flatMap((format) => streams(format).flatMap((stream) => [...wordsOf(stream)])));
  const own = ["data: ", "event: ", "\n\n", "\r\n", "\r", "data: [DONE]\n\n", "{}", "[]", "null", "true", "0", "-1", "1e999", "9007199254740993", '"__proto__":', "\\u0000", "\\ud800", "\\\"", "\uFEFF", ": "];
  const written = (word) => `"${[...Buffer.from(word)].map((byte) => (byte >= 32 && byte < 127 && byte !== 34 && byte !== 92 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`)).join("")}"`;
  return [...own, ...[...words].sort()].map((word) => `${written(word)}\n`).join("");
}

function writeSeeds(format) {
  const path = join(fuzz, "seeds", format);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  const candidates = streams(format).filter((stream) => stream.length <= LONGEST_SEED).sort((a, b) => a.length - b.length);
  const known = new Set();
  let count = 0;
  for (const stream of candidates) {
    const words = [...wordsOf(stream)].filter((word) => !known.has(word));
    if (words.length === 0 || count === MOST_SEEDS) continue;
    words.forEach((word) => known.add(word));
    writeFileSync(join(path, nameOf(stream)), seedOf(stream));
    count += 1;
  }
  // and a spread of what needs no word of its own
  const rest = candidates.filter((stream) => !existsSync(join(path, nameOf(stream))));
  for (let n = 0; count < MOST_SEEDS && n < rest.length; n += Math.max(1, Math.floor(rest.length / (MOST_SEEDS - count)))) {
    writeFileSync(join(path, nameOf(rest[n])), seedOf(rest[n]));
    count += 1;
  }
  console.log(`${relative(root, path)}: ${count} seeds`);
}
