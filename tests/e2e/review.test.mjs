// Review that shows the effect: what a card says is what the core worked out, what is approved is what was shown, and a
// document or a decision that changes the effect brings the card back.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, open, saying } from "./page.mjs";

after(closeBrowser);

const SEED = { elements: 8, flows: 8, boundaries: 2, threats: 3 };
const call = (tool, input) => ({ tool, input });
const rename = (name) => call("update_element", { id: "checkout", updates: { name } });
const CACHE = call("add_element", { element: { type: "cache", name: "Cache", trust_zone: "data" } });
const TO_CACHE = call("add_data_flow", { data_flow: { from: "shop-api", to: "comp-1", name: "Cached reads", protocol: "TCP", authenticated: true } });

test("E4 a card tells the computed effect: before and after, what goes along in words, six lines and the rest on demand", async (t) => {
  const me = await open(t, {
    prepare: saying([
      call("delete_element", { id: "shop-api" }),
      call("update_element", { id: "storefront", updates: { type: "api_gateway", trust_zone: "edge", description: "New", technologies: ["Go"], tags: ["x"], subtype: "nginx", stores: ["a"], encryption: "at rest" } }),
      call("update_data_flow", { id: "flow-5", updates: { protocol: "HTTPS" } }),
    ]),
  });
  await me.ask("Go");
  await me.cards("3 changes waiting");
  const [deletion, long, change] = ["Delete Shop API", "Change Storefront", "Change data flow Charge card"].map(me.card);
  assert.match(await deletion.innerText(), /Also deletes 3 data flows\./);
  assert.match(await deletion.innerText(), /Also changes 1 trust boundary\./);
  await deletion.locator(".change.removed", { hasText: "Data flow Catalogue" }).waitFor();
  assert.match(await change.innerText(), /Protocol: HTTP → HTTPS/);
  assert.equal(await long.locator(".change").count(), 6);
  await long.getByRole("button", { name: /^and \d+ more$/ }).click();
  assert.ok((await long.locator(".change").count()) > 6);
  await long.getByText(/^Encryption: .* → at rest$/).waitFor();
  await long.getByRole("button", { name: "Show less" }).click();
  assert.equal(await long.locator(".change").count(), 6);
  await me.picture("effects");
});

test("every decision by mouse: approve, deny, deny with a reason, edit, delete, all together", async (t) => {
  const me = await open(t, {
    prepare: saying(
      [rename("Till"), call("delete_element", { id: "order-export" }), call("update_data_flow", { id: "flow-5", updates: { protocol: "HTTPS" } }), call("update_element", { id: "payment", updates: { name: "Bank" } }), call("update_element", { id: "storefront", updates: { name: "Shop" } })],
      [call("update_element", { id: "browser", updates: { name: "Browser" } }), call("update_element", { id: "order-queue", updates: { name: "Queue" } })],
    ),
  });
  await me.ask("Go");
  await me.cards("5 changes waiting");
  await me.press("Change Checkout", "Approve");
  await me.press("Delete Order export (old)", "Delete");
  await me.press("Change data flow Charge card", "Deny");
  await me.choose("Change Payment provider", "Deny with a reason");
  await me.card("Change Payment provider").getByLabel("Why not? The assistant reads this.").fill("It is no bank");
  await me.press("Change Payment provider", "Deny");
  await me.choose("Change Storefront", "Edit");
  await me.card("Change Storefront").getByRole("textbox", { name: "Name" }).fill("Front");
  await me.card("Change Storefront").locator(".form-effect").getByText("Name: Storefront → Front").waitFor();
  await me.press("Change Storefront", "Approve this version");
  await me.cards("2 changes waiting");
  await me.approveAll(2);
  await me.panel.getByText("5 changes applied, 2 denied").waitFor();
  assert.equal(await me.outcome("Change Payment provider"), "Denied by you: It is no bank");
  for (const name of ["Till", "Front", "Browser", "Queue", "Payment provider"]) await me.element(name).waitFor();
  assert.equal(await me.element("Order export (old)").count(), 0);
});

test("every decision by keyboard: J goes on, A approves, D denies, the form and the menu need no mouse, U undoes", async (t) => {
  const me = await open(t, { prepare: saying([rename("Till"), call("delete_element", { id: "order-export" }), call("update_element", { id: "payment", updates: { name: "Bank" } }), call("update_element", { id: "storefront", updates: { name: "Shop" } })]) });
  const { page } = me;
  const press = async (...keys) => {
    for (const key of keys) {
      await page.waitForTimeout(450);
      await page.keyboard.press(key);
    }
  };
  await page.keyboard.press("F6");
  await page.keyboard.type("Go");
  await page.keyboard.press("Enter");
  await me.cards("4 changes waiting");
  await press("Shift+F6", "F6", "a");
  await eventually(() => me.outcome("Change Checkout"), "Approved, starts when the others are decided");
  await press("a");
  await eventually(() => me.outcome("Delete Order export (old)"), "Approved, starts when the others are decided");
  await press("d");
  await eventually(() => me.outcome("Change Payment provider"), "Denied by you");
  // the menu: three steps of Tab into the card, then its first entry
  await me.card("Change Storefront").getByRole("button", { name: "More for this change" }).focus();
  await press("Enter", "Enter");
  const name = me.card("Change Storefront").getByRole("textbox", { name: "Name" });
  await name.focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Front");
  await me.card("Change Storefront").locator(".form-effect").getByText("Name: Storefront → Front").waitFor();
  await me.card("Change Storefront").getByRole("button", { name: "Approve this version" }).focus();
  await press("Enter");
  await me.panel.getByText("3 changes applied, 1 denied").waitFor();
  await page.keyboard.press("Shift+F6");
  await press("u");
  await me.panel.getByText("3 changes undone, 1 denied").waitFor();
  assert.deepEqual(await me.counts(), SEED);
});

test("A9 an edit with no bearing on the effect: the approved card stands, and runs; the waiting one says nothing", async (t) => {
  const me = await open(t);
  await me.start("Clean up the old export");
  await me.cards("3 changes waiting");
  await me.press("Delete Order export (old)", "Delete");
  await me.rename("Storefront", "Front of shop");
  await me.page.waitForTimeout(200);
  assert.equal(await me.outcome("Delete Order export (old)"), "Approved, starts when the others are decided");
  assert.equal(await me.panel.locator(".stale").count(), 0);
  await me.press("Change data flow Charge card", "Approve");
  await me.press("The amount is changed on its way", "Deny");
  await me.panel.getByText("2 changes applied, 1 denied").waitFor();
  assert.equal((await me.counts()).elements, 7);
  await me.element("Front of shop").waitFor();
});

test("A9 an edit that changes the effect: the approval falls, the card says why and what it would do now, and the old one is refused", async (t) => {
  const me = await open(t, { prepare: saying([call("delete_element", { id: "order-export" }), rename("Till"), call("update_data_flow", { id: "flow-5", updates: { protocol: "HTTPS" } })]) });
  await me.ask("Go");
  await me.cards("3 changes waiting");
  await me.press("Delete Order export (old)", "Delete");
  await me.press("Change Checkout", "Approve");
  // one more flow to what would be deleted
  await me.drawn("e:checkout").focus();
  await me.page.keyboard.press("c");
  await me.page.locator(".picker-input").fill("Order export");
  await me.page.keyboard.press("Enter");
  await me.page.locator(".name-input:focus").waitFor();
  await me.page.keyboard.press("Escape");
  const deletion = me.card("Delete Order export (old)");
  await deletion.getByText(/^Meanwhile you changed/).waitFor();
  assert.match(await deletion.innerText(), /Also deletes 3 data flows and 1 threat\./);
  assert.equal(await me.outcome("Change Checkout"), "Approved, starts when the others are decided", "the other effect is the same");
  await me.picture("stale-card");

  // an approval of what was shown before the change, in the very moment of the change
  await me.page.waitForTimeout(500);
  await me.page.evaluate(() => {
    document.querySelector('[aria-label="Undo"]').click();
    document.querySelector('.card[data-destructive] .button.danger').click();
  });
  await eventually(async () => (await me.counts()).flows, 8);
  assert.equal(await deletion.getAttribute("data-status"), "pending", "what was approved is not what is there");
  await eventually(async () => /Also deletes 2 data flows and 1 threat\./.test(await deletion.innerText()), true);
  await me.page.waitForTimeout(500);
  await me.press("Delete Order export (old)", "Delete");
  await me.press("Change data flow Charge card", "Approve");
  await me.panel.getByText("3 changes applied").waitFor();
  assert.deepEqual(await me.counts(), { elements: 7, flows: 6, boundaries: 2, threats: 2 });
});

test("denying what an effect stands on changes the effect: the card says so, and would not work", async (t) => {
  const me = await open(t, { prepare: saying([CACHE, TO_CACHE]) });
  await me.ask("Go");
  await me.cards("2 changes waiting");
  const flow = me.card("Connect Shop API to Cache");
  await flow.hover();
  await me.page.locator(".flow.ghost").getByText("Cached reads").waitFor();
  await me.drawn("e:comp-1").getByText("added by a change before it").waitFor();
  await me.picture("proposal-on-a-proposal");
  await me.press("Add Cache", "Deny");
  const failing = me.panel.locator(".card[data-waiting]");
  await failing.getByText("A change before this one was decided otherwise.").waitFor();
  await failing.getByText(/^This would not work:/).waitFor();
  await me.picture("stands-on-nothing");
  await me.page.mouse.move(300, 700);
  await eventually(() => me.page.locator(".flow.ghost").count(), 0);
  await me.page.waitForTimeout(500);
  await failing.getByRole("button", { name: /^Deny/ }).click();
  await eventually(() => me.panel.locator(".card[data-waiting]").count(), 0);
  assert.deepEqual(await me.counts(), SEED);
});

test("what stands on an earlier card is approved with it, and runs as it was shown", async (t) => {
  const me = await open(t, { prepare: saying([CACHE, TO_CACHE]) });
  await me.ask("Go");
  await me.cards("2 changes waiting");
  await me.approveAll(2);
  await me.panel.getByText("2 changes applied").waitFor();
  await me.drawn("f:flow-9").waitFor();
  await me.element("Cache").waitFor();
});

test("A6 an edited change is checked as it is typed, and shows what it would do: below the form and on the drawing", async (t) => {
  const me = await open(t, { prepare: saying([call("add_element", { element: { type: "cache", name: "Cache", trust_zone: "data" } })]) });
  await me.ask("Go");
  await me.cards("Add Cache");
  await me.choose("Add Cache", "Edit");
  const card = me.panel.locator(".card[data-waiting]");
  const approve = card.getByRole("button", { name: "Approve this version" });
  await card.getByText("This is what the assistant proposes.").waitFor();
  await card.getByLabel("Name").fill("Front cache");
  await card.locator(".form-effect").getByText("Add Front cache").waitFor();
  await card.hover();
  await me.drawn("e:comp-1").getByText("Front cache").waitFor();
  await card.getByLabel("Name").fill("");
  await card.getByText("One thing has to be put right:").waitFor();
  await card.locator(".problems li").getByText(/element\.name/).waitFor();
  assert.equal(await card.getByLabel("Name").getAttribute("aria-invalid"), "true");
  assert.equal(await approve.getAttribute("aria-disabled"), "true");
  await approve.click({ force: true });
  assert.equal(await card.count(), 1, "what cannot be used is not sent");
  await card.getByLabel("Name").fill("Side cache");
  await card.getByLabel("Add a field").first().selectOption({ label: "Technologies" });
  await card.getByLabel(/^Technologies/).fill("Redis\nValkey");
  await card.locator(".form-effect").getByText("Technologies: Redis, Valkey").waitFor();
  await me.picture("edit-form");
  await me.page.waitForTimeout(350);
  await approve.click();
  await me.element("Side cache").waitFor();
  assert.match(await me.outcome("Add Side cache"), /^Applied, as you edited it$/);
});

test("A6 an edited deletion is approved as the effect that stood below the form", async (t) => {
  const me = await open(t, { prepare: saying([call("delete_element", { id: "order-export" })]) });
  await me.ask("Go");
  await me.cards("Delete Order export (old)");
  await me.choose("Delete Order export (old)", "Edit");
  const card = me.panel.locator(".card[data-waiting]");
  await card.getByLabel("Which one").fill("payment");
  await card.locator(".form-effect").getByText("Delete Payment provider").waitFor();
  await card.locator(".form-effect").getByText(/Also deletes 1 data flow/).waitFor();
  await me.page.waitForTimeout(350);
  await card.getByRole("button", { name: "Delete with this input" }).click();
  await me.panel.getByText("1 change applied").waitFor();
  assert.equal(await me.element("Payment provider").count(), 0);
  assert.equal(await me.element("Order export (old)").count(), 1);
});

test("M9 a name that several elements have is never resolved by itself: the person says which one is meant, sees what it would do, and approves", async (t) => {
  const me = await open(t, { prepare: saying([call("update_element", { id: "shop api", updates: { name: "Gateway" } })]) });
  await me.rename("Checkout", "SHOP API");
  await me.ask("Go");
  const one = me.panel.locator(".card").last();
  await one.getByRole("radio").nth(1).waitFor();
  await me.page.waitForTimeout(500);
  assert.equal(await one.getByRole("radio").count(), 2);
  await one.getByRole("button", { name: /^Approve/ }).click({ force: true });
  await one.focus();
  await me.page.keyboard.press("a");
  assert.equal(await me.element("Gateway").count(), 0, "nothing is approved before it is known what is meant");
  await one.getByRole("radio", { name: /checkout/ }).check();
  await one.getByRole("button", { name: "Choose this one" }).click();
  await one.getByText("Name: SHOP API → Gateway").waitFor();
  assert.equal(await me.element("Gateway").count(), 0, "what was chosen still asks");
  await me.picture("candidates");
  await me.page.waitForTimeout(500);
  await one.getByRole("button", { name: /^Approve/ }).click();
  await me.panel.getByText("1 change applied").waitFor();
  assert.equal(await me.drawn("e:checkout").locator(".node-name").innerText(), "Gateway");
  assert.equal(await me.drawn("e:shop-api").locator(".node-name").innerText(), "Shop API");
});

test("C3 hand edits and turns take turns: each is undone and done again in its order, and a turn as one step", async (t) => {
  const me = await open(t, { prepare: saying([rename("Till"), call("update_element", { id: "payment", updates: { name: "Bank" } })], [{ text: "Done." }], [rename("Desk")]) });
  const undo = me.page.getByRole("button", { name: "Undo", exact: true });
  const redo = me.page.getByRole("button", { name: "Redo", exact: true });
  const names = async () => Promise.all(["e:storefront", "e:checkout", "e:payment"].map((key) => me.drawn(key).locator(".node-name").innerText()));
  await me.rename("Storefront", "One");
  await me.ask("Go");
  await me.cards("2 changes waiting");
  await me.approveAll(2);
  await me.panel.getByText("2 changes applied").waitFor();
  await me.rename("One", "Two");
  await eventually(names, ["Two", "Till", "Bank"]);
  await undo.click();
  await eventually(names, ["One", "Till", "Bank"]);
  await undo.click();
  await eventually(names, ["One", "Checkout", "Payment provider"]);
  await me.panel.getByText("2 changes undone").waitFor();
  await undo.click();
  await eventually(names, ["Storefront", "Checkout", "Payment provider"]);
  for (const expected of [["One", "Checkout", "Payment provider"], ["One", "Till", "Bank"], ["Two", "Till", "Bank"]]) {
    await redo.click();
    await eventually(names, expected);
  }
  await me.panel.getByText("2 changes applied").waitFor();
  await me.ask("Again");
  await me.cards("Change Till");
  await me.press("Change Till", "Approve");
  await eventually(names, ["Two", "Desk", "Bank"]);
  await me.panel.getByRole("button", { name: "Undo this turn" }).last().click();
  await eventually(names, ["Two", "Till", "Bank"]);
});

test("two tabs: each has its own document and its own conversation", async (t) => {
  const me = await open(t);
  const other = await me.another();
  await me.start("Clean up the old export");
  await me.cards("3 changes waiting");
  await other.start("Clean up the old export");
  await other.cards("3 changes waiting");
  await other.press("Delete Order export (old)", "Delete");
  await other.press("Change data flow Charge card", "Approve");
  await other.press("The amount is changed on its way", "Approve");
  await other.panel.getByText("3 changes applied").waitFor();
  assert.equal((await other.counts()).elements, 7);
  assert.deepEqual(await me.counts(), SEED);
  assert.equal(await me.panel.locator(".card[data-waiting]").count(), 3);
  assert.equal(await me.panel.locator(".stale").count(), 0);
  await me.press("Delete Order export (old)", "Deny");
  assert.equal(await other.outcome("Delete Order export (old)"), "Applied");
});

test("a reload while cards wait: nothing of them was applied, and the page begins anew", async (t) => {
  const me = await open(t);
  await me.start("Clean up the old export");
  await me.cards("3 changes waiting");
  await me.press("Delete Order export (old)", "Delete");
  await me.page.reload();
  await me.page.locator("#app[data-ready] .composer").waitFor();
  await me.status("Ready");
  assert.equal(await me.panel.locator(".card").count(), 0);
  assert.deepEqual(await me.counts(), SEED);
  await me.start("Clean up the old export");
  await me.cards("3 changes waiting");
});

test("E4 deceiving names in an effect are shown, on the card, in what changed meanwhile, in the form and on the drawing", async (t) => {
  const bad = "<img src=x onerror=document.title='owned'> \u202Egnp.exe\u2066";
  const me = await open(t, { prepare: saying([call("update_element", { id: "checkout", updates: { name: bad, description: "y".repeat(3000) } })], [{ text: "Done." }], [call("delete_element", { id: "checkout" })]) });
  await me.ask("Go");
  await me.cards("Change Checkout");
  const card = me.card("Change Checkout");
  await card.hover();
  await card.getByText(/Name: Checkout → <img src=x.*\\u\{202E\}gnp\.exe\\u\{2066\}/).waitFor();
  await card.getByText(/more/).first().waitFor();
  await me.drawn("e:checkout").getByText(/\\u\{202E\}|<img src=x/).first().waitFor();
  await me.choose("Change Checkout", "Edit");
  await me.page.waitForTimeout(300);
  assert.doesNotMatch(await me.panel.locator(".form-effect").innerText(), /[\u202A-\u202E\u2066-\u2069]/);
  await me.page.keyboard.press("Escape");
  await me.press("Change Checkout", "Approve");
  await me.panel.getByText("1 change applied").waitFor();
  await me.ask("And now");
  await me.cards(/Also deletes/);
  assert.doesNotMatch(await me.panel.innerText(), /[\u202A-\u202E\u2066-\u2069]/);
  assert.equal(await me.panel.locator("img").count(), 0);
  assert.notEqual(await me.page.title(), "owned");
  const over = await me.panel.evaluate((node) => node.scrollWidth - node.clientWidth);
  assert.ok(over <= 1, `the panel is ${over} px too wide`);
});
