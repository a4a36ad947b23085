// What the end-to-end tests share: the real server, a real Chromium, and the page as a person finds it.
import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { startServer } from "../../scripts/serve.mjs";
import { drawnAfterDeeds } from "../support/drawn.mjs";
import { insist } from "../support/insist.mjs";
import { FORMATS } from "../../www/threat-model/scripted/wire.mjs";

export { eventually } from "../support/eventually.mjs";

const screenshots = fileURLToPath(new URL("../output/screenshots/", import.meta.url));
const CHROMIUM = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));

let browser;

/** One browser for a test file; call it at the end of the file. */
export async function closeBrowser() {
  await browser?.close();
}

/**
 * Opens the page against a server of its own and closes both after the test, which fails when the page logged an
 * error. `expected` names log lines that a test provokes, such as the browser's own about a refused request; `prepare`
 * is given the page before it is loaded. `another` opens the page once more, in another tab.
 */
export async function open(t, { fault, delayMs = 1, expected, prepare, viewport = { width: 1440, height: 900 }, ...context } = {}) {
  assert.ok(CHROMIUM, "no Chromium was found; run `npm run setup -- --tests`");
  browser ??= await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
  const server = await startServer({ port: 0, delayMs, ...(fault === undefined ? {} : { fault }) });
  const tabs = await browser.newContext({ viewport, ...context });
  const problems = [];
  const requests = [];
  const tab = async () => {
    const page = await tabs.newPage();
    page.setDefaultTimeout(30_000);
    drawnAfterDeeds(page);
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()) && !expected?.test(message.text())) problems.push(message.text());
    });
    page.on("pageerror", (error) => {
      if (!expected?.test(String(error))) problems.push(String(error));
    });
    page.on("request", (request) => requests.push(request));
    page.on("filechooser", () => {}); // asks for the event from the start: the first who waits for it would ask only after the click
    await prepare?.(page);
    await page.goto(server.url);
    await page.locator("#app[data-ready] .composer").waitFor({ state: "attached" });
    return Object.assign(person(page), { page, url: server.url, requests, another: tab });
  };
  t.after(async () => {
    await tabs.close();
    await server.close();
    assert.deepEqual(problems, [], "the page logged errors");
  });
  return tab();
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
    /** Presses a button of one card that decides it, until it is decided or the page says why not. */
    async press(name, button) {
      await page.waitForTimeout(350); // right after another decision a click is ignored
      const one = card(name).last();
      await insist([await one.elementHandle()], one.locator(".card-body").getByRole("button", { name: button }).first(), (node) => !node.hasAttribute("data-waiting") || node.querySelector(".problem") !== null);
    },
    /** Approves together what the header counts. */
    async approveAll(n) {
      const button = panel.getByRole("button", { name: `Approve all ${n}`, exact: true });
      await button.waitFor();
      await insist(await panel.locator(".card[data-waiting]").elementHandles(), button, (node) => !node.hasAttribute("data-waiting"));
    },
    /** Chooses from a card's menu. */
    async choose(name, entry) {
      await card(name).last().getByRole("button", { name: "More for this change" }).click();
      await page.getByRole("menuitem", { name: entry }).click();
    },
    /** What a card says happened. */
    outcome: (name) => card(name).last().locator(".card-outcome").innerText(),
    /** How many there are, as the line above the details says. */
    async counts() {
      const read = async (name) => Number(await page.locator(`[data-count="${name}"]`).getAttribute("data-n"));
      return { elements: await read("elements"), flows: await read("flows"), boundaries: await read("boundaries"), threats: await read("threats") };
    },
    /** An element, a boundary or a flow in the drawing, by its id: `e:…`, `b:…`, `f:…`. */
    drawn: (key) => page.locator(`.react-flow [data-id="${key}"]`),
    /** An element in the drawing, by its name. */
    element: (name) => page.locator(".react-flow__node-element").filter({ has: page.locator(".node-name").getByText(name, { exact: true }) }),
    /** The names of what is selected in the drawing. */
    selected: () => page.locator(".react-flow__node.selected :is(.node-name, .boundary-name)").allInnerTexts(),
    /** Renames an element in place. */
    async rename(from, to) {
      await page.locator(".node-name").getByText(from, { exact: true }).dblclick();
      await page.locator(".name-input").fill(to);
      await page.keyboard.press("Enter");
      await page.locator(".node-name").getByText(to, { exact: true }).waitFor();
    },
    /** A field of the details. */
    field: (label) => page.locator(".drawer").getByLabel(label, { exact: true }),
    /** Opens a side of the drawer. */
    tab: (name) => page.getByRole("tab", { name }).click(),
    /** Takes hold of a point and lets go of it somewhere else. */
    async drag(from, to) {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
      await page.mouse.move(to.x, to.y, { steps: 4 });
      await page.mouse.up();
    },
    /** The middle of something on screen. */
    async middle(locator) {
      const box = await locator.boundingBox();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    },
    /** Keeps a picture. */
    async picture(name) {
      const path = join(screenshots, `${name}.png`);
      mkdirSync(dirname(path), { recursive: true });
      await page.screenshot({ path });
    },
  };
}

/** Lets the embedded assistant say these blocks, one list for each request, instead of its stories; then it is done. */
export const saying = (...answers) => async (page) => {
  await page.route("**/scripted/v1/messages", (route) => {
    const blocks = answers.shift() ?? [{ text: "Done." }];
    const body = [...FORMATS.anthropic.frames(route.request().postDataJSON(), { blocks })].map(([frame]) => frame).join("");
    return route.fulfill({ status: 200, contentType: "text/event-stream", body });
  });
};

/** Clicks at these points, the later ones before the page has answered the first. */
export async function clicksAtOnce(page, points) {
  const browser = await page.context().newCDPSession(page);
  const sent = points.flatMap(({ x, y }) => ["mousePressed", "mouseReleased"].map((type) => browser.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 })));
  await Promise.all(sent);
  await browser.detach();
}

/** What has the focus, by its name; nothing where it is lost to the page. */
export const focusOf = (page) => page.evaluate(() => {
  const { activeElement: at } = document;
  return at === document.body ? "" : (at.getAttribute("aria-label") ?? at.textContent).trim();
});

/** Where a node stands in the drawing, whatever the zoom. */
export async function placeOf(node) {
  const [, x, y] = /translate\((-?[\d.]+)px, ?(-?[\d.]+)px\)/.exec(await node.getAttribute("style"));
  return { x: Number(x), y: Number(y) };
}
