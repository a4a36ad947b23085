// The inspector in the panel: what the session holds, and the way back through what was recorded of it.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, open } from "./board.mjs";

after(closeBrowser);

test("the inspector shows the inputs of the session and goes back through them; the board and its card stay as they are", async (t) => {
  const me = await open(t);
  const toggle = me.panel.getByRole("button", { name: "Inspector" });
  await toggle.click();
  await me.start("Delete the last lane");
  await me.waiting(1);
  const inspector = me.panel.locator("countersign-inspector");
  await inspector.getByText(/Now, after \d+ inputs/).first().waitFor();
  const isSeen = () => inspector.evaluate((node) => {
    const [box, bar] = [node, node.shadowRoot.querySelector("[part=travel]")].map((one) => one.getBoundingClientRect());
    return bar.height > 0 && bar.top >= box.top && bar.bottom <= box.bottom;
  });
  assert.equal(await isSeen(), true, "the way back is seen at once");
  await inspector.evaluate((node) => node.scrollTo(0, node.scrollHeight));
  assert.equal(await isSeen(), true, "and stays");
  const all = await inspector.evaluate((element) => JSON.parse(element.session.recording()).inputs.length);
  await inspector.getByRole("button", { name: "One input back" }).click();
  await inspector.getByText(`After ${all - 1} of ${all} inputs`).first().waitFor();
  await inspector.getByRole("button", { name: "Before the first input" }).click();
  await inspector.getByText(`After 0 of ${all} inputs`).first().waitFor();
  await me.picture("inspector");
  assert.match(await me.said(), /This deletes Done/, "what waits is still there");
  assert.deepEqual(await me.lanes(), ["Backlog", "This week", "In progress", "Done"]);
  await me.press("Done", /^Delete/);
  await eventually(() => me.lanes(), ["Backlog", "This week", "In progress"]);
  await inspector.getByRole("button", { name: "Back to now" }).click();
  await inspector.getByText(/Now, after \d+ inputs/).first().waitFor();
  await toggle.click();
  assert.equal(await inspector.count(), 0);
});

test("what it shows as the state of now is what the machine says", async (t) => {
  const me = await open(t);
  await me.panel.getByRole("button", { name: "Inspector" }).click();
  await me.start("Split the largest card");
  await me.waiting(1);
  await me.press("Rework the onboarding", /^Approve/);
  await me.status("Ready");
  const same = await me.panel.locator("countersign-inspector").evaluate((element) => {
    const { session, travel } = element;
    const recording = session.recording();
    const past = travel(recording, JSON.parse(recording).inputs.length);
    return { state: JSON.stringify(past.state) === JSON.stringify(session.state()), cards: past.document.cards.length };
  });
  assert.deepEqual(same, { state: true, cards: 13 });
});
