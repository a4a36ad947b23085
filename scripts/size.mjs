// What an app downloads: the wasm and the JavaScript of a session with one provider, bundled and minified; fails over the budget.
//   npm run size                    raw, gzip and brotli; a KB is 1000 bytes
//   npm run size -- --json          one object for each entry point
//   npm run size -- --functions 40  and the largest functions of each engine, by room, before wasm-opt
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { dist } from "./engine.mjs";
import { main, root, Stop, target } from "./run.mjs";
import { functionsOf } from "./wasm-functions.mjs";

// gzip, wasm and JavaScript together
const BUDGETS = [
  {
    name: "countersign",
    entry: "index.js",
    wasm: "countersign.wasm",
    most: 90_000,
    app: `import { anthropic, createSession } from "countersign";
export const open = (tools) => createSession({ provider: anthropic({ model: "m", baseURL: "/ai" }), tools });`,
  },
  {
    name: "countersign/threat-model",
    entry: "threat-model.js",
    wasm: "threat-model.wasm",
    most: 115_000,
    app: `import { anthropic, createSession, DocumentStore, graphActionTools } from "countersign/threat-model";
export const open = (first) => createSession({ provider: anthropic({ model: "m", baseURL: "/ai" }), tools: graphActionTools, document: new DocumentStore("threat-model", first) });`,
  },
];
const { values: options } = parseArgs({ options: { json: { type: "boolean", default: false }, functions: { type: "string" } } });

await main(async () => {
  const sizes = [];
  for (const budget of BUDGETS) sizes.push(await sizeOf(budget));
  if (options.json) for (const size of sizes) console.log(JSON.stringify(size));
  else table(sizes);
  if (options.functions !== undefined) functions(Number(options.functions));
  const over = sizes.filter(({ total, budget }) => total.gzip > budget);
  if (over.length > 0) throw new Stop(over.map(({ name, total, budget }) => `\`${name}\` is ${total.gzip - budget} bytes over its budget of ${budget / 1000} KB gzip`).join("\n"));
});

async function sizeOf({ name, entry, wasm, most, app }) {
  if (!existsSync(join(dist, entry))) throw new Stop("the package is not built. Run `npm run build`.");
  const javascript = measured(await bundled(app));
  const core = measured(readFileSync(join(dist, wasm)));
  const total = Object.fromEntries(Object.keys(core).map((way) => [way, core[way] + javascript[way]]));
  return { name, wasm: core, javascript, total, budget: most };
}

// The chunk an app begins with, and what it imports at once; what is imported when it is needed (the bytes for where no
// file can be fetched, the reader of YAML) is not downloaded by an app that does not need it.
async function bundled(code) {
  const { build } = await import("esbuild");
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: code, resolveDir: root, sourcefile: "app.js" },
    outdir: join(root, "out"),
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    charset: "utf8",
    logLevel: "error",
  });
  const start = Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint !== undefined && basename(path) === "stdin.js");
  const wanted = new Set([start]);
  for (const path of wanted) {
    for (const { path: imported, kind } of metafile.outputs[path].imports) if (kind === "import-statement") wanted.add(imported);
  }
  return Buffer.concat(outputFiles.filter(({ path }) => [...wanted].some((name) => resolve(root, name) === path)).map(({ contents }) => contents));
}

function measured(bytes) {
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  return { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotli.length };
}

function kb(bytes) {
  return (bytes / 1000).toFixed(1).padStart(10);
}

function table(sizes) {
  console.log("what an app downloads, in KB of 1000 bytes\n");
  for (const { name, wasm, javascript, total, budget } of sizes) {
    console.log(`${name.padEnd(28)}       raw      gzip    brotli`);
    for (const [what, { raw, gzip, brotli }] of Object.entries({ "wasm": wasm, "JavaScript": javascript, "together": total })) {
      console.log(`  ${what.padEnd(26)}${kb(raw)}${kb(gzip)}${kb(brotli)}`);
    }
    console.log(`  ${"budget".padEnd(26)}${"".padStart(10)}${kb(budget)}   ${total.gzip > budget ? `OVER by ${kb(total.gzip - budget).trim()}` : "kept"}\n`);
  }
}

function functions(most) {
  if (!Number.isInteger(most) || most < 1) throw new Stop("`--functions` wants a number of functions");
  for (const name of ["countersign", "threat-model"]) {
    const path = join(target, "engines", `${name}.wasm`);
    if (!existsSync(path)) throw new Stop("the engines are not built. Run `npm run build`.");
    const all = functionsOf(readFileSync(path));
    const rooms = Map.groupBy ? Map.groupBy(all, ({ room }) => room) : grouped(all);
    const summed = [...rooms].map(([room, list]) => ({ room, list, bytes: list.reduce((sum, { bytes }) => sum + bytes, 0) })).sort((a, b) => b.bytes - a.bytes);
    console.log(`${name}: ${all.length} functions as cargo left them, in bytes of code`);
    const largest = new Set([...all].sort((a, b) => b.bytes - a.bytes).slice(0, most));
    for (const { room, list, bytes } of summed) {
      console.log(`  ${String(bytes).padStart(8)}  ${room} (${list.length} functions)`);
      for (const each of list.filter((one) => largest.has(one)).sort((a, b) => b.bytes - a.bytes)) console.log(`  ${"".padStart(8)}  ${String(each.bytes).padStart(8)}  ${each.name}`);
    }
    console.log("");
  }
}

function grouped(all) {
  const rooms = new Map();
  for (const each of all) rooms.set(each.room, [...(rooms.get(each.room) ?? []), each]);
  return rooms;
}
