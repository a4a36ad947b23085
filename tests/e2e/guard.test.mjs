// What goes wrong while something is drawn: the part says so, the document stays, and can be saved.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, open, saying } from "./page.mjs";

after(closeBrowser);

// whatever is drawn with this word in it fails, until it is told not to
const failing = (word) => {
  const real = String.prototype.includes;
  globalThis.fails = true;
  String.prototype.includes = function (...given) {
    if (globalThis.fails && String(this) === word) throw new Error("provoked");
    return real.apply(this, given);
  };
};
// a long text is walked through letter by letter
const failingLetters = (word) => {
  const real = String.prototype[Symbol.iterator];
  globalThis.fails = true;
  String.prototype[Symbol.iterator] = function () {
    if (globalThis.fails && String(this) === word) throw new Error("provoked");
    return real.call(this);
  };
};

// files are written the way that needs no dialog of the browser
const downloads = (page) => page.addInitScript(() => delete window.showSaveFilePicker);
const BOOM = saying([{ tool: "add_element", input: { element: { type: "cache", name: "Boom", trust_zone: "" } } }]);

test("the panel cannot be drawn: the drawing goes on, the document can be saved, and the panel comes back", async (t) => {
  const me = await open(t, { expected: /provoked|An error occurred|The above error/, prepare: async (page) => Promise.all([downloads(page), BOOM(page)]) });
  await me.page.evaluate(failing, "Add Boom");
  await me.ask("Go");
  const guard = me.page.getByRole("alert").filter({ hasText: "The assistant could not be drawn." });
  await guard.waitFor();
  await me.picture("guard-panel");
  await me.rename("Checkout", "Till");
  const download = me.page.waitForEvent("download");
  await guard.getByRole("button", { name: "Save" }).click();
  assert.match((await download).suggestedFilename(), /\.thf$/);
  await me.page.evaluate(() => {
    globalThis.fails = false;
  });
  await guard.getByRole("button", { name: "Try again" }).click();
  await me.panel.waitFor();
  await me.status("Ready");
  assert.equal(await me.element("Till").count(), 1);
});

test("the page cannot be drawn: the document can still be saved, as it is", async (t) => {
  const me = await open(t, { expected: /provoked|An error occurred|The above error/, prepare: downloads });
  await me.rename("Checkout", "Till");
  await me.page.evaluate(failingLetters, "Boom");
  await me.page.locator(".node-name").getByText("Storefront", { exact: true }).dblclick();
  await me.page.locator(".name-input").fill("Boom");
  await me.page.keyboard.press("Enter");
  const guard = me.page.getByRole("alert").filter({ hasText: "The page could not be drawn." });
  await guard.waitFor();
  const waiting = me.page.waitForEvent("download");
  await guard.getByRole("button", { name: "Save" }).click();
  const download = await waiting;
  const text = await (await download.createReadStream()).toArray().then((parts) => Buffer.concat(parts).toString());
  assert.match(text, /name: Till/);
  assert.match(text, /name: Boom/);
  await me.page.evaluate(() => {
    globalThis.fails = false;
  });
  await guard.getByRole("button", { name: "Try again" }).click();
  await eventually(() => me.element("Boom").count(), 1);
});
