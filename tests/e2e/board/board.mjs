// What the tests of the board share: the real server, a real Chromium, and the board as a person finds it.
import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { startServer } from "../../../scripts/serve.mjs";
import { drawnAfterDeeds } from "../../support/drawn.mjs";
import { eventually } from "../../support/eventually.mjs";
import { insist } from "../../support/insist.mjs";

export { eventually };

const screenshots = fileURLToPath(new URL("../../output/screenshots/", import.meta.url));
const CHROMIUM = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));

// for as long a card that has just appeared ignores decisions
const SETTLE_MS = 700;

let browser;

/** One browser for a test file; call it at the end of the file. */
export async function closeBrowser() {
  await browser?.close();
}

/**
 * Opens the board in a browser of its own memory and closes it after the test, which fails when a tab logged an error.
 * `pause` is how long the embedded assistant waits between two words; `board` is one that was kept before; `open()` of the
 * result opens another tab.
 */
export async function open(t, { pause = 0, board, viewport = { width: 1440, height: 900 }, ...options } = {}) {
  assert.ok(CHROMIUM, "no Chromium was found; run `npm run setup -- --tests`");
  browser ??= await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
  const server = await startServer({ port: 0 });
  const context = await browser.newContext({ viewport, ...options });
  context.setDefaultTimeout(30_000);
  if (board !== undefined) await context.addInitScript((state) => localStorage.getItem("countersign-board") ?? localStorage.setItem("countersign-board", state), JSON.stringify({ count: 1, tab: "", document: board, label: "" }));
  const problems = [];
  t.after(async () => {
    await context.close();
    await server.close();
    assert.deepEqual(problems, [], "the page logged errors");
  });
  const tab = async () => {
    const page = await context.newPage();
    drawnAfterDeeds(page);
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    const requests = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(`${server.url}board/?pause=${pause}`);
    await ready(page);
    return Object.assign(person(page), { page, requests, url: server.url, open: tab });
  };
  return tab();
}

/** Waits until the board and the assistant are there. */
export async function ready(page) {
  await page.locator("#app[data-ready]").waitFor({ state: "attached" });
  await page.waitForFunction(() => document.querySelector("countersign-composer")?.session != null);
}

/** The board in a person's terms. */
function person(page) {
  const panel = page.getByRole("complementary", { name: "Assistant" });
  const lane = (name) => page.getByRole("region", { name, exact: true });
  const tile = (title) => page.locator("[data-card]").filter({ has: page.locator(".title").getByText(title, { exact: true }) });
  const face = (title) => tile(title).locator(".card-face");
  const card = (text) => panel.locator("countersign-card").filter({ hasText: text }).last();
  return {
    panel,
    lane,
    tile,
    face,
    card,
    /** The titles of a lane's cards, in order. */
    cards: (name) => lane(name).locator("[data-card] .title").allInnerTexts(),
    /** The names of the lanes, in order. */
    lanes: () => page.locator("main h2").allInnerTexts(),
    /** Chooses from a card's menu. */
    async choose(title, entry) {
      await tile(title).hover();
      await tile(title).getByRole("button", { name: `More for ${title}` }).click();
      await page.getByRole("menuitem", { name: entry, exact: true }).click();
    },
    /** Chooses from a lane's menu. */
    async chooseLane(name, entry) {
      await lane(name).getByRole("button", { name: `More for the lane ${name}` }).click();
      await page.getByRole("menuitem", { name: entry, exact: true }).click();
    },
    undo: () => page.getByRole("button", { name: "Undo", exact: true }).click(),
    redo: () => page.getByRole("button", { name: "Redo", exact: true }).click(),
    /** A field of the open card. */
    field: (label) => page.getByRole("region", { name: "Card", exact: true }).getByLabel(label, { exact: true }),
    /** Drags a card by mouse to the place above another card, or over a lane's empty end. */
    async drag(title, { above, into }) {
      const from = await face(title).boundingBox();
      await page.mouse.move(from.x + 30, from.y + 12);
      await page.mouse.down();
      await page.mouse.move(from.x + 40, from.y + 40, { steps: 3 });
      const to = above === undefined ? await lane(into).locator(".foot").boundingBox() : await face(above).boundingBox();
      await page.mouse.move(to.x + 40, above === undefined ? to.y + 30 : to.y + 6, { steps: 6 });
      await page.waitForTimeout(60);
      await page.mouse.up();
    },
    /** Writes a message and sends it. */
    async ask(text) {
      await panel.getByRole("textbox", { name: "Message to the assistant" }).fill(text);
      await page.keyboard.press("Enter");
    },
    /** Chooses an example: one of those in the empty panel, later one from the menu. */
    async start(label) {
      const suggestion = panel.locator(".suggestion", { hasText: label });
      if (await suggestion.isVisible()) return suggestion.click();
      await panel.getByRole("button", { name: "Examples" }).click();
      await page.getByRole("menuitem", { name: label, exact: true }).click();
    },
    /** Waits for the status word. */
    status: (word) => panel.locator(".status").getByText(word, { exact: true }).waitFor(),
    /** Waits for cards, for as long as a card ignores a decision. */
    async waiting(n) {
      await panel.locator(".status").getByText("Waiting for you", { exact: true }).waitFor();
      if (n !== undefined) await eventually(() => panel.locator("countersign-card").evaluateAll((cards) => cards.filter((card) => card.waiting).length), n);
      await page.waitForTimeout(SETTLE_MS);
    },
    /** Presses a button of one card that decides it, until it is decided or the card says why not. */
    async press(text, button) {
      await page.waitForTimeout(SETTLE_MS / 2); // right after another decision a click is ignored
      const one = card(text);
      await insist([await one.elementHandle()], one.getByRole("button", { name: button }).first(), (node) => !node.waiting || node.shadowRoot.querySelector(".problem") !== null);
    },
    /** Approves together what the header counts. */
    async approveAll(n) {
      const button = panel.getByRole("button", { name: `Approve all ${n}`, exact: true });
      await button.waitFor();
      const cards = await panel.locator("countersign-card").elementHandles();
      const waiting = await Promise.all(cards.map((one) => one.evaluate((node) => node.waiting)));
      await insist(cards.filter((_, at) => waiting[at]), button, (node) => !node.waiting);
    },
    /** What stands there, inside elements too: in the panel where nothing is said. */
    said: (locator = panel) => locator.evaluate((root) => {
      const lines = [];
      const walk = (node) => {
        if (node.nodeType === Node.TEXT_NODE) lines.push(node.textContent);
        if (!(node instanceof Element) || node.matches("style") || !node.checkVisibility()) return;
        const inner = node.shadowRoot ?? (node.matches("slot") && node.assignedNodes().length > 0 ? { childNodes: node.assignedNodes() } : node);
        for (const child of inner.childNodes) walk(child);
        if (getComputedStyle(node).display !== "inline") lines.push(" ");
      };
      walk(root);
      return lines.join("").replace(/\s+/g, " ").trim();
    }),
    /** What has the focus, by its name, inside elements too; nothing where it is lost to the page. */
    focus: () => page.evaluate(() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return at === document.body ? "" : (at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.querySelector(".title")?.textContent ?? at.textContent).trim();
    }),
    /** What the live regions have said since. */
    async hear() {
      await page.evaluate(() => {
        window.heard = [];
        for (const region of document.querySelectorAll("[data-said], [data-now]")) new MutationObserver(() => window.heard.push(region.textContent.trim())).observe(region, { childList: true, characterData: true, subtree: true });
      });
      return () => page.evaluate(() => window.heard);
    },
    /** Keeps a picture. */
    async picture(name) {
      const path = join(screenshots, `board-${name}.png`);
      mkdirSync(dirname(path), { recursive: true });
      await page.screenshot({ path });
    },
  };
}
