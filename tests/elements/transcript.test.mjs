// The conversation: groups, keys, focus, receipts, streaming, and two hundred cards.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { asked, closeAll, eventually, focusOf, open, picture, receipt, settled, textOf } from "./page.mjs";

after(closeAll);

const CALLS = `[
  call({ id: "a", preview: preview("Rename Pick to Scan", [changed("steps", "step-1", "Pick", "title", "Pick", "Scan")]) }),
  call({ id: "b", preview: preview("Add Check", [added("steps", "s9", "Check")]) }),
  call({ id: "c", destructive: true, preview: preview("Delete Old printer", [removed("steps", "s4", "Old printer")]) }),
  call({ id: "d", preview: preview("Rename Ship to Send", [changed("steps", "s3", "Ship", "title", "Ship", "Send")]) }),
]`;

/** A panel with a conversation and a composer over a session in which `code` has happened. */
const panel = async (page, code = `session.turn("Tidy up", "I would do this.", ${CALLS})`) => {
  await page.evaluate((code) => {
    window.session = new FakeSession();
    (0, Function)(code)();
    const box = document.createElement("div");
    box.className = "panel";
    window.transcript = document.createElement("countersign-transcript");
    window.composer = document.createElement("countersign-composer");
    box.append(transcript, composer);
    transcript.session = composer.session = session;
    place.replaceChildren(box);
  }, code);
  return page.locator("countersign-transcript");
};
const cardOf = (page, id) => page.locator("countersign-card").filter({ hasText: id });

test("a5 cards of one message are a group; Approve all covers what it counts and says what it leaves out", async (t) => {
  const page = await open(t);
  const log = await panel(page);
  await settled(page);
  const text = await textOf(log);
  assert.match(text, /4 changes waiting Approve all 3 1 is left out: it deletes something and is approved alone\./);
  await picture(page, "group");
  await page.getByRole("button", { name: "Approve all 3" }).click();
  assert.deepEqual(await asked(page), [["approveAll", ["a", "b", "d"]]]);
  assert.equal(await focusOf(page), "Delete: Delete Old printer", "the focus goes on to what still waits");
  const told = await page.evaluate(() => events.filter(({ name }) => name === "countersign-decision").map(({ detail }) => [detail.callId, detail.decision, detail.ok]));
  assert.deepEqual(told, [["a", "approve", true], ["b", "approve", true], ["d", "approve", true]]);
});

const MIXTURES = [
  ["one-deletion", `[call({ preview: preview("Rename Pick to Scan", [changed("steps", "step-1", "Pick", "title", "Pick", "Scan")]) }), call({ destructive: true, preview: preview("Delete Old printer", [removed("steps", "s4", "Old printer")]) })]`, "2 changes waiting Each is decided by itself: 1 deletes something."],
  ["all-deletions", `[call({ destructive: true, preview: preview("Delete A", [removed("steps", "a", "A")]) }), call({ destructive: true, preview: preview("Delete B", [removed("steps", "b", "B")]) }), call({ destructive: true, preview: preview("Delete C", [removed("steps", "c", "C")]) })]`, "3 changes waiting Each is decided by itself: all of them delete something."],
  ["one-refused", `[call({ preview: preview("Add Check", [added("steps", "s9", "Check")]) }), call({ preview: preview("Rename", [], { error: "there is no such step" }) })]`, "2 changes waiting Each is decided by itself: 1 would not work."],
  ["one-to-choose", `[call({ preview: preview("Add Check", [added("steps", "s9", "Check")]) }), call({ act: { index: 0, result: "needs_selection", reason: "Which?", candidates: [{ id: "a", title: "A", section: "steps" }, { id: "b", title: "A", section: "steps" }] } })]`, "2 changes waiting Not to be approved together yet: 1 needs your choice first."],
  ["being-worked-out", `[call({ id: "w1", awaiting: "preview" }), call({ id: "w2", awaiting: "preview" })]`, "2 changes waiting Not to be approved together yet: all of them are still being worked out."],
];

test("a5 without two to approve together the header says why, whatever waits", async (t) => {
  const page = await open(t);
  for (const [name, calls, words] of MIXTURES) {
    const log = await panel(page, `session.turn("Tidy up", "I would do this.", ${calls})`);
    await eventually(() => textOf(log, ".group-head"), words);
    assert.equal(await page.getByRole("button", { name: /^Approve all/ }).count(), 0, name);
    await picture(page, `group-${name}`);
  }
  // the header follows what becomes of them
  const ready = { awaiting: "user", preview: null };
  await page.evaluate((ready) => session.change("w1", ready), ready);
  await eventually(() => textOf(page.locator("countersign-transcript"), ".group-head"), "2 changes waiting Not to be approved together yet: 1 is still being worked out.");
  await page.evaluate((ready) => session.change("w2", ready), ready);
  await eventually(() => textOf(page.locator("countersign-transcript"), ".group-head"), "2 changes waiting Approve all 2");
});

test("the header of a mixed group and a failure with its reason, dark and narrow", async (t) => {
  const page = await open(t, { colorScheme: "dark", viewport: { width: 460, height: 820 } });
  const log = await panel(page, `session.turn("Tidy up", "I would do this.", [call({ id: "x", summary: "Rename step-9", status: "failed", isError: true, errorCode: "execution_failed", resultFrom: "core", result: "\`update_step\`: id: \`step-9\` is not in \`steps\` now; the ids are \`step-1\`" }), ...${MIXTURES[0][1]}, call({ preview: preview("Rename", [], { error: "there is no such step" }) })])`);
  await eventually(() => textOf(log, ".group-head"), "3 changes waiting Each is decided by itself: 1 deletes something and 1 would not work.");
  assert.match(await textOf(log), /Failed: there is no step step-9 now/);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  await picture(page, "group-mixed-dark-narrow");
});

test("what changed since it was painted is not approved together either", async (t) => {
  const page = await open(t);
  await panel(page);
  await settled(page);
  await page.evaluate(() => {
    const calls = session.view.calls.map((each) => (each.id === "b" ? { ...each, preview: preview("Delete everything", []) } : each));
    session.current = Object.freeze({ ...session.current, calls });
  });
  await page.getByRole("button", { name: "Approve all 3" }).click();
  assert.deepEqual(await asked(page), []);
});

test("J and arrows go on among waiting cards, A and D decide, U takes the turn back; the focus is never lost", async (t) => {
  const page = await open(t);
  const log = await panel(page);
  await settled(page);
  await page.keyboard.press("j");
  assert.equal(await focusOf(page), "Change: Rename Pick to Scan");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focusOf(page), "Change: Add Check");
  await page.keyboard.press("ArrowUp");
  await settled(page);
  await page.keyboard.press("a");
  assert.equal(await focusOf(page), "Change: Add Check", "on to the next");
  await page.keyboard.press("a");
  assert.equal((await asked(page)).length, 1, "which has only just got the focus");
  await settled(page);
  await page.keyboard.press("d");
  assert.equal(await focusOf(page), "Delete: Delete Old printer");
  await settled(page);
  await page.keyboard.press("d");
  await settled(page);
  await page.keyboard.press("a");
  assert.deepEqual((await asked(page)).map(([kind, id]) => [kind, id]), [["approve", "a"], ["deny", "b"], ["deny", "c"], ["approve", "d"]]);
  assert.equal(await focusOf(page), "Message to the assistant", "nothing waits any more");
  assert.match(await textOf(log), /2 changes applied, 2 denied Undo this turn/);
  await picture(page, "receipt");
  await page.keyboard.type("ju");
  assert.equal(await page.evaluate(() => composer.value), "ju", "letters in the composer are text");
  await page.evaluate(() => document.getElementById("outside").focus());
  await page.keyboard.press("u");
  await receipt(log, "2 changes undone");
  assert.deepEqual((await asked(page)).at(-1), ["undo"]);
});

test("with fingers the last decision brings up no keyboard, and the focus is not lost either", async (t) => {
  const page = await open(t, { hasTouch: true, isMobile: true });
  await panel(page, `session.turn("Do", "", [call({ id: "a", preview: preview("Rename", []) })])`);
  await settled(page);
  await page.getByRole("button", { name: /^Approve: / }).tap();
  await receipt(page, "1 change applied");
  assert.match(await page.evaluate(() => document.activeElement.localName), /^countersign-transcript$/);
});

test("a receipt that can no longer be taken back says why", async (t) => {
  const page = await open(t);
  const log = await panel(page, `session.turn("Do", "", [call({ id: "a", status: "succeeded", committed: true, preview: preview("Rename", []) })], { outcome: "completed", undo: "superseded" })`);
  const undo = log.getByRole("button", { name: "Undo this turn" });
  assert.equal(await undo.getAttribute("title"), "It can no longer be undone: you edited after it");
  await undo.click({ force: true });
  assert.deepEqual(await asked(page), []);
});

test("reads are one folded line, which unfolds", async (t) => {
  const page = await open(t);
  const log = await panel(page, `session.turn("What is here?", "Nothing much.", [1, 2, 3].map((n) => call({ id: "r" + n, effect: "read", status: "succeeded", summary: "Looked at step " + n })), { outcome: "completed" })`);
  await log.getByText("Looked at 3 things").click();
  await log.getByText("Looked at step 2").waitFor();
  assert.equal(await log.locator("countersign-card").count(), 0);
});

test("a bound is a notice; an error is one sentence with Retry, which a page can take over", async (t) => {
  const page = await open(t);
  const log = await panel(page, `session.turn("Go", "", [call({ id: "a", status: "succeeded", committed: true, preview: preview("Rename", []) })], { outcome: "bounded", notice: "stopped after 8 steps" })`);
  assert.match(await textOf(log), /Stopped after 8 steps\. 1 change applied/);
  await panel(page, `session.turn("Go on", "", [], { outcome: "failed", error: { code: "overloaded", message: "the provider is overloaded", providerDetail: "529 <b>busy</b>" } })`);
  assert.match(await textOf(log), /The assistant is overloaded right now\. Wait a moment, then try again\./);
  await picture(page, "error");
  await log.getByRole("button", { name: "Try again" }).click();
  assert.deepEqual(await asked(page), [["send", "Go on"]]);
  assert.equal(await focusOf(page), "Message to the assistant");
  await panel(page, `session.turn("Go on", "", [], { outcome: "failed", error: { code: "transport", message: "broken" } })`);
  await page.evaluate(() => transcript.addEventListener("countersign-retry", (event) => event.preventDefault()));
  await log.getByRole("button", { name: "Try again" }).click();
  assert.deepEqual(await asked(page), []);
  assert.deepEqual(await page.evaluate(() => events.findLast(({ name }) => name === "countersign-retry").detail), { text: "Go on" });
});

test("text that streams touches one text node, is followed at the end alone, and moves nothing that is read", async (t) => {
  const page = await open(t);
  const log = await panel(page, `session.set({ phase: "streaming", messages: [{ role: "user", content: [{ type: "text", text: "Tell me" }] }, { role: "assistant", content: [{ type: "text", text: "Once" }] }] })`);
  const grow = (text) => page.evaluate(async (text) => {
    const [asked, said] = session.view.messages;
    session.set({ messages: [asked, { ...said, content: [{ type: "text", text: said.content[0].text + text }] }] });
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, text);
  await page.evaluate(() => {
    window.mutations = [];
    new MutationObserver((list) => mutations.push(...list.map(({ type, target }) => `${type} ${target.nodeName}`))).observe(transcript.shadowRoot, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  await grow(" upon a time");
  assert.deepEqual(await page.evaluate(() => mutations), ["characterData #text"], "one text node, nothing else");
  await grow("\nline".repeat(120));
  const where = () => page.evaluate(() => {
    const scroll = transcript.shadowRoot.querySelector(".scroll");
    return { top: scroll.scrollTop, left: scroll.scrollHeight - scroll.clientHeight - scroll.scrollTop };
  });
  await eventually(async () => (await where()).left < 2, true, "it is followed");
  await page.evaluate(() => (transcript.shadowRoot.querySelector(".scroll").scrollTop = 300));
  await page.waitForTimeout(60);
  const before = (await where()).top;
  await grow("\nmore".repeat(20));
  assert.equal((await where()).top, before, "whoever reads stays where they are");
  await page.getByRole("button", { name: "New below" }).click();
  await eventually(async () => (await where()).left < 2, true);
  assert.equal(await page.getByRole("button", { name: "New below" }).count(), 0);
  assert.equal(await log.locator("a, img").count(), 0);
});

test("what is typed on a card of a conversation with words of its own stays when the view changes", async (t) => {
  const page = await open(t);
  await panel(page);
  await page.evaluate(() => (transcript.words = { card: { approve: "Annehmen" } }));
  await settled(page);
  await page.getByRole("button", { name: /^More choices: Rename Pick/ }).click();
  await page.getByRole("menuitem", { name: "Deny with a reason" }).click();
  await page.keyboard.type("Not n");
  await page.evaluate(() => session.change("a", { stale: { because: "document", lines: [] } }));
  await page.getByText("The document changed meanwhile").waitFor();
  await page.keyboard.type("ow");
  assert.equal(await page.getByRole("textbox", { name: /^Why not/ }).inputValue(), "Not now");
  assert.match(await focusOf(page), /^Why not/);
});

test("one polite live region tells new cards and outcomes once", async (t) => {
  const page = await open(t);
  await panel(page, `session.turn("Tidy up", "I would do this.", ${CALLS})`);
  assert.equal(await page.evaluate(() => transcript.shadowRoot.querySelectorAll("[aria-live=polite]").length), 1);
  await page.evaluate(() => {
    window.said = [];
    const region = transcript.shadowRoot.querySelector("[role=status]");
    if (region.textContent) said.push(region.textContent);
    new MutationObserver(() => said.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
  });
  await settled(page);
  await page.evaluate(() => session.set({ documentRevision: 2 }));
  await page.evaluate(() => session.deny("b"));
  await settled(page);
  assert.deepEqual(await page.evaluate(() => said), ["4 changes are waiting for you", "Add Check: Denied by you"]);
});

test("the composer sends with Enter, breaks with Shift+Enter, leaves composed words alone, and stops", async (t) => {
  const page = await open(t);
  await panel(page, "");
  const box = page.getByRole("textbox", { name: "Message to the assistant" });
  await box.focus();
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(page), []);
  await page.keyboard.type("one");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("two");
  await box.evaluate((node) => node.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true })));
  assert.deepEqual(await asked(page), []);
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(page), [["send", "one\ntwo"]]);
  assert.equal(await page.evaluate(() => composer.value), "");
  const stop = page.getByRole("button", { name: "Stop" });
  await stop.click();
  assert.deepEqual((await asked(page)).at(-1), ["cancel"]);
  assert.equal(await focusOf(page), "Message to the assistant");
  assert.equal(await page.getByRole("button", { name: "Send", exact: true }).getAttribute("title"), "Write a message first");
  await page.evaluate(() => (session.failSend = "a turn is running"));
  await page.keyboard.type("again");
  await page.keyboard.press("Enter");
  await page.getByText("The message could not be sent: a turn is running").waitFor();
  assert.equal(await page.evaluate(() => composer.value), "again", "what was written is not lost");
  await page.evaluate(() => (composer.disabled = "Sign in first"));
  await page.getByText("Sign in first").waitFor();
  await page.evaluate(() => ((composer.disabled = false), (composer.session = null)));
  await page.getByText("The assistant is not connected yet").waitFor();
});

test("while changes wait a written message sets them aside, and says so before", async (t) => {
  const page = await open(t);
  await panel(page);
  assert.equal(await page.getByRole("button", { name: "Stop" }).isVisible(), true);
  await page.evaluate(() => composer.focus());
  await page.keyboard.type("No, rather this");
  await page.getByText("Sending sets the waiting changes aside").waitFor();
  assert.equal(await page.getByRole("button", { name: "Send", exact: true }).isVisible(), true);
});

test("two hundred cards: built a few for each frame, and one that changes touches no other", async (t) => {
  const page = await open(t);
  await panel(page, "");
  const times = await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const cards = () => [...transcript.shadowRoot.querySelectorAll("countersign-card")];
    const calls = Array.from({ length: 200 }, (_, at) => call({ id: `c${at}`, preview: preview(`Rename Step ${at} to Stage ${at}`, [changed("steps", `s${at}`, `Step ${at}`, "title", `Step ${at}`, `Stage ${at}`), changed("steps", `s${at}`, `Step ${at}`, "owner", "Ann", "Sam")]) }));
    session.turn("All of them", "Here they are.", calls);
    let start = performance.now();
    transcript.flush();
    const first = cards().length;
    const longest = [performance.now() - start];
    while (cards().length < 200) {
      const before = performance.now();
      await frame();
      longest.push(performance.now() - before);
    }
    const build = performance.now() - start;
    const nodes = (root) => [...root.querySelectorAll("*")].reduce((sum, node) => sum + 1 + (node.shadowRoot ? nodes(node.shadowRoot) : 0), 0);
    const touched = new Set();
    for (const each of cards()) new MutationObserver(() => touched.add(each.callId)).observe(each.shadowRoot, { subtree: true, childList: true, attributes: true, characterData: true });
    session.change("c100", { status: "succeeded", committed: true, awaiting: null });
    start = performance.now();
    transcript.flush();
    const update = performance.now() - start;
    await frame();
    const painted = performance.now() - start;
    const [asked, said] = session.view.messages;
    session.set({ messages: [asked, { ...said, content: [{ type: "text", text: "Here they are. More." }, ...said.content.slice(1)] }] });
    start = performance.now();
    transcript.flush();
    const delta = performance.now() - start;
    await frame();
    return { first, frames: longest.length, longest: Math.max(...longest), build, update, painted, delta, perCard: nodes(transcript.shadowRoot) / 200, touched: [...touched] };
  });
  t.diagnostic(`200 cards: all there in ${times.build.toFixed(0)} ms over ${times.frames} frames, the longest ${times.longest.toFixed(0)} ms, one changed in ${times.update.toFixed(1)} ms (on screen ${times.painted.toFixed(0)} ms), a delta in ${times.delta.toFixed(1)} ms, ${times.perCard.toFixed(0)} nodes each`);
  assert.ok(times.first >= 8 && times.first < 200, `the first frame builds what can be seen, not all: ${times.first}`);
  assert.deepEqual(times.touched, ["c100"]);
});

test("a5 when many cards change, those in sight are drawn first, and together nothing is approved before all of them are", async (t) => {
  const page = await open(t);
  await panel(page, `session.turn("All of them", "", Array.from({ length: 120 }, (_, at) => call({ id: "c" + at, preview: preview("Rename Step " + at, [changed("steps", "s" + at, "Step", "title", "Step", "Stage")]) })))`);
  await page.evaluate(() => {
    window.cards = () => [...transcript.shadowRoot.querySelectorAll("countersign-card")];
    window.isDrawn = (card) => card.shadowRoot.textContent.includes("turned out differently");
    window.drawn = () => cards().filter(isDrawn).length;
    window.together = () => transcript.shadowRoot.querySelector("[part~=approve-all]").click();
  });
  await eventually(() => page.evaluate(() => cards().length), 120);
  await settled(page);
  await page.evaluate(() => cards()[80].scrollIntoView());
  await page.waitForTimeout(100);
  const first = await page.evaluate(() => {
    // no frame comes until it is let
    window.held = [];
    window.frame = window.requestAnimationFrame;
    window.requestAnimationFrame = (draw) => held.push(draw);
    session.set({ calls: session.view.calls.map((each) => ({ ...each, stale: { because: "calls", lines: [] } })) });
    transcript.flush();
    const { top, bottom } = transcript.getBoundingClientRect();
    const inSight = cards().filter((card) => card.getBoundingClientRect().bottom > top && card.getBoundingClientRect().top < bottom);
    return { inSight: inSight.length, drawn: inSight.filter(isDrawn).length, all: drawn() };
  });
  assert.ok(first.inSight > 2);
  assert.equal(first.drawn, first.inSight);
  assert.ok(first.all < 120, "not all of them at once");
  await settled(page);
  await page.evaluate(() => together());
  assert.deepEqual(await asked(page), [], "some say what is no longer so");
  const next = await page.evaluate(() => {
    transcript.focusNext();
    return isDrawn(transcript.shadowRoot.activeElement);
  });
  assert.equal(next, true, "a card that is gone to says what is so");
  await page.evaluate(() => {
    // a hand moves while some are not drawn, and the page hears of it when all are
    window.early = new MouseEvent("click", { bubbles: true });
    window.requestAnimationFrame = frame;
    for (const draw of held) frame(draw);
  });
  await eventually(() => page.evaluate(() => drawn()), 120);
  await page.evaluate(() => transcript.shadowRoot.querySelector("[part~=approve-all]").dispatchEvent(early));
  assert.deepEqual(await asked(page), [], "what was pressed before the last of them was drawn is not about it");
  await settled(page);
  await page.evaluate(() => together());
  assert.deepEqual((await asked(page)).map(([kind, ids]) => [kind, ids.length]), [["approveAll", 120]]);
  await eventually(() => page.evaluate(() => cards().filter((card) => card.waiting).length), 0);
});
