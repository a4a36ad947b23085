// Two tabs over one board: each has its own conversation, the board is one.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, open } from "./board.mjs";

after(closeBrowser);

test("an edit in one tab is an edit in the other, and undo there takes it back in both", async (t) => {
  const me = await open(t);
  const other = await me.open();
  await me.choose("Faster first page", "Move to Done");
  await eventually(() => other.cards("Done"), ["Two-factor sign-in", "Move the status page", "Faster first page"]);
  await other.page.locator(".toast").getByText(/Another tab: Move “Faster first page” to Done/).waitFor();
  await other.undo();
  await eventually(() => me.cards("Done"), ["Two-factor sign-in", "Move the status page"]);
  await me.undo();
  await eventually(() => other.cards("Done"), ["Two-factor sign-in", "Move the status page", "Faster first page"]);
});

test("a card that waits in one tab goes stale when another tab changes what it is about (a9)", async (t) => {
  const me = await open(t);
  const other = await me.open();
  await me.start("Split the largest card");
  await me.waiting(1);
  assert.equal(await other.panel.locator("countersign-card").count(), 0, "the conversation is this tab's own");
  await other.face("Rework the onboarding").click();
  await other.field("Assignee").selectOption("Ada Moreau");
  await me.panel.getByText(/Changed meanwhile/).waitFor();
  await me.page.waitForTimeout(800);
  await me.press("Rework the onboarding", /^Approve/);
  await eventually(async () => (await other.cards("Backlog")).filter((title) => title.startsWith("Rework")).length, 2);
});

test("tabs that change it at the same moment end with the same board, and a new tab finds that one", async (t) => {
  const me = await open(t);
  const other = await me.open();
  const board = async (tab) => JSON.stringify(await Promise.all(["Backlog", "This week", "In progress", "Done"].map((lane) => tab.cards(lane))));
  for (const [mine, theirs] of [["Faster first page", "Export invoices as PDF"], ["Two-factor sign-in", "Write the release notes"], ["Retire the old importer", "Wrong tax on gift cards"]]) {
    const before = await board(me);
    await me.face(mine).focus();
    await other.face(theirs).focus();
    await Promise.all([me.page.keyboard.press("Delete"), other.page.keyboard.press("Delete")]);
    await eventually(async () => (await board(me)) !== before && (await board(me)) === (await board(other)), true);
    await me.page.waitForTimeout(100);
    assert.equal(await board(me), await board(other), "nothing is still on its way");
    const third = await me.open();
    assert.equal(await board(third), await board(me));
    await third.page.close();
    // what was taken over in place of an own edit may have brought the card back
    for (const title of [mine, theirs]) if ((await me.tile(title).count()) > 0) await me.choose(title, "Delete");
    await eventually(async () => (await board(me)) === (await board(other)), true);
  }
});
