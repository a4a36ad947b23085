// The focus: in the order things are read, on folded lines too, and never lost when what had it goes away.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, focusOf, open, saying } from "./page.mjs";

after(closeBrowser);

test("Tab reaches the elements, then the boundaries, then the flows, each under its own kind", async (t) => {
  const me = await open(t);
  const { page } = me;
  await page.getByRole("toolbar", { name: "Draw" }).getByRole("button", { name: "Delete" }).focus();
  const kinds = [];
  for (let step = 0; step < 18; step += 1) {
    await page.keyboard.press("Tab");
    kinds.push(await page.evaluate(() => document.activeElement.getAttribute("aria-roledescription")));
  }
  assert.deepEqual(kinds, [...Array(8).fill("element"), ...Array(2).fill("boundary"), ...Array(8).fill("flow")]);
  const described = await page.evaluate(() => [...document.querySelectorAll(".react-flow [aria-describedby]")].length);
  assert.equal(described, 0, "nothing tells of keys that do something else here");
  await page.keyboard.press("Tab");
  assert.equal(await focusOf(page), "Zoom out");
  for (let step = 0; step < 9; step += 1) await page.keyboard.press("Shift+Tab");
  assert.equal(await focusOf(page), "Trust boundary Data zone");
});

test("elements still lie over the lines that lead to them", async (t) => {
  const me = await open(t);
  const top = await me.drawn("e:shop-api").evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2).closest("[data-id]")?.getAttribute("data-id");
  });
  assert.equal(top, "e:shop-api");
  const depth = (key) => me.drawn(key).evaluate((one) => Number(getComputedStyle(one.closest(".react-flow__node, svg")).zIndex));
  assert.ok((await depth("f:flow-2")) < (await depth("e:shop-api")));
  await me.drawn("f:flow-2").focus();
  await eventually(async () => (await depth("f:flow-2")) > (await depth("e:shop-api")), true, "a selected flow's ends can be taken hold of");
});

test("what is deleted takes the focus along to what is around it, and the next key acts there", async (t) => {
  const me = await open(t);
  const { page } = me;
  await me.drawn("e:payment").focus();
  await page.keyboard.press("Delete");
  await me.drawn("e:payment").waitFor({ state: "detached" });
  await eventually(() => focusOf(page), "Drawing of the threat model");
  await page.keyboard.press("n");
  await page.locator(".name-input:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+z"); // the element that has the focus goes away
  await eventually(() => focusOf(page), "Drawing of the threat model");

  await me.tab(/Threats/);
  await page.locator(".threat-title").first().click();
  await page.getByRole("button", { name: "Delete this threat" }).click();
  await eventually(() => focusOf(page), "Details and threats");

  await me.drawn("b:boundary-2").locator(".boundary-name").click();
  await me.tab("Details");
  await page.getByRole("button", { name: "Take Order queue out" }).click();
  await eventually(() => focusOf(page), "Details and threats");
});

test("a decision by key goes on to the card below it, and what that one would do is drawn", async (t) => {
  const me = await open(t);
  const { page } = me;
  await me.start("Clean up");
  await me.cards("3 changes waiting");
  await me.card("Change data flow").hover();
  await me.choose("Change data flow", "Deny with a reason");
  await page.keyboard.type("Not now");
  await page.keyboard.press("Enter");
  await eventually(() => focusOf(page), "Change threat The amount is changed on its way");
  await me.drawn("f:flow-5").getByText("changed threat: The amount is changed on its way").waitFor();
  await page.waitForTimeout(500);
  await page.keyboard.press("d");
  await eventually(() => focusOf(page), "Delete Order export (old)", "the last one goes on to the first");
  await me.drawn("e:order-export").getByText("would be deleted").waitFor();
});

test("a click that decides leaves the focus at its card; a new conversation begins where one writes", async (t) => {
  const me = await open(t);
  const { page } = me;
  await me.start("Clean up the old export");
  await me.cards("3 changes waiting");
  await me.press("Delete Order export (old)", "Deny");
  await eventually(() => focusOf(page), "Delete Order export (old): Denied by you");
  await page.keyboard.press("j");
  assert.equal(await focusOf(page), "Change data flow Charge card");
  await me.panel.getByRole("button", { name: "Start a new conversation" }).click();
  await eventually(() => focusOf(page), "Message to the assistant");
  assert.equal(await me.panel.locator(".card").count(), 0);
});

test("another document in the place of the one with the conversation: the focus stays in the panel", async (t) => {
  const me = await open(t);
  const { page } = me;
  await me.panel.getByRole("textbox", { name: "Message to the assistant" }).focus();
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['version: "1.0"\nmetadata: { title: Small, author: A, created: 2026-01-05, modified: 2026-01-05 }\nelements: []\ndata_flows: []\ntrust_boundaries: []\nthreats: []\n'], "small.thf"));
    return transfer;
  });
  await page.dispatchEvent(".page", "dragover", { dataTransfer: data });
  await page.dispatchEvent(".page", "drop", { dataTransfer: data });
  await eventually(async () => (await me.counts()).elements, 0);
  await me.status("Ready");
  await eventually(() => page.evaluate(() => document.activeElement.closest("[data-region]")?.getAttribute("data-region")), "assistant");
});

test("folded lines by keyboard: Tab reaches what was looked at and what was decided, Enter and Space open both", async (t) => {
  const me = await open(t, {
    prepare: saying([{ tool: "search_entities", input: { kind: "elements" } }], [{ tool: "update_element", input: { id: "checkout", updates: { name: "Till" } } }]),
  });
  const { page, panel } = me;
  await me.ask("Rename it");
  await me.cards("Change Checkout");
  await me.press("Change Checkout", "Approve");
  await panel.getByText("1 change applied").waitFor();
  await panel.getByRole("button", { name: "Hide the assistant" }).focus();
  await page.keyboard.press("Tab");
  assert.equal(await focusOf(page), "Looked at 1 thing");
  await page.keyboard.press("Enter");
  await panel.locator(".reads li").getByText("Elements").waitFor();
  await page.keyboard.press("Tab");
  assert.match(await focusOf(page), /Change Checkout/);
  const line = panel.locator(".card-line");
  assert.equal(await line.getAttribute("aria-expanded"), "false");
  await page.keyboard.press("Space");
  await panel.getByText("Exact input of update_element").waitFor();
  assert.equal(await line.getAttribute("aria-expanded"), "true");
  await page.keyboard.press("Enter");
  assert.equal(await panel.getByText("Exact input of update_element").count(), 0);
  assert.match(await focusOf(page), /Change Checkout/, "the line keeps the focus");
});

test("J, A, D and U are letters wherever one types", async (t) => {
  const me = await open(t);
  const { page, panel } = me;
  await me.start("Clean up the old export");
  await me.cards("3 changes waiting");
  const type = async (field) => {
    await field.focus();
    await page.waitForTimeout(450); // long enough for a key to count
    await page.keyboard.type("jadu");
    assert.match(await field.inputValue(), /jadu/);
    assert.equal(await panel.locator(".card[data-waiting]").count(), 3);
  };
  await me.choose("Change data flow Charge card", "Deny with a reason");
  await type(panel.locator("textarea.field"));
  await page.keyboard.press("Escape");
  await me.choose("Change data flow Charge card", "Edit");
  await type(panel.locator(".card-form input.field").first());
  await page.keyboard.press("Escape");
  await type(panel.getByRole("textbox", { name: "Message to the assistant" }));
  await type(me.field("Description"));
  await page.keyboard.press("Control+f");
  await type(page.locator(".picker-input"));
});
