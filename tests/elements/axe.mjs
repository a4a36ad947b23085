// axe-core over a page: what is wrong for people who use it with a screen reader, a keyboard or little sight.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Fails where axe finds anything; `options` are axe's own (`rules` to switch some off, with a reason beside them). */
export async function axeClean(page, options = {}) {
  // through the debugger, not as a script of the page, whose policy allows none
  await page.evaluate(source);
  const { violations } = await page.evaluate((options) => globalThis.axe.run(document, { resultTypes: ["violations"], ...options }), options);
  const told = violations.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ target, failureSummary }) => `  ${target.flat().join(" ")}\n    ${failureSummary.replace(/\n\s*/g, "\n    ")}`).join("\n")}`);
  assert.deepEqual(told, [], told.join("\n"));
}
