// The person's decisions, and a document that does not stand still while they are made.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { clicksAtOnce, closeBrowser, eventually, open } from "./page.mjs";

after(closeBrowser);

test("A9 a document edited while a card waits: the card shows the new names, says what is another, and can still be approved", async (t) => {
  const me = await open(t);
  await me.start("Clean up the old export");
  await me.cards("3 changes waiting");
  await me.rename("Order export (old)", "Nightly export");
  const deletion = me.card("Delete Nightly export");
  await deletion.getByText("Meanwhile you changed Order export (old).").waitFor();
  await deletion.getByText("Name: Order export (old) → Nightly export").waitFor();
  await me.picture("stale-name");
  await me.page.waitForTimeout(500);
  await me.press("Delete Nightly export", "Delete");
  await me.press("Change data flow Charge card", "Approve");
  await me.press("The amount is changed on its way", "Approve");
  await me.panel.getByText("3 changes applied").waitFor();
  assert.equal((await me.counts()).elements, 7);
});

test("C3 an edit after the turn: the turn can no longer be undone as one, the reason is told, the edit is safe", async (t) => {
  const me = await open(t);
  await me.start("Add a cache");
  await me.cards("3 changes waiting");
  await me.approveAll(3);
  await me.cards(/Both parts exist now/);
  await me.approveAll(3);
  await me.panel.getByText("6 changes applied").waitFor();
  await me.rename("Product cache", "Shop cache");
  const undo = me.panel.getByRole("button", { name: "Undo this turn" });
  await eventually(() => undo.getAttribute("aria-disabled"), "true");
  await undo.hover();
  await me.page.getByRole("tooltip").getByText("you edited after it").waitFor();
  await undo.click({ force: true });
  await me.page.keyboard.press("Shift+F6");
  assert.equal(await me.element("Shop cache").count(), 1);

  await me.page.getByRole("button", { name: "Undo", exact: true }).click();
  await me.element("Product cache").waitFor();
  await eventually(() => undo.getAttribute("aria-disabled"), null, "with the edit taken back the turn is on top again");
  await undo.click();
  await eventually(async () => (await me.counts()).elements, 8);
});

test("E4 the exact input is what the card says, and a card that just appeared ignores Enter", async (t) => {
  const me = await open(t);
  await me.start("Clean up the old export");
  await me.panel.getByText("3 changes waiting").waitFor();
  await me.panel.getByRole("button", { name: "Delete: Delete Order export (old)" }).focus();
  await me.page.keyboard.press("Enter");
  await me.page.keyboard.press("a");
  assert.equal(await me.panel.locator(".card[data-waiting]").count(), 3, "nothing is decided by accident");
  await me.page.waitForTimeout(600);
  await me.choose("Delete Order export (old)", "Show the exact input");
  assert.deepEqual(JSON.parse(await me.card("Delete Order export (old)").locator("pre").innerText()), { id: "order-export" });
  await me.panel.getByRole("button", { name: "Delete: Delete Order export (old)" }).focus();
  await me.page.waitForTimeout(600);
  await me.page.keyboard.press("Enter");
  await eventually(() => me.panel.locator(".card[data-waiting]").count(), 2);
});

test("A1 a click that finds another card under the pointer than the person saw decides nothing, however long the page was busy", async (t) => {
  const proposed = async () => {
    const me = await open(t);
    await me.start("Add a cache");
    await me.cards("3 changes waiting");
    return me;
  };
  const deny = (me) => me.panel.getByRole("button", { name: "Deny: Add Product cache" });
  const waiting = (me) => me.panel.locator(".card[data-waiting]").count();
  // where a button comes to lie when the card above it has folded
  const before = await proposed();
  await deny(before).click();
  await eventually(() => waiting(before), 2);
  const moved = await before.middle(before.panel.getByRole("button", { name: "Approve: Add Cache warmer" }));

  for (const busyMs of [0, 1000]) {
    const me = await proposed();
    // after the page has drawn what the first click did, so that the second is heard when the next card has long been drawn
    await me.page.evaluate((busyMs) => document.addEventListener("click", () => {
      const until = performance.now() + busyMs;
      while (performance.now() < until);
    }, { once: true }), busyMs);
    await clicksAtOnce(me.page, [await me.middle(deny(me)), moved, moved]);
    await me.page.waitForTimeout(500);
    assert.equal(await waiting(me), 2, "one decision for one intent");
    await me.page.mouse.click(moved.x, moved.y);
    await eventually(() => waiting(me), 1, "who has seen what is there now decides it");
  }
});

test("A4 what was denied is not asked again in the same turn, and a new message sets waiting cards aside", async (t) => {
  const me = await open(t);
  await me.start("Add a cache");
  await me.cards("3 changes waiting");
  const box = me.panel.getByRole("textbox", { name: "Message to the assistant" });
  await box.fill("Clean up the export instead");
  await me.panel.getByText("Sending sets the waiting changes aside; none of them is applied.").waitFor();
  await box.press("Enter");
  await me.cards("3 changes waiting");
  assert.equal(await me.outcome("Add Product cache"), "Not run: you sent a new message");
  assert.equal(await me.panel.locator(".card[data-waiting]").count(), 3, "only the new turn's cards wait");
  assert.deepEqual(await me.counts(), { elements: 8, flows: 8, boundaries: 2, threats: 3 });
});

test("A11 a card that nobody decides counts down in its last minute alone, then says so and did not run", async (t) => {
  const me = await open(t);
  await me.page.clock.install();
  await me.start("Clean up the old export");
  // under this clock the pauses of the page pass only when it is moved on
  await me.page.clock.runFor(2000);
  await me.panel.getByText("3 changes waiting").waitFor();
  assert.equal(await me.panel.locator(".expiry").count(), 0, "nothing is said while there is time");
  await me.page.clock.runFor(29 * 60_000);
  await me.card("Delete Order export (old)").getByText(/^Expires in \d+ s$/).waitFor();
  await me.picture("last-minute");
  await me.page.clock.runFor(61_000);
  await eventually(() => me.outcome("Delete Order export (old)"), "Not run: nobody decided in time");
  assert.deepEqual(await me.counts(), { elements: 8, flows: 8, boundaries: 2, threats: 3 });
});
