// What the panel says of a whole group, of what failed, and of what has no name: always why, always in words.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, open, saying } from "./page.mjs";

after(closeBrowser);

const call = (tool, input) => ({ tool, input });
const rename = (id, name) => call("update_element", { id, updates: { name } });
const remove = (id) => call("delete_element", { id });
const NOWHERE = rename("nowhere", "X");

const MIXTURES = [
  ["one-deletion", [rename("checkout", "Till"), remove("order-export")], "2 changes waiting", "Each is decided by itself: 1 deletes something."],
  ["all-deletions", [remove("order-export"), remove("payment")], "2 changes waiting", "Each is decided by itself: all of them delete something."],
  ["one-refused", [rename("checkout", "Till"), NOWHERE], "2 changes waiting", "Each is decided by itself: 1 would not work."],
  ["one-to-choose", [rename("checkout", "Till"), rename("shop api", "Gateway")], "2 changes waiting", "Not to be approved together yet: 1 needs your choice first."],
];

for (const [name, blocks, waiting, why] of MIXTURES) {
  test(`A5 without two to approve together the header says why: ${name}`, async (t) => {
    const me = await open(t, { prepare: saying(blocks), colorScheme: name === "all-deletions" ? "dark" : "light", ...(name === "one-refused" ? { viewport: { width: 390, height: 844 } } : {}) });
    await me.ask("Go");
    await me.cards(waiting);
    await eventually(() => me.panel.locator(".group-left").allInnerTexts(), [why]);
    assert.equal(await me.panel.getByRole("button", { name: /^Approve all/ }).count(), 0);
    await me.picture(`group-${name}`);
  });
}

test("A5 the header follows: what was left out alone is decided, and the rest is approved together", async (t) => {
  const me = await open(t, { prepare: saying([rename("checkout", "Till"), rename("payment", "Bank"), remove("order-export"), NOWHERE]) });
  await me.ask("Go");
  await me.cards("4 changes waiting");
  await eventually(() => me.panel.locator(".group-left").allInnerTexts(), ["1 is left out: it deletes something and is approved alone. 1 is left out: it would not work."]);
  await me.approveAll(2);
  await eventually(() => me.panel.locator(".group-left").allInnerTexts(), ["Each is decided by itself: 1 deletes something and 1 would not work."]);
});

test("what failed says why, by the call's own error, as text", async (t) => {
  const me = await open(t, { prepare: saying([call("update_data_flow", { id: "flow <b>99</b>", updates: { name: "X" } }), call("search_entities", { kind: "elements", offset: 900 })]) });
  await me.ask("Go");
  await me.cards("This would not work: there is no data flow flow \\<b\\>99\\</b\\> now");
  await me.press("Change data flow", "Approve");
  await me.status("Ready");
  assert.equal(await me.outcome("Change data flow"), "Failed: there is no data flow flow \\<b\\>99\\</b\\> now");
  await me.panel.getByText("Looked at 1 thing").click();
  await me.panel.getByText(/Elements.*: Failed: `elements` has 8 matches, `offset` 900 is past them/).waitFor();
  await me.picture("failed-with-its-reason");
});

test("E4 a flow without a name is told by its ends, on cards and in the editor, and twins by their ids", async (t) => {
  const flow = (from, to) => call("add_data_flow", { data_flow: { from, to } });
  const me = await open(t, {
    prepare: saying(
      [flow("payment", "order-export"), flow("payment", "order-export")],
      [call("add_threat", { threat: { title: "Skimming", category: "Tampering", severity: "low", description: "d", flow: "flow-9" } }), remove("payment")],
    ),
  });
  await me.ask("Go");
  await me.cards("2 changes waiting");
  const added = me.card("Connect Payment provider to Order export (old)").first();
  await added.getByText("Payment provider → Order export (old)").waitFor();
  await me.picture("flow-without-a-name");
  await me.approveAll(2);
  await me.cards("Delete Payment provider");
  const threat = await me.card("Add threat Skimming to Payment provider → Order export (old)").innerText();
  assert.match(threat, /Payment provider → Order export \(old\)" \(flow-9\)/, "the id stands with what is referred to");
  const deletion = await me.card("Delete Payment provider").innerText();
  for (const id of ["flow-9", "flow-10"]) assert.ok(deletion.includes(`Payment provider → Order export (old) (${id})`), deletion);
  await me.picture("flows-that-look-alike");
});
