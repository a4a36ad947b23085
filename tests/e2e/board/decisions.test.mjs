// Every decision about the assistant's changes, by mouse and by keyboard, and how turns and the person's own edits
// stand in one history.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, open, ready } from "./board.mjs";

after(closeBrowser);

const WEEK = ["Wrong tax on gift cards", "Write the release notes"];

test("planning: five cards in one message, told by titles; approve all, and one click takes the turn back", async (t) => {
  const me = await open(t);
  await me.start("Plan this week");
  await me.waiting(5);
  assert.match(await me.said(), /5 changes waiting/);
  const shown = await me.said(me.card("Rehearse the release"));
  assert.match(shown, /Added/);
  await me.picture("plan");
  assert.deepEqual(await me.cards("This week"), WEEK, "nothing is applied before approval");
  await me.approveAll(5);
  await me.status("Ready");
  await eventually(async () => (await me.cards("This week")).length, 6);
  assert.match(await me.said(), /5 changes applied/);
  await me.panel.getByRole("button", { name: "Undo this turn" }).click();
  await eventually(() => me.cards("This week"), WEEK);
  await me.redo();
  await eventually(async () => (await me.cards("This week")).length, 6);
});

test("by keyboard alone: F6, J, A and D decide card by card, U takes the turn back", async (t) => {
  const me = await open(t);
  const { keyboard } = me.page;
  await me.face("Faster first page").focus();
  await keyboard.press("F6");
  await eventually(() => me.focus(), "Message to the assistant");
  await keyboard.type("Plan this week");
  await keyboard.press("Enter");
  await me.waiting(5);
  await keyboard.press("F6");
  await eventually(() => me.focus(), "Faster first page");
  await keyboard.press("F6");
  for (const key of ["a", "d", "a", "a", "a"]) {
    await me.page.waitForTimeout(750);
    await keyboard.press(key);
  }
  await me.status("Ready");
  assert.match(await me.said(), /4 changes applied, 1 denied/);
  await eventually(() => me.focus(), "Message to the assistant");
  await keyboard.press("F6");
  await keyboard.press("u");
  await eventually(() => me.cards("This week"), WEEK);
});

test("Enter right after cards appear decides nothing", async (t) => {
  const me = await open(t);
  await me.ask("Delete the last lane");
  await me.panel.locator("countersign-card").waitFor();
  await me.page.keyboard.press("Enter");
  await me.page.keyboard.press("a");
  assert.deepEqual(await me.lanes(), ["Backlog", "This week", "In progress", "Done"]);
  await me.status("Waiting for you");
});

test("a lane is deleted with what hangs on it: the card names the loss; Delete does it, and undo brings all of it back", async (t) => {
  const me = await open(t);
  await me.start("Delete the last lane");
  await me.waiting(1);
  const text = await me.said(me.card("Done"));
  assert.match(text, /Done/);
  assert.match(text, /2 cards/);
  assert.equal(await me.panel.getByRole("button", { name: /Approve all/ }).count(), 0);
  await me.press("Done", /^Delete/);
  await eventually(() => me.lanes(), ["Backlog", "This week", "In progress"]);
  await me.status("Ready");
  await me.panel.getByRole("button", { name: "Undo this turn" }).click();
  await eventually(() => me.cards("Done"), ["Two-factor sign-in", "Move the status page"]);
});

test("denied with a reason, the assistant offers another way; that is approved", async (t) => {
  const me = await open(t);
  await me.start("Delete the last lane");
  await me.waiting(1);
  await me.card("Done").getByRole("button", { name: /More choices/ }).click();
  await me.panel.getByRole("menuitem", { name: "Deny with a reason" }).click();
  await me.page.keyboard.type("We look back at it");
  await me.card("Done").getByRole("button", { name: /^Deny/ }).last().click();
  await me.panel.getByText("Denied by you: We look back at it").first().waitFor();
  await me.waiting(1);
  await me.press("Archive", /^Approve/);
  await eventually(() => me.lanes(), ["Backlog", "This week", "In progress", "Archive"]);
});

test("an edited change does what the person wrote, and says so", async (t) => {
  const me = await open(t);
  await me.start("Plan this week");
  await me.waiting(5);
  await me.card("Rehearse the release").getByRole("button", { name: /More choices/ }).click();
  await me.panel.getByRole("menuitem", { name: "Edit", exact: true }).click();
  const field = me.panel.getByLabel(/^Title/).first();
  await field.fill("Rehearse it twice");
  await me.page.waitForTimeout(800);
  await me.panel.getByRole("button", { name: /Approve this version/ }).click();
  await me.page.waitForTimeout(800);
  await me.approveAll(5);
  await me.status("Ready");
  await eventually(async () => (await me.cards("This week")).includes("Rehearse it twice"), true);
});

test("a mistake of the assistant is refused by the schema and corrected, before anybody is asked", async (t) => {
  const me = await open(t);
  await me.start("Split the largest card");
  await me.waiting(1);
  assert.match(await me.said(), /An estimate has to be a number/);
  await me.press("Rework the onboarding", /^Approve/);
  await eventually(async () => (await me.cards("Backlog")).filter((title) => title.startsWith("Rework the onboarding")), ["Rework the onboarding: design", "Rework the onboarding: build"]);
});

test("what reaches outside says so, is sent once, and cannot be taken back", async (t) => {
  const me = await open(t);
  await me.start("Hand over the fullest plate");
  await me.waiting(3);
  await me.approveAll(3);
  await me.waiting(1);
  const text = await me.said(me.card("message"));
  assert.match(text, /cannot be undone/);
  assert.equal(await me.page.locator(".toast").count(), 0);
  await me.press("message", /^Approve/);
  await me.page.locator(".toast").getByText(/Sent to /).waitFor();
  await me.status("Ready");
  assert.match(await me.said(), /the message is out/);
});

test("the person's edits and turns are one history: each is its own step, in the order they were made", async (t) => {
  const me = await open(t);
  await me.choose("Faster first page", "Move to Done");
  await me.start("Split the largest card");
  await me.waiting(1);
  await me.press("Rework the onboarding", /^Approve/);
  await me.status("Ready");
  await me.choose("Search finds archived orders", "Move to Done");
  const undo = me.panel.getByRole("button", { name: "Undo this turn" });
  assert.equal(await undo.getAttribute("aria-disabled"), "true", "an edit after the turn stands before it");
  const large = async () => (await me.cards("Backlog")).filter((title) => title.startsWith("Rework"));
  await me.undo();
  await eventually(() => me.cards("In progress"), ["Import customers from CSV", "Search finds archived orders"]);
  await me.undo();
  await eventually(large, ["Rework the onboarding"]);
  await me.undo();
  await eventually(() => me.cards("Done"), ["Two-factor sign-in", "Move the status page"]);
  await me.redo();
  await me.redo();
  await eventually(large, ["Rework the onboarding: design", "Rework the onboarding: build"]);
  await me.redo();
  await eventually(() => me.cards("Done"), ["Two-factor sign-in", "Move the status page", "Faster first page", "Search finds archived orders"]);
});

test("an edit during review: what does the same still waits as it was, what would do something else says what changed (a9)", async (t) => {
  const me = await open(t);
  await me.start("Split the largest card");
  await me.waiting(1);
  await me.face("Faster first page").click();
  await me.field("Notes").fill("Measured twice.");
  await me.field("Notes").blur();
  await me.page.waitForTimeout(200);
  assert.doesNotMatch(await me.said(), /meanwhile/i, "an edit elsewhere is nothing to this card");
  await me.page.keyboard.press("Escape");
  await me.face("Rework the onboarding").click();
  await me.field("Assignee").selectOption("Dara Lind");
  await me.panel.getByText(/Changed meanwhile/).waitFor();
  await me.picture("stale");
  await me.page.waitForTimeout(800);
  await me.press("Rework the onboarding", /^Approve/);
  await me.status("Ready");
  await eventually(async () => (await me.cards("Backlog")).filter((title) => title.startsWith("Rework the onboarding")).length, 2);
});

test("an edit elsewhere between two approvals takes nothing back: what was approved does the same, and is done (a9)", async (t) => {
  const me = await open(t);
  await me.start("Plan this week");
  await me.waiting(5);
  await me.press("Move Dark theme", /^Approve/);
  await me.choose("Two-factor sign-in", "Move down");
  await me.panel.getByText("4 changes waiting").waitFor();
  await me.page.waitForTimeout(800);
  await me.approveAll(4);
  await me.status("Ready");
  assert.match(await me.said(), /5 changes applied/);
  await eventually(() => me.cards("Done"), ["Move the status page", "Two-factor sign-in"]);
  assert.equal((await me.cards("This week")).length, 6);
});

test("what comes after a denied change is told anew, and is done as it is told then (c5)", async (t) => {
  const me = await open(t);
  await me.start("Plan this week");
  await me.waiting(5);
  await me.press("Move Export invoices", /^Deny/);
  await me.press("Rehearse the release", /^Deny/);
  await me.card("Look back at the week").hover();
  await eventually(() => me.lane("This week").locator(".coming .title").allInnerTexts(), ["Look back at the week"]);
  await me.page.waitForTimeout(800);
  await me.approveAll(3);
  await me.status("Ready");
  assert.match(await me.said(), /3 changes applied, 2 denied/);
  assert.deepEqual((await me.cards("This week")).slice(2), ["Dark theme for the settings page", "Look back at the week"]);
  assert.equal(await me.tile("Export invoices as PDF").locator(".person").count(), 1, "assigned where it stands");
});

test("a reload in the middle of a review shows the same cards, and they are approved as before", async (t) => {
  const me = await open(t);
  await me.start("Plan this week");
  await me.waiting(5);
  const cards = async () => Promise.all((await me.panel.locator("countersign-card").all()).map((card) => me.said(card)));
  const before = await cards();
  await me.page.reload();
  await ready(me.page);
  await me.waiting(5);
  assert.match(before.join(), /Rehearse the release/);
  assert.deepEqual(await cards(), before);
  await me.approveAll(5);
  await me.status("Ready");
  await eventually(async () => (await me.cards("This week")).length, 6);
});

test("Stop answers at once, and a new conversation begins empty", async (t) => {
  const me = await open(t, { pause: 400 });
  await me.start("Plan this week");
  await me.status("Writing");
  await me.panel.getByRole("button", { name: "Stop" }).click();
  await me.status("Stopped");
  await me.panel.getByRole("button", { name: "New conversation" }).click();
  await me.panel.locator(".suggestion").first().waitFor();
  await me.status("Ready");
});

test("a text on the board that gives orders gets as far as a card, and no further", async (t) => {
  const me = await open(t);
  await me.start("What does the audit card ask for?");
  await me.waiting(1);
  assert.deepEqual(await me.lanes(), ["Backlog", "This week", "In progress", "Done"]);
  const text = await me.said(me.card("In progress"));
  assert.match(text, /3 cards/);
  await me.press("In progress", /^Deny/);
  await me.status("Ready");
  assert.match(await me.said(), /did not come from you/);
  assert.deepEqual(await me.lanes(), ["Backlog", "This week", "In progress", "Done"]);
});

test("markup and tricks in titles are text, on the board and on cards", async (t) => {
  const me = await open(t);
  const title = "<img src=x onerror=alert(1)> \u202Egnp.exe";
  await me.lane("Backlog").getByRole("button", { name: "Add a card" }).click();
  await me.page.keyboard.insertText(title);
  await me.page.keyboard.press("Enter");
  await me.page.keyboard.press("Escape");
  assert.equal(await me.page.locator("main img").count(), 0);
  assert.equal(await me.lane("Backlog").locator("[data-card]").last().locator(".title").innerText(), title);
  await me.lane("Backlog").locator("[data-card]").last().locator(".card-face").click();
  await me.field("Estimate in days").fill("99");
  await me.field("Estimate in days").blur();
  await me.start("Split the largest card");
  await me.waiting(1);
  const shown = await me.said(me.panel.locator("countersign-card").last());
  assert.match(shown, /<img src=x/);
  assert.match(shown, /\\u\{202e\}/i, "what turns a text around is seen");
});
