// The loop machine on Chat Completions bytes: ids that servers send again, and the same state as folding the events.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { buildRequest, DocumentStore, idleTurn, init, reduceTurn, StreamDecoder, ToolLoop, ToolRegistry } from "countersign";
import { addCard, boardTools, countCards, definition, initial } from "./board.mjs";
import { answer, begin, calls, finish, part } from "./chat-server.mjs";

before(() => init());

const bytes = (payloads) => new TextEncoder().encode([...payloads, "[DONE]"].map((payload) => `data: ${typeof payload === "string" ? payload : JSON.stringify(payload)}\n\n`).join(""));

/** Answers the open request with these payloads, one byte at a time; gives the body that was sent. */
function reply(loop, payloads, nowMs = 2000) {
  const request = loop.pending().find((effect) => effect.type === "request");
  const { path, body } = loop.request(request.id, "openai-chat", { model: "m" });
  assert.equal(path, "/chat/completions");
  for (const byte of bytes(payloads)) loop.feed(request.id, Uint8Array.of(byte), nowMs);
  return body;
}

const opened = (id, args) => [begin(), calls(part(0, id, "count_cards", args)), finish("tool_calls")];
const settle = (loop) => {
  for (const effect of loop.pending()) if (effect.type === "execute") loop.dispatch({ type: "callSettled", callId: effect.callId, outcome: { status: "ok", result: "2" }, nowMs: 2500 }, effect.id);
};

test("A10 an id of an earlier message, or none, becomes a fresh one; the provider's own is kept beside it", () => {
  const loop = new ToolLoop({ tools: [countCards], limits: { maxRepeatsPerCall: 10 } });
  loop.dispatch({ type: "submit", text: "count", nowMs: 1000 });
  for (const [id, args] of [["call_0", "{}"], ["call_0", "{}"], [undefined, ""], ["", "{}"]]) {
    reply(loop, opened(id, args));
    settle(loop);
  }
  const body = reply(loop, answer("Two."));
  const records = loop.state().calls;
  assert.deepEqual(records.map((call) => call.id), ["call_0", "c1_2_1", "c1_3_1", "c1_4_1"]);
  assert.deepEqual(records.map((call) => call.providerId ?? null), [null, "call_0", "call-1", "call-1"]);
  assert.ok(records.every((call) => call.status === "succeeded"));
  assert.deepEqual(loop.state().violations, []);
  assert.deepEqual(body.messages.flatMap(({ tool_calls = [], tool_call_id }) => [...tool_calls.map((call) => call.id), ...(tool_call_id === undefined ? [] : [tool_call_id])]), records.flatMap((call) => [call.id, call.id]));
  assert.equal(loop.state().outcome, "completed");
  loop.free();
});

test("A10 a call that reuses an approved id is a new call: it asks again", () => {
  const document = new DocumentStore(definition, initial());
  const loop = new ToolLoop({ tools: boardTools, document });
  loop.dispatch({ type: "submit", text: "add", nowMs: 1000 });
  const add = (title) => [begin(), calls(part(0, "call_0", "add_card", JSON.stringify({ title }))), finish("tool_calls")];
  reply(loop, add("A"));
  loop.dispatch({ type: "approveCall", callId: "call_0", nowMs: 2100 });
  settle(loop);
  reply(loop, add("A"));
  const [first, second] = loop.state().calls;
  assert.deepEqual([first.id, first.status, second.id, second.status, second.providerId], ["call_0", "succeeded", "c1_2_1", "pending", "call_0"]);
  assert.equal(loop.state().phase, "awaiting_approval");
  loop.free();
});

test("T15 the bytes' way and the reducer over the decoder's events end in one state", () => {
  const registry = new ToolRegistry([addCard]);
  const payloads = answer("Let me see.", ["call_a", "add_card", { title: "A" }], ["call_b", "add_card", { title: 3 }]);
  const loop = new ToolLoop({ tools: [addCard] });
  loop.dispatch({ type: "submit", text: "hi", nowMs: 1000 });
  reply(loop, payloads);
  const decoder = new StreamDecoder("openai-chat");
  let state = reduceTurn(idleTurn({ tools: registry }), { type: "submit", text: "hi", nowMs: 1000 }, registry);
  for (const event of [...decoder.push(bytes(payloads)), ...decoder.end()]) state = reduceTurn(state, { ...event, nowMs: 2000 }, registry);
  assert.deepEqual({ ...loop.state(), turnId: state.turnId }, state);
  assert.equal(state.phase, "awaiting_approval");
  loop.free();
});

test("T6 arguments that were refused are told to the model, and go back as an object", () => {
  const loop = new ToolLoop({ tools: [countCards] });
  loop.dispatch({ type: "submit", text: "count", nowMs: 1000 });
  const texts = ['{"from": 3, "to": }', "[1,2]", '"text"', "null", '{"a":1}{"b":2}', '{"a":1,"a":2}', '{"node":9007199254740993}'];
  reply(loop, [begin(), ...texts.map((text, index) => calls(part(index, `v${index}`, "count_cards", text))), finish("tool_calls")]);
  const { messages } = reply(loop, answer("Sorry."));
  const [call, ...results] = messages.slice(1);
  assert.deepEqual(call.tool_calls.map((each) => each.function.arguments), texts.map(() => "{}"));
  assert.deepEqual(results.map((result) => result.tool_call_id), texts.map((_, index) => `v${index}`));
  for (const { role, content } of results) assert.ok(role === "tool" && content.startsWith("Error: "), content);
  assert.ok(loop.state().calls.every((each) => each.status === "failed" && each.errorCode === "invalid_arguments"));
  loop.free();
});

test("a format that this build cannot write is refused by name", () => {
  assert.throws(() => buildRequest("openai-responses", { model: "m", messages: [], tools: [], maxOutputTokens: 1 }), (error) => error.code === "unsupported_format" && error.expected.includes("openai-chat"));
});
