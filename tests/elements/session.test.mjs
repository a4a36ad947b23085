// The elements over a real session: the package's core, a scripted model, a document.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeAll, focusOf, open, settled, textOf } from "./page.mjs";

after(closeAll);

test("a person asks, approves, denies and takes back over a real session", async (t) => {
  const page = await open(t);
  await page.evaluate(async () => {
    const { createSession, DocumentStore, entityTools, init } = await import("/package/index.js");
    const { scripted } = await import("/package/testing.js");
    await init();
    const definition = { kind: "line", sections: [{ name: "steps", path: "/steps", titleKey: "title", references: [{ path: "/after", section: "steps", onDelete: "cascade" }] }] };
    const document_ = new DocumentStore(definition, { steps: [{ id: "steps-1", title: "Pick" }, { id: "steps-2", title: "Pack", after: "steps-1" }, { id: "steps-3", title: "Ship" }] });
    const provider = scripted([
      { text: ["I would ", "do three things."], calls: [
        { name: "update_entity", input: { kind: "steps", id: "steps-3", set: { title: "Send" } } },
        { name: "add_entity", input: { kind: "steps", fields: { title: "Check" } } },
        { name: "delete_entity", input: { kind: "steps", id: "steps-1" } },
      ] },
      { text: "Done." },
    ]);
    window.store = document_;
    window.session = await createSession({ provider, tools: entityTools(definition), document: document_ });
    const box = document.createElement("div");
    box.className = "panel";
    const [transcript, composer] = ["transcript", "composer"].map((name) => document.createElement(`countersign-${name}`));
    box.append(transcript, composer);
    transcript.session = composer.session = session;
    place.replaceChildren(box);
    composer.focus();
  });
  const log = page.locator("countersign-transcript");
  await page.keyboard.type("Tidy up");
  await page.keyboard.press("Enter");
  await log.getByText("3 changes waiting").waitFor();
  assert.match(await textOf(log), /Tidy up.*I would do three things\./);
  await settled(page);
  await page.keyboard.press("Escape");
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
  await log.getByText("2 changes applied, 1 denied").waitFor();
  const titles = () => page.evaluate(() => store.read().steps.map(({ title }) => title));
  assert.deepEqual(await titles(), ["Pick", "Pack", "Send", "Check"]);
  await log.getByRole("button", { name: "Undo this turn" }).click();
  await log.getByText("2 changes undone").waitFor();
  assert.deepEqual(await titles(), ["Pick", "Pack", "Ship"]);
  await page.evaluate(() => session.dispose());
  assert.match(await textOf(log), /2 changes undone/, "the last view stays readable");
});
