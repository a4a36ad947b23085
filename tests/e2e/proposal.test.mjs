// What a card would do, drawn over the document: additions in outline, changes and deletions with words that can be read.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, open, saying } from "./page.mjs";

after(closeBrowser);

const SEED = { elements: 8, flows: 8, boundaries: 2, threats: 3 };
const call = (tool, input) => ({ tool, input });

test("a card that adds a flow draws it in outline between its two ends, and takes the outline away again", async (t) => {
  const me = await open(t, {
    prepare: saying([call("add_data_flow", { data_flow: { from: "payment", to: "order-queue", name: "Refunds", protocol: "HTTPS", authenticated: true } })]),
  });
  await me.ask("Connect them");
  await me.cards("Connect Payment provider to Order queue");
  const ghost = me.page.locator(".flow.ghost");
  assert.equal(await ghost.count(), 0);
  await me.card("Connect Payment provider").hover();
  await ghost.getByText("Refunds").waitFor();
  const [line, from, to] = [await ghost.locator(".flow-line").boundingBox(), await me.middle(me.drawn("e:payment")), await me.middle(me.drawn("e:order-queue"))];
  assert.ok(line.x > from.x && line.x + line.width < to.x, "it runs from one to the other");
  await me.picture("proposal-flow");
  await me.page.mouse.move(300, 700);
  await eventually(() => ghost.count(), 0);
  assert.deepEqual(await me.counts(), SEED);
});

test("a flow that would lead elsewhere is drawn where it would lead, and marked where it is", async (t) => {
  const me = await open(t, { prepare: saying([call("update_data_flow", { id: "flow-1", updates: { from: "payment", to: "order-queue" } })]) });
  await me.ask("Move it");
  await me.cards("Change data flow Browse and buy");
  await me.card("Change data flow Browse and buy").hover();
  await me.page.locator(".flow.ghost").getByText("Browse and buy").waitFor();
  await me.drawn("f:flow-1").getByText("start: Shopper’s browser → Payment provider · end: Storefront → Order queue").waitFor();
});

test("a card that moves and renames an element draws where it would stand; one that changes a threat marks what it is about", async (t) => {
  const me = await open(t, {
    prepare: saying([
      call("update_element", { id: "checkout", updates: { name: "Till", position: { x: 600, y: 560 } } }),
      call("update_trust_boundary", { id: "boundary-1", updates: { contains: ["storefront", "payment"] } }),
      call("update_threat", { id: "threat-3", updates: { severity: "low" } }),
    ]),
  });
  await me.ask("Tidy up");
  await me.cards("3 changes waiting");
  await me.card("Change Checkout").hover();
  await me.drawn("e:checkout").getByText("name: Checkout → Till").waitFor();
  const ghost = me.drawn("e:checkout?");
  await ghost.getByText("would move here").waitFor();
  await ghost.getByText("Till").waitFor();
  assert.ok((await me.middle(ghost)).y > (await me.middle(me.drawn("e:checkout"))).y + 50);

  await me.card("Change trust boundary").hover();
  const words = [me.drawn("b:boundary-1").getByText("another members"), me.drawn("b:boundary-1?").getByText("would move here")];
  for (const one of words) await one.waitFor();
  const [mark, moved] = await Promise.all(words.map((one) => one.boundingBox()));
  assert.equal(overlaps(mark, moved), false, "both can be read");

  await me.card("Change threat").hover();
  await me.drawn("e:order-export").getByText(/^changed threat: /).waitFor();
  assert.deepEqual(await me.counts(), SEED);
});

for (const viewport of [{ width: 1440, height: 900 }, { width: 760, height: 900 }]) {
  test(`at ${viewport.width} px the words at a flow that would change are hidden by no element`, async (t) => {
    const me = await open(t, { viewport });
    await me.start("Clean up the old export");
    await me.cards("3 changes waiting");
    await me.card("Change data flow Charge card").hover();
    const words = me.drawn("f:flow-5").getByText(/^protocol: HTTP → HTTPS with client .*… · authentication: false → true$/);
    await words.waitFor();
    const box = await words.boundingBox();
    for (const element of await me.page.locator(".react-flow__node-element").all()) assert.equal(overlaps(box, await element.boundingBox()), false);
  });
}

function overlaps(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
