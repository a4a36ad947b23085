// A folder served over HTTP and a page of it in a real browser.
import { createServer } from "node:http";
import { existsSync, readFileSync, statSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";
import { browserArgs, findBrowser } from "../../scripts/tools.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/** Serves `folder` while `use` runs; what is not there is answered with 404. */
export async function served(folder, use) {
  const asked = [];
  const server = createServer((request, response) => {
    const name = new URL(request.url, "http://localhost").pathname;
    const path = join(folder, normalize(name === "/" ? "/index.html" : name));
    asked.push(name);
    if (!existsSync(path) || !statSync(path).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use(`http://127.0.0.1:${server.address().port}/`, asked);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The title the page at `url` comes to, and what it asked for and said on the way. */
export async function titleOf(url) {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArgs });
  try {
    const page = await browser.newPage();
    const said = [];
    page.on("pageerror", (error) => said.push(String(error)));
    await page.goto(url);
    await page.waitForFunction(() => document.title !== "starting", undefined, { timeout: 30_000 });
    return { title: await page.title(), said };
  } finally {
    await browser.close();
  }
}
