// The editor by hand: each edit is its own undo step, by mouse and keyboard, also while a turn runs.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, open, placeOf } from "./page.mjs";

after(closeBrowser);

test("each edit by hand is its own undo step, taken back and brought back by key", async (t) => {
  const me = await open(t);
  const { page } = me;
  await me.rename("Storefront", "Front");
  await me.element("Front").click();
  await me.field("Type").selectOption("cdn");
  await me.drawn("f:flow-5").locator(".flow-label").click();
  await me.field("Protocol").fill("HTTPS");
  await me.field("Protocol").press("Tab");
  await me.field("Authenticated").check();
  await me.element("Front").click();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await me.drawn("f:flow-5").locator(".flow-protocol").getByText("HTTP", { exact: true }).waitFor();
  await page.keyboard.press("Control+z");
  assert.equal(await me.field("Type").inputValue(), "web_server");
  await page.keyboard.press("Control+z");
  await me.element("Storefront").waitFor();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press("Control+Shift+Z");
  await page.keyboard.press("Control+y");
  await me.drawn("f:flow-5").locator(".flow:not([data-open])").waitFor();
  assert.equal(await page.getByRole("button", { name: "Redo" }).getAttribute("aria-disabled"), "true");
});

test("adding and deleting by hand keep the document whole; a deletion says what went along and offers to take it back", async (t) => {
  const me = await open(t);
  const { page } = me;
  await page.getByRole("button", { name: "Process" }).click();
  await page.locator(".name-input:focus").waitFor();
  await page.keyboard.type("Mail service");
  await page.keyboard.press("Enter");
  await me.element("Mail service").waitFor();
  assert.equal((await me.counts()).elements, 9);
  assert.deepEqual(await me.selected(), ["Mail service"]);
  await me.element("Order export (old)").click();
  await page.keyboard.press("Delete");
  await page.locator(".note").getByText("Deleted Order export (old), with 2 data flows and 1 threat").waitFor();
  assert.deepEqual(await me.counts(), { elements: 8, flows: 6, boundaries: 2, threats: 2 });
  await page.locator(".note").getByRole("button", { name: "Undo" }).click();
  await eventually(me.counts, { elements: 9, flows: 8, boundaries: 2, threats: 3 });
});

test("several selected things are moved together, copied together and deleted together, each as one step", async (t) => {
  const me = await open(t);
  const { page } = me;
  const [one, two] = [me.element("Storefront"), me.element("Shop API")];
  await one.click();
  await two.click({ modifiers: ["Shift"] });
  assert.deepEqual((await me.selected()).sort(), ["Shop API", "Storefront"]);
  const before = [await placeOf(one), await placeOf(two)];
  const from = await me.middle(one);
  await me.drag(from, { x: from.x + 20, y: from.y - 60 });
  const moved = [await placeOf(one), await placeOf(two)];
  assert.ok(moved[0].y < before[0].y && moved[0].y - before[0].y === moved[1].y - before[1].y, "both went the same way");
  await page.keyboard.press("Control+d");
  assert.deepEqual(await me.counts(), { elements: 10, flows: 9, boundaries: 2, threats: 3 }, "the flow between them is copied too");
  assert.deepEqual((await me.selected()).sort(), ["Shop API (copy)", "Storefront (copy)"]);
  await page.keyboard.press("Delete");
  await page.locator(".note").getByText("Deleted 2 things, with 1 data flow").waitFor();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  assert.deepEqual(await me.counts(), { elements: 8, flows: 8, boundaries: 2, threats: 3 });
  await page.keyboard.press("Control+z");
  assert.deepEqual([await placeOf(one), await placeOf(two)], before, "one step takes both back");
});

test("a marquee selects what lies in it", async (t) => {
  const me = await open(t);
  const { page } = me;
  const [from, to] = [await me.drawn("e:payment").boundingBox(), await me.drawn("e:checkout").boundingBox()];
  await page.keyboard.down("Shift");
  await me.drag({ x: from.x - 20, y: from.y + from.height + 20 }, { x: to.x + to.width + 6, y: to.y - 12 });
  await page.keyboard.up("Shift");
  assert.deepEqual((await me.selected()).sort(), ["Checkout", "Payment provider"]);
});

test("C2 what is selected and what is being typed survive the assistant's changes", async (t) => {
  const me = await open(t);
  await me.start("Add a cache");
  await me.cards("3 changes waiting");
  await me.element("Checkout").click();
  await me.field("Name").fill("Check");
  const view = () => me.page.locator(".react-flow__viewport").getAttribute("style");
  const before = await view();
  await me.panel.getByRole("button", { name: "Approve all 3" }).dispatchEvent("click", { detail: 1 });
  await eventually(async () => (await me.counts()).elements, 10);
  assert.equal(await me.page.evaluate(() => document.activeElement?.value), "Check", "a half-typed name is not overwritten");
  assert.deepEqual(await me.selected(), ["Checkout"]);
  assert.equal(await view(), before, "the view stands still");
  await me.page.keyboard.press("Escape");
  assert.equal(await me.field("Name").inputValue(), "Checkout");
});

test("A9 an element dragged while cards wait: the move is its own step, and the cards say what changed", async (t) => {
  const me = await open(t);
  const { page } = me;
  await me.start("Clean up the old export");
  await me.cards("3 changes waiting");
  const node = me.element("Storefront");
  const start = await placeOf(node);
  const from = await me.middle(node);
  await me.drag(from, { x: from.x, y: from.y - 60 });
  const moved = await placeOf(node);
  assert.notDeepEqual(moved, start);
  assert.equal(await me.panel.locator(".card[data-waiting]").count(), 3, "the turn still waits");
  assert.equal(await me.panel.locator(".stale").count(), 0, "no card would do anything else");
  await node.focus();
  await page.keyboard.press("Control+z");
  assert.deepEqual(await placeOf(node), start);
  await page.waitForTimeout(500);
  await me.press("Delete Order export (old)", "Delete");
  await me.press("Change data flow Charge card", "Approve");
  await me.press("The amount is changed on its way", "Approve");
  await me.panel.getByText("3 changes applied").waitFor();
  assert.deepEqual(await placeOf(node), start);
});

test("what a card proposes is drawn and not applied", async (t) => {
  const me = await open(t);
  const { page } = me;
  await me.start("Clean up the old export");
  await me.cards("3 changes waiting");
  await me.card("Delete Order export (old)").hover();
  await me.drawn("e:order-export").locator('[data-mark="removed"]').waitFor();
  assert.equal(await me.drawn("f:flow-7").locator('[data-mark="removed"]').count(), 1, "what goes with it is struck too");
  await me.card("Change data flow Charge card").hover();
  await me.drawn("f:flow-5").getByText(/^protocol: HTTP → HTTPS/).waitFor();
  assert.equal(await me.drawn("e:order-export").locator('[data-mark="removed"]').count(), 0);
  await me.picture("proposal");
  assert.deepEqual(await me.counts(), { elements: 8, flows: 8, boundaries: 2, threats: 3 });
  assert.equal(await page.getByRole("button", { name: "Undo", exact: true }).getAttribute("aria-disabled"), "true");
});

test("the offer to take a deletion back is gone once something else has happened, so it never takes back another step", async (t) => {
  const me = await open(t);
  const { page } = me;
  await me.drawn("e:payment").focus();
  await page.keyboard.press("Delete");
  const offer = page.locator(".note").getByRole("button", { name: "Undo" });
  await offer.waitFor();
  await page.keyboard.press("Control+z");
  await me.drawn("e:payment").waitFor();
  await eventually(() => offer.count(), 0);
  await me.drawn("e:payment").focus();
  await page.keyboard.press("Delete");
  await offer.waitFor();
  await me.rename("Storefront", "Window");
  await eventually(() => offer.count(), 0);
});
