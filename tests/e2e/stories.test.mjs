// Both stories of the embedded assistant, as a person goes through them: by mouse, and by keyboard alone.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, open } from "./page.mjs";

after(closeBrowser);

const SEED = { elements: 8, flows: 8, boundaries: 2, threats: 3 };
const CACHED = { elements: 10, flows: 11, boundaries: 2, threats: 4 };

test("C3 additions approved together are one undo step, undone with one click and brought back with one", async (t) => {
  const me = await open(t);
  assert.deepEqual(await me.counts(), SEED);
  await me.picture("story-1-a-start");
  await me.start("Add a cache");
  await me.cards("3 changes waiting");
  await me.status("Waiting for you");
  assert.deepEqual(await me.counts(), SEED, "nothing changes before it is approved");
  assert.match(await me.card("Product cache").innerText(), /Add Product cache/);
  await me.card("Product cache").hover();
  await me.page.locator(".ghost", { hasText: "Product cache" }).waitFor();
  await me.picture("story-1-b-cards");

  await me.panel.getByRole("button", { name: "Approve all 3" }).click();
  await me.cards(/Both parts exist now/);
  await me.cards("3 changes waiting");
  assert.equal((await me.counts()).elements, 10, "the first round is in the document");
  // the second round names what the first made: the assistant read the new ids in the results
  assert.match(await me.panel.innerText(), /Connect Shop API to Product cache/);
  assert.match(await me.panel.innerText(), /Connect Cache warmer to Product cache/);
  await me.panel.getByRole("button", { name: "Approve all 3" }).click();

  await me.panel.getByText("6 changes applied").waitFor();
  await me.status("Ready");
  assert.deepEqual(await me.counts(), CACHED);
  assert.match(await me.panel.innerText(), /The cache stands beside the product database/);
  await me.picture("story-1-c-done");

  await me.panel.getByRole("button", { name: "Undo this turn" }).click();
  await eventually(me.counts, SEED, "one click takes the whole turn back");
  await me.panel.getByText("6 changes undone").waitFor();
  assert.equal(await me.outcome("Connect Shop API to Product cache"), "Undone");
  await me.picture("story-1-d-undone");

  await me.page.getByRole("button", { name: "Redo" }).click();
  await eventually(me.counts, CACHED, "one click brings the whole turn back");
  await me.panel.getByText("6 changes applied").waitFor();

  await me.page.getByRole("button", { name: "Undo", exact: true }).click();
  await eventually(me.counts, SEED, "the editor's own undo takes the turn back as one step too");
});

test("A5 a deletion is approved alone, a denial is read and answered with something else", async (t) => {
  const me = await open(t);
  await me.start("Clean up the old export");
  await me.cards("3 changes waiting");
  await me.panel.getByText("1 is left out: it deletes something and is approved alone.").waitFor();
  const deletion = me.card("Delete Order export (old)");
  assert.match(await deletion.innerText(), /Also deletes 2 data flows and 1 threat\./, "what is lost stands on the card");
  assert.equal(await deletion.getByRole("button", { name: "Approve" }).count(), 0, "on a deletion the button says Delete");
  await me.picture("story-2-a-cards");

  await me.panel.getByRole("button", { name: "Approve all 2" }).click();
  await eventually(async () => (await me.panel.locator(".card[data-waiting]").count()), 1, "the batch does not reach the deletion");
  assert.deepEqual(await me.counts(), SEED);

  await me.choose("Delete Order export (old)", "Deny with a reason");
  await me.page.keyboard.type("finance needs it until March");
  await me.page.keyboard.press("Enter");
  await me.cards(/finance needs it until March.*\. Then the export stays/s);
  assert.equal(await me.outcome("Delete Order export (old)"), "Denied by you: finance needs it until March");
  assert.equal(await me.outcome("Change the flow Charge card"), "Applied");
  await me.picture("story-2-b-correction");

  await me.press("Change Order export (old)", "Approve");
  await me.panel.getByText("3 changes applied, 1 denied").waitFor();
  assert.equal(await me.outcome("Change Order export (old)"), "Applied", "a decided card keeps the names it was decided under");
  await me.picture("story-2-c-done");
  await me.element("Order export (retiring)").waitFor();
  await me.panel.getByRole("button", { name: "Undo this turn" }).click();
  await me.panel.getByText("3 changes undone, 1 denied").waitFor();
  await me.element("Order export (old)").waitFor();
});

test("A5 a deletion that is approved takes along what cannot stand without it, and one undo brings all of it back", async (t) => {
  const me = await open(t);
  await me.start("Clean up the old export");
  await me.cards("3 changes waiting");
  await me.press("Delete Order export (old)", "Delete");
  await me.press("Change the flow Charge card", "Deny");
  await me.press("The amount is changed on its way", "Deny");
  await me.cards(/plain HTTPS would already protect/);
  assert.deepEqual(await me.counts(), { elements: 7, flows: 6, boundaries: 2, threats: 2 });
  await me.press("Change the flow Charge card", "Deny");
  await me.panel.getByText("1 change applied, 3 denied").waitFor();
  await me.panel.getByRole("button", { name: "Undo this turn" }).click();
  await eventually(me.counts, SEED);
});

test("story 2 by keyboard alone, with the focus where the work is", async (t) => {
  const me = await open(t);
  const { page } = me;
  await page.keyboard.press("F6");
  await page.keyboard.type("please clean up the export, and a note: a d j u are letters here");
  await page.keyboard.press("Enter");
  await me.cards("3 changes waiting");

  const focused = () => page.evaluate(() => document.activeElement?.closest(".card")?.getAttribute("aria-label") ?? document.activeElement?.getAttribute("aria-label"));
  assert.equal(await focused(), "Message to the assistant", "new cards do not take the focus");
  await page.keyboard.press("j");
  assert.equal(await me.panel.getByRole("textbox", { name: "Message to the assistant" }).inputValue(), "j", "a letter in a field is a letter");
  await page.keyboard.press("Backspace");

  await page.keyboard.press("Shift+F6");
  await page.keyboard.press("F6");
  assert.equal(await focused(), "Delete Order export (old)", "F6 comes back to what waits");
  await page.keyboard.press("j");
  assert.equal(await focused(), "Change the flow Charge card");
  await page.keyboard.press("ArrowUp");
  assert.equal(await focused(), "Delete Order export (old)");
  await page.waitForTimeout(500);
  await page.keyboard.press("d");
  assert.equal(await focused(), "Change the flow Charge card", "the focus goes on to what waits next");
  await page.waitForTimeout(500);
  await page.keyboard.press("a");
  await page.waitForTimeout(500);
  await page.keyboard.press("a");
  await me.cards(/Then the export stays/);
  await page.keyboard.press("Shift+F6");
  await page.keyboard.press("F6");
  assert.equal(await focused(), "Change Order export (old)");
  await page.waitForTimeout(500);
  await page.keyboard.press("a");
  await me.panel.getByText("3 changes applied, 1 denied").waitFor();

  await page.keyboard.press("Shift+F6");
  await page.keyboard.press("u");
  await me.panel.getByText("3 changes undone, 1 denied").waitFor();
  assert.deepEqual(await me.counts(), SEED);
});

test("anything else gets a friendly answer that says what the embedded assistant knows", async (t) => {
  const me = await open(t);
  await me.ask("What is the meaning of life?");
  await me.panel.getByText(/two requests by heart/).waitFor();
  await me.status("Ready");
  assert.equal(await me.panel.locator(".card").count(), 0);
  assert.equal(await me.panel.getByRole("button", { name: "Undo this turn" }).count(), 0, "a turn that changed nothing has nothing to undo");
});
