// What users rely on without our noticing, kept as text: declarations, published files, the wasm's imports, error codes.
//   node scripts/golden.mjs            compares with tests/golden
//   node scripts/golden.mjs --update   writes tests/golden anew
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { dist, flavours } from "./engine.mjs";
import { filesUnder, main, root, run, Stop } from "./run.mjs";

const golden = join(root, "tests", "golden");

await main(() => {
  const now = new Map([...declarations(), ...tarball(), ...wasmImports(), ...errorCodes()]);
  if (process.argv.includes("--update")) return update(now);
  const before = new Map(filesUnder(golden).map((path) => [relative(golden, path).replaceAll("\\", "/"), readFileSync(path, "utf8")]));
  const changed = [...new Set([...before.keys(), ...now.keys()])].sort().filter((name) => before.get(name) !== now.get(name));
  if (changed.length === 0) return console.log(`${now.size} golden files hold`);
  const told = changed.map((name) => `${name}\n${difference(before.get(name) ?? "", now.get(name) ?? "")}`);
  throw new Stop(`The public face changed. Where that was meant, \`npm run check -- --update-golden\` and a line in the changelog.\n\n${told.join("\n")}`);
});

function update(now) {
  rmSync(golden, { recursive: true, force: true });
  for (const [name, text] of now) {
    mkdirSync(dirname(join(golden, name)), { recursive: true });
    writeFileSync(join(golden, name), text);
  }
  console.log(`wrote ${now.size} golden files`);
}

function declarations() {
  const types = join(dist, "types");
  return filesUnder(types).map((path) => [`types/${relative(types, path).replaceAll("\\", "/")}`, readFileSync(path, "utf8")]);
}

function tarball() {
  const [{ files }] = JSON.parse(run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: join(root, "pkg"), quiet: true, env: { npm_config_loglevel: "silent" } }));
  return [["tarball.txt", lines(files.map(({ path }) => path).sort())]];
}

// The names carry a hash of the bindings, which says nothing to a reader.
function wasmImports() {
  return flavours.map(({ name }) => {
    const module = new WebAssembly.Module(readFileSync(join(dist, `${name}.wasm`)));
    const imports = WebAssembly.Module.imports(module).map((entry) => `${entry.kind} ${entry.name.replace(/_[0-9a-f]{16}$/, "")}`);
    return [`${name}.imports.txt`, lines(imports.sort())];
  });
}

// Codes a host may branch on: those of faults in Rust and of errors in TypeScript; the codes of turns, calls and
// protocol errors are string unions of the declarations.
function errorCodes() {
  const patterns = [
    [join(root, "src"), /\.rs$/, /\bFault::(?:new|at)\(\s*"([a-z_]+)"/g],
    [join(root, "src"), /\.rs$/, /\bFields::of\([^"()]*,\s*"([a-z_]+)"/g],
    [join(root, "src"), /\.rs$/, /\bcode: "(?!code")([a-z_]+)"/g],
    [join(root, "src"), /\.rs$/, /\bCODE: &str = "([a-z_]+)"/g],
    [join(root, "pkg", "src"), /\.tsx?$/, /\bnew CountersignError\(\s*"([a-z_]+)"/g],
  ];
  const codes = new Set();
  for (const [folder, files, pattern] of patterns) {
    for (const path of filesUnder(folder).filter((path) => files.test(basename(path)))) {
      for (const [, code] of readFileSync(path, "utf8").split("\nmod tests {")[0].matchAll(pattern)) codes.add(code);
    }
  }
  const types = existsSync(join(dist, "types", "engine", "countersign.d.ts")) ? readFileSync(join(dist, "types", "engine", "countersign.d.ts"), "utf8") : "";
  const unions = ["ProtocolErrorCode", "CallErrorCode", "TurnViolation", "DenialReason"].flatMap((name) => {
    const union = types.match(new RegExp(`^export type ${name} = ([^;]+);`, "m"))?.[1].match(/[a-z_]+(?=")/g) ?? [];
    return union.map((code) => `${name} ${code}`);
  });
  return [["error-codes.txt", lines([...[...codes].map((code) => `CountersignError ${code}`), ...unions].sort())]];
}

function lines(list) {
  return list.map((line) => `${line}\n`).join("");
}

// The lines that one text has and the other has not, in order.
function difference(before, now) {
  const [a, b] = [before.split("\n"), now.split("\n")];
  const [inA, inB] = [new Set(a), new Set(b)];
  const changed = [...a.filter((line) => !inB.has(line)).map((line) => `  - ${line}`), ...b.filter((line) => !inA.has(line)).map((line) => `  + ${line}`)];
  return changed.length > 0 ? `${changed.slice(0, 60).join("\n")}\n` : "  the same lines in another order\n";
}
