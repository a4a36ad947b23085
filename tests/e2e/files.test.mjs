// Files: opened from a dialog, from a drop and by key, saved back and downloaded, and refused where they are no threat model.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";

import { closeBrowser, eventually, open } from "./page.mjs";

after(closeBrowser);

const CLINIC = `version: "1.0"
metadata:
  title: Clinic
  author: Ward team
  created: 2026-01-05
  modified: 2026-01-05
elements:
  - id: tablet
    type: mobile_app
    name: Ward tablet
  - id: records
    type: data_store
    name: Records
    x-owner: ward
data_flows:
  - id: flow-1
    from: tablet
    to: records
    protocol: HTTPS
trust_boundaries: []
threats: []
diagrams:
  - id: main-dfd
    name: Level 0 DFD
`;

// browsers without a file dialog for pages: a file input to open, a download to save
const plain = (page) => page.addInitScript(() => {
  delete window.showOpenFilePicker;
  delete window.showSaveFilePicker;
});

// a real file of the browser's own file system, handed out by the two dialogs that nobody can click here
const dialogs = (page, text) => page.addInitScript((text) => {
  const file = async () => (await navigator.storage.getDirectory()).getFileHandle("clinic.thf", { create: true });
  window.showOpenFilePicker = async () => {
    const handle = await file();
    const stream = await handle.createWritable();
    await stream.write(text);
    await stream.close();
    return [handle];
  };
  window.showSaveFilePicker = file;
  window.savedText = async () => (await (await file()).getFile()).text();
}, text);

async function choose(page, press, file) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), press()]);
  await chooser.setFiles(file);
}

const thf = (name, text) => ({ name, mimeType: "application/yaml", buffer: Buffer.from(text) });

test("a file is opened, changed and downloaded; today is the day it was modified, and nothing is lost", async (t) => {
  const me = await open(t, { prepare: plain });
  const { page } = me;
  await choose(page, () => page.keyboard.press("Control+o"), thf("clinic.thf", CLINIC));
  await me.element("Ward tablet").waitFor();
  await eventually(() => page.title(), "Clinic – Countersign");
  assert.deepEqual(await me.counts(), { elements: 2, flows: 1, boundaries: 0, threats: 0 });
  assert.equal(await page.getByRole("button", { name: "Undo", exact: true }).getAttribute("aria-disabled"), "true", "what was done to another document cannot be undone here");
  await me.rename("Records", "Patient records");
  await eventually(() => page.title(), "• Clinic – Countersign");
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Control+s")]);
  assert.equal(download.suggestedFilename(), "clinic.thf");
  const text = await readFile(await download.path(), "utf8");
  const now = new Date();
  const today = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, "0")}-${String(now.getDate()).padStart(2, "0")}`;
  assert.match(text, new RegExp(`modified: ${today}`));
  assert.match(text, /name: Patient records/);
  assert.match(text, /x-owner: ward/, "a key that nobody knows is kept");
  assert.match(text, /position:/, "where things stand is kept");
  await eventually(() => page.title(), "Clinic – Countersign");

  await choose(page, () => page.getByRole("button", { name: "Open" }).click(), thf("again.yaml", text));
  await me.element("Patient records").waitFor();
  await page.locator(".note").getByText("Opened again.yaml").waitFor();
  await choose(page, () => page.getByRole("button", { name: "Open" }).click(), thf("loose.thf", text.replace("to: records", "to: nowhere")));
  await page.locator(".note").getByText(/^Opened loose\.thf\. One thing in it does not hold: .*nowhere/).waitFor();
});

test("a file with a handle is saved back where it came from", async (t) => {
  const me = await open(t, { prepare: (page) => dialogs(page, CLINIC) });
  const { page } = me;
  await page.keyboard.press("Control+o");
  await me.element("Ward tablet").waitFor();
  await me.element("Ward tablet").click();
  await me.field("Description").fill("Carried from bed to bed.");
  await page.keyboard.press("Control+s");
  await page.locator(".note").getByText("Saved as clinic.thf").waitFor();
  assert.match(await page.evaluate(() => window.savedText()), /Carried from bed to bed\./, "what was being typed is saved too");
  await eventually(() => page.title(), "Clinic – Countersign");
});

test("a bad file is refused in one sentence, and the document stays as it was", async (t) => {
  const me = await open(t, { prepare: plain });
  const { page } = me;
  await me.element("Checkout").click();
  const counts = await me.counts();
  const told = async (file, sentence) => {
    await choose(page, () => page.getByRole("button", { name: "Open" }).click(), file);
    await page.locator(".note").getByText(sentence).waitFor();
    assert.deepEqual(await me.counts(), counts);
    assert.deepEqual(await me.selected(), ["Checkout"]);
    assert.equal(await page.title(), "Web shop – Countersign");
  };
  await told(thf("cut.thf", 'version: "1.0\nmetadata: {'), /^cut\.thf could not be opened: [^\n]{10,200}$/);
  await told(thf("list.thf", "- one\n- two\n"), /^list\.thf could not be opened: /);
  await told(thf("future.thf", CLINIC.replace('"1.0"', '"2.0"')), /^future\.thf could not be opened: .*2\.0/);
  await told({ name: "photo.png", mimeType: "image/png", buffer: Buffer.from([1, 2, 3]) }, /^photo\.png is no threat model file/);
  await me.picture("bad-file");
});

test("what is not saved is asked for before another document takes its place", async (t) => {
  const me = await open(t, { prepare: plain });
  const { page } = me;
  await me.rename("Storefront", "Front");
  await page.getByRole("button", { name: "New" }).click();
  await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
  await me.picture("unsaved");
  await page.keyboard.press("Escape");
  await me.element("Front").waitFor();
  await page.getByRole("button", { name: "New" }).click();
  await page.getByRole("button", { name: "Leave without saving" }).click();
  await page.getByText("Nothing is drawn yet").waitFor();
  assert.deepEqual(await me.counts(), { elements: 0, flows: 0, boundaries: 0, threats: 0 });
  assert.equal(await me.field("Title").inputValue(), "New threat model");
  await page.keyboard.press("n");
  await page.locator(".name-input:focus").waitFor();
  await page.keyboard.press("Enter");
  await eventually(async () => (await me.counts()).elements, 1);
});

test("a file dropped on the page is opened; a new document starts a new conversation", async (t) => {
  const me = await open(t);
  const { page } = me;
  await me.start("Clean up the old export");
  await me.cards("3 changes waiting");
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "clinic.yml"));
    return transfer;
  }, CLINIC);
  await page.dispatchEvent(".canvas", "dragover", { dataTransfer: data });
  await page.getByText("Drop the file to open it").waitFor();
  await page.dispatchEvent(".canvas", "drop", { dataTransfer: data });
  await me.element("Ward tablet").waitFor();
  await eventually(() => me.panel.locator(".card").count(), 0);
  await me.status("Ready");
});

test("another document opened by key while an answer is written: the request ends, and a new conversation begins on the new document", async (t) => {
  const me = await open(t, { prepare: plain, delayMs: 20 });
  const { page } = me;
  await me.start("Explain everything");
  await me.status("Writing");
  const ended = page.waitForEvent("requestfailed", (request) => request.url().includes("/scripted/"));
  await choose(page, () => page.keyboard.press("Control+o"), { name: "clinic.thf", mimeType: "application/yaml", buffer: Buffer.from(CLINIC) });
  await me.element("Ward tablet").waitFor();
  await ended;
  await me.status("Ready");
  assert.equal(await me.panel.locator(".asked, .said, .card").count(), 0);
  assert.equal(await me.panel.locator(".suggestion").count(), 6);
  await me.ask("What is there?");
  await me.panel.locator(".said").first().waitFor();
  assert.equal(await me.panel.locator(".asked").count(), 1);
});
