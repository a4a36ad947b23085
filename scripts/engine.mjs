// From the crate to one flavour of the engine: cargo, wasm-bindgen, wasm-opt, and its declarations taken apart.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { namedByOrder } from "./order.mjs";
import { firstLine, hashOf, root, run, target, unlessDone } from "./run.mjs";
import { bindgen, bindgenVersion } from "./tools.mjs";

/** The two engines built from the one crate. */
export const flavours = [
  { name: "countersign", features: "wasm" },
  { name: "threat-model", features: "wasm,threat-model" },
];

export const dist = join(root, "pkg", "dist");

const WASM = "wasm32-unknown-unknown";
// Named one by one: with all of them wasm-opt writes imports that Node 20 refuses.
const FEATURES = ["bulk-memory", "nontrapping-float-to-int", "sign-ext", "mutable-globals", "reference-types", "multivalue"];
// Functions that have one caller stay functions: the file is larger and, compressed, a twentieth smaller. The first
// kilobyte is the end of the stack, where nothing lies that a pointer could name.
const OPTIMIZE = ["--one-caller-inline-max-function-size=20", "--low-memory-unused", "-Oz", "--strip-debug", "--strip-producers", "--strip-target-features", ...FEATURES.map((name) => `--enable-${name}`)];

/** The folder with the glue and the declarations of a flavour. */
export function glueFolder(flavour) {
  return join(root, "pkg", "wasm", flavour.name);
}

/** Where the module `#engine/…` or `#threat-model/…` of a flavour is read from. */
export function engineFile(flavour, part) {
  return join(glueFolder(flavour), { engine: "engine.js", files: "files.js" }[part]);
}

/** Builds one flavour where its inputs changed. */
export async function buildEngine(flavour) {
  const compiled = join(target, "engines", `${flavour.name}.wasm`);
  const sources = hashOf([join(root, "Cargo.toml"), join(root, "Cargo.lock"), join(root, "src")], flavour.features, firstLine("rustc", ["--version"]) ?? "");
  await unlessDone(`${flavour.name}-cargo`, sources, [compiled], () => {
    run("cargo", ["build", "--release", "--lib", "--target", WASM, "--no-default-features", "--features", flavour.features]);
    mkdirSync(dirname(compiled), { recursive: true });
    copyFileSync(join(target, WASM, "release", "countersign.wasm"), compiled);
  });

  const folder = glueFolder(flavour);
  const wasm = join(dist, `${flavour.name}.wasm`);
  const bytes = join(dist, `${flavour.name}.bytes.js`);
  const declared = ["engine.js", "engine.d.ts", "types.d.ts", "files.js", "files.d.ts"].map((name) => join(folder, name));
  const inputs = hashOf([compiled, join(root, "scripts", "engine.mjs"), join(root, "scripts", "order.mjs"), join(root, "scripts", "wasm.mjs"), join(root, "package-lock.json")], bindgenVersion);
  await unlessDone(`${flavour.name}-glue`, inputs, [wasm, bytes, ...declared], () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dist, { recursive: true });
    // without a default path: the loader says where the wasm is, and no bundler looks for a file that is not shipped
    run(bindgen(), [compiled, "--target", "web", "--omit-default-module-path", "--out-dir", folder, "--out-name", "engine"]);
    optimize(join(folder, "engine_bg.wasm"), wasm);
    writeFileSync(bytes, `// The bytes of ${flavour.name}.wasm for where no file can be fetched; loaded by dynamic import alone.\nexport const wasmBase64 =\n  "${readFileSync(wasm).toString("base64")}";\n`);
    writeFileSync(join(folder, "files.js"), filesModule(flavour));
    writeFileSync(join(folder, "files.d.ts"), FILES_DECLARATION);
    takeDeclarationsApart(folder);
  });
}

// Twice: when all functions are final their order is chosen, and the second pass moves them into it.
function optimize(from, to) {
  const wasmOpt = (...args) => run(process.execPath, [join(root, "node_modules", "binaryen", "bin", "wasm-opt"), ...args, "-o", to, ...OPTIMIZE]);
  wasmOpt(from);
  writeFileSync(to, namedByOrder(readFileSync(to)));
  wasmOpt(to, "--reorder-functions-by-name");
}

// The addresses are literal because bundlers read them, and relative to the folder everything ships in.
function filesModule({ name }) {
  return `export const wasmUrl = () => new URL("./${name}.wasm", import.meta.url);\nexport const loadWasmBase64 = async () => (await import("./${name}.bytes.js")).wasmBase64;\n`;
}

const FILES_DECLARATION = `/** Where the wasm of this engine lies, beside the module that loads it. */
export declare const wasmUrl: () => URL;
/** The same bytes as base64, from a chunk of their own. */
export declare const loadWasmBase64: () => Promise<string>;
`;

// wasm-bindgen writes one file. Data types go to types.d.ts, which the public declarations may name;
// the raw classes, functions and the initializer stay in engine.d.ts, which nothing public names.
function takeDeclarationsApart(folder) {
  const written = readFileSync(join(folder, "engine.d.ts"), "utf8").replace(/^\/\* (tslint|eslint)[^\n]*\n/gm, "");
  const statements = topLevel(written);
  const isData = (text) => /^export (declare )?(type|interface) (?!InitInput|InitOutput|SyncInitInput)/m.test(text) && !/^export (default|class|function)/m.test(text);
  const names = (list) => list.map((text) => text.match(/^export (?:declare )?(?:type|interface) (\w+)/m)[1]);
  // the linker decides their order, so they are sorted
  const data = statements.filter(isData).sort((a, b) => (names([a])[0] < names([b])[0] ? -1 : 1));
  // the instance's raw exports are nobody's interface, and Symbol.dispose would ask every user for a newer lib
  const raw = statements.filter((text) => !isData(text)).map((text) => text.replace(/(interface InitOutput \{)[^]*?\n\}/, "$1\n    readonly memory: WebAssembly.Memory;\n}").replace(/^ *\[Symbol\.dispose\]\(\): void;\n/gm, ""));
  const imported = names(data);
  writeFileSync(join(folder, "types.d.ts"), `${data.join("\n\n") || "export {};"}\n`);
  writeFileSync(join(folder, "engine.d.ts"), `${imported.length ? `import type { ${imported.join(", ")} } from "#engine/types";\n\n` : ""}${raw.join("\n\n")}\n`);
}

// Statements of a declaration file with the comment above each; a statement begins with `export` at the margin.
function topLevel(text) {
  const starts = [...text.matchAll(/^(\/\*\*(?:(?!\*\/)[^])*\*\/\n)?export /gm)].map((match) => match.index);
  return starts.map((start, at) => text.slice(start, starts[at + 1] ?? text.length).trim());
}
