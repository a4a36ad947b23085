// Two hundred cards of one message over a board of as many: what they cost is measured in the page and printed; only that it
// works is asserted.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, open } from "./board.mjs";

after(closeBrowser);

const MANY = 200;
const PATIENCE_MS = 60_000;
const name = (n) => `Task ${String(n).padStart(3, "0")}`;
const board = {
  title: "Many",
  lanes: [{ id: "lane-1", name: "Backlog" }, { id: "lane-2", name: "This week" }, { id: "lane-3", name: "Done" }],
  people: [{ id: "person-1", name: "Ada Moreau" }, { id: "person-2", name: "Ben Okafor" }, { id: "person-3", name: "Chiyo Tanaka" }],
  labels: [{ id: "label-1", name: "Bug", colour: "red" }],
  cards: Array.from({ length: MANY }, (_, n) => ({ id: `card-${n + 1}`, title: name(n), lane: n % 2 === 0 ? "lane-1" : "lane-2", assignee: "person-1", estimate: 1 + (n % 5), ...(n % 7 === 0 ? { labels: ["label-1"] } : {}) })),
};

test("many cards of one message: shown, scrolled, hovered, edited under, and approved together", async (t) => {
  const me = await open(t, { board });
  const { page } = me;
  page.setDefaultTimeout(PATIENCE_MS);
  const measure = await meter(page);
  await measure("appear", async () => {
    await me.start("Hand over the fullest plate");
    await me.panel.getByText(`${MANY} changes waiting`).waitFor();
    await eventually(() => waiting(me), MANY);
  });
  await measure("scroll", () => me.panel.locator(".scroll").evaluate(async (node) => {
    for (let at = 0; at < node.scrollHeight; at += 400) {
      node.scrollTop = at;
      await new Promise(requestAnimationFrame);
    }
  }));
  await measure("hover twenty", async () => {
    for (let n = MANY - 25; n < MANY - 5; n += 1) await me.card(name(n)).hover();
  });
  await eventually(() => me.tile(name(MANY - 6)).locator(".mark").count(), 1, "what a card is about is marked on the board");
  await page.mouse.move(300, 20);
  await eventually(() => page.locator("main .mark").count(), 0);
  await measure("an edit under them", async () => {
    await me.choose(name(3), "Move to Done");
    await eventually(async () => (await me.cards("Done")).includes(name(3)), true);
  });
  await measure("deny one", async () => {
    await me.press(name(7), /^Deny/);
  });
  await measure("approve all", async () => {
    await until(me, 1, me.panel.getByRole("button", { name: `Approve all ${MANY - 1}` }));
    await eventually(() => page.locator('[data-card] .person[title="Ada Moreau"]').count(), 1);
  });
  assert.equal(await me.tile(name(7)).locator(".person").getAttribute("title"), "Ada Moreau");
  await eventually(() => waiting(me), 1, "then somebody is to be told");
  await until(me, 0, me.panel.locator("countersign-card").last().getByRole("button", { name: /^Deny/ }));
  await me.panel.locator("[part~=receipt]").getByText(`${MANY - 1} changes applied, 2 denied`).waitFor();
  await measure("undo the turn", async () => {
    await me.panel.getByRole("button", { name: "Undo this turn" }).click();
    await eventually(() => page.locator('[data-card] .person[title="Ada Moreau"]').count(), MANY);
  });
  for (const [what, cost] of Object.entries(measure.all)) t.diagnostic(`${what}: ${JSON.stringify(cost)}`);
});

const waiting = (me) => me.panel.locator("countersign-card").evaluateAll((cards) => cards.filter((card) => card.waiting).length);

/** Presses until at most so many wait: what has just changed is there to be read first, however long this machine took to change it. */
async function until(me, left, button) {
  const end = Date.now() + PATIENCE_MS;
  while ((await waiting(me)) > left && Date.now() < end) {
    await button.click();
    await me.page.waitForTimeout(500);
  }
  assert.ok((await waiting(me)) <= left);
}

/** Measures what is done in a page: its longest task, how many were long, and the processor's time, which depends least on what else the machine does. */
async function meter(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.evaluate(() => {
    window.long = [];
    new PerformanceObserver((list) => window.long.push(...list.getEntries().map((entry) => Math.round(entry.duration)))).observe({ entryTypes: ["longtask"] });
  });
  const spent = async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return 1000 * metrics.find((metric) => metric.name === "TaskDuration").value;
  };
  const all = {};
  const measure = async (what, act) => {
    await page.evaluate(() => (window.long = []));
    const [from, before] = [Date.now(), await spent()];
    await act();
    const wallMs = Date.now() - from;
    await page.waitForTimeout(100);
    const long = await page.evaluate(() => window.long);
    all[what] = { wallMs, cpuMs: Math.round((await spent()) - before), longTasks: long.length, longestMs: Math.max(0, ...long) };
  };
  return Object.assign(measure, { all });
}
