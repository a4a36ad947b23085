// Builds the page: www/src and the built package into www/dist. Enters: pkg/dist. Leaves: a folder of plain files.

import { cpSync, mkdirSync, rmSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Builds www/dist anew. */
export async function buildPage() {
  const { build } = await import("esbuild");
  const dist = at("www/dist");
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  await build({
    absWorkingDir: at(""),
    entryPoints: ["www/src/main.tsx", "www/src/main.css"],
    outdir: "www/dist",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    charset: "utf8",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    tsconfig: "www/tsconfig.json",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  for (const name of ["index.html", "favicon.svg"]) cpSync(at(`www/${name}`), `${dist}/${name}`);
  cpSync(fileURLToPath(import.meta.resolve("countersign/threat-model.wasm")), `${dist}/threat-model.wasm`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await buildPage();
