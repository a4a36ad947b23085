// How the elements look and read: light and dark, right to left, reduced motion, touch, deceiving texts, and what axe finds.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { axeClean } from "./axe.mjs";
import { card, closeAll, open, picture, settled, textOf } from "./page.mjs";

after(closeAll);

/** Everything there is to show, in one panel. */
const whole = async (page, more = "") => {
  await page.evaluate((more) => {
    window.session = new FakeSession();
    session.turn("What is in here?", "Let me look.\nThe packing step has no owner.", [call({ effect: "read", status: "succeeded", summary: "the document as a whole" }), call({ effect: "read", status: "succeeded", summary: "steps" })], { outcome: "completed" });
    session.turn("Tidy up the packing line.", "I would rename one step, add a check, and remove the old label printer.", [
      call({ id: "z", status: "succeeded", committed: true, preview: preview("Rename Sort to Sort parcels", [changed("steps", "s0", "Sort", "title", "Sort", "Sort parcels")]) }),
      call({ id: "y", status: "failed", errorCode: "document_changed", isError: true, result: "no", preview: preview("Move Ship", []) }),
      call({ id: "a", preview: preview("Rename Pick to Pick and scan", [changed("steps", "step-1", "Pick", "title", "Pick", "Pick and scan"), changed("steps", "step-1", "Pick", "owner", "", "Ann")]) }),
      call({ id: "b", preview: preview("Add Quality check after Pack", [added("steps", "s9", "Quality check"), added("steps", "s9", "Quality check", "due_date", "2026-12-04"), added("steps", "s9", "Quality check", "minutes", "4"), changed("lanes", "l1", "Outbound", "steps", "5 items", "6 items")]), stale: { because: "document", lines: [changed("steps", "s", "Pack", "title", "Pack", "Pack parcels")] } }),
      call({ id: "c", destructive: true, input: { kind: "steps", id: "s4" }, expiresAtMs: 1_042_000, preview: preview("Delete Old label printer", [removed("steps", "s4", "Old label printer"), removed("data_flows", "f1", "Print → Pack"), removed("threats", "t1", "Paper jam")]) }),
      call({ id: "d", act: { index: 0, result: "needs_selection", reason: "two steps are called Pack", candidates: [{ id: "s2", title: "Pack", section: "steps" }, { id: "s7", title: "Pack at night", section: "steps" }] }, summary: "Assign Pack to Sam" }),
      call({ id: "e", preview: preview("Move Ship to Outbound", [], { error: "the lane Outbound is full" }) }),
    ]);
    const box = document.createElement("div");
    box.className = "panel";
    box.style.blockSize = "auto";
    const [transcript, composer] = ["transcript", "composer"].map((name) => document.createElement(`countersign-${name}`));
    transcript.style.blockSize = "auto";
    box.append(transcript, composer);
    transcript.session = composer.session = session;
    place.replaceChildren(box);
    (0, Function)(more)();
  }, more);
  await settled(page);
};
const LONG = "x".repeat(3000);
const MARKUP = `<img src=x onerror="document.title='owned'">`;

for (const [name, colorScheme, dir] of [["light", "light", "ltr"], ["dark", "dark", "ltr"], ["rtl", "light", "rtl"]]) {
  test(`the whole panel, ${name}: nothing for axe to find`, async (t) => {
    const page = await open(t, { colorScheme, viewport: { width: 460, height: 1500 } });
    await page.evaluate((dir) => (document.documentElement.dir = dir), dir);
    await whole(page);
    await picture(page, `panel-${name}`);
    await axeClean(page);
    await page.getByRole("button", { name: /^Rename Sort/ }).click();
    await page.getByRole("button", { name: /^More choices/ }).first().click();
    await picture(page, `panel-${name}-open`);
    await axeClean(page);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(over <= 0, `the page is ${over} px too wide`);
  });
}

test("the form, light and dark: nothing for axe to find", async (t) => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open(t, { colorScheme, viewport: { width: 460, height: 1300 } });
    const schema = { type: "object", properties: { title: { type: "string", description: "What it is called" }, tags: { type: "array", items: { type: "string" } }, on: { type: "boolean" }, kind: { enum: ["a", "b"] }, owner: { type: ["string", "null"] }, later: { type: "string" } }, required: ["title"] };
    await card(page, { id: "a", input: { title: "Pick \u202eup", tags: ["one", "two"], on: true, kind: "b", owner: null } }, `session.tools.set("update_step", { name: "update_step", inputSchema: ${JSON.stringify(schema)} }); session.previews = () => ({ ok: false, issues: ["title: must hold no control characters", "tags[1]: must be unique"] });`);
    await settled(page);
    await page.getByRole("button", { name: /^More choices/ }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.getByRole("checkbox", { name: /^On/ }).uncheck();
    await page.getByText("2 things to correct").waitFor();
    await page.getByText("Pick \\u{202E}up").waitFor();
    await picture(page, `form-${colorScheme}`);
    await axeClean(page);
  }
});

test("reduced motion moves nothing, and other motion is short", async (t) => {
  const reading = (page) => page.evaluate(() => {
    const nodes = (root) => [...root.querySelectorAll("*")].flatMap((node) => [node, ...(node.shadowRoot ? nodes(node.shadowRoot) : [])]);
    return nodes(document).map((node) => getComputedStyle(node)).map((style) => [style.animationName, Math.max(...style.transitionDuration.split(",").map((each) => Number.parseFloat(each)))]).filter(([name, seconds]) => name !== "none" || seconds > 0);
  });
  const busy = `session.turn("Go", "", [call({ id: "p", awaiting: "preview" })], { phase: "requesting" })`;
  const still = await open(t, { reducedMotion: "reduce" });
  await whole(still, busy);
  assert.deepEqual(await reading(still), []);
  const moving = await open(t, { reducedMotion: "no-preference" });
  await whole(moving, busy);
  const found = await reading(moving);
  assert.ok(found.length > 0);
  assert.ok(found.every(([, seconds]) => seconds < 0.15), "transitions under 150 ms");
});

test("hit areas: 32 px, and 44 px for fingers", async (t) => {
  for (const [hasTouch, least] of [[false, 32], [true, 44]]) {
    const page = await open(t, { hasTouch, isMobile: hasTouch, viewport: { width: 460, height: 1500 } });
    await whole(page);
    const small = await page.evaluate((least) => {
      const nodes = (root) => [...root.querySelectorAll("*")].flatMap((node) => [node, ...(node.shadowRoot ? nodes(node.shadowRoot) : [])]);
      return nodes(document).filter((node) => node.matches("button, summary, .candidate") && node.checkVisibility()).map((node) => [node.textContent, node.getBoundingClientRect().height]).filter(([, height]) => height > 0 && height < least);
    }, least);
    assert.deepEqual(small, [], hasTouch ? "for fingers" : "for a mouse");
  }
});

test("colours, radius and sizes are the page's to choose", async (t) => {
  const page = await open(t, { reducedMotion: "reduce" });
  await card(page, { id: "a" });
  const style = () => page.getByRole("button", { name: /^Approve/ }).evaluate((node) => [getComputedStyle(node).backgroundColor, getComputedStyle(node).borderRadius, node.getBoundingClientRect().height]);
  await page.locator("countersign-card").hover();
  await page.evaluate(() => Object.entries({ "--countersign-accent": "rgb(1, 2, 3)", "--countersign-radius": "2px", "--countersign-hit-size": "50px" }).forEach(([name, value]) => place.style.setProperty(name, value)));
  assert.deepEqual(await style(), ["rgb(1, 2, 3)", "0px", 50]);
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("countersign-card::part(approve) { background: rgb(9, 9, 9); }");
    document.adoptedStyleSheets = [sheet];
  });
  assert.equal((await style())[0], "rgb(9, 9, 9)");
  await whole(page);
  await page.evaluate(() => document.adoptedStyleSheets[0].replaceSync("countersign-transcript::part(approve) { background: rgb(8, 8, 8); }"));
  assert.equal(await page.getByRole("button", { name: /^Approve: / }).first().evaluate((node) => getComputedStyle(node).backgroundColor), "rgb(8, 8, 8)", "cards in a conversation too");
});

test("words are replaced for the page and for one element", async (t) => {
  const page = await open(t, { words: { card: { approve: "Annehmen" }, group: { waiting: ["1 Änderung wartet", "{n} Änderungen warten"] } } });
  await whole(page);
  await page.getByRole("button", { name: /^Annehmen: Rename Pick/ }).waitFor();
  await page.getByText("5 Änderungen warten").waitFor();
  await page.evaluate(() => (document.querySelector("countersign-transcript").words = { card: { approve: "Accepter" } }));
  await page.getByRole("button", { name: /^Accepter: Rename Pick/ }).waitFor();
  await page.getByText("5 Änderungen warten").waitFor();
});

test("e4 names and answers written to deceive are shown as what they are, run as nothing, and break nothing", async (t) => {
  const page = await open(t, { viewport: { width: 460, height: 1700 } });
  // the core hands out what is on a card with visible escapes; inputs and answers come as they are
  const escaped = `${MARKUP} \\u{202E}gnp.exe\\u{2069}`;
  const raw = `${MARKUP} \u202egnp.exe\u2069\u200b`;
  await page.evaluate(({ escaped, raw, LONG }) => {
    window.session = new FakeSession();
    session.turn(raw, `${raw} [click](javascript:alert(1)) https://example.com\n\u202eabc 👩‍👩‍👧 ❤️`, [
      call({ id: "a", toolName: raw, input: { [raw]: raw, long: LONG, list: Array.from({ length: 80 }, (_, at) => at), __proto__x: 1 }, preview: preview(`Rename ${escaped} to ${LONG}`, [changed("steps", "s1", escaped, escaped, escaped, LONG), changed("constructor", "toString", "hasOwnProperty", "__proto__", "a", "b"), added("steps", "s2", "שלום عالم"), changed("steps", "s2", "שלום عالم", "title", "مرحبا", "hello (1)")]) }),
      call({ id: "b", summary: escaped, input: { [raw]: raw }, act: { index: 0, result: "needs_selection", reason: escaped, candidates: [{ id: escaped, title: escaped, section: "constructor" }] } }),
      call({ id: "c", status: "denied", denialReason: "user_declined", denialNote: raw, summary: escaped }),
      call({ id: "d", status: "failed", errorCode: "constructor", result: raw, summary: "😀👩‍👩‍👧 " + LONG }),
    ], { notice: escaped });
    const transcript = document.createElement("countersign-transcript");
    transcript.session = session;
    place.replaceChildren(transcript);
  }, { escaped, raw, LONG });
  await settled(page);
  const log = page.locator("countersign-transcript");
  await page.getByRole("button", { name: /^More choices/ }).first().click();
  await page.getByRole("menuitem", { name: "Show the exact input" }).click();
  const exact = await log.locator("pre").first().innerText();
  assert.ok(exact.includes("\\u{202E}gnp.exe\\u{2069}\\u{200B}"), "the exact input shows what cannot be seen");
  assert.match(exact, /"x+ … 2602 more … x+"/, "head, how much is between, tail");
  assert.match(exact, /… 30 more …/);
  await picture(page, "hostile");
  await log.getByRole("button", { name: "Show all of it" }).click();
  assert.ok((await log.locator("pre").first().innerText()).includes(LONG), "and all of it on demand");
  await page.getByRole("button", { name: /^(😀|<img)/ }).last().click();
  const text = await log.locator(".transcript").innerText();
  assert.ok(text.includes(MARKUP));
  assert.ok(text.includes("👩‍👩‍👧 ❤️"), "emoji in an answer stay whole");
  assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u200b]/);
  assert.equal(await log.locator("img, script, a, iframe").count(), 0);
  assert.notEqual(await page.title(), "owned");
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(over <= 0, `the page is ${over} px too wide`);
  const isolated = await log.locator("[part~=before], [part~=after], [part~=title] bdi, [part~=outcome] bdi").evaluateAll((nodes) => nodes.every((node) => getComputedStyle(node).unicodeBidi === "isolate"));
  assert.equal(isolated, true, "no value can turn the words around it");
});

test("a long conversation scrolls by keyboard, and its own welcome can be put in", async (t) => {
  const page = await open(t);
  await page.evaluate(() => {
    const transcript = document.createElement("countersign-transcript");
    transcript.style.blockSize = "200px";
    const welcome = document.createElement("p");
    welcome.slot = "empty";
    welcome.textContent = "Ask me about steps.";
    transcript.append(welcome);
    place.replaceChildren(transcript);
  });
  await page.getByText("Ask me about steps.").waitFor();
  await page.evaluate(() => {
    window.session = new FakeSession();
    session.turn("Tell me", "line\n".repeat(80), [], { outcome: "completed" });
    document.querySelector("countersign-transcript").session = session;
  });
  assert.equal(await page.getByText("Ask me about steps.").isVisible(), false);
  await page.getByRole("log").focus();
  await page.keyboard.press("Home");
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => document.querySelector("countersign-transcript").shadowRoot.querySelector(".scroll").scrollTop), 0);
  assert.match(await textOf(page.locator("countersign-transcript")), /Tell me/);
});
