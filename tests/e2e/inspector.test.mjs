// What happened, step by step: the inspector below the drawing, and the document as it was, to be looked at only.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, focusOf, open, placeOf, saying } from "./page.mjs";

after(closeBrowser);

const RENAME = { tool: "update_element", input: { id: "checkout", updates: { name: "Till" } } };
const ADD = { tool: "add_element", input: { element: { type: "cache", name: "Cache", trust_zone: "data" } } };

/** Whether all of the way back is in sight. */
const inView = (inspector) => inspector.evaluate((node) => {
  const [box, bar] = [node, node.shadowRoot.querySelector("[part=travel]")].map((one) => one.getBoundingClientRect());
  return bar.height > 0 && bar.top >= box.top && bar.bottom <= Math.min(box.bottom, innerHeight);
});

async function aTurn(t) {
  const me = await open(t, { prepare: saying([RENAME, ADD]) });
  await me.ask("Go");
  await me.cards("2 changes waiting");
  await me.approveAll(2);
  await me.panel.getByText("2 changes applied").waitFor();
  return me;
}

test("I opens what happened and closes it; a letter that is typed does not", async (t) => {
  const me = await aTurn(t);
  const { page } = me;
  const region = page.getByRole("region", { name: "What happened" });
  const toggle = page.getByRole("button", { name: "What happened", exact: true });
  assert.equal(await toggle.getAttribute("data-key"), "I");
  await me.panel.getByRole("textbox", { name: "Message to the assistant" }).fill("i");
  await page.keyboard.type("iI");
  assert.equal(await region.count(), 0);
  await page.keyboard.press("Shift+F6");
  await page.keyboard.press("i");
  await region.locator("countersign-inspector").waitFor();
  assert.equal(await toggle.getAttribute("aria-pressed"), "true");
  await me.picture("inspector");
  await eventually(() => page.evaluate(() => document.activeElement.getAttribute("data-region")), "inspector");
  await page.keyboard.press("i");
  await eventually(() => region.count(), 0);
  await toggle.click();
  await region.waitFor();
  await page.reload();
  await region.waitFor();
  assert.notEqual(await focusOf(page), undefined);
});

test("the way back is seen at once, at the height the drawer has by itself, and stays while the rest is scrolled", async (t) => {
  const me = await aTurn(t);
  const { page } = me;
  await page.getByRole("button", { name: "What happened", exact: true }).click();
  const inspector = page.locator("countersign-inspector");
  await inspector.getByText(/Now, after \d+ inputs/).first().waitFor();
  await eventually(() => inView(inspector), true);
  await inspector.evaluate((node) => node.scrollTo(0, node.scrollHeight));
  await eventually(() => inspector.evaluate((node) => node.scrollTop > 100), true);
  assert.equal(await inView(inspector), true);
  await me.picture("inspector-scrolled");
  await inspector.getByRole("button", { name: "One input back" }).click();
  await page.getByText(/^Looking at the past: step/).waitFor();
  await inspector.getByRole("button", { name: "Back to now" }).click();
  await eventually(() => page.getByText("Looking at the past").count(), 0);
  await page.locator(".inspector-hide button").click();
  await eventually(() => inspector.count(), 0);
});

test("the past on the drawing: the document as it was, read-only, with a way back; the open one is untouched", async (t) => {
  const me = await aTurn(t);
  const { page } = me;
  await me.rename("Storefront", "Front");
  await page.getByRole("button", { name: "What happened", exact: true }).click();
  const inspector = page.locator("countersign-inspector");
  await inspector.waitFor();
  const steps = () => inspector.evaluate((node) => {
    node.flush();
    return JSON.parse(node.session.recording()).inputs.length;
  });
  await eventually(async () => (await steps()) > 3, true);
  const m = await steps();
  await inspector.evaluate((node) => node.goTo(1));
  await page.getByText(`Looking at the past: step 1 of ${m}`).waitFor();
  await me.element("Checkout").waitFor();
  await me.element("Storefront").waitFor();
  assert.equal(await me.element("Cache").count(), 0);
  await me.picture("past");

  // nothing of it can be changed
  assert.equal(await page.getByRole("toolbar", { name: "Draw" }).count(), 0);
  await me.element("Checkout").dblclick();
  assert.equal(await page.locator(".name-input").count(), 0);
  const [place, box] = [await placeOf(me.drawn("e:checkout")), await me.element("Checkout").boundingBox()];
  await me.drag({ x: box.x + 20, y: box.y + 20 }, { x: box.x + 120, y: box.y + 90 });
  assert.deepEqual(await placeOf(me.drawn("e:checkout")), place);
  await me.element("Checkout").click();
  await page.keyboard.press("Delete");
  assert.equal(await me.element("Checkout").count(), 1);
  await page.getByRole("button", { name: "Undo", exact: true }).click({ force: true });

  // step by step, the view stays where it is
  for (let step = 0; step <= m; step += 1) await inspector.evaluate((node, step) => node.goTo(step), step);
  await page.getByText(`step ${m} of ${m}`).waitFor();
  await me.element("Till").waitFor();
  await me.element("Front").waitFor();
  await page.locator(".past-bar").getByRole("button", { name: "Back to now" }).click();
  await eventually(() => page.getByText("Looking at the past").count(), 0);
  assert.equal(await inspector.evaluate((node) => node.inputs), undefined);
  for (const name of ["Till", "Cache", "Front"]) await me.element(name).waitFor();
  await page.getByRole("toolbar", { name: "Draw" }).waitFor();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await me.element("Storefront").waitFor();
});

test("while the past is looked at the conversation goes on, and another document leads back to now", async (t) => {
  const me = await open(t);
  const { page } = me;
  await me.start("Clean up the old export");
  await me.cards("3 changes waiting");
  await page.getByRole("button", { name: "What happened", exact: true }).click();
  const inspector = page.locator("countersign-inspector");
  await inspector.evaluate((node) => {
    node.flush();
    node.goTo(2);
  });
  await page.getByText(/^Looking at the past: step 2/).waitFor();
  await me.press("Delete Order export (old)", "Delete");
  await me.press("Change data flow Charge card", "Approve");
  await me.press("The amount is changed on its way", "Approve");
  await me.panel.getByText("3 changes applied").waitFor();
  await me.element("Order export (old)").waitFor(); // of the past
  await page.getByRole("button", { name: "New", exact: true }).click();
  await page.getByRole("button", { name: "Leave without saving" }).click();
  await eventually(() => page.getByText("Looking at the past").count(), 0);
  await eventually(() => page.locator(".react-flow__node-element").count(), 0);
});
