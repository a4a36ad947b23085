// How the board stands: light and dark, wide and narrow, right to left; what assistive technology finds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, test } from "node:test";

import { closeBrowser, eventually, open } from "./board.mjs";

after(closeBrowser);

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

for (const colorScheme of ["light", "dark"]) {
  for (const [size, viewport] of Object.entries({ wide: { width: 1440, height: 900 }, narrow: { width: 412, height: 860 } })) {
    test(`${colorScheme} and ${size}: axe finds nothing, nothing overflows, every control has room`, async (t) => {
      const me = await open(t, { colorScheme, viewport, reducedMotion: "reduce", bypassCSP: true });
      await me.page.evaluate(axe);
      await faultless(me, "the empty panel");
      await me.start("Plan this week");
      await me.waiting(5);
      await me.page.evaluate(() => document.querySelector("countersign-transcript").focusNext());
      await me.picture(`looks-${colorScheme}-${size}`);
      await faultless(me, "cards that wait, one of them drawn on the board");
      await me.ask("Delete the last lane");
      await me.waiting(1);
      await me.page.evaluate(() => document.querySelector("countersign-transcript").focusNext());
      await me.lane("Done").locator(".lane-mark").waitFor();
      await me.picture(`delete-${colorScheme}-${size}`);
      await faultless(me, "a lane that would go");
      if (size === "narrow") await me.panel.getByRole("button", { name: "Hide the assistant" }).click();
      await me.face("Import customers from CSV").click();
      await me.picture(`detail-${colorScheme}-${size}`);
      await faultless(me, "an open card");
      await me.page.keyboard.press("Escape");
      await me.page.keyboard.press("?");
      await me.page.getByRole("dialog", { name: "Keys" }).waitFor();
      await faultless(me, "the keys");
    });
  }
}

async function faultless({ page }, when) {
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] });
    const named = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.flat().join(" ")).slice(0, 3).join("; ")}`);
    const visible = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getBoundingClientRect().width > 1;
    const small = [...document.querySelectorAll("button, input:not([type=checkbox]), select, textarea")].filter((node) => visible(node) && node.getBoundingClientRect().height < 31.5).map((node) => node.outerHTML.slice(0, 80));
    return { named, small, overflow: document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight };
  });
  assert.deepEqual(found, { named: [], small: [], overflow: false }, when);
}

test("right to left the page mirrors: the panel changes sides, arrows go where they point", async (t) => {
  const me = await open(t);
  await me.page.evaluate(() => {
    document.documentElement.dir = "rtl";
  });
  const [panel, board] = [await me.panel.boundingBox(), await me.page.getByRole("main").boundingBox()];
  assert.ok(panel.x < board.x);
  await me.face("Export invoices as PDF").focus();
  await me.page.keyboard.press("ArrowLeft");
  assert.equal(await me.focus(), "Wrong tax on gift cards");
  await me.page.keyboard.press("Space");
  await me.page.keyboard.press("ArrowRight");
  await me.page.keyboard.press("Space");
  await eventually(async () => (await me.cards("Backlog")).includes("Wrong tax on gift cards"), true);
  await me.start("Plan this week");
  await me.waiting(5);
  await me.picture("looks-rtl");
  assert.equal(await me.page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
});

test("the panel's width and state are remembered; under 800 px it is a sheet", async (t) => {
  const me = await open(t);
  const width = async () => Math.round((await me.panel.boundingBox()).width);
  assert.equal(await width(), 400);
  await me.page.getByRole("separator", { name: "Width of the assistant panel" }).focus();
  for (let step = 0; step < 4; step += 1) await me.page.keyboard.press("ArrowLeft");
  assert.equal(await width(), 440);
  await me.page.reload();
  await eventually(width, 440);
  await me.panel.getByRole("button", { name: "Hide the assistant" }).click();
  await me.panel.waitFor({ state: "hidden" });
  await me.page.reload();
  await me.page.locator("#app[data-ready]").waitFor();
  assert.equal(await me.panel.isVisible(), false);
  await me.page.keyboard.press("F6");
  await me.panel.waitFor();
  await me.page.setViewportSize({ width: 500, height: 800 });
  const box = await me.panel.boundingBox();
  assert.ok(box.width === 500 && box.y > 200, "a sheet from the bottom");
});

test("with reduced motion nothing moves by itself", async (t) => {
  const me = await open(t, { reducedMotion: "reduce" });
  const moving = () => me.page.evaluate(() => document.getAnimations().filter((animation) => animation.playState === "running").length);
  await me.face("Faster first page").hover();
  await me.start("Who has how much to do?");
  assert.equal(await moving(), 0);
});
