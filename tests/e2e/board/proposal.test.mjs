// What a proposed change would do is drawn on the board while its card is looked at: by hover and by focus.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, open } from "./board.mjs";

after(closeBrowser);

test("a card that would move is marked where it stands and drawn where it would come; leaving takes the marks away", async (t) => {
  const me = await open(t);
  await me.start("Plan this week");
  await me.waiting(5);
  await me.card("Move Dark theme").hover();
  const moving = me.tile("Dark theme for the settings page");
  await moving.getByText("Would move to This week").waitFor();
  await me.lane("This week").locator(".coming").getByText("Would move here").waitFor();
  await me.picture("diff-move");
  await me.page.mouse.move(700, 850);
  await eventually(() => me.page.locator(".coming, .leaving").count(), 0);
  assert.deepEqual(await me.cards("This week"), ["Wrong tax on gift cards", "Write the release notes"]);
});

test("a new card is drawn in outline at its place, by focus, also behind those that come before it in the message", async (t) => {
  const me = await open(t);
  await me.ask("Plan this week");
  await me.waiting(5);
  await me.page.keyboard.press("F6");
  await me.page.keyboard.press("F6");
  const drawn = () => me.lane("This week").locator(".coming .title").allInnerTexts();
  for (let step = 0; step < 3; step += 1) await me.page.keyboard.press("ArrowDown");
  await eventually(drawn, ["Rehearse the release"]);
  await me.page.keyboard.press("ArrowDown");
  await eventually(drawn, ["Look back at the week"]);
  await me.picture("diff-add");
  assert.equal(await me.lane("This week").locator(".coming-note").innerText(), "New");
});

test("what would go is struck, lane and cards; what it blocked is marked with before and after", async (t) => {
  const me = await open(t);
  await me.choose("Import customers from CSV", "Move to Done");
  await me.start("Delete the last lane");
  await me.waiting(1);
  await me.card("Done").hover();
  await me.lane("Done").locator(".lane-mark").getByText("Would be deleted").waitFor();
  assert.equal(await me.lane("Done").locator(".card.removed").count(), 3);
  await me.tile("Retire the old importer").locator("del", { hasText: "Import customers from CSV" }).waitFor();
  await me.picture("diff-delete");
});

test("a changed field is drawn as before and after, by names; a renamed lane too", async (t) => {
  const me = await open(t);
  await me.start("Hand over the fullest plate");
  await me.waiting(3);
  await me.card("Import customers").hover();
  const tile = me.tile("Import customers from CSV");
  await tile.locator("del").getByText("Ben Okafor").waitFor();
  await me.picture("diff-change");
  await me.panel.getByRole("button", { name: "Stop" }).click();
  await me.status("Stopped");
  await me.start("Delete the last lane");
  await me.waiting(1);
  await me.press("Done", /^Deny/);
  await me.waiting(1);
  await me.card("Archive").hover();
  await me.lane("Done").locator("h2 ins").getByText("Archive").waitFor();
});

test("the marks follow the board: an edit while a card is looked at draws it anew, a decision takes it away", async (t) => {
  const me = await open(t);
  await me.ask("Split the largest card");
  await me.waiting(1);
  await me.page.keyboard.press("F6");
  await me.page.keyboard.press("F6");
  await me.lane("Backlog").locator(".coming").waitFor();
  await me.page.evaluate(() => document.querySelector("countersign-transcript").focusNext());
  await me.page.keyboard.press("Control+z");
  await me.lane("Backlog").locator(".coming").waitFor();
  await me.page.waitForTimeout(700);
  await me.page.keyboard.press("a");
  await eventually(async () => (await me.cards("Backlog")).filter((title) => title.startsWith("Rework")).length, 2);
  await eventually(() => me.page.locator(".coming").count(), 0);
});
