// The six stories of the embedded assistant, as a person goes through them: by mouse, and by keyboard alone.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, open } from "./page.mjs";

after(closeBrowser);

const SEED = { elements: 8, flows: 8, boundaries: 2, threats: 3 };
const CACHED = { elements: 10, flows: 11, boundaries: 2, threats: 4 };

/** Hands that never touch the mouse. */
function keys(me) {
  const { page } = me;
  const focused = () => page.evaluate(() => document.activeElement?.closest(".card")?.getAttribute("aria-label") ?? document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);
  return {
    focused,
    /** Writes a message in the panel. */
    async ask(text) {
      await page.keyboard.press("F6");
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
    },
    /** Goes out of the panel and back: to what waits, where something does. */
    async back() {
      await page.keyboard.press("Shift+F6");
      await page.keyboard.press("F6");
    },
    /** Presses a key once a card has had the focus for a moment. */
    async press(key) {
      await page.waitForTimeout(500);
      await page.keyboard.press(key);
    },
  };
}

test("the empty panel offers six requests, each said in its own words", async (t) => {
  const me = await open(t);
  assert.equal(await me.panel.locator(".suggestion").count(), 6);
  await me.start("What is unprotected?");
  await me.status("Ready");
  assert.match(await me.panel.locator(".asked").innerText(), /What is unprotected here, and what is at stake\?/);
  assert.equal(await me.panel.locator(".suggestion").count(), 0);
  await me.panel.getByRole("button", { name: "Examples" }).click();
  assert.equal(await me.page.getByRole("menuitem").count(), 6, "later they are in a menu beside the composer");
});

test("C3 additions approved together are one undo step, undone with one click and brought back with one", async (t) => {
  const me = await open(t);
  assert.deepEqual(await me.counts(), SEED);
  await me.picture("story-1-a-start");
  await me.start("Add a cache");
  await me.cards("3 changes waiting");
  await me.status("Waiting for you");
  await me.panel.getByText("Looked at 2 things").waitFor();
  assert.deepEqual(await me.counts(), SEED, "nothing changes before it is approved");
  assert.match(await me.card("Product cache").innerText(), /Add Product cache/);
  await me.card("Product cache").hover();
  await me.page.locator(".ghost", { hasText: "Product cache" }).waitFor();
  await me.picture("story-1-b-cards");

  await me.approveAll(3);
  await me.cards(/Both parts exist now/);
  await me.cards("3 changes waiting");
  assert.equal((await me.counts()).elements, 10, "the first round is in the document");
  // the second round names what the first made: the assistant read the new ids in the results
  assert.match(await me.panel.innerText(), /Connect Shop API to Product cache/);
  assert.match(await me.panel.innerText(), /Connect Cache warmer to Product cache/);
  await me.approveAll(3);

  await me.panel.getByText("6 changes applied").waitFor();
  await me.status("Ready");
  assert.deepEqual(await me.counts(), CACHED);
  assert.match(await me.panel.innerText(), /The cache stands beside “Product database” and is connected/);
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

test("story 1 by keyboard alone: a suggestion, approving all, undoing the turn", async (t) => {
  const me = await open(t);
  const hands = keys(me);
  await me.page.keyboard.press("F6");
  for (let step = 0; step < 20 && !/^Add a cache/.test((await hands.focused()) ?? ""); step += 1) await me.page.keyboard.press("Shift+Tab");
  await me.page.keyboard.press("Enter");
  await me.cards("3 changes waiting");
  await hands.back();
  assert.equal(await hands.focused(), "Add Product cache");
  await me.page.keyboard.press("Shift+Tab");
  assert.equal(await hands.focused(), "Approve all 3");
  await me.page.keyboard.press("Enter");
  await me.cards(/Both parts exist now/);
  await hands.back();
  assert.equal(await hands.focused(), "Connect Shop API to Product cache");
  for (let card = 0; card < 3; card += 1) await hands.press("a");
  await me.panel.getByText("6 changes applied").waitFor();
  assert.deepEqual(await me.counts(), CACHED);
  await me.page.keyboard.press("Shift+F6");
  await me.page.keyboard.press("u");
  await eventually(me.counts, SEED);
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

  await me.approveAll(2);
  await eventually(async () => (await me.panel.locator(".card[data-waiting]").count()), 1, "the batch does not reach the deletion");
  assert.deepEqual(await me.counts(), SEED);

  await me.choose("Delete Order export (old)", "Deny with a reason");
  await me.page.keyboard.type("finance needs it until March");
  await me.page.keyboard.press("Enter");
  await me.cards(/finance needs it until March.*\. Then the export stays/s);
  assert.equal(await me.outcome("Delete Order export (old)"), "Denied by you: finance needs it until March");
  assert.equal(await me.outcome("Change data flow Charge card"), "Applied");
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
  await me.press("Change data flow Charge card", "Deny");
  await me.press("The amount is changed on its way", "Deny");
  await me.cards(/plain HTTPS would already protect/);
  assert.deepEqual(await me.counts(), { elements: 7, flows: 6, boundaries: 2, threats: 2 });
  await me.press("Change data flow Charge card", "Deny");
  await me.panel.getByText("1 change applied, 3 denied").waitFor();
  await me.panel.getByRole("button", { name: "Undo this turn" }).click();
  await eventually(me.counts, SEED);
});

test("story 2 by keyboard alone, with the focus where the work is", async (t) => {
  const me = await open(t);
  const { page } = me;
  const { ask, back, focused, press } = keys(me);
  await ask("please clean up the export, and a note: a d j u are letters here");
  await me.cards("3 changes waiting");

  assert.equal(await focused(), "Message to the assistant", "new cards do not take the focus");
  await page.keyboard.press("j");
  assert.equal(await me.panel.getByRole("textbox", { name: "Message to the assistant" }).inputValue(), "j", "a letter in a field is a letter");
  await page.keyboard.press("Backspace");

  await back();
  assert.equal(await focused(), "Delete Order export (old)", "F6 comes back to what waits");
  await page.keyboard.press("j");
  assert.equal(await focused(), "Change data flow Charge card");
  await page.keyboard.press("ArrowUp");
  assert.equal(await focused(), "Delete Order export (old)");
  await press("d");
  assert.equal(await focused(), "Change data flow Charge card", "the focus goes on to what waits next");
  await press("a");
  await press("a");
  await me.cards(/Then the export stays/);
  await back();
  assert.equal(await focused(), "Change Order export (old)");
  await press("a");
  await me.panel.getByText("3 changes applied, 1 denied").waitFor();

  await page.keyboard.press("Shift+F6");
  await page.keyboard.press("u");
  await me.panel.getByText("3 changes undone, 1 denied").waitFor();
  assert.deepEqual(await me.counts(), SEED);
});

test("story 3: an unknown id, a wrong argument and an invented tool are answered with errors and put right", async (t) => {
  const me = await open(t);
  await me.start("See mistakes corrected");
  const wrong = me.card("Change the-payment-provider");
  await wrong.getByText(/^This would not work: there is no element the-payment-provider now/).waitFor();
  await me.page.waitForTimeout(500);
  await me.press("the-payment-provider", "Approve");
  await me.cards("3 changes waiting");
  assert.equal(await me.outcome("the-payment-provider"), "Failed: there is no element the-payment-provider now");
  const told = await me.panel.innerText();
  assert.match(told, /connect_elements[^]*Failed: the assistant asked for something that does not exist/);
  assert.match(told, /add_threat[^]*Failed: what the assistant wrote could not be used/);
  assert.match(told, /None of the three could be done, and nothing was changed/);
  await me.panel.getByText("Looked at 2 things").waitFor();
  assert.deepEqual(await me.counts(), SEED, "a mistake changes nothing");
  await me.picture("story-3-a-put-right");

  assert.equal(await me.panel.locator(".card[data-waiting]").count(), 3, "only what was put right asks");
  await me.approveAll(3);
  await me.panel.getByText("3 changes applied, 3 failed").waitFor();
  assert.deepEqual(await me.counts(), { elements: 8, flows: 9, boundaries: 2, threats: 4 });
  assert.equal(await me.outcome("Connect Payment provider to Checkout"), "Applied");
  await me.card("connect_elements").locator(".card-line").click();
  assert.match(await me.card("connect_elements").locator("pre").last().innerText(), /connect_elements/, "what the assistant was told can be read");
  await me.picture("story-3-b-done");
  await me.panel.getByRole("button", { name: "Undo this turn" }).click();
  await eventually(me.counts, SEED);
});

test("story 3 by keyboard alone: what failed is read, what was put right is decided one by one", async (t) => {
  const me = await open(t);
  const hands = keys(me);
  await hands.ask("make a few mistakes");
  await me.panel.getByText(/^This would not work:/).waitFor();
  await hands.back();
  await hands.press("d");
  await me.cards("3 changes waiting");
  await hands.back();
  assert.equal(await hands.focused(), "Change Payment provider");
  await hands.press("a");
  await hands.press("d");
  await hands.press("a");
  await me.panel.getByText("2 changes applied, 2 denied, 2 failed").waitFor();
  const failed = me.card("connect_elements").getByRole("button");
  await failed.focus();
  await me.page.keyboard.press("Enter");
  assert.equal(await failed.getAttribute("aria-expanded"), "true");
  await me.page.keyboard.press("u");
  await eventually(me.counts, SEED);
});

test("T8 story 4: a long answer stopped halfway keeps what had arrived, marked as stopped", async (t) => {
  const me = await open(t, { delayMs: 4 });
  await me.start("Explain everything");
  await me.panel.getByText(/The model has 8 elements/).waitFor();
  await me.panel.getByRole("button", { name: "Stop" }).click();
  await me.status("Stopped");
  const last = me.panel.locator(".said").last();
  const said = await last.innerText();
  assert.doesNotMatch(said, /That is all of it/);
  assert.equal(await last.getAttribute("data-cut"), "", "the text is marked where it ends");
  await me.panel.getByText("Stopped by you. What had arrived stays.").waitFor();
  await me.picture("story-4-stopped");
  await me.page.waitForTimeout(400);
  assert.equal(await last.innerText(), said, "nothing of the stopped answer arrives later");
  await me.start("What is unprotected?");
  await me.panel.getByText(/3 of 8 data flows are not authenticated/).waitFor();
});

test("story 4 by keyboard alone, and to its end where nobody stops it", async (t) => {
  const me = await open(t, { delayMs: 4 });
  const hands = keys(me);
  await hands.ask("explain everything");
  await me.panel.getByText(/The model has 8 elements/).waitFor();
  await me.page.keyboard.press("Tab");
  assert.equal(await hands.focused(), "Stop");
  await me.page.keyboard.press("Enter");
  await me.status("Stopped");
  assert.equal(await hands.focused(), "Message to the assistant", "the focus goes back to where the person writes");
  await me.page.keyboard.type("explain everything");
  await me.page.keyboard.press("Enter");
  await me.panel.getByText(/That is all of it\./).waitFor();
  await me.status("Ready");
  assert.equal(await me.panel.locator(".said[data-cut]").count(), 1, "only the first answer was cut");
});

for (const by of ["mouse", "keyboard"]) {
  test(`L3 story 5 by ${by}: a turn at its bound ends with a neutral notice, and what was applied can be undone`, async (t) => {
    const me = await open(t);
    const hands = keys(me);
    if (by === "mouse") await me.start("Review without end");
    else await hands.ask("review all of it, again and again");
    await me.panel.getByText(/A first finding/).waitFor();
    await me.status("Waiting for you");
    await me.page.waitForTimeout(500);
    if (by === "mouse") await me.press("Review finding", "Approve");
    else {
      await hands.back();
      await hands.press("a");
    }
    const note = me.panel.locator(".ending-note");
    await note.waitFor({ timeout: 30_000 });
    assert.match(await note.innerText(), /^Stopped after 8 steps.*1 change/);
    assert.equal(await me.panel.locator(".ending-error").count(), 0, "a bound is no error");
    await me.status("Ready");
    await me.panel.getByText("1 change applied", { exact: true }).waitFor();
    assert.equal((await me.counts()).threats, 4);
    await me.panel.getByText("Looked at 12 things").waitFor();
    await me.picture(`story-5-bounded-${by}`);
    if (by === "mouse") await me.panel.getByRole("button", { name: "Undo this turn" }).click();
    else {
      await me.page.keyboard.press("Shift+F6");
      await me.page.keyboard.press("u");
    }
    await eventually(me.counts, SEED);
  });

  test(`story 6 by ${by}: a question is answered by looking, without a card`, async (t) => {
    const me = await open(t);
    if (by === "mouse") await me.start("What is unprotected?");
    else await keys(me).ask("what is unprotected?");
    await me.panel.getByText(/3 of 8 data flows are not authenticated: “Charge card” from Checkout to Payment provider, over HTTP/).waitFor();
    await me.status("Ready");
    assert.match(await me.panel.innerText(), /What is at stake: “The amount is changed on its way” and “Exported orders are read by others”/);
    assert.equal(await me.panel.locator(".card").count(), 0);
    assert.equal(await me.panel.getByRole("button", { name: "Undo this turn" }).count(), 0, "a turn that changed nothing has nothing to undo");
    assert.deepEqual(await me.counts(), SEED);
    const reads = me.panel.locator(".reads");
    assert.match(await reads.innerText(), /^Looked at 4 things$/);
    if (by === "mouse") await reads.locator("summary").click();
    else {
      await me.page.keyboard.press("Shift+F6");
      await reads.locator("summary").focus();
      await me.page.keyboard.press("Enter");
    }
    assert.equal(await reads.locator("li:visible").count(), 4);
    await me.picture(`story-6-${by}`);
  });
}

test("the stories go by the document: without a database there is nothing to put a cache in front of", async (t) => {
  const me = await open(t);
  await me.element("Product database").click();
  await me.page.keyboard.press("Delete");
  await me.start("Add a cache");
  await me.panel.getByText(/I find no database here/).waitFor();
  await me.status("Ready");
  await me.rename("Checkout", "Till");
  await me.start("What is unprotected?");
  await me.panel.getByText(/“Charge card” from Till to Payment provider/).waitFor();
});

test("anything else gets a friendly answer that says what the embedded assistant knows", async (t) => {
  const me = await open(t);
  await me.ask("What is the meaning of life?");
  await me.panel.getByText(/six requests by heart/).waitFor();
  await me.status("Ready");
  assert.equal(await me.panel.locator(".card").count(), 0);
  assert.equal(await me.panel.getByRole("button", { name: "Undo this turn" }).count(), 0);
});
