// Builds the demo editors into www/dist: the one that is served at `/`, and each other one into a folder of its own.
// Enters: their sources and the built package. Leaves: a folder of plain files.

import { cpSync, mkdirSync, rmSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const EDITORS = [
  { folder: "threat-model", servedAt: "", entries: ["main.tsx", "main.css"], wasm: "threat-model.wasm" },
  { folder: "board", servedAt: "board", entries: ["main.ts"], wasm: "countersign.wasm", plugins: async () => [(await import("../www/board/svelte-plugin.mjs")).svelte()] },
];

/** Builds www/dist anew. */
export async function buildPage() {
  rmSync(at("www/dist"), { recursive: true, force: true });
  for (const editor of EDITORS) await buildEditor(editor);
}

async function buildEditor({ folder, servedAt, entries, wasm, plugins = () => [] }) {
  const { build } = await import("esbuild");
  const source = `www/${folder}`;
  const dist = at(`www/dist/${servedAt}`);
  mkdirSync(dist, { recursive: true });
  await build({
    absWorkingDir: at(""),
    entryPoints: entries.map((name) => `${source}/src/${name}`),
    outdir: dist,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    charset: "utf8",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    tsconfig: `${source}/tsconfig.json`,
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: await plugins(),
  });
  for (const name of ["index.html", "favicon.svg"]) cpSync(at(`${source}/${name}`), `${dist}/${name}`);
  cpSync(fileURLToPath(import.meta.resolve(`countersign/${wasm}`)), `${dist}/${wasm}`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await buildPage();
