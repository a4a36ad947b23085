// The drawing: connecting, resizing, labels, everything by keyboard, and many elements.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, open, placeOf } from "./page.mjs";

after(closeBrowser);

const focused = (page) => page.evaluate(() => document.activeElement?.getAttribute("data-id"));

test("a flow is drawn from a handle to another element, and one end is moved to a third", async (t) => {
  const me = await open(t);
  const { page } = me;
  await me.element("Storefront").hover();
  await me.drag(await me.middle(me.element("Storefront").locator(".react-flow__handle-bottom")), await me.middle(me.element("Payment provider")));
  await eventually(async () => (await me.counts()).flows, 9);
  await page.locator('[data-id="f:flow-9"]').waitFor();
  await me.drawn("f:flow-9").locator(".flow-hit").click({ force: true });
  await me.field("From").waitFor();
  assert.match(await me.field("To").innerText(), /Payment provider/);
  await me.drag(await me.middle(me.drawn("f:flow-9").locator('[data-end="to"] .flow-end-dot')), await me.middle(me.element("Checkout")));
  await me.field("To").getByText("Checkout").waitFor();
  await page.keyboard.press("Control+z");
  await me.field("To").getByText("Payment provider").waitFor();
});

test("a boundary is resized at its corner, moved with what stands in it, and takes in what is dropped into it", async (t) => {
  const me = await open(t);
  const { page } = me;
  const zone = me.drawn("b:boundary-2");
  await zone.locator(".boundary-name").click();
  const size = async () => page.evaluate(() => {
    const node = document.querySelector('[data-id="b:boundary-2"]');
    return { width: node.offsetWidth, height: node.offsetHeight };
  });
  const before = await size();
  const corner = await me.middle(zone.locator(".react-flow__resize-control.bottom.right.handle"));
  await me.drag(corner, { x: corner.x + 40, y: corner.y + 60 });
  const after = await size();
  assert.ok(after.width > before.width && after.height > before.height);
  await page.keyboard.press("Control+z");
  assert.deepEqual(await size(), before, "one step takes the resizing back");
  await page.keyboard.press("Control+Shift+z");
  assert.deepEqual(await size(), after);

  const [database, queue] = [me.element("Product database"), me.element("Order queue")];
  const places = [await placeOf(database), await placeOf(queue)];
  const name = await me.middle(zone.locator(".boundary-name"));
  await me.drag(name, { x: name.x, y: name.y - 50 });
  const moved = [await placeOf(database), await placeOf(queue)];
  assert.ok(moved[0].y < places[0].y && moved[1].y < places[1].y, "members go along");

  const target = await me.middle(zone);
  await me.drag(await me.middle(me.element("Order export (old)")), target);
  await zone.locator(".boundary-name").click();
  await page.locator(".member", { hasText: "Order export (old)" }).waitFor();
  await page.keyboard.press("Control+z");
  assert.equal(await page.locator(".member").count(), 2, "the move and the membership are one step");
});

test("the drawing by keyboard alone: go, name, move, connect, threaten, delete, undo", async (t) => {
  const me = await open(t);
  const { page } = me;
  await page.keyboard.press("F6");
  await page.keyboard.press("F6");
  await eventually(() => focused(page), "e:browser");
  await eventually(me.selected, ["Shopper’s browser"]);
  await page.keyboard.press("Alt+ArrowRight");
  await eventually(() => focused(page), "e:storefront");
  const node = me.drawn("e:storefront");
  const before = await placeOf(node);
  for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  assert.deepEqual(await placeOf(node), { x: before.x, y: before.y + 64 });
  await page.keyboard.press("Control+z");
  assert.deepEqual(await placeOf(node), before, "a burst of arrows is one step");

  await page.keyboard.press("F2");
  await page.locator(".name-input:focus").waitFor();
  await page.keyboard.type("n b c t are letters here");
  await page.keyboard.press("Enter");
  await me.element("n b c t are letters here").waitFor();
  await eventually(() => focused(page), "e:storefront");

  await page.keyboard.press("c");
  await page.getByRole("dialog").getByRole("combobox").waitFor();
  await page.keyboard.type("queue");
  await page.keyboard.press("Enter");
  await eventually(async () => (await me.counts()).flows, 9);
  await page.locator(".name-input:focus").waitFor();
  await page.keyboard.type("Peek");
  await page.keyboard.press("Enter");
  await eventually(() => focused(page), "f:flow-9");

  await page.keyboard.press("t");
  await eventually(async () => (await me.counts()).threats, 4);
  await eventually(() => page.evaluate(() => document.activeElement?.value), "New threat");
  await page.keyboard.type("Orders are seen");
  await page.keyboard.press("Enter");
  await page.locator(".threat-name", { hasText: "Orders are seen" }).waitFor();
  assert.match(await page.locator(".threat-row[data-chosen]").innerText(), /Peek/, "it concerns what was selected");

  await page.keyboard.press("Shift+F6");
  await page.keyboard.press("n");
  await page.locator(".name-input:focus").waitFor();
  await page.keyboard.type("Audit log");
  await page.keyboard.press("Enter");
  await me.element("Audit log").waitFor();
  await page.keyboard.press("b");
  await page.locator(".name-input:focus").waitFor();
  await page.keyboard.type("Vault");
  await page.keyboard.press("Enter");
  await eventually(me.selected, ["Vault"]);
  assert.deepEqual(await page.locator(".member .link-chip").allInnerTexts(), [], "details stay on the side that is open");
  const size = () => me.drawn("b:boundary-3").evaluate((one) => one.offsetWidth);
  const width = await size();
  await page.keyboard.press("Control+ArrowRight");
  assert.equal(await size(), width + 20);
  await page.keyboard.press("Delete");
  await eventually(async () => (await me.counts()).boundaries, 2);
  await page.keyboard.press("Control+z");
  await eventually(async () => (await me.counts()).boundaries, 3);
});

test("find goes to an element, a flow or a threat by its name; the list of keys opens with a question mark", async (t) => {
  const me = await open(t);
  const { page } = me;
  await page.keyboard.press("Control+f");
  await page.keyboard.type("order q");
  await page.keyboard.press("Enter");
  await eventually(me.selected, ["Order queue"]);
  await page.keyboard.press("Control+f");
  await page.keyboard.type("stolen");
  await page.keyboard.press("Enter");
  await page.locator(".threat-row[data-chosen]", { hasText: "A stolen session" }).waitFor();
  await page.locator(".canvas").focus();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await me.picture("keys");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("dialog").count(), 0);
});

test("threats: filtered by severity, changed field by field, deleted", async (t) => {
  const me = await open(t);
  const { page } = me;
  await me.tab("Threats");
  await page.getByLabel("Severity").first().selectOption("critical");
  assert.equal(await page.locator(".threat-row").count(), 1);
  await page.locator(".threat-title").click();
  await page.locator(".threat-form").getByLabel("Severity").selectOption("low");
  await page.locator(".threat-rows").waitFor({ state: "detached" });
  await page.getByLabel("Severity").first().selectOption("");
  await page.locator(".threat-form").getByLabel("Mitigation").selectOption("mitigated");
  await page.locator(".threat-form").getByLabel("How it is handled").fill("Mutual TLS");
  await me.picture("threats");
  await page.getByLabel("Only unhandled").check();
  await eventually(() => page.locator(".threat-row").count(), 2);
  await me.drawn("f:flow-5").locator('.flow-badge[data-severity="handled"]').waitFor();
  await page.getByRole("button", { name: "Delete this threat" }).click();
  await page.locator(".note").getByText("Deleted The amount is changed on its way").waitFor();
  assert.equal(await me.drawn("f:flow-5").locator(".flow-badge").count(), 0);
});

test("a label is put aside and put back; a flow's details tell its ends by name", async (t) => {
  const me = await open(t);
  const label = me.drawn("f:flow-5").locator(".flow-label");
  await label.click();
  const before = await me.middle(label);
  await me.drag(before, { x: before.x + 30, y: before.y - 40 });
  const after = await me.middle(label);
  assert.ok(Math.abs(after.y - before.y + 40) < 4, "the label stays where it was let go of");
  await me.page.getByRole("button", { name: "Put the label back" }).click();
  await eventually(async () => Math.round((await me.middle(label)).y), Math.round(before.y));
});

test("ten thousand elements: only what is in view is rendered, and editing goes on", async (t) => {
  const me = await open(t, { prepare: (page) => page.addInitScript(() => delete window.showOpenFilePicker) });
  const { page } = me;
  page.setDefaultTimeout(60_000);
  const lines = ['version: "1.0"', "metadata: { title: Large, author: Nobody, created: 2026-01-05, modified: 2026-01-05 }", "elements:"];
  for (let n = 0; n < 10_000; n += 1) lines.push(`  - { id: e${n}, type: process, name: Part ${n}, position: { x: ${(n % 100) * 260}, y: ${Math.floor(n / 100) * 140} } }`);
  lines.push("data_flows:");
  for (let n = 1; n < 10_000; n += 1) lines.push(`  - { id: f${n}, from: e${n - 1}, to: e${n} }`);
  lines.push("trust_boundaries: []", "threats: []", "diagrams: [{ id: d, name: All, viewport: { x: 100, y: 100, zoom: 1 } }]");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.keyboard.press("Control+o")]);
  await chooser.setFiles({ name: "large.thf", mimeType: "application/yaml", buffer: Buffer.from(lines.join("\n")) });
  await me.drawn("e:e0").waitFor();
  assert.ok((await page.locator(".react-flow__node").count()) < 100);

  const node = me.drawn("e:e101");
  const before = await placeOf(node);
  const from = await me.middle(node);
  await me.drag(from, { x: from.x + 30, y: from.y + 60 });
  assert.notDeepEqual(await placeOf(node), before);
  await me.rename("Part 1", "Gate");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await eventually(() => placeOf(node), before);
  await page.keyboard.press("Control+f");
  await page.keyboard.type("Part 9876");
  await page.keyboard.press("Enter");
  await page.locator('[data-id="e:e9876"].selected').waitFor();
  await page.keyboard.press("Delete");
  await page.locator(".note").getByText("Deleted Part 9876, with 2 data flows").waitFor();
  await page.keyboard.press("0");
  await page.waitForTimeout(1000);
  assert.ok((await page.locator(".react-flow__node").count()) < 1200, "also from afar");

  // everything at once: what goes is not rendered first
  await page.evaluate(() => {
    window.mostNodes = 0;
    new MutationObserver(() => (window.mostNodes = Math.max(window.mostNodes, document.querySelectorAll(".react-flow__node").length))).observe(document.querySelector(".react-flow__nodes"), { childList: true });
  });
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await eventually(async () => (await me.counts()).elements, 0);
  await eventually(() => page.locator(".react-flow__node").count(), 0);
  await page.keyboard.press("Control+z");
  await eventually(async () => (await me.counts()).elements, 9_999);
  const most = await page.evaluate(() => window.mostNodes);
  assert.ok(most < 1200, `${most} were rendered at once`);
});
