// How the page stands: light and dark, wide and narrow, right to left; what assistive technology is told.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { axeClean } from "../elements/axe.mjs";
import { closeBrowser, eventually, open } from "./page.mjs";

after(closeBrowser);

for (const colorScheme of ["light", "dark"]) {
  for (const [size, viewport] of Object.entries({ wide: { width: 1440, height: 900 }, narrow: { width: 412, height: 860 } })) {
    test(`${colorScheme} and ${size}: nothing overflows, text has contrast, every control has a name and room`, async (t) => {
      const me = await open(t, { colorScheme, viewport, reducedMotion: "reduce" });
      await me.start("Clean up the old export");
      await me.cards("3 changes waiting");
      await me.picture(`looks-${colorScheme}-${size}`);
      const found = await me.page.evaluate(inspect);
      assert.deepEqual(found, { overflow: false, unnamed: [], small: [], pale: [] });
    });
  }
}

for (const colorScheme of ["light", "dark"]) {
  test(`${colorScheme}: axe finds nothing, in the empty panel, with cards and a form, after them, and in what happened`, async (t) => {
    const me = await open(t, { colorScheme, reducedMotion: "reduce" });
    await axeClean(me.page);
    await me.start("Clean up the old export");
    await me.cards("3 changes waiting");
    await me.choose("Change data flow Charge card", "Edit");
    await me.card("Delete Order export (old)").hover();
    await me.picture(`axe-${colorScheme}-form`);
    await axeClean(me.page);
    await me.page.keyboard.press("Escape");
    await me.rename("Order export (old)", "Nightly export");
    await me.card("Delete Nightly export").locator(".stale").waitFor();
    await axeClean(me.page);
    await me.page.waitForTimeout(500);
    await me.press("Delete Nightly export", "Delete");
    await me.press("Change data flow Charge card", "Approve");
    await me.press("The amount is changed on its way", "Approve");
    await me.panel.getByText("3 changes applied").waitFor();
    await me.page.getByRole("button", { name: "What happened", exact: true }).click();
    await me.page.locator("countersign-inspector").evaluate((node) => {
      node.flush();
      node.goTo(2);
    });
    await me.page.getByText(/^Looking at the past/).waitFor();
    await me.picture(`axe-${colorScheme}-past`);
    await axeClean(me.page);
  });
}

test("the panel's width and state are remembered; under 800 px it is a sheet", async (t) => {
  const me = await open(t);
  const width = async () => Math.round((await me.panel.boundingBox()).width);
  assert.ok((await width()) >= 380 && (await width()) <= 440);
  const handle = me.page.getByRole("separator", { name: "Width of the assistant panel" });
  await handle.focus();
  for (let step = 0; step < 4; step += 1) await me.page.keyboard.press("ArrowLeft");
  const wider = await width();
  await me.page.reload();
  await me.page.locator("#app[data-ready]").waitFor();
  assert.equal(await width(), wider);
  await me.page.getByRole("button", { name: "Assistant", exact: true }).click();
  await me.panel.waitFor({ state: "hidden" });
  await me.page.reload();
  await me.page.locator("#app[data-ready]").waitFor();
  assert.equal(await me.panel.isVisible(), false);
  await me.page.keyboard.press("F6");
  await me.panel.waitFor();
  await me.page.setViewportSize({ width: 500, height: 800 });
  const box = await me.panel.boundingBox();
  assert.ok(box.width === 500 && box.y > 200, "a sheet from the bottom");
});

test("new cards and outcomes are announced once, and streaming text is not", async (t) => {
  const me = await open(t, { delayMs: 8 });
  await me.page.evaluate(() => {
    window.heard = [];
    new MutationObserver(() => window.heard.push(document.querySelector('[role="status"][aria-live]').textContent)).observe(document.querySelector('[role="status"][aria-live]'), { childList: true, characterData: true, subtree: true });
  });
  await me.start("Clean up the old export");
  await me.cards("3 changes waiting");
  const heard = () => me.page.evaluate(() => window.heard);
  await eventually(heard, ["3 changes are waiting for you"]);
  await me.press("Delete Order export (old)", "Deny");
  await eventually(async () => (await heard()).filter((line) => line.includes("Delete Order export (old): Denied by you")).length, 1);
});

test("the transcript follows only at its end, and says when there is more below", async (t) => {
  const me = await open(t, { delayMs: 40, viewport: { width: 1200, height: 520 } });
  await me.ask("Hello");
  await me.status("Ready");
  await me.ask("Hello again, please say it once more");
  const scroll = me.panel.locator(".scroll");
  await me.status("Writing");
  await eventually(() => scroll.evaluate((node) => node.scrollHeight - node.clientHeight > 60), true);
  await scroll.evaluate((node) => {
    node.scrollTop = 0;
  });
  await me.panel.getByRole("button", { name: "New below" }).waitFor();
  assert.equal(await scroll.evaluate((node) => node.scrollTop), 0, "what is being read does not move");
  await me.panel.getByRole("button", { name: "New below" }).click();
  await me.status("Ready");
  assert.ok(await scroll.evaluate((node) => node.scrollHeight - node.clientHeight - node.scrollTop < 4), "back at the end it follows again");
});

test("right to left the page mirrors without breaking", async (t) => {
  const me = await open(t);
  await me.page.evaluate(() => {
    document.documentElement.dir = "rtl";
  });
  await me.start("Add a cache");
  await me.cards("3 changes waiting");
  await me.picture("looks-rtl");
  const [panel, canvas] = [await me.panel.boundingBox(), await me.page.locator(".canvas").boundingBox()];
  assert.ok(panel.x < canvas.x, "the panel stands at the other side");
  assert.equal((await me.page.evaluate(inspect)).overflow, false);
});

// runs in the page
function inspect() {
  const visible = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getBoundingClientRect().width > 1;
  const name = (node) => node.getAttribute("aria-label") || node.getAttribute("aria-labelledby") || node.labels?.length || node.textContent.trim();
  const controls = [...document.querySelectorAll("button, input, select, textarea, summary, [role=button]")].filter(visible);
  const tooSmall = (node) => {
    const box = (node.closest("label") ?? node).getBoundingClientRect();
    return box.height < 31 && !node.matches(".link, g *, g");
  };
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const light = ([r, g, b]) => [r, g, b].map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)).reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (node) => {
    for (let at = node; at !== null; at = at.parentElement) if (rgb(getComputedStyle(at).backgroundColor)[3] === 255) return light(rgb(getComputedStyle(at).backgroundColor));
    return light(rgb("Canvas"));
  };
  const texts = [...document.querySelectorAll("#app :is(p, span, button, h2, h3, li, th, bdi, input, select, textarea)")].filter((node) => visible(node) && !node.closest("svg, [aria-disabled=true], .sr") && node.textContent.trim() !== "");
  const ratio = (node) => {
    const [a, b] = [light(rgb(getComputedStyle(node).color)), behind(node)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  return {
    overflow: document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight,
    unnamed: controls.filter((node) => !name(node)).map((node) => node.outerHTML.slice(0, 120)),
    small: controls.filter(tooSmall).map((node) => node.outerHTML.slice(0, 120)),
    pale: texts.filter((node) => ratio(node) < 4.5).map((node) => `${node.className}: ${node.textContent.slice(0, 40)}`),
  };
}
