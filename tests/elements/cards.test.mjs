// One card: every decision by hand and by key, and none by accident.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { asked, card, closeAll, eventually, focusOf, open, picture, settled, textOf } from "./page.mjs";

after(closeAll);

const RENAME = `{ id: "a", preview: preview("Rename Pick to Scan", [changed("steps", "step-1", "Pick", "title", "Pick", "Scan")]) }`;
const DELETE = `{ id: "a", destructive: true, input: { kind: "steps", id: "s4" }, preview: preview("Delete Old printer", [removed("steps", "s4", "Old printer"), removed("data_flows", "f1", "Print → Pack"), removed("data_flows", "f2", "Print → Ship"), removed("data_flows", "f3", "Queue → Print"), removed("threats", "t1", "Paper jam")]) }`;
const CHOICE = `{ id: "a", summary: "Assign Pack to Sam", act: { index: 0, result: "needs_selection", reason: "two steps are called Pack", candidates: [{ id: "s2", title: "Pack", section: "steps" }, { id: "s7", title: "Pack at night", section: "steps" }] } }`;

const button = (page, name) => page.getByRole("button", { name, exact: false }).first();
const menu = async (page, entry) => {
  await page.getByRole("button", { name: /^More choices/ }).click();
  await page.getByRole("menuitem", { name: entry }).click();
};

test("a card says what it does, what changes, and by what sign", async (t) => {
  const page = await open(t);
  const one = await card(page, RENAME);
  assert.match(await textOf(one), /Rename Pick to Scan Change Changed Title: Pick → becomes Scan/);
  assert.deepEqual(await one.locator("[part~=title] .name").allInnerTexts(), ["Pick", "Scan"], "names stand out, each on its own");
  assert.equal(await one.locator(".mark svg").count(), 1, "an icon beside the word");
  assert.equal(await one.locator("[part~=card]").getAttribute("aria-label"), "Change: Rename Pick to Scan");
});

test("Approve and Deny by mouse decide exactly this call and fold the card to its outcome", async (t) => {
  const page = await open(t);
  const one = await card(page, RENAME);
  await settled(page);
  await button(page, "Approve").click();
  assert.deepEqual((await asked(page)).map((row) => row.slice(0, 2)), [["approve", "a"]]);
  await one.getByText("Applied").waitFor();
  assert.match(await focusOf(page), /Rename Pick to Scan/, "the focus stays on the card");
  await one.getByRole("button").click();
  assert.match(await textOf(one), /Title: Pick → becomes Scan[^]*Exact input/, "its line unfolds to what it was");

  await card(page, RENAME);
  await settled(page);
  await button(page, "Deny").click();
  await one.getByText("Denied by you").waitFor();
  const events = await page.evaluate(() => events.filter(({ name }) => name === "countersign-decision").map(({ detail }) => detail));
  assert.deepEqual(events, [{ callId: "a", decision: "approve", ok: true }, { callId: "a", decision: "deny", ok: true }]);
});

test("A and D decide the focused card; neither does while typing, with a modifier, or held down", async (t) => {
  const page = await open(t);
  const one = await card(page, RENAME);
  await one.evaluate((node) => node.focus());
  await settled(page);
  await page.keyboard.press("Control+a");
  assert.deepEqual(await asked(page), []);
  await page.keyboard.press("a");
  assert.equal((await asked(page)).length, 1);

  await card(page, RENAME);
  await one.evaluate((node) => node.focus());
  await settled(page);
  await menu(page, "Deny with a reason");
  await page.keyboard.type("a bad idea, and d too");
  assert.deepEqual(await asked(page), [], "letters in a field are text");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(page), [["deny", "a", "a bad idea, and d too"]]);
  await one.getByText("Denied by you: a bad idea, and d too").waitFor();

  await card(page, RENAME);
  await one.evaluate((node) => node.focus());
  await settled(page);
  await page.keyboard.press("d");
  assert.deepEqual((await asked(page)).map(([kind]) => kind), ["deny"]);
});

test("Enter, Space and A do nothing on a card that has just got the focus, appeared or changed", async (t) => {
  const page = await open(t);
  const one = await card(page, RENAME);
  for (const key of ["Enter", " ", "a"]) {
    // however long the keys before took, the focus has only just come
    await page.evaluate(() => document.getElementById("outside").focus());
    await button(page, "Approve").focus();
    await page.keyboard.press(key);
    assert.deepEqual(await asked(page), [], `${key} right after it appeared`);
  }
  await settled(page);
  await page.evaluate(() => document.getElementById("outside").focus());
  await button(page, "Approve").focus();
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(page), [], "the focus has only just come");
  await settled(page);
  await page.evaluate(() => session.change("a", { preview: preview("Rename Pick to Weigh", [changed("steps", "step-1", "Pick", "title", "Pick", "Weigh")]), stale: { because: "calls", lines: [] } }));
  await one.getByText("Rename Pick to Weigh").waitFor();
  assert.match(await focusOf(page), /^Approve/, "the focus stays on the button that was made anew");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(page), [], "it says something else now");
  await settled(page);
  await page.keyboard.press("Enter");
  assert.deepEqual((await asked(page)).map(([kind]) => kind), ["approve"]);
});

test("a click on what has just changed under the pointer is no decision", async (t) => {
  const page = await open(t);
  await card(page, RENAME);
  await settled(page);
  // in one breath: a hand that comes later than a moment after would be one that has read
  await page.evaluate(async () => {
    session.change("a", { preview: preview("Rename Pick to Weigh", [changed("steps", "step-1", "Pick", "title", "Pick", "Weigh")]) });
    const { shadowRoot } = document.querySelector("countersign-card");
    while (!shadowRoot.textContent.includes("Rename Pick to Weigh")) await new Promise(requestAnimationFrame);
    shadowRoot.querySelector("[part~=approve]").dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
  });
  assert.deepEqual(await asked(page), []);
  await settled(page);
  await button(page, "Approve").click();
  assert.equal((await asked(page)).length, 1);
});

test("a1 another effect of the same words is another card: it is drawn anew, and the hand has to come again", async (t) => {
  const page = await open(t);
  await card(page, RENAME);
  await settled(page);
  const isAnew = await page.evaluate(async () => {
    const [{ preview }] = session.view.calls;
    const { shadowRoot } = document.querySelector("countersign-card");
    const line = shadowRoot.querySelector("[part~=line]");
    session.change("a", { preview: { ...preview, effectDigest: "another", patch: [{ op: "remove", path: "/x" }] } });
    for (let frames = 0; frames < 30 && shadowRoot.querySelector("[part~=line]") === line; frames += 1) await new Promise(requestAnimationFrame);
    shadowRoot.querySelector("[part~=approve]").dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
    return shadowRoot.querySelector("[part~=line]") !== line;
  });
  assert.deepEqual([isAnew, await asked(page)], [true, []]);
  await settled(page);
  await button(page, "Approve").click();
  assert.equal((await asked(page)).length, 1);
});

test("a hand counts from when it moved, however late a busy page hears of it", async (t) => {
  const page = await open(t);
  const one = await card(page, RENAME);
  await settled(page);
  await page.evaluate(() => {
    window.changedAt = performance.now();
    session.change("a", { preview: preview("Rename Pick to Weigh", [changed("steps", "step-1", "Pick", "title", "Pick", "Weigh")]) });
  });
  await one.getByText("Rename Pick to Weigh").waitFor();
  await button(page, "Approve").focus();
  await settled(page);
  const late = (type, how) => button(page, "Approve").evaluate((node, { type, how }) => {
    const event = new (type === "click" ? MouseEvent : KeyboardEvent)(type, { bubbles: true, composed: true, cancelable: true, ...how });
    Object.defineProperty(event, "timeStamp", { value: window.changedAt + 50 });
    node.dispatchEvent(event);
  }, { type, how });
  await late("click", { detail: 1 });
  await late("keydown", { key: "a" });
  assert.deepEqual(await asked(page), []);
  await page.keyboard.press("a");
  assert.equal((await asked(page)).length, 1);
});

test("a1 what changed since it was painted is not approved: it is drawn anew and said", async (t) => {
  const page = await open(t);
  const one = await card(page, RENAME);
  await settled(page);
  // the record changes and nobody is told
  await page.evaluate(() => {
    const [record] = session.view.calls;
    const now = { ...record, preview: preview("Delete everything", []) };
    session.current = Object.freeze({ ...session.current, calls: [now], pending: [now] });
  });
  await button(page, "Approve").click();
  assert.deepEqual(await asked(page), []);
  await one.getByText("This changed while you decided").waitFor();
  await one.getByText("Delete everything").first().waitFor();
});

test("a refused decision is said in a sentence, and the card stays", async (t) => {
  const page = await open(t);
  const one = await card(page, RENAME, `session.refuse = { ok: false, reason: "stale_document" }`);
  await settled(page);
  await button(page, "Approve").click();
  await one.getByText("Look at it again, then decide").waitFor();
  const [event] = await page.evaluate(() => events.filter(({ name }) => name === "countersign-decision"));
  assert.deepEqual(event.detail, { callId: "a", decision: "approve", ok: false, reason: "stale_document" });
  await settled(page);
  await button(page, "Approve").click();
  await one.getByText("Applied").waitFor();
});

test("a deletion reads Delete and names what is lost", async (t) => {
  const page = await open(t);
  const one = await card(page, DELETE);
  await settled(page);
  assert.match(await textOf(one), /This deletes Old printer, 3 data flows and 1 threat\./);
  assert.equal(await button(page, "Approve").count(), 0);
  const remove = page.getByRole("button", { name: "Delete: Delete Old printer" });
  assert.match(await remove.getAttribute("aria-description"), /3 data flows and 1 threat/);
  await picture(page, "card-delete", one);
  await remove.click();
  await one.getByText("Applied").waitFor();
});

test("cascades of a change are counted in words, which a host can give", async (t) => {
  const page = await open(t, { words: { sections: { data_flows: ["flow", "flows"] } } });
  const one = await card(page, `{ id: "a", preview: preview("Merge Pack into Ship", [changed("steps", "step-1", "Pack", "title", "Pack", "Ship"), removed("data_flows", "f1", "x"), removed("data_flows", "f2", "y"), removed("data_flows", "f3", "z"), removed("threats", "t", "T"), changed("categories", "c", "C", "n", "1", "2")]) }`);
  assert.match(await textOf(one), /Also removes 3 flows and 1 threat/);
  assert.match(await textOf(one), /Also changes 1 category/);
});

test("six lines first, and all of them on demand", async (t) => {
  const page = await open(t);
  const one = await card(page, `{ id: "a", preview: preview("Add twenty", Array.from({ length: 18 }, (_, at) => added("steps", "s" + at, "Step " + at)), { hiddenLines: 4 }) }`);
  assert.equal(await one.locator("[part~=row]").count(), 6);
  await one.getByRole("button", { name: "and 16 more" }).click();
  assert.equal(await one.locator("[part~=row]").count(), 18);
  await one.getByText("4 more that are not shown here").waitFor();
  assert.equal(await focusOf(page), "Show less");
});

test("what cannot be previewed says so, and what is still worked out cannot be approved", async (t) => {
  const page = await open(t);
  const one = await card(page, `{ id: "a", preview: preview("Move Ship", [], { error: "the lane is full" }) }`);
  await one.getByText("This would not work: the lane is full").waitFor();
  await card(page, `{ id: "a", awaiting: "preview", summary: "Recalculate" }`);
  await one.getByText("Working out what this would change").waitFor();
  await settled(page);
  await button(page, "Approve").click({ force: true });
  assert.deepEqual(await asked(page), []);
  assert.equal(await button(page, "Approve").getAttribute("aria-disabled"), "true");
  await page.evaluate(() => session.change("a", { awaiting: "user", preview: preview("Recalculate", []) }));
  await settled(page);
  await button(page, "Approve").click();
  await one.getByText("Applied").waitFor();
  await card(page, `{ id: "a", external: true, input: { to: "ann@example.com" } }`);
  await one.getByText("This acts outside the document").waitFor();
  await one.getByText("ann@example.com").waitFor();
});

test("a stale card says what changed meanwhile in one line, and shows the new effect", async (t) => {
  const page = await open(t);
  const one = await card(page, `{ id: "a", preview: preview("Rename Pick to Scan", [changed("steps", "step-1", "Pick", "title", "Pick up", "Scan")]), stale: { because: "document", lines: [changed("steps", "step-1", "Pick", "title", "Pick", "Pick up"), changed("steps", "s", "Pack", "title", "a", "b")] } }`);
  assert.match(await textOf(one, "[part~=note-stale]"), /Changed meanwhile: Pick: Title: Pick → becomes Pick up and 1 more\./);
  assert.match(await textOf(one, "[part=changes]"), /Pick up → becomes Scan/);
  await picture(page, "card-stale", one);
});

test("the countdown is told in the last minute alone, by the session's clock", async (t) => {
  const page = await open(t);
  const one = await card(page, `{ id: "a", expiresAtMs: 1_061_000 }`);
  assert.doesNotMatch(await textOf(one), /Expires/);
  await page.evaluate(() => (session.clock += 2000));
  await one.getByText("Expires in 59 s").waitFor();
  await page.evaluate(() => (session.clock += 17_000));
  await one.getByText("Expires in 42 s").waitFor();
});

test("one of several is chosen by mouse or by keyboard, and only then used", async (t) => {
  const page = await open(t);
  const one = await card(page, CHOICE);
  await settled(page);
  const use = page.getByRole("button", { name: /^Use this one/ });
  await use.click({ force: true });
  assert.deepEqual(await asked(page), [], "nothing is chosen yet");
  assert.match(await textOf(one), /Pack at night step, s7/);
  await picture(page, "card-choice", one);
  await page.getByRole("radio").first().focus();
  await settled(page);
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.getByRole("radio").nth(1).isChecked(), true);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(page), [["select", "a", "s7"]]);
  await one.getByText("Rename s7").waitFor();
  assert.equal(await button(page, "Approve").count(), 1, "then it is decided like any other");
});

test("the menu works by keyboard and gives the focus back", async (t) => {
  const page = await open(t);
  await card(page, RENAME);
  await page.getByRole("button", { name: /^More choices/ }).focus();
  await page.keyboard.press("Enter");
  assert.equal(await focusOf(page), "Edit");
  await page.keyboard.press("ArrowUp");
  assert.equal(await focusOf(page), "Show the exact input");
  await page.keyboard.press("Escape");
  assert.match(await focusOf(page), /^More choices/);
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.locator("pre").waitFor();
  await page.keyboard.press("Escape");
  await menu(page, "Hide the exact input");
  assert.equal(await page.locator("pre").count(), 0);
});

test("a looked-at card tells the page what it would change, and when it is looked at no more", async (t) => {
  const page = await open(t);
  const one = await card(page, RENAME);
  const told = () => page.evaluate(() => events.filter(({ name }) => name === "countersign-preview").map(({ detail }) => detail && [detail.callId, detail.preview.title, detail.call.id]));
  await one.hover();
  await page.mouse.move(1, 1);
  await eventually(told, [["a", "Rename Pick to Scan", "a"], null]);
  await one.evaluate((node) => node.focus());
  await page.evaluate(() => place.replaceChildren());
  await eventually(told, [["a", "Rename Pick to Scan", "a"], null, ["a", "Rename Pick to Scan", "a"], null], "a card that is taken away is looked at no more");
});

test("a card with the focus is looked at again once the hand has left another", async (t) => {
  const page = await open(t);
  await page.evaluate(() => {
    const calls = ["a", "b"].map((id) => call({ id, preview: preview(`Rename ${id}`, [changed("steps", id, id, "title", id, "Scan")]) }));
    const session = new FakeSession({ calls, phase: "awaiting_approval" });
    place.replaceChildren(...calls.map(({ id }) => Object.assign(document.createElement("countersign-card"), { session, callId: id })));
  });
  const told = () => page.evaluate(() => events.filter(({ name }) => name === "countersign-preview").map(({ detail }) => detail && detail.callId));
  await page.locator("countersign-card").first().evaluate((node) => node.focus());
  await page.locator("countersign-card").last().hover();
  await page.mouse.move(1, 1);
  await eventually(told, ["a", "b", null, "a"]);
  await page.evaluate(() => document.activeElement.blur());
  await eventually(told, ["a", "b", null, "a", null]);
});

test("lists and flat objects are told in words, and what would read like something else as it is", async (t) => {
  const page = await open(t);
  const one = await card(page, `{ id: "a", preview: preview("Change Pick", [changed("steps", "s", "Pick", "tags", '["a"]', '["a","b c"]'), changed("steps", "s", "Pick", "at", '{"x":1,"y":2}', '{"x":3,"y":2}'), changed("steps", "s", "Pick", "names", '["a, b"]', "[]"), changed("steps", "s", "Pick", "count", "[1]", '["1"]')]) }`);
  const rows = await one.locator(".row-text").allInnerTexts();
  assert.deepEqual(rows.map((row) => row.replace(/\s+/g, " ").replace(" becomes", "")), ["Tags: a → a, b c", "At: X: 1, Y: 2 → X: 3, Y: 2", 'Names: ["a, b"] → []', 'Count: [1] → ["1"]']);
});

test("the title of something new is told once, and whatever else says the same stands there", async (t) => {
  const page = await open(t);
  const one = await card(page, `{ id: "a", preview: preview("Add it", [added("steps", "s", "Weigh"), added("steps", "s", "Weigh", "title", "Weigh"), added("steps", "s", "Weigh", "hint", "Weigh"), added("steps", "t", "Pack", "hint", "Pack")]) }`);
  const rows = await one.locator(".row-text").allInnerTexts();
  assert.deepEqual(rows.map((row) => row.replace(/\s+/g, " ")), ["Weigh step", "Hint: Weigh", "Pack: Hint: Pack"]);
});

test("sessions can be set before the elements are defined, before and after they are in the page, swapped, and taken away", async (t) => {
  const page = await open(t, { define: false });
  const text = () => textOf(page.locator("countersign-card"));
  await page.evaluate(() => {
    window.first = new FakeSession({ calls: [call({ id: "a", summary: "First" })], phase: "awaiting_approval" });
    window.second = new FakeSession({ calls: [call({ id: "a", summary: "Second" })], phase: "awaiting_approval" });
    window.card = document.createElement("countersign-card");
    card.session = first;
    card.callId = "a";
    place.append(card);
    defineElements();
    defineElements();
  });
  assert.match(await text(), /First/);
  await page.evaluate(() => (card.session = second));
  assert.match(await text(), /Second/);
  assert.deepEqual(await page.evaluate(() => [first.listeners.size, second.listeners.size]), [0, 1]);
  await page.evaluate(() => card.remove());
  assert.deepEqual(await page.evaluate(() => second.listeners.size), 0, "nothing is left behind");
  await page.evaluate(() => (second.change("a", { summary: "Later" }), place.append(card)));
  assert.match(await text(), /Later/);
  await page.evaluate(() => (card.session = null));
  assert.equal(await text(), "");
  await page.evaluate(() => (card.call = call({ id: "x", summary: "Given" })));
  assert.match(await text(), /Given/);
});
