// Components in a real browser: a page's module bundled against the installed package, and its scenarios run one by one.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { browserArgs, findBrowser } from "../../../scripts/tools.mjs";
import { served } from "../../bundlers/browser.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const wasm = join(dirname(createRequire(import.meta.url).resolve("countersign/package.json")), "dist", "countersign.wasm");

/** What the example of either guide comes to. */
export const EXAMPLE = {
  first: ["Add A", "Add B", "Remove card-1"],
  words: ["Tidy up", "I would change this:"],
  untouched: 2,
  titles: ["Test", "A", "B"],
  left: 0,
};
/** The answer to an approval of what nobody was shown. */
export const STALE = { ok: false, reason: "stale_effect" };
/** A decision without the sentence that explains it. */
export const bare = ({ detail: _, ...decision }) => decision;

/** The examples of a guide as files, named by their first line: what `docs/<guide>/<file>` is to a page. */
export function examples(guide) {
  const folder = join(here, "..", "..", "output", "docs", guide);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const text = readFileSync(join(here, "..", "..", "..", "docs", `${guide}.md`), "utf8");
  const blocks = [...text.matchAll(/^```\w+\n(?:\/\/|<!--) (\w+\.\w+)(?: -->)?\n([^]*?)^```$/gm)];
  for (const [, name, code] of blocks) writeFileSync(join(folder, name), code);
  return {
    names: blocks.map(([, name]) => name),
    plugin: { name: "examples", setup: (build) => build.onResolve({ filter: /^docs\// }, ({ path }) => ({ path: join(folder, "..", path.slice("docs/".length)) })) },
  };
}

/** Bundles `entry` (in this folder) and gives `use` a function that runs a scenario, an export of it, and returns what that returned. */
export async function inBrowser(entry, use, settings = {}) {
  assert.ok(findBrowser(), "no Chromium was found; run `npm run setup -- --tests`");
  const outdir = join(here, "..", "..", "output", "ui", settings.name ?? entry.replace(/\W/g, "-"));
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const { plugins = [], define = {} } = settings;
  const { warnings } = await build({
    entryPoints: { page: join(here, entry) },
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    conditions: ["browser"],
    define: { "process.env.NODE_ENV": '"development"', ...define },
    logLevel: "error",
    plugins,
  });
  assert.deepEqual(warnings, [], "the bundler warned");
  copyFileSync(wasm, join(outdir, "countersign.wasm"));
  writeFileSync(join(outdir, "index.html"), '<!doctype html><meta charset="utf-8"><title>ui</title><link rel="icon" href="data:,"><main></main>');
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArgs });
  try {
    await served(outdir, (url) => use(async (name, ...given) => {
      const page = await browser.newPage();
      const said = [];
      page.on("pageerror", (error) => said.push(String(error)));
      page.on("console", (message) => void (["error", "warning"].includes(message.type()) && said.push(message.text())));
      try {
        await page.goto(url);
        const answer = await page.evaluate(async ([scenario, args]) => (await import("./page.js"))[scenario](...args), [name, given]);
        return { ...answer, said };
      } finally {
        await page.close();
      }
    }));
  } finally {
    await browser.close();
  }
}

/** One browser on `entry` for a whole test file: gives what runs a scenario, which fails where the page logged an error. */
export function scenarios(entry, settings) {
  let run;
  let close;
  let closed;
  before(async () => {
    await new Promise((resolve, reject) => {
      closed = inBrowser(entry, (given) => {
        run = given;
        resolve();
        return new Promise((done) => (close = done));
      }, settings);
      closed.catch(reject);
    });
  });
  after(async () => {
    close?.();
    await closed;
  });
  return async (...args) => {
    const { said, ...answer } = await run(...args);
    assert.deepEqual(said, [], "the page logged errors");
    return answer;
  };
}
