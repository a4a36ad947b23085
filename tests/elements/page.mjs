// What the tests of the elements share: a real Chromium, a small page of their own, and the packed package on it.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { drawnAfterDeeds } from "../support/drawn.mjs";

export { eventually } from "../support/eventually.mjs";

const here = fileURLToPath(new URL("./", import.meta.url));
const screenshots = fileURLToPath(new URL("../output/screenshots/elements/", import.meta.url));
const CHROMIUM = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
const ROOMS = { "/site/": join(here, "site"), "/package/": fileURLToPath(new URL("../node_modules/countersign/dist/", import.meta.url)) };
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".wasm": "application/wasm" };
// as strict as a page can be: no inline script or style, no markup from strings
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data:; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";

/** How long a card finds keys and hands too early. */
export const SETTLED_MS = 700;

let browser;
let server;

/** One browser and one server for a test file; call it at its end. */
export async function closeAll() {
  await browser?.close();
  await new Promise((done) => (server === undefined ? done() : server.close(done)));
}

/** Opens the page; the test fails where it logged an error. `define` is false where the test defines the elements itself. */
export async function open(t, { define = true, words, expected, html = "/site/index.html", viewport = { width: 720, height: 900 }, ...context } = {}) {
  assert.ok(CHROMIUM, "no Chromium was found; run `npm run setup -- --tests`");
  browser ??= await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
  server ??= await serve();
  const page = await browser.newPage({ viewport, ...context });
  page.setDefaultTimeout(30_000);
  drawnAfterDeeds(page);
  const problems = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !expected?.test(message.text())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  t.after(async () => {
    await page.close();
    assert.deepEqual(problems, [], "the page logged errors");
  });
  await page.goto(`http://127.0.0.1:${server.address().port}${html}`);
  await page.locator("html[data-ready]").waitFor();
  if (define) await page.evaluate((words) => defineElements(words === undefined ? {} : { words }), words);
  return page;
}

/** Puts one card of this record on the page, in a session of its own. */
export async function card(page, record, more = "") {
  await page.evaluate(
    ([record, more]) => {
      const given = typeof record === "string" ? (0, Function)(`return (${record})`)() : record;
      window.session = new FakeSession({ phase: "awaiting_approval", calls: [call(given)] });
      if (more) (0, Function)(more)();
      const element = document.createElement("countersign-card");
      element.callId = session.view.calls[0].id;
      element.session = session;
      place.replaceChildren(element);
    },
    [record, more],
  );
  return page.locator("countersign-card");
}

/** Waits as long as a card ignores what is done to it. */
export const settled = (page) => page.waitForTimeout(SETTLED_MS);

/** What an element says, on one line and through all shadow roots; what is said to screen readers alone is in it, what is hidden is not. */
export const textOf = async (locator, part) => {
  const said = await (part === undefined ? locator : locator.locator(part).first()).evaluate((root) => {
    const text = (node) => {
      if (node instanceof Text) return node.data;
      if (!(node instanceof Element) && !(node instanceof ShadowRoot)) return "";
      if (node instanceof Element && !node.checkVisibility()) return "";
      const inside = [...(node.shadowRoot ?? (node instanceof HTMLSlotElement && node.assignedNodes().length > 0 ? { childNodes: node.assignedNodes() } : node)).childNodes].map(text).join("");
      return node instanceof Element && /^(inline|contents)$/.test(getComputedStyle(node).display) ? inside : ` ${inside} `;
    };
    return text(root);
  });
  return said.replace(/\s+/g, " ").trim();
};

/** What was asked of the session. */
export const asked = (page) => page.evaluate(() => session.asked.filter(([kind]) => kind !== "preview"));

/** Waits for the line at the end of a turn; the live region may say the same. */
export const receipt = (log, text) => log.locator("[part~=receipt]").getByText(text).waitFor();

/** Keeps a picture. */
export async function picture(page, name, of = page, options = {}) {
  const path = join(screenshots, `${name}.png`);
  mkdirSync(dirname(path), { recursive: true });
  await of.screenshot({ path, ...options });
}

/** What has the focus, through shadow roots: its label or text; nothing where it is lost to the page. */
export const focusOf = (page) =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at === null || at === document.body ? "" : (at.getAttribute("aria-label") ?? at.textContent).trim();
  });

async function serve() {
  const made = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const room = Object.keys(ROOMS).find((prefix) => path.startsWith(prefix));
    const file = room === undefined ? undefined : join(ROOMS[room], path.slice(room.length));
    if (file === undefined || !file.startsWith(ROOMS[room]) || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "content-security-policy": POLICY, "cache-control": "no-store" }).end(readFileSync(file));
  });
  await new Promise((done) => made.listen(0, "127.0.0.1", done));
  return made;
}
