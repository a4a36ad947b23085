// What a person does on the board themselves, by mouse and by keyboard alone; every edit is one step.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, open, ready } from "./board.mjs";

after(closeBrowser);

const BACKLOG = ["Export invoices as PDF", "Dark theme for the settings page", "Rework the onboarding", "Retire the old importer", "Answer the audit questions"];
const WEEK = ["Wrong tax on gift cards", "Write the release notes"];

test("a card is dragged to a place in another lane, and to another place in its own; each is one step", async (t) => {
  const me = await open(t);
  await me.drag("Rework the onboarding", { above: "Write the release notes" });
  await eventually(() => me.cards("This week"), [WEEK[0], "Rework the onboarding", WEEK[1]]);
  assert.deepEqual(await me.cards("Backlog"), BACKLOG.filter((title) => title !== "Rework the onboarding"));
  await me.drag("Write the release notes", { above: "Wrong tax on gift cards" });
  await eventually(() => me.cards("This week"), [WEEK[1], WEEK[0], "Rework the onboarding"]);
  await me.undo();
  await me.undo();
  await eventually(() => me.cards("This week"), WEEK);
  assert.deepEqual(await me.cards("Backlog"), BACKLOG);
  await me.redo();
  await eventually(() => me.cards("This week"), [WEEK[0], "Rework the onboarding", WEEK[1]]);
});

test("a drag that Escape ends, or that never moved, changes nothing; a click opens the card", async (t) => {
  const me = await open(t);
  const from = await me.face("Faster first page").boundingBox();
  await me.page.mouse.move(from.x + 20, from.y + 12);
  await me.page.mouse.down();
  await me.page.mouse.move(from.x - 300, from.y + 20, { steps: 5 });
  await me.page.keyboard.press("Escape");
  await me.page.mouse.up();
  assert.equal(await me.page.getByRole("button", { name: "Undo", exact: true }).getAttribute("aria-disabled"), "true");
  assert.ok((await me.cards("In progress")).includes("Faster first page"));
  await me.face("Faster first page").click();
  assert.equal(await me.field("Title").inputValue(), "Faster first page");
});

test("by keyboard alone a card is picked up, carried, dropped and put back, and each place is said", async (t) => {
  const me = await open(t);
  const heard = await me.hear();
  const { keyboard } = me.page;
  await me.face("Rework the onboarding").focus();
  await keyboard.press("Space");
  await eventually(async () => (await heard()).at(-1), "Rework the onboarding, picked up. Lane Backlog, place 3 of 5. Arrows move it, Space drops it, Escape puts it back.");
  await keyboard.press("ArrowRight");
  await eventually(async () => (await heard()).at(-1), "Lane This week, place 3 of 3");
  await keyboard.press("ArrowUp");
  await eventually(async () => (await heard()).at(-1), "Lane This week, place 2 of 3");
  assert.equal(await me.focus(), "Rework the onboarding", "the focus goes along");
  await keyboard.press("Space");
  await eventually(() => me.cards("This week"), [WEEK[0], "Rework the onboarding", WEEK[1]]);
  assert.equal(await me.focus(), "Rework the onboarding");
  await keyboard.press("Space");
  await keyboard.press("ArrowRight");
  await keyboard.press("Escape");
  await eventually(() => me.cards("This week"), [WEEK[0], "Rework the onboarding", WEEK[1]]);
  assert.equal(await me.focus(), "Rework the onboarding");
  await keyboard.press("Control+z");
  await eventually(() => me.cards("Backlog"), BACKLOG);
});

test("arrows go from card to card, Enter opens one, Escape comes back, Delete deletes, N adds", async (t) => {
  const me = await open(t);
  const { keyboard } = me.page;
  await me.face("Export invoices as PDF").focus();
  await keyboard.press("ArrowDown");
  assert.equal(await me.focus(), "Dark theme for the settings page");
  await keyboard.press("ArrowRight");
  assert.equal(await me.focus(), "Write the release notes");
  await keyboard.press("Enter");
  await me.field("Title").waitFor();
  assert.equal(await me.focus(), "Title");
  await keyboard.press("Escape");
  await eventually(() => me.focus(), "Write the release notes");
  await keyboard.press("Delete");
  await eventually(() => me.cards("This week"), [WEEK[0]]);
  await eventually(() => me.focus(), "Wrong tax on gift cards");
  await keyboard.press("n");
  await eventually(() => me.focus(), "Title of the new card");
  await keyboard.type("Order cake");
  await keyboard.press("Enter");
  await keyboard.type("Eat cake");
  await keyboard.press("Enter");
  await keyboard.press("Escape");
  await eventually(() => me.cards("This week"), [WEEK[0], "Order cake", "Eat cake"]);
  assert.equal(await me.focus(), "Add a card");
});

test("the menu moves a card by choice, up and down", async (t) => {
  const me = await open(t);
  await me.choose("Write the release notes", "Move to Done");
  await eventually(() => me.cards("Done"), ["Two-factor sign-in", "Move the status page", "Write the release notes"]);
  await me.choose("Write the release notes", "Move up");
  await eventually(() => me.cards("Done"), ["Two-factor sign-in", "Write the release notes", "Move the status page"]);
  await me.choose("Two-factor sign-in", "Move down");
  await eventually(() => me.cards("Done"), ["Write the release notes", "Two-factor sign-in", "Move the status page"]);
  assert.equal(await me.focus(), "Two-factor sign-in");
});

test("lanes are added, named, moved and deleted with their cards", async (t) => {
  const me = await open(t);
  await me.page.getByRole("button", { name: "Add a lane" }).click();
  await me.page.keyboard.type("Review");
  await me.page.keyboard.press("Enter");
  await eventually(() => me.lanes(), ["Backlog", "This week", "In progress", "Done", "Review"]);
  await me.chooseLane("Review", "Move left");
  await eventually(() => me.lanes(), ["Backlog", "This week", "In progress", "Review", "Done"]);
  await me.chooseLane("Review", "Delete");
  await me.chooseLane("In progress", "Delete with its cards");
  await eventually(() => me.lanes(), ["Backlog", "This week", "Done"]);
  assert.equal(await me.tile("Write the release notes").locator(".blocked").count(), 0, "nothing is blocked by a card that is gone");
  await me.page.locator(".toast").getByRole("button", { name: "Undo" }).click();
  await eventually(() => me.lanes(), ["Backlog", "This week", "In progress", "Done"]);
  assert.equal(await me.tile("Write the release notes").locator(".blocked").count(), 1);
});

test("every field of a card is edited, one step each", async (t) => {
  const me = await open(t);
  await me.face("Export invoices as PDF").click();
  await me.field("Title").fill("Export invoices");
  await me.page.keyboard.press("Enter");
  await me.field("Lane").selectOption("In progress");
  await me.field("Assignee").selectOption("Chiyo Tanaka");
  await me.field("Priority").selectOption("High");
  await me.field("Estimate in days").fill("2.5");
  await me.field("Due").fill("2027-02-01");
  await me.page.getByRole("region", { name: "Card", exact: true }).getByText("Docs").click();
  await me.field("Add a card that blocks this one").selectOption("Faster first page");
  await me.field("Notes").fill("As before.");
  await me.field("Notes").blur();
  const kept = () => me.page.evaluate(() => JSON.parse(localStorage.getItem("countersign-board")).document.cards.find((card) => card.id === "card-1"));
  const edited = { id: "card-1", title: "Export invoices", lane: "lane-3", labels: ["label-3", "label-4"], estimate: 2.5, priority: "high", notes: "As before.", assignee: "person-3", due: "2027-02-01", blockedBy: ["card-10"] };
  await eventually(kept, edited);
  for (let step = 0; step < 9; step += 1) await me.undo();
  await eventually(() => me.cards("Backlog"), BACKLOG);
  assert.equal(await me.page.getByRole("button", { name: "Undo", exact: true }).getAttribute("aria-disabled"), "true");
  for (let step = 0; step < 9; step += 1) await me.redo();
  await eventually(kept, edited);
});

test("a card that would wait for itself is not offered as one that blocks", async (t) => {
  const me = await open(t);
  await me.face("Import customers from CSV").click();
  const offered = await me.field("Add a card that blocks this one").locator("option").allInnerTexts();
  assert.ok(!offered.includes("Retire the old importer") && !offered.includes("Write the release notes") && !offered.includes("Import customers from CSV"), offered.join());
  assert.ok(offered.includes("Faster first page"));
});

test("cards are filtered by person and by label; a card is moved and added among those that are shown", async (t) => {
  const me = await open(t);
  await me.page.getByLabel("Person", { exact: true }).selectOption("Ben Okafor");
  await eventually(() => me.cards("In progress"), ["Import customers from CSV", "Search finds archived orders"]);
  assert.deepEqual(await me.cards("Backlog"), ["Retire the old importer"]);
  await me.drag("Search finds archived orders", { above: "Import customers from CSV" });
  await eventually(() => me.cards("In progress"), ["Search finds archived orders", "Import customers from CSV"]);
  await me.lane("Done").getByRole("button", { name: "Add a card" }).click();
  await me.page.keyboard.type("Ben's own");
  await me.page.keyboard.press("Enter");
  await eventually(() => me.cards("Done"), ["Ben's own"]);
  await me.page.getByLabel("Label", { exact: true }).selectOption("Bug");
  await eventually(() => me.cards("In progress"), ["Search finds archived orders"]);
  await me.page.getByRole("button", { name: "Show all" }).click();
  await eventually(() => me.cards("In progress"), ["Search finds archived orders", "Import customers from CSV", "Faster first page"]);
});

test("the board is kept: a reload finds it as it was left", async (t) => {
  const me = await open(t);
  await me.choose("Faster first page", "Move to Done");
  await me.page.reload();
  await eventually(() => me.cards("Done"), ["Two-factor sign-in", "Move the status page", "Faster first page"]);
  await me.page.getByRole("button", { name: "More for the board" }).click();
  await me.page.getByRole("menuitem", { name: "Start over" }).click();
  await eventually(() => me.cards("Done"), ["Two-factor sign-in", "Move the status page"]);
});

test("what cannot be read of an earlier visit is not used: the first board, and a new conversation", async (t) => {
  const me = await open(t);
  await me.choose("Faster first page", "Move to Done");
  await me.page.addInitScript(() => {
    localStorage.setItem("countersign-board", JSON.stringify({ count: 7, tab: "x", label: "", document: { title: "Broken", lanes: [], people: [], labels: [], cards: [{ id: "card-1", title: "No lane", lane: "lane-9" }] } }));
    sessionStorage.setItem("countersign-board.conversation", "{}");
  });
  await me.page.reload();
  await ready(me.page);
  assert.deepEqual(await me.cards("Backlog"), BACKLOG);
  await me.ask("Who has how much to do?");
  await me.panel.getByText(/Ben Okafor has the most/).waitFor();
});

test("a card that is open and goes is closed, and the focus stays on the board", async (t) => {
  const me = await open(t);
  await me.lane("Done").getByRole("button", { name: "Add a card" }).click();
  await me.page.keyboard.type("Here today");
  await me.page.keyboard.press("Enter");
  await me.page.keyboard.press("Escape");
  await me.face("Here today").click();
  await me.field("Notes").focus();
  await me.page.evaluate(() => [...document.querySelectorAll("button")].find((button) => button.ariaLabel === "Undo").click());
  await me.page.getByRole("region", { name: "Card", exact: true }).waitFor({ state: "detached" });
  await eventually(() => me.focus(), "Export invoices as PDF");
});

test("nothing is asked of a network beyond the page's own files", async (t) => {
  const me = await open(t);
  await me.ask("Who has how much to do?");
  await me.status("Ready");
  assert.deepEqual(me.requests.filter((url) => !url.startsWith(`${me.url}board/`)), []);
});
