// The published package through the bundlers people use, in a real browser.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { served, titleOf } from "./browser.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const app = join(here, "app");
const output = join(here, "..", "output", "bundlers");
const manifest = createRequire(import.meta.url).resolve("countersign/package.json");
const dist = join(dirname(manifest), "dist");
const STARTED = { title: '{"a":2,"b":1} {"a":2,"b":1}', said: [] };

test("vite build emits the wasm as a file and the page loads that", async () => {
  const { build } = await import("vite");
  const outDir = join(output, "vite");
  await build({ root: app, base: "./", logLevel: "error", configFile: false, build: { outDir, emptyOutDir: true, assetsInlineLimit: 0, target: "es2022" } });
  // by content: files with the same bytes are emitted once
  assert.deepEqual(wasmIn(join(outDir, "assets")), wasmIn(dist));
  await served(outDir, async (url, asked) => {
    assert.deepEqual(await titleOf(url), STARTED);
    assert.equal(asked.filter((name) => name.endsWith(".wasm")).length, 2, `asked for: ${asked.join(", ")}`); // one for each engine
    assert.deepEqual(asked.filter((name) => name.includes("bytes")), [], "the fallback is not loaded where the file is there");
  });
});

test("vite's development server serves the package as it is installed", async () => {
  const { createServer } = await import("vite");
  const server = await createServer({ root: app, logLevel: "error", configFile: false, cacheDir: join(output, "vite-cache"), server: { port: 0, host: "127.0.0.1", hmr: false, fs: { strict: false } } });
  try {
    await server.listen();
    assert.deepEqual(await titleOf(`http://127.0.0.1:${server.httpServer.address().port}/`), STARTED);
  } finally {
    await server.close();
  }
});

test("a bundler that copies no wasm still starts, from the shipped bytes", async () => {
  const { build } = await import("esbuild");
  const outdir = join(output, "esbuild");
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  await build({ entryPoints: [join(app, "main.js")], outdir, bundle: true, splitting: true, format: "esm", target: "es2022", logLevel: "error" });
  copyFileSync(join(app, "index.html"), join(outdir, "index.html"));
  assert.deepEqual(readdirSync(outdir).filter((name) => name.endsWith(".wasm")), []);
  await served(outdir, async (url) => assert.deepEqual(await titleOf(url), STARTED));
});

test("without any bundler an import map is enough", async () => {
  const plain = join(output, "plain");
  rmSync(plain, { recursive: true, force: true });
  mkdirSync(plain, { recursive: true });
  for (const name of readdirSync(dist).filter((name) => name.includes("."))) copyFileSync(join(dist, name), join(plain, name));
  copyFileSync(join(app, "main.js"), join(plain, "main.js"));
  copyFileSync(join(app, "import-map.html"), join(plain, "index.html"));
  await served(plain, async (url, asked) => {
    assert.deepEqual(await titleOf(url), STARTED);
    assert.deepEqual(asked.filter((name) => name.endsWith(".bytes.js")), []);
  });
});

/** The wasm files of a folder, each by its bytes, each once. */
function wasmIn(folder) {
  const wasm = readdirSync(folder).filter((name) => name.endsWith(".wasm"));
  return [...new Set(wasm.map((name) => readFileSync(join(folder, name)).toString("base64")))].sort();
}
