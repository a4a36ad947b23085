// What the end-to-end tests share: the real server, a real Chromium, and the page as a person finds it.
import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { startServer } from "../../scripts/serve.mjs";

const screenshots = fileURLToPath(new URL("../output/screenshots/", import.meta.url));
const CHROMIUM = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));

let browser;

/** One browser for a test file; call it at the end of the file. */
export async function closeBrowser() {
  await browser?.close();
}

/**
 * Opens the page against a server of its own and closes both after the test, which fails when the page logged an
 * error. `expected` names log lines that a test provokes, such as the browser's own about a refused request.
 */
export async function open(t, { fault, delayMs = 1, expected, viewport = { width: 1440, height: 900 }, ...context } = {}) {
  assert.ok(CHROMIUM, "no Chromium was found; run `npm run setup -- --tests`");
  browser ??= await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
  const server = await startServer({ port: 0, delayMs, ...(fault === undefined ? {} : { fault }) });
  const page = await browser.newPage({ viewport, ...context });
  page.setDefaultTimeout(15_000);
  const problems = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !expected?.test(message.text())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  const requests = [];
  page.on("request", (request) => requests.push(request));
  t.after(async () => {
    await page.close();
    await server.close();
    assert.deepEqual(problems, [], "the page logged errors");
  });
  await page.goto(server.url);
  await page.locator("#app[data-ready] .composer").waitFor({ state: "attached" });
  return Object.assign(person(page), { page, url: server.url, requests });
}

/** The page in a person's terms. */
function person(page) {
  const panel = page.getByRole("complementary", { name: "Assistant" });
  const card = (name) => panel.locator(".card").filter({ hasText: name });
  return {
    panel,
    card,
    /** Writes a message and sends it. */
    async ask(text) {
      await panel.getByRole("textbox", { name: "Message to the assistant" }).fill(text);
      await page.keyboard.press("Enter");
    },
    /** Chooses an example: one of those in the empty panel, later one from the menu beside the composer. */
    async start(label) {
      const suggestion = panel.locator(".suggestion", { hasText: label });
      if (await suggestion.isVisible()) return suggestion.click();
      await panel.getByRole("button", { name: "Examples" }).click();
      await page.getByRole("menuitem", { name: label }).click();
    },
    /** Waits for the status word. */
    status: (word) => panel.locator(".status-word").getByText(word, { exact: true }).waitFor(),
    /** Waits for cards, for as long as a card ignores a decision. */
    async cards(text) {
      await panel.getByText(text).waitFor();
      await page.waitForTimeout(500);
    },
    /** Presses a button of one card. */
    async press(name, button) {
      await page.waitForTimeout(350); // right after another decision a click is ignored
      await card(name).last().locator(".card-body").getByRole("button", { name: button }).first().click();
    },
    /** Chooses from a card's menu. */
    async choose(name, entry) {
      await card(name).last().getByRole("button", { name: "More for this change" }).click();
      await page.getByRole("menuitem", { name: entry }).click();
    },
    /** What a card says happened. */
    outcome: (name) => card(name).last().locator(".card-outcome").innerText(),
    /** How many there are, as the tabs say. */
    async counts() {
      const read = async (name) => Number((await page.getByRole("tab", { name }).locator(".tally").innerText()).trim());
      return { elements: await read("Elements"), flows: await read("Data flows"), boundaries: await read("Trust boundaries"), threats: await read("Threats") };
    },
    /** The value of a field in the tables. */
    field: (label) => page.getByLabel(label, { exact: true }),
    /** Opens a tab of the tables. */
    tab: (name) => page.getByRole("tab", { name }).click(),
    /** Keeps a picture. */
    async picture(name) {
      const path = join(screenshots, `${name}.png`);
      mkdirSync(dirname(path), { recursive: true });
      await page.screenshot({ path });
    },
  };
}

/** Waits until `read` gives `expected`; fails with what it gave last. */
export async function eventually(read, expected, message) {
  const until = Date.now() + 10_000;
  let last;
  do {
    last = await read();
    try {
      assert.deepEqual(last, expected);
      return;
    } catch {
      await new Promise((done) => setTimeout(done, 50));
    }
  } while (Date.now() < until);
  assert.deepEqual(last, expected, message);
}
