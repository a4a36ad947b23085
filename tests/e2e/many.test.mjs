// Two hundred cards of one message: what they cost is measured in the page and printed; only that it works is asserted.
// What is measured is found by its class: looking a role up by its name is work of the page too, and more than that of the page.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, open, saying } from "./page.mjs";

after(closeBrowser);

test("200 cards of one message: shown, scrolled, hovered, edited under and approved together", async (t) => {
  const calls = Array.from({ length: 200 }, (_, n) => ({ tool: "add_element", input: { element: { type: "cache", name: `Cache ${n}`, trust_zone: "data" } } }));
  const me = await open(t, { prepare: saying(calls) });
  const { page } = me;
  await page.evaluate(() => {
    window.long = [];
    new PerformanceObserver((list) => window.long.push(...list.getEntries().map((entry) => Math.round(entry.duration)))).observe({ entryTypes: ["longtask"] });
  });
  const longest = () => page.evaluate(() => {
    const all = window.long;
    window.long = [];
    return { tasks: all.length, longestMs: Math.max(0, ...all) };
  });
  const measured = {};
  const measure = async (name, act) => {
    await longest();
    const from = Date.now();
    await act();
    await page.waitForTimeout(100);
    measured[name] = { ...(await longest()), wallMs: Date.now() - from - 100 };
  };
  await measure("appear", async () => {
    await me.ask("Go");
    await me.panel.locator(".group-count", { hasText: "200 changes waiting" }).waitFor();
  });
  assert.equal(await me.panel.locator(".card[data-waiting]").count(), 200);
  await measure("scroll", () => me.panel.locator(".scroll").evaluate(async (node) => {
    for (let at = 0; at < node.scrollHeight; at += 400) {
      node.scrollTop = at;
      await new Promise(requestAnimationFrame);
    }
  }));
  await measure("hover twenty", async () => {
    for (let n = 150; n < 170; n += 1) await me.panel.locator(".card").nth(n).hover();
  });
  await page.mouse.move(300, 700);
  await measure("an edit under them", () => me.rename("Checkout", "Till"));
  await measure("deny one", () => me.press("Add Cache 79", "Deny"));
  await eventually(() => me.panel.locator(".card[data-waiting]").count(), 199);
  await page.waitForTimeout(500);
  await measure("approve all", async () => {
    await me.panel.locator(".group-head .button", { hasText: "Approve all 199" }).click();
    await me.panel.locator(".receipt-text", { hasText: "199 changes applied, 1 denied" }).waitFor();
  });
  await eventually(() => me.panel.locator(".card[data-waiting]").count(), 0);
  // what is added at once is drawn in several frames, and all of it in the end
  await eventually(() => page.locator(".react-flow__node-element").count(), 207);
  t.diagnostic(JSON.stringify(measured));
  console.log(measured);
  assert.equal((await me.counts()).elements, 207);
});
