// Answers that are stopped, cut, refused or never end: what arrived stays, and a person is told what to do next.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, eventually, open } from "./page.mjs";

after(closeBrowser);

test("T8 Stop in the middle of an answer acts at once, keeps what had arrived, and the next message works", async (t) => {
  const me = await open(t, { delayMs: 60 });
  await me.ask("Tell me something");
  await me.panel.getByText(/scripted assistant/).waitFor();
  await me.status("Writing");
  await me.panel.getByRole("button", { name: "Stop" }).click();
  await me.status("Stopped");
  const said = await me.panel.locator(".said p").innerText();
  await me.panel.getByText("Stopped by you. What had arrived stays.").waitFor();
  await me.picture("stopped");
  await me.page.waitForTimeout(400);
  assert.equal(await me.panel.locator(".said p").innerText(), said, "nothing of the stopped answer arrives later");
  await me.start("Add a cache");
  await me.status("Waiting for you");
});

test("T16 Stop while cards wait: none of them runs, and each says so", async (t) => {
  const me = await open(t);
  await me.start("Clean up the old export");
  await me.cards("3 changes waiting");
  await me.press("Change data flow Charge card", "Approve");
  await me.panel.getByRole("button", { name: "Stop" }).click();
  await me.status("Stopped");
  assert.equal(await me.outcome("Change data flow Charge card"), "Not run: the turn was stopped");
  assert.equal(await me.outcome("Delete Order export (old)"), "Not run: the turn was stopped");
  assert.equal(await me.panel.getByRole("button", { name: "Undo this turn" }).count(), 0);
});

test("an answer cut by the network keeps its text, says so in one sentence, and can be tried again", async (t) => {
  const me = await open(t, { fault: "cut_once", expected: /ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION|Failed to load/ });
  await me.start("Add a cache");
  const error = me.panel.locator(".ending-error");
  await error.waitFor();
  assert.match(await error.innerText(), /(ended halfway|connection to the assistant broke).*try again/s);
  assert.match(await me.panel.locator(".said p").first().innerText(), /^I look at what there is/);
  await me.picture("cut");
  await error.getByRole("button", { name: "Try again" }).click();
  await me.cards("3 changes waiting");
  assert.equal(await error.getByRole("button", { name: "Try again" }).count(), 0, "an older turn is not tried again");
});

test("a key the provider refuses is told apart, without a useless retry and without a bare code", async (t) => {
  const me = await open(t, { fault: "unauthorized", expected: /401/ });
  await me.start("Add a cache");
  const error = me.panel.locator(".ending-error");
  await error.waitFor();
  assert.match(await error.innerText(), /did not accept the key/);
  assert.doesNotMatch(await error.innerText(), /401|http_status|authentication_error/);
  assert.equal(await error.getByRole("button", { name: "Try again" }).count(), 0);
  await me.picture("refused-key");
});

test("L7 a passing failure before anything arrived is retried without a word", async (t) => {
  const me = await open(t, { fault: "unavailable", expected: /503/ });
  await me.start("Add a cache");
  await me.cards("3 changes waiting");
  assert.equal(await me.panel.locator(".ending-error:visible").count(), 0);
  assert.equal(me.requests.filter((request) => request.method() === "POST").length, 3, "the refused one, its repetition, and the one with the proposals");
});

test("L7 a failure that does not pass is told in a sentence after the allowed retries", async (t) => {
  const me = await open(t, { fault: "overloaded", expected: /529/ });
  await me.start("Add a cache");
  const error = me.panel.locator(".ending-error");
  await error.waitFor({ timeout: 30_000 });
  assert.match(await error.innerText(), /overloaded right now\. Wait a moment/);
  assert.equal(me.requests.filter((request) => request.method() === "POST").length, 4);
});

test("L3 a turn that reaches its bound ends with a neutral notice, not an error", async (t) => {
  const me = await open(t, { fault: "endless" });
  await me.start("Add a cache");
  await me.panel.locator(".ending-note").waitFor({ timeout: 30_000 });
  await me.status("Ready");
  assert.equal(await me.panel.locator(".ending-error:visible").count(), 0);
  assert.equal(await me.panel.locator(".ending-note").innerText(), "Stopped after 8 steps; nothing was changed.");
  assert.equal(me.requests.filter((request) => request.method() === "POST").length, 8);
  assert.match(await me.panel.locator(".receipt").innerText(), /8 failed/);
  await me.picture("bounded");
});

test("T3 Stop is offered in Send's place from the request on, and Send comes back", async (t) => {
  const me = await open(t, { delayMs: 40 });
  const [send, stop] = ["Send", "Stop"].map((name) => me.panel.getByRole("button", { name, exact: true }));
  assert.deepEqual([await send.isVisible(), await stop.isVisible()], [true, false]);
  await me.ask("Hello");
  await stop.waitFor();
  assert.equal(await send.isVisible(), false);
  await me.status("Ready");
  await eventually(async () => [await send.isVisible(), await stop.isVisible()], [true, false]);
});
