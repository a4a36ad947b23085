// The inspector on a real page, over the real engine: what it shows, the way back and forth, and what a flood of inputs costs.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { axeClean } from "./axe.mjs";
import { closeAll, open as openPage, picture as pictureOf } from "./page.mjs";

after(closeAll);

const open = (t, context = {}) => openPage(t, { define: false, html: "/site/inspector.html", viewport: { width: 760, height: 1100 }, ...context });
const picture = (page, name) => pictureOf(page, `inspector-${name}`, page, { fullPage: true });

const SCRIPT = [
  { text: "I look first.", calls: [{ name: "count_cards", input: {} }], usage: { inputTokens: 210, outputTokens: 32 } },
  { text: "Three changes.", calls: [{ name: "rename_card", input: { id: "card-1", title: "<b>Review</b>" } }, { name: "rename_card", input: { id: "card-2", title: "Ship" } }, { name: "remove_card", input: { id: "card-2" } }], usage: { inputTokens: 420, outputTokens: 88 } },
  { text: "Done.", usage: { inputTokens: 512, outputTokens: 12 } },
];

/** A turn that waits for the person, one call decided each way. */
async function waiting(page) {
  await page.evaluate(async (script) => {
    defineInspector();
    const element = await begin(script, { limits: { maxTotalTokens: 1200, maxIterations: 3 } });
    window.done = session.send("rename them");
    await until((view) => view.phase === "awaiting_approval" && view.pending.length === 3);
    session.deny(session.view.pending[1].id, "keep this one");
    element.flush();
  }, SCRIPT);
  return page.locator("countersign-inspector");
}

const settle = (page) =>
  page.evaluate(async () => {
    for (const { id } of session.view.pending) session.deny(id);
    await done;
    document.querySelector("countersign-inspector").flush();
  });

test("the state of the machine is told exactly", async (t) => {
  const page = await open(t);
  const inspector = await waiting(page);
  assert.deepEqual(await inspector.locator("[part=phase] li[aria-current=step] > *").allTextContents(), ["Awaiting approval", "current"]);
  const meter = (name) => inspector.getByRole("meter", { name, exact: true });
  assert.equal(await meter("Iterations").getAttribute("aria-valuetext"), "2 of 3");
  assert.equal(await meter("Tokens").getAttribute("aria-valuetext"), "750 of 1,200");
  assert.equal(await meter("Cost, micros").getAttribute("aria-valuetext"), "0, no limit");
  assert.equal(await inspector.locator("[part=calls] h3 .count").textContent(), "4");
  assert.equal(await inspector.locator("[part=denials] h3 .count").textContent(), "1");
  assert.equal(await inspector.locator("[part=grants] h3 .count").textContent(), "1", "the reading was granted by the policy");
  const card = inspector.locator("[part=calls] details").nth(1);
  await card.locator("summary").click();
  const state = await page.evaluate(() => session.state());
  const facts = await card.locator("dl").textContent();
  for (const part of [state.calls[1].inputDigest, "rename_card", "<b>Review</b>"]) assert.ok((await card.textContent()).includes(part), `${part} is told`);
  assert.ok(facts.includes("mutate"));
  assert.ok((await inspector.locator("[part=calls] details").nth(3).locator("summary").textContent()).includes(state.calls[3].inputDigest.slice(0, 8)));
  await inspector.locator("[part=grants] summary").click();
  assert.ok((await inspector.locator("[part=grants] dl").textContent()).includes(state.grants[0].binding));
  await axeClean(page);
  await picture(page, "light");
  await settle(page);
  assert.deepEqual(await inspector.locator("[part=phase] li[aria-current=step] > *").allTextContents(), ["Settled", "completed"]);
  assert.equal(await card.evaluate((details) => details.open), true, "what was unfolded stays so");
});

test("S4 the slider and the buttons show the state and the document as they were, and come back", async (t) => {
  const page = await open(t);
  const inspector = await waiting(page);
  await page.evaluate(async () => {
    store.edit([{ op: "replace", path: "/cards/0/title", value: "By hand" }], "an edit");
    await session.approve(session.view.pending[0].id);
  });
  await settle(page);
  const count = await page.evaluate(() => JSON.parse(session.recording()).inputs.length);
  const where = inspector.locator("output");
  assert.equal(await where.textContent(), `Now, after ${count} inputs`);
  const phase = () => inspector.locator("[part=phase] li[aria-current] > span").textContent();
  await inspector.getByRole("button", { name: "Before the first input" }).click();
  await where.getByText(`After 0 of ${count} inputs`).waitFor();
  assert.equal(await phase(), "Idle");
  await inspector.getByRole("button", { name: "One input forward" }).click();
  await where.getByText(`After 1 of ${count} inputs`).waitFor();
  assert.equal(await phase(), "Requesting");
  const slider = inspector.getByRole("slider");
  await slider.focus();
  await page.keyboard.press("End");
  await where.getByText(`After ${count} of ${count} inputs`).waitFor();
  assert.equal(await phase(), "Settled");
  const told = await page.evaluate(() => travelled.at(-1));
  assert.deepEqual([told.inputs, told.document], [count, await page.evaluate(() => store.read())]);
  await page.keyboard.press("ArrowLeft");
  await where.getByText(`After ${count - 1} of ${count} inputs`).waitFor();
  await axeClean(page);
  await picture(page, "past");
  await inspector.getByRole("button", { name: "Back to now" }).click();
  await where.getByText(`Now, after ${count} inputs`).waitFor();
  assert.equal(await page.evaluate(() => travelled.at(-1)), null);
  // by a row, with the keys alone
  const list = inspector.getByRole("listbox");
  await list.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  assert.equal(await list.getAttribute("aria-activedescendant"), "input-1");
  await page.keyboard.press("Enter");
  await where.getByText(`After 2 of ${count} inputs`).waitFor();
  assert.equal(await inspector.getByRole("option", { selected: true }).count(), 1);
  await page.evaluate(() => (document.querySelector("countersign-inspector").session = null));
  assert.equal(await page.evaluate(() => travelled.at(-1)), null, "who looked at the past is told that it is over");
  assert.ok(await inspector.getByText("No session.").isVisible());
});

test("a session without a recording, a host without a way back, and a moment that cannot be rebuilt are told", async (t) => {
  const page = await open(t);
  const told = await page.evaluate(async () => {
    // set before the element is defined
    const element = await begin([{ text: "Hello." }], { recordInputs: false });
    defineInspector();
    await session.send("hi");
    element.flush();
    const note = element.shadowRoot.querySelector("[part=inputs] .empty").textContent;
    element.words = { title: "Werkzeug", log: { notRecorded: "Nichts." } };
    element.flush();
    const other = [element.shadowRoot.querySelector("h2").textContent, element.shadowRoot.querySelector("[part=inputs] .empty").textContent, element.words.budget.title];
    const recorded = await begin([{ text: "Hello." }]);
    await session.send("hi");
    recorded.flush();
    const can = !recorded.shadowRoot.querySelector("[part=travel]").hidden;
    recorded.travel = () => {
      throw new Error("tools_mismatch\u202E");
    };
    recorded.goTo(1);
    const failed = recorded.shadowRoot.querySelector("[part=past]").textContent;
    recorded.travel = undefined;
    recorded.flush();
    const cannot = recorded.shadowRoot.querySelector("[part=travel]").hidden;
    session.dispose();
    recorded.flush();
    return { note, other, can, failed, cannot, gone: recorded.shadowRoot.querySelector("[part=calls]").hidden };
  });
  assert.equal(told.note, "Nothing is recorded. Open the session with recordInputs: true.");
  assert.deepEqual(told.other, ["Werkzeug", "Nichts.", "Budget"]);
  assert.deepEqual([told.can, told.cannot, told.gone], [true, true, true]);
  assert.equal(told.failed, "This moment cannot be rebuilt: tools_mismatch\\u{202E}");
});

test("of ten thousand inputs those in sight are drawn", async (t) => {
  const page = await open(t);
  const told = await page.evaluate(async () => {
    defineInspector();
    const element = await begin([{ text: "Hello." }]);
    await session.send("much");
    // the same bytes many times over: a recording is data to the list
    const { inputs, ...rest } = JSON.parse(session.recording());
    const many = Array.from({ length: 10_000 }, (_, at) => (at < inputs.length ? inputs[at] : { type: "feed", request: 1, nowMs: 1_764_500_000_000 + at, text: `w${at} ` }));
    const recording = JSON.stringify({ ...rest, inputs: many });
    const state = session.state();
    const read = performance.now();
    element.travel = () => ({ state, digest: "" });
    element.session = { view: {}, subscribe: () => () => {}, state: () => state, recording: () => recording };
    element.flush();
    const drawn = performance.now() - read;
    const box = element.shadowRoot.querySelector("[part=log]");
    const rows = () => [...box.querySelectorAll("li")];
    const frames = [];
    for (const at of [0, 50_000, 140_000, 280_000, 7]) {
      const begun = performance.now();
      box.scrollTop = at;
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      frames.push(performance.now() - begun);
    }
    const begun = performance.now();
    element.goTo(5000);
    return { count: element.shadowRoot.querySelector("[part=inputs] .count").textContent, rows: rows().length, frames, drawn, travel: performance.now() - begun, last: Math.max(...rows().map((row) => Number(row.dataset.at))) };
  });
  t.diagnostic(JSON.stringify(told));
  assert.equal(told.count, "10,000");
  assert.ok(told.last > 4900 && told.last < 5100, `the moment is in sight: ${told.last}`);
  assert.ok(told.rows < 60, `${told.rows} rows are drawn`);
});

test("it reads in the dark, from right to left, and on a narrow panel", async (t) => {
  const page = await open(t, { colorScheme: "dark", viewport: { width: 440, height: 1200 } });
  const inspector = await waiting(page);
  await inspector.locator("[part=calls] summary").nth(3).click();
  await axeClean(page);
  await picture(page, "dark-narrow");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "nothing is wider than the page");
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  await picture(page, "dark-narrow-rtl");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
});
