// The one list of checks, in order; the first that fails ends it.
//   node scripts/check.mjs                     all of them
//   node scripts/check.mjs --only clippy,js    those alone
//   node scripts/check.mjs --list              their names
//   node scripts/check.mjs --update-golden     builds and writes tests/golden anew
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { installPackage } from "./consumer.mjs";
import { flavours } from "./engine.mjs";
import { filesUnder, main, root, run, Stop } from "./run.mjs";
import { bindgen, findBrowser, findDriver } from "./tools.mjs";

const WASM = "wasm32-unknown-unknown";
const tests = join(root, "tests");

const CHECKS = [
  ["rustfmt", () => run("cargo", ["fmt", "--check"])],
  ["clippy", () => run("cargo", ["clippy", "--quiet", "--all-targets", "--", "-D", "warnings"])],
  ...flavours.map(({ name, features }) => [`clippy-${name}`, () => run("cargo", ["clippy", "--quiet", "--lib", "--test", "wasm_*", "--target", WASM, "--no-default-features", "--features", features, "--", "-D", "warnings"])]),
  ["layers", () => script("layers.mjs")],
  ["cargo-test", () => run("cargo", ["test"])],
  ["wasm-node", () => wasmTest("wasm_node")],
  ["wasm-browser", () => wasmTest("wasm_browser", { CHROMEDRIVER: driver() })],
  ["build", () => script("build.mjs")],
  ["golden", () => script("golden.mjs")],
  ["types", types],
  ["www-types", wwwTypes],
  ["js", () => nodeTests("js")],
  ["sdk", sdk],
  ["bundlers", () => nodeTests("bundlers")],
  ["elements", () => nodeTests("elements")],
  ["e2e", () => nodeTests("e2e")],
];

await main(async () => {
  if (process.argv.includes("--list")) return console.log(CHECKS.map(([name]) => name).join("\n"));
  if (process.argv.includes("--update-golden")) return ["build.mjs", "golden.mjs"].forEach((name) => script(name, name === "golden.mjs" ? ["--update"] : []));
  const chosen = chosenChecks();
  const results = [];
  for (const [name, check] of chosen) {
    console.log(`\n── ${name}`);
    const started = performance.now();
    const outcome = await outcomeOf(check);
    results.push({ name, ...outcome, seconds: (performance.now() - started) / 1000 });
    if (outcome.failure) {
      console.error(`\n${outcome.failure}`);
      break;
    }
  }
  summary(chosen, results);
});

function chosenChecks() {
  const at = process.argv.findIndex((argument) => /^--only(=|$)/.test(argument));
  if (at < 0) return CHECKS;
  const names = (process.argv[at].split("=")[1] ?? process.argv[at + 1] ?? "").split(",");
  const unknown = names.filter((name) => !CHECKS.some(([known]) => known === name));
  if (unknown.length > 0) throw new Stop(`no check is named ${unknown.map((name) => `\`${name}\``).join(", ")}; there are: ${CHECKS.map(([name]) => name).join(", ")}`);
  return CHECKS.filter(([name]) => names.includes(name));
}

async function outcomeOf(check) {
  try {
    return { skipped: (await check()) === "skipped" };
  } catch (error) {
    return { failure: error instanceof Stop ? error.message : error.stack };
  }
}

function summary(chosen, results) {
  console.log("\n── summary");
  for (const { name, failure, skipped, seconds } of results) console.log(`${failure ? "FAILED" : skipped ? "absent" : "ok"}`.padEnd(8) + name.padEnd(22) + `${seconds.toFixed(1)} s`.padStart(9));
  const failed = results.filter(({ failure }) => failure).length;
  for (const [name] of chosen.slice(results.length)) console.log(`not run ${name}`);
  console.log(`${results.filter(({ failure, skipped }) => !failure && !skipped).length} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

function script(name, args = []) {
  run(process.execPath, [join(root, "scripts", name), ...args]);
}

function wasmTest(name, env = {}) {
  run("cargo", ["test", "--target", WASM, "--no-default-features", "--features", "wasm,threat-model", "--test", name], {
    env: { CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: bindgen("wasm-bindgen-test-runner"), ...env },
  });
}

// The declarations as a user's compiler reads them, in both ways modules are resolved.
async function types() {
  await installPackage();
  for (const project of readdirSync(join(tests, "types")).filter((name) => /^tsconfig\..*json$/.test(name))) {
    compiles(join(tests, "types", project));
    console.log(`${project} compiles`);
  }
}

function wwwTypes() {
  compiles(join(root, "www", "threat-model", "tsconfig.json"));
  const board = join(root, "www", "board");
  // Svelte's own checker, over the components and the modules
  run(process.execPath, [join(board, "node_modules", "svelte-check", "bin", "svelte-check"), "--tsconfig", "tsconfig.json", "--fail-on-warnings", "--threshold", "warning"], { cwd: board });
}

function compiles(project) {
  run(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-p", project]);
}

// Node's own runner over the tests of one folder, which import the package by its name. Two files at a time: what they
// wait for is mostly a page, not the processor.
async function nodeTests(folder) {
  if (!existsSync(join(tests, folder))) {
    console.log(`there is no tests/${folder} yet`);
    return "skipped";
  }
  await installPackage();
  const files = filesUnder(join(tests, folder)).filter((path) => path.endsWith(".test.mjs"));
  if (files.length === 0) throw new Stop(`tests/${folder} holds no file named *.test.mjs`);
  run(process.execPath, ["--test", "--test-concurrency=2", "--test-reporter=spec", ...files], { env: findBrowser() ? { CHROMIUM: findBrowser() } : {} });
}

// Held against the providers' own SDKs.
function sdk() {
  if (!existsSync(join(tests, "sdk", "node_modules"))) throw new Stop("the providers' SDKs are not installed. Run `npm run setup -- --tests`.");
  return nodeTests("sdk");
}

function driver() {
  const path = findDriver();
  if (!path) throw new Stop("no chromedriver was found. Run `npm run setup -- --tests`.");
  return path;
}
