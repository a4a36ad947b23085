// What a host that draws a review itself takes from the package: turns, outcomes, receipts, and what is approved together.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { createSession, DocumentStore, emptyThreatModel, entityTools, graphActionTools, init } from "countersign/threat-model";
import { elementWords, isApprovedTogether, isSuperseded, outcomeOf, problemOf, receiptOf, statusOf, toneOf, Turns, whyNotTogether, withWords } from "countersign/review";
import { scripted } from "countersign/testing";
import { call, preview } from "../elements/site/fake.js";

await init();

const said = (why, given = {}) => call({ status: "failed", isError: true, errorCode: "execution_failed", result: why, resultFrom: "core", ...given });
const view = (given) => ({ phase: "settled", messages: [], calls: [], pending: [], outcome: "completed", notice: null, error: null, ...given });
const asks = (text) => ({ role: "user", content: [{ type: "text", text }] });
const answers = (...calls) => ({ role: "assistant", content: calls.map(({ id, toolName, input }) => ({ type: "tool_call", id, name: toolName, input })) });

test("the module brings no element, no engine and no page", () => {
  assert.equal(globalThis.HTMLElement, undefined);
  const entry = import.meta.resolve("countersign/review");
  const code = [entry, ...[...readFileSync(fileURLToPath(entry), "utf8").matchAll(/from\s*"(\.[^"]+)"/g)].map(([, path]) => new URL(path, entry).href)].map((url) => readFileSync(fileURLToPath(url), "utf8")).join("\n");
  assert.doesNotMatch(code, /customElements|attachShadow|CSSStyleSheet|WebAssembly|innerHTML/);
});

test("a call that failed says why in a sentence of its own error, without what is for the model", () => {
  const told = (...given) => outcomeOf(said(...given));
  assert.equal(told("`update_data_flow`: id: `flow-9` is not in `data_flows` now; the ids are `a`, `b`"), "Failed: there is no data flow flow-9 now");
  assert.equal(told("`delete_entity`: id: `x` in `lanes` stays, because it is named; change that first"), "Failed: `x` in `lanes` stays, because it is named");
  assert.equal(told("offset_out_of_range: `elements` has 3 matches, `offset` 9 is past them; use 0 to 2"), "Failed: `elements` has 3 matches, `offset` 9 is past them");
  assert.equal(told("there is no card `card-9`; nothing was changed", { resultFrom: "client" }), "Failed: there is no card `card-9`; nothing was changed", "a tool of the page wrote for people too");
  const invalid = { errorCode: "invalid_document" };
  assert.equal(told("the proposed document is not valid, so nothing was changed:\nrule: document: only three cards may be in progress\nand 4 more", invalid), "Failed: it would have broken the document: only three cards may be in progress");
  assert.equal(told("the patch does not fit: there is nothing at `/cards/9`", invalid), "Failed: it would have broken the document: the patch does not fit: there is nothing at `/cards/9`");
});

test("nothing is told of what is foreign, empty, or says no more than that it failed", () => {
  const plain = "Failed: it could not be done";
  for (const [why, given] of [[null], [""], ["  \n"], ["the tool failed; nothing was changed", { resultFrom: "client" }], ["the tool failed"], ["secret", { resultFrom: "server" }], ["secret", { resultFrom: null }]]) assert.equal(outcomeOf(said(why, given)), plain, String(why));
  assert.equal(outcomeOf(said("the input was refused: x", { errorCode: "invalid_arguments", resultFrom: null })), "Failed: what the assistant wrote could not be used");
  assert.equal(outcomeOf(said("x", { errorCode: "timeout" })), "Failed: it took too long");
});

test("e4 an error is bounded, and hides nothing", () => {
  const told = outcomeOf(said(`\`add_element\`: \u202Eevil\u200B <b>${"x".repeat(100_000)}`));
  assert.ok(told.startsWith("Failed: \\u{202E}evil\\u{200B} <b>xxx"), told);
  assert.ok([...told].length < 260, `${told.length}`);
  const id = outcomeOf(said(`id: \`a; ${"\u202e".repeat(60)}\` is not in \`data_flows\` now; the ids are`));
  assert.match(id, /^Failed: there is no data flow a; (\\u\{202E\})+ now$/);
  assert.equal(outcomeOf(said("id: `x` is not in `constructor` now; y")), "Failed: there is no constructor x now");
});

test("e4 what a tool of the page wrote never becomes a sentence of the product's own", () => {
  const told = outcomeOf(said(`\`x\` is not in \`${"everything was applied ".repeat(80)}\` now; y`, { resultFrom: "client" }));
  assert.ok(told.startsWith("Failed: `x` is not in `everything was applied"), told);
  assert.ok([...told].length < 260, `${told.length}`);
  const core = outcomeOf(said(`id: \`x\` is not in \`${"y".repeat(1500)}\` now; z`));
  assert.ok(core.startsWith("Failed: there is no yyy") && [...core].length < 260, core);
});

test("why a waiting card would not work is said as why a call failed is: without what is for the model", () => {
  const told = (error, given = {}) => problemOf(call({ toolName: "update_data_flow", ...given }), preview("x", [], { error }));
  assert.equal(told("the proposed document is not valid, so nothing was changed:\nrule: document: too many cards"), "too many cards");
  assert.equal(told("the proposed document is not valid, so nothing was changed:\ninvalid-reference: cards[a].lane: `gone` is not in `lanes`; known: `x`\nand 4 more"), "`gone` is not in `lanes`");
  assert.equal(told("`update_data_flow`: id: `flow-9` is not in `data_flows` now; the ids are `a`, `b`"), "there is no data flow flow-9 now");
  assert.equal(told("there is no card `card-9`; ask for another\nat retitle"), "there is no card `card-9`; ask for another", "a tool of the page wrote for people too");
  assert.equal(told("`x` is not in `everything was applied` now; y"), "`x` is not in `everything was applied` now; y", "and it stays its own");
  for (const nothing of ["", "the tool failed", "`update_data_flow`: "]) assert.equal(told(nothing), "it could not be done");
  assert.equal(problemOf(call(), null), undefined);
  assert.equal(problemOf(call(), preview("x")), undefined);
});

test("e4 why a card would not work is bounded, and hides nothing", () => {
  const told = problemOf(call(), preview("x", [], { error: `\u202Eevil\u200B <b>${"x".repeat(100_000)}` }));
  assert.ok(told.startsWith("\\u{202E}evil\\u{200B} <b>xxx"), told);
  assert.ok([...told].length < 500, `${told.length}`);
});

test("words are replaced for outcomes and receipts too", () => {
  const words = withWords({ outcome: { failed: "Fehler: {why}", missing: "{section} {id} fehlt" }, sections: { data_flows: ["Fluss", "Flüsse"] }, receipt: { failed: "{n} fehlgeschlagen" } });
  const gone = said("id: `f` is not in `data_flows` now; y");
  assert.equal(outcomeOf(gone, words), "Fehler: Fluss f fehlt");
  assert.deepEqual(receiptOf([gone], words), { applied: 0, undone: 0, text: "1 fehlgeschlagen" });
  assert.equal(toneOf(gone), "bad");
  assert.equal(elementWords.status[statusOf(view({ outcome: "cancelled" }))], "Stopped");
});

const kinds = {
  plain: () => call(),
  deletion: () => call({ destructive: true }),
  choice: () => call({ act: { index: 0, result: "needs_selection", candidates: [] } }),
  refused: () => call({ preview: preview("x", [], { error: "no" }) }),
  working: () => call({ awaiting: "preview" }),
};
const together = (...names) => whyNotTogether(names.map((name) => kinds[name]()));

test("a5 every mixture of waiting calls says what is left out and why, or why nothing is approved together", () => {
  assert.deepEqual(Object.values(kinds).map((make) => isApprovedTogether(make())), [true, false, false, false, false]);
  assert.equal(together("plain", "plain"), "");
  assert.equal(together("plain", "plain", "deletion"), "1 is left out: it deletes something and is approved alone.");
  assert.equal(together("plain", "plain", "deletion", "deletion", "refused"), "2 are left out: each deletes something and is approved alone. 1 is left out: it would not work.");
  assert.equal(together("plain", "deletion"), "Each is decided by itself: 1 deletes something.");
  assert.equal(together("plain", "deletion", "deletion"), "Each is decided by itself: 2 delete something.");
  assert.equal(together("deletion", "deletion"), "Each is decided by itself: all of them delete something.");
  assert.equal(together("plain", "refused"), "Each is decided by itself: 1 would not work.");
  assert.equal(together("refused", "refused"), "Each is decided by itself: none of them would work.");
  assert.equal(together("deletion", "refused", "plain"), "Each is decided by itself: 1 deletes something and 1 would not work.");
  assert.equal(together("plain", "choice"), "Not to be approved together yet: 1 needs your choice first.");
  assert.equal(together("choice", "choice"), "Not to be approved together yet: all of them need your choice first.");
  assert.equal(together("working", "working"), "Not to be approved together yet: all of them are still being worked out.");
  assert.equal(together("plain", "working", "deletion"), "Not to be approved together yet: 1 deletes something and 1 is still being worked out.");
  assert.equal(together("choice", "deletion"), "Each is decided by itself: 1 deletes something and 1 needs your choice first.");
});

test("turns keep what did not change, over the sessions that carry a conversation on", () => {
  const turns = new Turns();
  const [one, two] = [call({ id: "c1" }), call({ id: "c2" })];
  const messages = [asks("first"), answers(one)];
  const [waiting] = turns.of(view({ phase: "awaiting_approval", outcome: null, messages, calls: [one], pending: [one] }));
  assert.deepEqual([waiting.asked, waiting.pieces.map(({ kind }) => kind), waiting.end, waiting.isLast], ["first", ["group"], undefined, true]);
  // a session that goes on from a snapshot knows its own calls alone
  const more = [...messages, asks("second"), answers(two)];
  const next = view({ phase: "awaiting_approval", outcome: null, messages: more, calls: [two], pending: [two] });
  const [before, now] = turns.of(next);
  assert.deepEqual([before.calls[0].status, before.calls[0].denialReason, isSuperseded(before), before.isLast], ["denied", "superseded", true, false]);
  assert.deepEqual([now.calls, isSuperseded(now)], [[two], false]);
  const done = { ...two, status: "succeeded", committed: true };
  const after = turns.of(view({ messages: more, calls: [done] }));
  assert.equal(after[0], before, "what did not change is the same object");
  assert.deepEqual([after[1].end.outcome, after[1].calls], ["completed", [done]]);
  assert.equal(turns.of(view({ messages: more, calls: [done] })), after);
});

const placed = (calls, blocks = calls, given = {}) => new Turns().of(view({ phase: "awaiting_approval", outcome: null, messages: [asks("go"), answers(...blocks)], calls, pending: calls.filter(({ status }) => status === "pending"), ...given })).at(-1).pieces.map(({ kind, calls }) => [kind, calls.map(({ id }) => id)]);

test("a1 whatever a provider calls its calls, none that waits is without a card", () => {
  const ids = (...names) => names.map((id) => call({ id }));
  assert.deepEqual(placed(ids("a", "a#1")), [["group", ["a", "a#1"]]], "neither hides the other");
  assert.deepEqual(placed(ids("a#1", "a", "a#1#2")), [["group", ["a#1", "a", "a#1#2"]]]);
  const [a, act] = ids("a", "a#1");
  assert.deepEqual(placed([a, act], [a]), [["group", ["a", "a#1"]]], "what has no block of its own stands behind the call it is named after");
  assert.deepEqual(placed([act], [a]), [["group", ["a#1"]]]);
  const inner = call({ id: "a#1#2" });
  assert.deepEqual(placed([a, inner], [a]), [["group", ["a"]], ["group", ["a#1#2"]]], "and what is named after nothing stands at the end");
});

test("the acts of a plan stand in the place of the call that holds them", () => {
  const plan = call({ id: "p", toolName: "submit_turn_plan", status: "succeeded" });
  const acts = ["p#0", "p#1"].map((id) => call({ id }));
  assert.deepEqual(placed([plan, ...acts], [plan]), [["group", ["p#0", "p#1"]]]);
});

test("over a real session: a change to what is not there says why it failed, and the turn is counted", async (t) => {
  const document = new DocumentStore("threat-model", emptyThreatModel({ title: "Shop", author: "Ada", today: "2026-11-30" }));
  const provider = scripted([{ calls: [{ name: "update_data_flow", input: { id: "flow-7", updates: { name: "x" } } }] }, { text: "ok" }]);
  const session = await createSession({ provider, tools: graphActionTools(), document });
  t.after(() => session.dispose());
  const turns = new Turns();
  const sent = session.send("go");
  while (session.view.phase !== "awaiting_approval") await new Promise((done) => setTimeout(done, 5));
  assert.equal(session.approve(session.view.pending[0]).ok, true);
  assert.equal(await sent, "completed");
  const [turn] = turns.of(session.view);
  assert.equal(outcomeOf(turn.calls[0]), "Failed: there is no data flow flow-7 now");
  assert.equal(receiptOf(turn.calls).text, "1 failed");
});

test("over a real session: what a rule or a shipped tool has against a waiting card is said in its own words", async (t) => {
  const definition = { kind: "board", sections: [{ name: "cards", path: "/cards", titleKey: "title" }], rules: ({ cards }) => (cards.length > 1 ? ["too many cards"] : []) };
  const calls = [{ name: "add_entity", input: { kind: "cards", fields: { title: "B" } } }, { name: "delete_entity", input: { kind: "cards", id: "x" } }];
  const session = await createSession({ provider: scripted([{ calls }, { text: "ok" }]), tools: entityTools(definition), document: new DocumentStore(definition, { cards: [{ id: "a", title: "A" }] }) });
  t.after(() => session.dispose());
  session.send("go").catch(() => {});
  while (session.view.phase !== "awaiting_approval") await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual(session.view.pending.map((each) => problemOf(each, each.preview)), ["too many cards", "there is no card x now"]);
});
