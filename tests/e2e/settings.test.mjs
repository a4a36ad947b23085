// Who answers: the settings, the errors of a provider that is set wrongly, and keys that stay where they were written.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";

import { answer, begin, chatServer, refuse, say, stream } from "../js/servers/chat.mjs";
import { gemini } from "../js/servers/gemini.mjs";
import { responses } from "../js/servers/responses.mjs";
import { serve, streamed } from "../js/servers/server.mjs";
import { closeBrowser, eventually, open } from "./page.mjs";

after(closeBrowser);

const KEY = "sk-test-key-that-nobody-may-see-0123456789";

/** The settings dialog in a person's terms. */
function settingsOf(me) {
  const { page } = me;
  const dialog = page.getByRole("dialog", { name: "Settings of the assistant" });
  return {
    dialog,
    async show() {
      await me.panel.getByRole("button", { name: "Settings of the assistant" }).click();
      await dialog.waitFor();
    },
    choose: (kind) => dialog.getByRole("radio", { name: kind, exact: true }).check(),
    async write(fields) {
      for (const [label, text] of Object.entries(fields)) await dialog.getByRole("textbox", { name: label }).or(dialog.getByLabel(label, { exact: true })).first().fill(text);
    },
    async use() {
      await dialog.getByRole("button", { name: "Use these settings" }).click();
    },
  };
}

/** Sets a provider and goes back to the panel. */
async function set(me, kind, fields) {
  const settings = settingsOf(me);
  await settings.show();
  await settings.choose(kind);
  await settings.write(fields);
  await settings.use();
  await settings.dialog.waitFor({ state: "hidden" });
}

/** A server that answers every request the same way. */
async function server(t, answer, { cors = true } = {}) {
  const requests = [];
  const made = createServer(async (request, response) => {
    if (cors) {
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-allow-headers", "*");
    }
    if (request.method === "OPTIONS") return response.writeHead(cors ? 204 : 405).end();
    let body = "";
    for await (const chunk of request) body += chunk;
    requests.push({ headers: request.headers, url: request.url, body });
    answer(request, response);
  });
  await new Promise((done) => made.listen(0, "127.0.0.1", done));
  t.after(() => {
    made.closeAllConnections();
    made.close();
  });
  return { url: `http://127.0.0.1:${made.address().port}`, requests };
}

function refusing(status, error) {
  return (_, response) => {
    response.setHeader("content-type", "application/json");
    response.writeHead(status).end(JSON.stringify({ type: "error", error }));
  };
}

/** Everything the page keeps, as one text. */
const keptBy = (page) => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));

test("a provider is set, the conversation goes on with it, and the person is told who answers", async (t) => {
  const me = await open(t);
  await me.start("What is unprotected?");
  await me.panel.getByText(/3 of 8 data flows/).waitFor();
  await set(me, "Anthropic", { Key: KEY, Model: "claude-test", Address: `${me.url}scripted` });
  await me.panel.getByText("From here on: Anthropic, claude-test").waitFor();
  await me.panel.getByText(/3 of 8 data flows/).waitFor();
  await me.picture("settings-from-here-on");
  await me.start("Add a cache");
  await me.cards("3 changes waiting");
  const sent = me.requests.filter((request) => request.method() === "POST").at(-1);
  assert.equal(sent.headers()["x-api-key"], KEY);
  const body = sent.postDataJSON();
  assert.equal(body.model, "claude-test");
  assert.match(body.messages[0].content[0].text, /What is unprotected here/, "what was said before is part of it");
  assert.match(body.system, /never an instruction/);
  await me.approveAll(3);
  await me.cards(/Both parts exist now/);
  await me.approveAll(3);
  await me.panel.getByText("6 changes applied").waitFor();
});

test("a provider set while changes wait: they stay, and what follows is answered by the new one", async (t) => {
  const me = await open(t);
  await me.start("Clean up the old export");
  await me.cards("3 changes waiting");
  await set(me, "Anthropic", { Key: KEY, Model: "claude-test", Address: `${me.url}scripted` });
  await me.panel.getByText("From here on: Anthropic, claude-test").waitFor();
  await me.cards("3 changes waiting");
  await me.press("Delete Order export (old)", "Deny");
  await me.press("Change data flow Charge card", "Approve");
  await me.press("The amount is changed on its way", "Approve");
  await me.cards(/Then the export stays/);
  assert.equal(me.requests.filter((request) => request.method() === "POST").at(-1).headers()["x-api-key"], KEY);
  await me.press("Change Order export (old)", "Approve");
  await me.panel.getByText("3 changes applied, 1 denied").waitFor();
  await me.panel.getByRole("button", { name: "Undo this turn" }).click();
  await me.panel.getByText("3 changes undone, 1 denied").waitFor();
});

test("a turn done before the provider changed can still be undone after it", async (t) => {
  const me = await open(t);
  await me.start("Review without end");
  await me.panel.getByText(/A first finding/).waitFor();
  await me.page.waitForTimeout(500);
  await me.press("Review finding", "Approve");
  await me.panel.locator(".ending-note").waitFor({ timeout: 30_000 });
  await set(me, "Anthropic", { Key: KEY, Model: "claude-test", Address: `${me.url}scripted` });
  await me.panel.getByText(/From here on/).waitFor();
  assert.equal((await me.counts()).threats, 4);
  await me.panel.getByText(/^Stopped after 8 steps/).waitFor();
  await me.panel.getByRole("button", { name: "Undo this turn" }).click();
  await eventually(async () => (await me.counts()).threats, 3);
});

test("E3 a key is nowhere but in its request: not kept, not in the page, not in the log", async (t) => {
  const me = await open(t, { expected: /401/ });
  const provider = await server(t, refusing(401, { type: "authentication_error", message: `the key ${KEY} is not known` }));
  const logged = [];
  me.page.on("console", (message) => logged.push(message.text()));
  await set(me, "Anthropic", { Key: KEY, Model: "claude-test", Address: provider.url });
  await me.ask("Hello");
  const error = me.panel.locator(".ending-error");
  await error.waitFor();
  assert.match(await error.innerText(), /Anthropic did not accept the key\. Check it in the settings/);
  await error.locator("summary").click();
  assert.equal(provider.requests[0].headers["x-api-key"], KEY);
  assert.ok(!(await keptBy(me.page)).includes(KEY), "nothing is kept unless it is asked for");
  assert.ok(!(await me.page.content()).includes(KEY), "not even where the server repeats it");
  assert.ok(!logged.join("\n").includes(KEY));
  await me.page.reload();
  await me.page.locator("#app[data-ready]").waitFor();
  const settings = settingsOf(me);
  await settings.show();
  assert.ok(await settings.dialog.getByRole("radio", { name: "Built in" }).isChecked(), "with the page the key is forgotten");
});

test("settings are kept on the device only when asked, said plainly, and can be taken off it", async (t) => {
  const me = await open(t);
  const settings = settingsOf(me);
  await settings.show();
  await settings.choose("Anthropic");
  await settings.write({ Key: KEY, Model: "claude-test", Address: `${me.url}scripted` });
  await settings.dialog.getByText(/it stands unencrypted in this browser’s storage/).waitFor();
  await settings.dialog.getByLabel("Keep these settings and the key on this device").check();
  await settings.use();
  await eventually(async () => (await keptBy(me.page)).includes(KEY), true);
  await me.page.reload();
  await me.panel.getByText("From here on: Anthropic, claude-test").waitFor();
  await settings.show();
  assert.ok(await settings.dialog.getByRole("radio", { name: "Anthropic" }).isChecked());
  assert.equal(await settings.dialog.getByLabel("Key", { exact: true }).getAttribute("type"), "password");
  await me.picture("settings-kept");
  await settings.dialog.getByRole("button", { name: "Forget what is kept" }).click();
  assert.ok(!(await keptBy(me.page)).includes(KEY));
  assert.equal(await settings.dialog.getByLabel("Keep these settings and the key on this device").isChecked(), false);
  await settings.use();
  await me.ask("Hello");
  await me.panel.getByText(/six requests by heart/).waitFor();
  assert.ok(!(await keptBy(me.page)).includes(KEY), "they serve until the page is closed");
});

test("what cannot be used is said at its field, before anything is sent", async (t) => {
  const me = await open(t);
  const settings = settingsOf(me);
  await settings.show();
  await settings.choose("Anthropic");
  await settings.write({ Key: "a key with “quotes”", Address: "localhost" });
  await settings.use();
  for (const told of ["Write the name of a model.", "This is no address.", "The key holds characters that cannot be sent."]) await settings.dialog.getByText(told).waitFor();
  assert.ok(await settings.dialog.isVisible());
  await settings.write({ Key: KEY, Address: "http://example.com", Model: "x" });
  await settings.dialog.getByText("This address is not encrypted").waitFor();
  await me.page.keyboard.press("Escape");
  await settings.dialog.waitFor({ state: "hidden" });
  assert.equal(me.requests.filter((request) => request.method() === "POST").length, 0);
});

test("no key: one sentence, the way to the settings, and the same question can be asked again after it", async (t) => {
  const me = await open(t);
  await set(me, "Anthropic", { Model: "claude-test" });
  await me.ask("Hello");
  const error = me.panel.locator(".ending-error");
  await error.getByText("No key is set for Anthropic. Add one in the settings, then try again.").waitFor();
  await me.picture("settings-no-key");
  assert.equal(await error.getByRole("button", { name: "Try again" }).count(), 0);
  await error.getByRole("button", { name: "Open the settings" }).click();
  await settingsOf(me).write({ Key: KEY, Address: `${me.url}scripted` });
  await settingsOf(me).use();
  await error.getByRole("button", { name: "Try again" }).click();
  await me.panel.getByText(/six requests by heart/).waitFor();
  assert.deepEqual([...new Set(me.requests.map((request) => new URL(request.url()).origin))], [new URL(me.url).origin]);
});

test("the connection can be tried first: one short answer, in no conversation", async (t) => {
  const me = await open(t, { expected: /404/ });
  const settings = settingsOf(me);
  await settings.show();
  await settings.choose("Anthropic");
  await settings.write({ Key: KEY, Model: "claude-test", Address: `${me.url}scripted` });
  await settings.dialog.getByRole("button", { name: "Test the connection" }).click();
  await settings.dialog.getByText("It works: Anthropic answered.").waitFor();
  const provider = await server(t, refusing(404, { type: "not_found_error", message: "model: claude-test" }));
  await settings.write({ Address: provider.url });
  assert.equal(await settings.dialog.locator(".test-result").innerText(), "", "what was found out of another address is not said of this one");
  await settings.dialog.getByRole("button", { name: "Test the connection" }).click();
  await settings.dialog.getByText("Anthropic does not know the model “claude-test”, or the address is not right.").waitFor();
  await me.picture("settings-test");
  await settings.dialog.getByRole("button", { name: "Cancel" }).last().click();
  assert.equal(await me.panel.locator(".asked").count(), 0);
});

test("a dialog that is left gives the focus back, and nothing of it is used", async (t) => {
  const me = await open(t);
  const settings = settingsOf(me);
  for (const leave of [() => settings.dialog.getByRole("button", { name: "Cancel" }).last().click(), () => me.page.keyboard.press("Escape")]) {
    await settings.show();
    await settings.choose("Anthropic");
    await settings.write({ Model: "claude-test" });
    await leave();
    await settings.dialog.waitFor({ state: "hidden" });
    assert.equal(await me.page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Settings of the assistant");
  }
  await me.ask("Hello");
  await me.panel.getByText(/six requests by heart/).waitFor();
});

test("settings by keyboard alone", async (t) => {
  const me = await open(t);
  const { page } = me;
  await me.panel.getByRole("button", { name: "Settings of the assistant" }).focus();
  await page.keyboard.press("Enter");
  await settingsOf(me).dialog.waitFor();
  await me.page.getByRole("radio", { name: "Built in" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await page.keyboard.type("claude-test");
  await page.keyboard.press("Tab");
  await page.keyboard.type(KEY);
  await page.keyboard.press("Tab");
  await page.keyboard.type(`${me.url}scripted`);
  await page.keyboard.press("Enter");
  await settingsOf(me).dialog.waitFor({ state: "hidden" });
  await me.panel.getByText("From here on: Anthropic, claude-test").waitFor();
  await page.keyboard.type("hello"); // the focus is where the person writes
  await page.keyboard.press("Enter");
  await me.panel.getByText(/six requests by heart/).waitFor();
  assert.equal(me.requests.filter((request) => request.method() === "POST").at(-1).headers()["x-api-key"], KEY);
});

/** Sets the OpenAI-compatible provider. */
const compatible = (me, address, key = "") => set(me, "OpenAI-compatible", { Address: address, Model: "m-local", Key: key });

test("an OpenAI-compatible server of another origin: a whole turn with an approval", async (t) => {
  const me = await open(t);
  const server = await chatServer(
    [stream(answer("One part is missing, so I add it.", ["call_1", "add_element", { action: "add_element", element: { type: "cache", name: "Session cache", trust_zone: "data" } }]), { bytes: 7, keepAlive: true }), stream(answer("It is there now."))],
    { cors: "*" },
  );
  t.after(server.close);
  await compatible(me, server.baseURL, KEY);
  await me.ask("Add what is missing");
  await me.panel.getByText("One part is missing, so I add it.").waitFor();
  await me.status("Waiting for you");
  await me.page.waitForTimeout(500);
  assert.equal((await me.counts()).elements, 8);
  await me.picture("settings-compatible");
  await me.press("Add Session cache", "Approve");
  await me.panel.getByText("It is there now.").waitFor();
  await me.panel.getByText("1 change applied").waitFor();
  assert.equal((await me.counts()).elements, 9);
  const [first, second] = server.requests;
  assert.equal(first.headers.authorization, `Bearer ${KEY}`);
  assert.equal(first.body.model, "m-local");
  assert.equal(first.body.messages[0].role, "system");
  assert.ok(first.body.tools.some((tool) => tool.function.name === "search_entities"), "looking is offered too");
  assert.equal(second.body.messages.at(-1).role, "tool");
  assert.ok(!JSON.stringify(server.requests.map((request) => request.body)).includes(KEY));
  assert.ok(!(await keptBy(me.page)).includes(KEY));
  await me.panel.getByRole("button", { name: "Undo this turn" }).click();
  await eventually(async () => (await me.counts()).elements, 8);
});

for (const [kind, wire] of [["OpenAI", responses], ["Gemini", gemini]]) {
  test(`${kind} of another origin: a whole turn with an approval, its key in its own header and nowhere else`, async (t) => {
    const me = await open(t, { expected: /400/ });
    const add = { action: "add_element", element: { type: "cache", name: "Session cache", trust_zone: "data" } };
    const badKey = { error: { code: 400, message: `API key not valid: ${KEY}`, status: "INVALID_ARGUMENT", details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }] } };
    const server = await serve([streamed(wire.whole("One part is missing, so I add it.", ["call_1", "add_element", add]), { bytes: 7, keepAlive: true }), streamed(wire.whole("It is there now.")), refuse(400, badKey)], { cors: "*", path: wire.path });
    t.after(server.close);
    await set(me, kind, { Address: server.origin + wire.base, Model: wire.model, Key: KEY });
    await me.panel.getByText(`From here on: ${kind}, ${wire.model}`).waitFor();
    await me.ask("Add what is missing");
    await me.panel.getByText("One part is missing, so I add it.").waitFor();
    await me.status("Waiting for you");
    await me.page.waitForTimeout(500);
    assert.equal((await me.counts()).elements, 8);
    await me.press("Add Session cache", "Approve");
    await me.panel.getByText("It is there now.").waitFor();
    assert.equal((await me.counts()).elements, 9);
    assert.ok(server.requests.every(({ headers, body, url }) => wire.key(headers) === KEY && !url.includes(KEY) && !JSON.stringify(body).includes(KEY)));
    assert.ok(wire.sent(server.requests[0].body).tools.includes("search_entities"), "looking is offered too");
    assert.ok(wire.sent(server.requests[1].body).turns.at(-1).result !== undefined, "the result comes last");
    assert.ok(!(await keptBy(me.page)).includes(KEY));
    await me.ask("And now?");
    await me.panel.locator(".ending-error").getByText(`${kind} did not accept the key. Check it in the settings`).waitFor();
    assert.ok(!(await me.page.content()).includes(KEY), "not even where the server repeats it");
  });
}

test("who answers can be chosen among five, each with its own address and an example of a model", async (t) => {
  const me = await open(t);
  const settings = settingsOf(me);
  await settings.show();
  for (const [kind, address, model] of [["Anthropic", "https://api.anthropic.com", /claude/], ["OpenAI", "https://api.openai.com/v1", /gpt/], ["Gemini", "https://generativelanguage.googleapis.com/v1beta", /gemini/]]) {
    await settings.dialog.getByRole("radio", { name: kind, exact: true }).check();
    assert.equal(await settings.dialog.getByLabel(/^Address/).getAttribute("placeholder"), address);
    assert.match(await settings.dialog.getByLabel("Model").getAttribute("placeholder"), model);
    await me.picture(`settings-${kind.toLowerCase()}`);
  }
  assert.equal(await settings.dialog.getByRole("radio").count(), 5);
});

test("the embedded assistant tells its stories in this format too, without a key", async (t) => {
  const me = await open(t);
  await compatible(me, `${me.url}scripted/v1`);
  assert.equal(await me.panel.locator(".suggestion").count(), 3, "what only the embedded assistant does is not offered");
  await me.start("Clean up the old export");
  await me.cards("3 changes waiting");
  await me.panel.getByText("Looked at 3 things").waitFor();
  await me.choose("Delete Order export (old)", "Deny with a reason");
  await me.page.keyboard.type("finance needs it until March");
  await me.page.keyboard.press("Enter");
  await me.approveAll(2);
  await me.cards(/finance needs it until March.*\. Then the export stays/s);
  await me.press("Change Order export (old)", "Approve");
  await me.panel.getByText("3 changes applied, 1 denied").waitFor();
  assert.equal(me.requests.filter((request) => request.method() === "POST").at(-1).headers()["authorization"], undefined);
});

test("from one format to the other: the conversation goes on, calls and results with it", async (t) => {
  const me = await open(t);
  await me.start("Add a cache");
  await me.cards("3 changes waiting");
  await compatible(me, `${me.url}scripted/v1`);
  await me.panel.getByText("From here on: OpenAI-compatible, m-local").waitFor();
  await me.page.waitForTimeout(500);
  await me.approveAll(3);
  await me.cards(/Both parts exist now/);
  assert.match(new URL(me.requests.filter((request) => request.method() === "POST").at(-1).url()).pathname, /chat\/completions$/);
  await me.approveAll(3);
  await me.panel.getByText("6 changes applied").waitFor();
});

test("the usual addresses are suggestions that fill the field in", async (t) => {
  const me = await open(t);
  const settings = settingsOf(me);
  await settings.show();
  await settings.choose("OpenAI-compatible");
  for (const [name, address] of Object.entries({ Ollama: "http://localhost:11434/v1", "llama.cpp": "http://localhost:8080/v1", vLLM: "http://localhost:8000/v1", "LM Studio": "http://localhost:1234/v1" })) {
    await settings.dialog.getByRole("button", { name: `${name}: ${address}` }).click();
    assert.equal(await settings.dialog.getByLabel("Address", { exact: true }).inputValue(), address);
  }
});

const WRONG = {
  "a server that does not allow this page": { answers: [], cors: false, told: /Nothing could be reached at http:\/\/127\.0\.0\.1.*allows requests from this page \(CORS\), then try again/s, again: true },
  "a key that is refused": { answers: [refuse(401)], told: /The server did not accept the key\. Check it in the settings/ },
  "a model that is not there": { answers: [refuse(404, { error: { message: "model 'm-local' not found", type: "not_found_error", code: null } })], told: /The server does not know the model “m-local”, or the address is not right/ },
  "a model without tools": { answers: [refuse(400, { error: { message: "m-local does not support tools", type: "invalid_request_error", code: null } })], told: /The model may not be able to call tools; choose another one/ },
  "a web page in its place": { answers: [(response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>")], told: /Something else answers at http/ },
  "an answer that breaks off": { answers: Array(4).fill(stream([begin(), say("This much ")], { done: false, then: "break" })), told: /(ended halfway|connection to the assistant broke).*try again/s, again: true },
};

for (const [what, { answers, cors = true, told, again = false }] of Object.entries(WRONG)) {
  test(`${what}: one sentence that helps, never a bare code`, async (t) => {
    const me = await open(t, { expected: /CORS|ERR_|Failed to load/ });
    const server = await chatServer(answers, cors ? { cors: "*" } : {});
    t.after(server.close);
    await compatible(me, server.baseURL, KEY);
    await me.ask("Hello");
    const error = me.panel.locator(".ending-error");
    await error.waitFor({ timeout: 30_000 });
    const text = await error.innerText();
    assert.match(text, told);
    assert.doesNotMatch(text.split("\n")[0], /http_status|transport|\b(40[0-9]|200)\b/);
    assert.equal(await error.getByRole("button", { name: "Try again" }).count(), again ? 1 : 0);
    assert.ok(!(await me.page.content()).includes(KEY));
    await me.status("Ready");
    await me.picture(`settings-${what.replaceAll(" ", "-")}`);
  });
}

test("nothing at the address: said before the conversation by the test, and in it", async (t) => {
  const me = await open(t, { expected: /ERR_/ });
  const gone = await chatServer([]);
  gone.close();
  const settings = settingsOf(me);
  await settings.show();
  await settings.choose("OpenAI-compatible");
  await settings.write({ Address: gone.baseURL, Model: "m-local" });
  await settings.dialog.getByRole("button", { name: "Test the connection" }).click();
  await settings.dialog.getByText(`Nothing could be reached at ${gone.baseURL}.`).waitFor();
  await settings.use();
  await me.ask("Hello");
  await me.panel.locator(".ending-error").getByText("Nothing could be reached").waitFor({ timeout: 30_000 });
  await me.panel.getByRole("button", { name: "Open the settings" }).waitFor();
});
