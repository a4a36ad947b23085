// The elements over a real session: the package's core, a scripted model, a document.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { axeClean } from "./axe.mjs";
import { closeAll, focusOf, open, picture, receipt, settled, textOf } from "./page.mjs";

after(closeAll);

const DEFINITION = { kind: "line", sections: [{ name: "steps", path: "/steps", titleKey: "title", references: [{ path: "/after", section: "steps", onDelete: "cascade" }] }] };
const STEPS = [{ id: "steps-1", title: "Pick" }, { id: "steps-2", title: "Pack", after: "steps-1" }, { id: "steps-3", title: "Ship" }];

/** A panel over a real session whose model makes these calls, then says it is done; asked by a person, with the cards there. */
const panel = async (page, calls, text) => {
  await page.evaluate(
    async ([definition, steps, calls]) => {
      const { createSession, DocumentStore, entityTools, init } = await import("/package/index.js");
      const { scripted } = await import("/package/testing.js");
      await init();
      window.store = new DocumentStore(definition, { steps });
      const provider = scripted([{ text: ["I would ", "do this."], calls }, { text: "Done." }]);
      window.session = await createSession({ provider, tools: entityTools(definition), document: store });
      const box = document.createElement("div");
      box.className = "panel";
      const [transcript, composer] = ["transcript", "composer"].map((name) => document.createElement(`countersign-${name}`));
      box.append(transcript, composer);
      transcript.session = composer.session = session;
      place.replaceChildren(box);
      composer.focus();
    },
    [DEFINITION, STEPS, calls],
  );
  await page.keyboard.type("Tidy up");
  await page.keyboard.press("Enter");
  const log = page.locator("countersign-transcript");
  await log.getByText(text).first().waitFor();
  await settled(page);
  return log;
};
const titles = (page) => page.evaluate(() => store.read().steps.map(({ title }) => title));
const RENAME = { name: "update_entity", input: { kind: "steps", id: "steps-3", set: { title: "Send" } } };
const ADD = { name: "add_entity", input: { kind: "steps", fields: { title: "Check" } } };
const DELETE = { name: "delete_entity", input: { kind: "steps", id: "steps-1" } };

test("a person asks, approves, denies and takes back over a real session", async (t) => {
  const page = await open(t);
  const log = await panel(page, [RENAME, ADD, DELETE], "3 changes waiting");
  assert.match(await textOf(log), /Tidy up.*I would do this\./);
  await page.evaluate(() => document.getElementById("outside").focus());
  await page.keyboard.press("j");
  await settled(page);
  await page.keyboard.press("a");
  await settled(page);
  await page.keyboard.press("a");
  await settled(page);
  assert.match(await focusOf(page), /^Delete: /);
  await page.keyboard.press("d");
  await log.getByText("Done.").waitFor();
  await receipt(log, "2 changes applied, 1 denied");
  assert.deepEqual(await titles(page), ["Pick", "Pack", "Send", "Check"]);
  await log.getByRole("button", { name: "Undo this turn" }).click();
  await receipt(log, "2 changes undone");
  assert.deepEqual(await titles(page), ["Pick", "Pack", "Ship"]);
  await page.evaluate(() => session.dispose());
  assert.match(await textOf(log), /2 changes undone/, "the last view stays readable");
});

test("each card shows the computed effect, a deletion what goes with it, and together they are approved as they were shown", async (t) => {
  const page = await open(t);
  const log = await panel(page, [RENAME, ADD, DELETE], "3 changes waiting");
  const text = await textOf(log);
  assert.match(text, /Changed Title: Ship → becomes Send/);
  assert.match(text, /Added Check step/);
  assert.match(text, /This deletes Pick and 1 step\./);
  await picture(page, "session");
  await axeClean(page);
  await log.getByRole("button", { name: "Approve all 2" }).click();
  assert.match(await focusOf(page), /^Delete: /);
  await settled(page);
  await log.getByRole("button", { name: /^Delete: / }).click();
  await receipt(log, "3 changes applied");
  assert.deepEqual(await titles(page), ["Send", "Check"]);
});

test("a1 a card goes stale when the document changes: it says what changed, shows the new effect, and that is approved", async (t) => {
  const page = await open(t);
  const log = await panel(page, [RENAME], "Ship → ");
  // from inside the page: a slow machine would click too late
  await page.evaluate(async () => {
    const card = document.querySelector("countersign-transcript").shadowRoot.querySelector("countersign-card").shadowRoot;
    store.edit([{ op: "replace", path: "/steps/2/title", value: "Sail" }], "rename");
    while (!card.textContent.includes("Changed meanwhile")) await new Promise(requestAnimationFrame);
    card.querySelector("[data-act=approve]").click();
  });
  assert.match(await textOf(log), /Sail → becomes Send/);
  assert.deepEqual(await titles(page), ["Pick", "Pack", "Sail"], "right after it changed a click is no decision");
  await settled(page);
  await page.getByRole("button", { name: /^Approve: / }).click();
  await receipt(log, "1 change applied");
  assert.deepEqual(await titles(page), ["Pick", "Pack", "Send"]);
});

test("a6 an edit is drawn from the tool's schema, checked by the core, previewed live, and approved exactly so", async (t) => {
  const page = await open(t, { viewport: { width: 460, height: 1400 } });
  const log = await panel(page, [RENAME], "Ship → ");
  await page.getByRole("button", { name: /^More choices/ }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const form = log.getByRole("group", { name: "Change it before you approve it" });
  await form.waitFor();
  await picture(page, "session-edit");
  await axeClean(page);
  const id = form.getByRole("textbox", { name: /^Id/ });
  await id.fill("steps-99");
  await page.waitForTimeout(400);
  await picture(page, "session-edit-wrong");
  await id.fill("steps-1");
  await form.getByText(/Pick →/).waitFor();
  await form.getByRole("textbox", { name: /^Title/ }).fill("Choose");
  await form.getByText(/→ becomes Choose/).waitFor();
  await settled(page);
  await form.getByRole("button", { name: "Approve this version" }).click();
  await log.locator("[part~=outcome]").getByText("Applied, as you edited it").waitFor();
  await receipt(log, "1 change applied");
  assert.deepEqual(await titles(page), ["Choose", "Pack", "Ship"]);
});
