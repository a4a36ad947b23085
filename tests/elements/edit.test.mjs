// The form of a card: drawn from the tool's schema, checked as it is typed, approved exactly as it was shown.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { card, closeAll, eventually, focusOf, open, picture, settled, textOf } from "./page.mjs";

after(closeAll);

const SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["id", "set"],
  $defs: { person: { type: "object", required: ["name"], properties: { name: { type: "string" }, mail: { type: "string" } } } },
  properties: {
    id: { type: "string" },
    set: {
      type: "object",
      required: ["title", "minutes", "urgent", "color"],
      properties: {
        title: { type: "string", description: "What the step is called" },
        notes: { type: "string", maxLength: 2000 },
        minutes: { type: "integer" },
        urgent: { type: "boolean" },
        color: { enum: ["green", "amber", "red"] },
        tags: { type: "array", items: { type: "string" } },
        people: { type: "array", items: { $ref: "#/$defs/person" } },
        due: { anyOf: [{ type: "string" }, { type: "null" }] },
        when: { oneOf: [{ type: "object", required: ["on", "day"], properties: { on: { const: "day" }, day: { type: "string" } } }, { type: "object", required: ["on", "hour"], properties: { on: { const: "hour" }, hour: { type: "number" } } }] },
        version: { const: 2 },
        anything: {},
      },
    },
  },
};
const INPUT = { id: "step-1", set: { title: "Pick", minutes: 4, urgent: false, color: "green", tags: ["fast", "cold"], people: [{ name: "Ann" }], due: null, when: { on: "day", day: "Monday" }, version: 2, anything: { deep: [1, 2] } } };

const start = async (page, more = "") => {
  await card(page, { id: "a", input: INPUT, summary: "Change Pick" }, `session.tools.set("update_step", { name: "update_step", description: "", effect: "mutate", destructive: false, inputSchema: ${JSON.stringify(SCHEMA)} }); session.change("a", { preview: preview("Rename Pick to Scan", [changed("steps", "step-1", "Pick", "title", "Pick", "Scan")]) }); ${more}`);
  await settled(page);
  await page.getByRole("button", { name: /^More choices/ }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByRole("group", { name: "Change it before you approve it" }).waitFor();
};
const field = (page, name) => page.getByRole("textbox", { name }).first();
const approved = (page) => page.evaluate(() => session.asked.filter(([kind]) => kind === "approve").map(([, , input]) => input));
const approve = (page) => page.getByRole("button", { name: "Approve this version" });
const ready = (page) => page.locator("[data-act=approve-edit]:not([aria-disabled])").waitFor();

test("every kind of field is drawn and written back", async (t) => {
  const page = await open(t, { viewport: { width: 460, height: 1500 } });
  await start(page);
  await picture(page, "edit-form");
  await field(page, /^Title/).fill("Scan");
  await field(page, /^Minutes/).fill("12");
  await page.getByRole("checkbox", { name: /^Urgent/ }).check();
  await page.getByRole("combobox", { name: /^Color/ }).selectOption({ label: "red" });
  await page.getByRole("button", { name: "Move down: Tags 1" }).click();
  await page.getByRole("button", { name: "Remove: Tags 2" }).click();
  await page.getByRole("button", { name: "Add to Tags" }).click();
  await page.keyboard.type("new");
  await page.getByRole("button", { name: "Add to People" }).click();
  await page.keyboard.type("Sam");
  await page.getByRole("checkbox", { name: "Due: None" }).uncheck();
  await page.keyboard.type("Friday");
  await page.getByRole("combobox", { name: "Kind of When" }).selectOption({ label: "hour" });
  await page.getByRole("textbox", { name: /^Hour/ }).fill("9.5");
  await page.getByRole("button", { name: "Add Notes" }).click();
  await page.keyboard.type("one");
  await page.keyboard.press("Enter");
  await page.keyboard.type("two");
  await page.getByRole("textbox", { name: /^Anything/ }).fill('{"deep": true}');
  await ready(page);
  await settled(page);
  await approve(page).click();
  assert.deepEqual(await approved(page), [
    { id: "step-1", set: { title: "Scan", notes: "one\ntwo", minutes: 12, urgent: true, color: "red", tags: ["cold", "new"], people: [{ name: "Ann" }, { name: "Sam" }], due: "Friday", when: { on: "hour", hour: 9.5 }, version: 2, anything: { deep: true } } },
  ]);
  await page.getByText("Applied, as you edited it").waitFor();
  const [event] = await page.evaluate(() => events.filter(({ name }) => name === "countersign-decision"));
  assert.deepEqual(event.detail, { callId: "a", decision: "edit", ok: true });
});

test("what the edited call would do is shown as it is typed, and the page is told of it", async (t) => {
  const page = await open(t, { viewport: { width: 460, height: 1300 } });
  await start(page);
  await page.getByText("This is what was proposed.").waitFor();
  await field(page, /^Title/).fill("Weigh");
  await page.getByText("As you edited it").waitFor();
  assert.match(await textOf(page.locator("countersign-card"), "[part=effect]"), /Title: Pick → becomes Weigh/);
  const titles = await page.evaluate(() => events.filter(({ name, detail }) => name === "countersign-preview" && detail).map(({ detail }) => detail.preview?.title));
  assert.equal(titles.at(-1), "As you edited it");
  const asked = await page.evaluate(() => session.asked.filter(([kind]) => kind === "preview").length);
  assert.ok(asked <= 2, `asked ${asked} times for one change`);
});

test("a6 issues stand beside their fields, and nothing wrong can be approved", async (t) => {
  const page = await open(t, { viewport: { width: 460, height: 1500 } });
  await start(page, `session.previews = (input) => (input.set.title.length > 3 ? { ok: true, input, preview: preview("Fine", []) } : { ok: false, issues: ["set.title: must be at least 4 characters long, got " + input.set.title.length, "set.people[0].name: is required but missing", "input: something about the whole"] });`);
  await field(page, /^Title/).fill("abc");
  await page.getByText("3 things to correct").waitFor();
  const title = field(page, /^Title/);
  assert.equal(await title.getAttribute("aria-invalid"), "true");
  const described = await title.evaluate((node) => node.getAttribute("aria-describedby").split(" ").map((id) => node.getRootNode().getElementById(id)?.textContent).join(" "));
  assert.match(described, /must be at least 4 characters long, got 3/);
  assert.match(await page.getByRole("textbox", { name: /^Name/ }).evaluate((node) => node.closest(".form-field").textContent), /is required but missing/);
  await picture(page, "edit-issues");
  await approve(page).click({ force: true });
  assert.deepEqual(await approved(page), []);
  await field(page, /^Minutes/).fill("four");
  await page.getByText("This is not a number.").first().waitFor();
  await field(page, /^Minutes/).fill("4");
  await title.fill("abcd");
  await ready(page);
  assert.equal(await title.getAttribute("aria-invalid"), null);
});

test("optional members can be left out and brought back; what was typed is not lost when the view changes", async (t) => {
  const page = await open(t, { viewport: { width: 460, height: 1300 } });
  await start(page);
  await page.getByRole("button", { name: "Leave out Tags" }).click();
  await page.getByRole("button", { name: "Leave out Anything" }).click();
  await field(page, /^Title/).fill("Half-typed");
  await field(page, /^Title/).focus();
  await page.evaluate(() => session.change("a", { preview: preview("Rename Pick up to Scan", [changed("steps", "step-1", "Pick", "title", "Pick up", "Scan")]), stale: { because: "document", lines: [] } }));
  await page.evaluate(() => session.set({ documentRevision: 2 }));
  await page.getByText("The document changed meanwhile").waitFor();
  assert.equal(await field(page, /^Title/).inputValue(), "Half-typed");
  assert.match(await focusOf(page), /Half-typed|^$|Title/);
  assert.equal(await page.evaluate(() => document.activeElement.localName), "countersign-card");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^More choices/ }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  assert.equal(await field(page, /^Title/).inputValue(), "Half-typed", "putting the form away keeps what was typed");
  await ready(page);
  await settled(page);
  await approve(page).click();
  const [input] = await approved(page);
  assert.equal("tags" in input.set || "anything" in input.set, false);
});

test("an effect that is another at the click is shown first, not approved", async (t) => {
  const page = await open(t, { viewport: { width: 460, height: 1300 } });
  await start(page, `window.effect = "first"; session.previews = (input) => ({ ok: true, input, preview: preview("It does the " + effect, []) });`);
  await field(page, /^Title/).fill("Weigh");
  await page.getByText("It does the first").waitFor();
  await settled(page);
  await page.evaluate(() => (window.effect = "second"));
  await approve(page).click();
  await page.getByText("It does the second").waitFor();
  assert.deepEqual(await approved(page), []);
  await settled(page);
  await approve(page).click();
  assert.equal((await approved(page)).length, 1);
});

test("a click on the form counts from when the hand moved, however late a busy page hears of it", async (t) => {
  const page = await open(t, { viewport: { width: 460, height: 1300 } });
  await start(page, `window.effect = "first"; session.previews = (input) => ({ ok: true, input, preview: preview("It does the " + effect, []) });`);
  await field(page, /^Title/).fill("Weigh");
  await page.getByText("It does the first").waitFor();
  await settled(page);
  await page.evaluate(() => {
    window.early = new MouseEvent("click", { bubbles: true, composed: true });
    window.effect = "second";
  });
  await field(page, /^Title/).fill("Pack");
  await page.getByText("It does the second").waitFor();
  await settled(page);
  await approve(page).evaluate((node) => node.dispatchEvent(early));
  assert.deepEqual(await approved(page), []);
  await approve(page).click();
  assert.equal((await approved(page)).length, 1);
});

test("whatever the schema, an untouched form is the proposed input, to the last character", async (t) => {
  const page = await open(t, { viewport: { width: 460, height: 1300 } });
  const odd = "line one\r\nline two\ttab \u202e end";
  const tree = { type: "object", required: ["op", "left"], properties: { op: { enum: ["and", "or"] }, left: { $ref: "#/$defs/expr" }, right: { $ref: "#/$defs/expr" } } };
  const cases = [
    [{ type: "object", properties: { a: { type: ["string", "null"] }, b: { type: ["integer", "number"] }, c: { type: ["string", "boolean"] } } }, { a: null, b: 1.5, c: true }],
    [{ type: "object", properties: { text: { type: "string" }, n: { type: "number" } } }, { text: odd, n: 1e21 }],
    [{ type: "object", additionalProperties: { type: "number" } }, { one: 1, "two words": 2, constructor: 3 }],
    [{ type: "object", properties: { a: { type: "string" } }, additionalProperties: true }, { a: "x", b: { c: [1, { d: null }] }, e: "text", f: false }],
    [{ $defs: { expr: { oneOf: [{ type: "string" }, tree] } }, type: "object", properties: { where: { $ref: "#/$defs/expr" } } }, { where: { op: "and", left: "a", right: { op: "or", left: "b" } } }],
    [{ type: "object", properties: { self: { $ref: "#" }, other: { $ref: "#" } } }, { self: { self: {} } }],
    [{ allOf: [{ type: "object", properties: { a: { type: "string" } } }, { properties: { b: { type: "number" } }, required: ["b"] }] }, { a: "x", b: 2 }],
    [{ type: "object", properties: { a: { type: "number" }, pair: { type: "array", prefixItems: [{ type: "string" }] }, any: true, level: { enum: [1, 2, null, { x: 1 }] } } }, { a: "not a number", pair: ["x", 1], any: [], level: { x: 1 } }],
    [{ type: "object", properties: { v: { anyOf: [{ type: "object", properties: { x: { type: "string" } } }, { type: "object", properties: { y: { type: "string" } } }] } } }, { v: { y: "1" } }],
    [{ type: "object", properties: { v: { anyOf: [{ const: "a" }, { const: "b" }] }, w: { $ref: "https://example.com/x" }, loop: { $ref: "#/properties/loop" } } }, { v: "b", w: 1, loop: 2 }],
    [true, { anything: 1 }],
  ];
  for (const [schema, input] of cases) {
    await card(page, { id: "a", input }, `session.tools.set("update_step", { name: "update_step", inputSchema: ${JSON.stringify(schema)} });`);
    await settled(page);
    await page.getByRole("button", { name: /^More choices/ }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.getByText("This is what was proposed.").waitFor();
    await page.waitForTimeout(350);
    await approve(page).click();
    assert.deepEqual(await approved(page), [undefined], JSON.stringify(schema));
  }
});

test("a member of any name is added, and a value nobody described is written as JSON", async (t) => {
  const page = await open(t, { viewport: { width: 460, height: 1300 } });
  await card(page, { id: "a", input: { one: 1 } }, `session.tools.set("update_step", { name: "update_step", inputSchema: { type: "object", additionalProperties: { type: "number" } } });`);
  await settled(page);
  await page.getByRole("button", { name: /^More choices/ }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Name of the new field" }).fill("__proto__");
  await page.keyboard.press("Enter");
  await page.keyboard.type("7");
  await ready(page);
  await settled(page);
  await approve(page).click();
  assert.equal(await page.evaluate(() => JSON.stringify(session.asked.findLast(([kind]) => kind === "approve")[2])), '{"one":1,"__proto__":7}');
});

test("an object that nobody described is drawn by what it holds, and takes members of any kind", async (t) => {
  const page = await open(t, { viewport: { width: 460, height: 1300 } });
  await card(page, { id: "a", input: { set: { title: "Pick", tags: ["a"], deep: { n: 1 } } } }, `session.tools.set("update_step", { name: "update_step", inputSchema: { type: "object", properties: { set: { type: "object" } } } });`);
  await settled(page);
  await page.getByRole("button", { name: /^More choices/ }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await field(page, /^Title/).fill("Scan");
  await field(page, /^N$/).fill("2");
  await page.getByRole("textbox", { name: "Name of the new field" }).last().fill("minutes");
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "Kind of Minutes" }).selectOption({ label: "Number" });
  await page.getByRole("textbox", { name: /^Minutes/ }).fill("5");
  await ready(page);
  await settled(page);
  await approve(page).click();
  assert.deepEqual(await approved(page), [{ set: { title: "Scan", tags: ["a"], deep: { n: 2 }, minutes: 5 } }]);
});

test("an input typed and approved unchanged is the proposed one, and a tool that nobody describes is edited as JSON", async (t) => {
  const page = await open(t, { viewport: { width: 460, height: 1300 } });
  await start(page);
  await settled(page);
  await approve(page).click();
  assert.deepEqual(await approved(page), [undefined]);
  await card(page, { id: "a", input: { x: "a\u202eb" } });
  await settled(page);
  await page.getByRole("button", { name: /^More choices/ }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const box = page.getByRole("textbox");
  await box.fill("{");
  await page.getByText("This is not JSON yet.").first().waitFor();
  await box.fill('{"x": 1}');
  await ready(page);
  await settled(page);
  await approve(page).click();
  assert.deepEqual(await approved(page), [{ x: 1 }]);
});
