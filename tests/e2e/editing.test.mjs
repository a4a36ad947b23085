// The editor by hand: each edit is its own undo step, by mouse and keyboard, also while a turn runs.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, open } from "./page.mjs";

after(closeBrowser);

test("each edit by hand is its own undo step, taken back and brought back by key", async (t) => {
  const me = await open(t);
  const { page } = me;
  await me.field("Name of Storefront").fill("Front");
  await me.field("Name of Storefront").press("Enter");
  await me.field("Type of Front").selectOption("cdn");
  await me.tab("Data flows");
  await me.field("Protocol of Charge card").fill("HTTPS");
  await me.field("Protocol of Charge card").press("Tab");
  await me.field("Authenticated of Charge card").check();
  await page.getByRole("tab", { name: "Elements" }).click();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await me.tab("Data flows");
  assert.equal(await me.field("Protocol of Charge card").inputValue(), "HTTP");
  await me.tab("Elements");
  await page.keyboard.press("Control+z");
  assert.equal(await me.field("Type of Front").inputValue(), "web_server");
  await page.keyboard.press("Control+z");
  await me.field("Name of Storefront").waitFor();
  for (let step = 0; step < 4; step += 1) await page.keyboard.press("Control+Shift+Z");
  await me.tab("Data flows");
  assert.equal(await me.field("Authenticated of Charge card").isChecked(), true);
  assert.equal(await page.getByRole("button", { name: "Redo" }).getAttribute("aria-disabled"), "true");
});

test("adding and deleting by hand keep the document whole; a deletion says what went along and offers to take it back", async (t) => {
  const me = await open(t);
  const { page } = me;
  await page.getByRole("button", { name: "Add element" }).click();
  await page.keyboard.type("Mail service");
  await page.keyboard.press("Enter");
  await me.field("Name of Mail service").waitFor();
  assert.equal((await me.counts()).elements, 9);
  assert.equal(await page.locator(".canvas .node[data-selected] .node-name").innerText(), "Mail service", "the new element is selected in the drawing");
  await page.getByRole("button", { name: "Delete Order export (old)" }).click();
  await page.getByText("Deleted Order export (old), with 2 data flows and 1 threat").first().waitFor();
  assert.deepEqual(await me.counts(), { elements: 8, flows: 6, boundaries: 2, threats: 2 });
  await page.locator(".note").getByRole("button", { name: "Undo" }).click();
  await eventually(me.counts, { elements: 9, flows: 8, boundaries: 2, threats: 3 });
  await me.tab("Trust boundaries");
  await page.getByRole("button", { name: "Add boundary" }).click();
  await me.tab("Threats");
  await page.getByRole("button", { name: "Add threat" }).click();
  await me.field("Concerns of New threat").selectOption({ label: "Checkout" });
  await me.tab("Data flows");
  await page.getByRole("button", { name: "Add flow" }).click();
  assert.deepEqual(await me.counts(), { elements: 9, flows: 9, boundaries: 3, threats: 4 });
});

test("C2 what is selected and what is being typed survive the assistant's changes", async (t) => {
  const me = await open(t);
  await me.start("Add a cache");
  await me.cards("3 changes waiting");
  await me.field("Name of Checkout").click();
  await me.field("Name of Checkout").fill("Check");
  await me.panel.getByRole("button", { name: "Approve all 3" }).dispatchEvent("click");
  await eventually(async () => (await me.counts()).elements, 10);
  assert.equal(await me.page.evaluate(() => document.activeElement?.value), "Check", "a half-typed name is not overwritten");
  assert.equal(await me.page.locator(".canvas .node[data-selected] .node-name").innerText(), "Checkout");
  await me.page.keyboard.press("Escape");
  assert.equal(await me.field("Name of Checkout").inputValue(), "Checkout");
});

test("an element is moved by mouse and by arrow keys, each move its own step, also while cards wait", async (t) => {
  const me = await open(t);
  const { page } = me;
  await me.start("Clean up the old export");
  await me.cards("3 changes waiting");
  const node = page.locator('.canvas .node[data-id="storefront"]');
  const place = () => node.getAttribute("transform");
  const start = await place();
  const box = await node.boundingBox();
  await page.mouse.move(box.x + 40, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + 40, box.y + 90, { steps: 5 });
  await page.mouse.up();
  const moved = await place();
  assert.notEqual(moved, start);
  await node.focus();
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await place(), moved);
  await page.keyboard.press("Control+z");
  assert.equal(await place(), moved);
  await page.keyboard.press("Control+z");
  assert.equal(await place(), start);
  assert.equal(await me.panel.locator(".card[data-waiting]").count(), 3, "the turn still waits");
});
