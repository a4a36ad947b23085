// The loop machine and the reducer through their wrappers, without a session.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { authorizeStart, CountersignError, DocumentStore, idleTurn, init, pairingViolations, reduceTurn, StreamDecoder, ToolLoop, ToolRegistry } from "countersign";
import { addCard, boardTools, countCards, definition, initial } from "./board.mjs";

before(() => init());

const frame = (type, data = {}) => new TextEncoder().encode(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
const begin = frame("message_start", { message: { model: "m", usage: { input_tokens: 3 } } });
const textBlock = frame("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
const text = (said) => frame("content_block_delta", { index: 0, delta: { type: "text_delta", text: said } });
const end = [frame("content_block_stop", { index: 0 }), frame("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } }), frame("message_stop")];
const answer = [begin, textBlock, text("Hel"), text("lo"), ...end];

function asked(options = {}) {
  const loop = new ToolLoop({ tools: [], ...options });
  const { effects } = loop.dispatch({ type: "submit", text: "hi", nowMs: 1000 });
  const [request] = effects;
  return { loop, request, path: loop.request(request.id, "anthropic", { model: "m" }).path };
}

const refusals = ({ updates }) => updates.filter((update) => update.type === "refused");
const complete = (id, name, input) => ({ type: "tool_call_complete", id, name, input });
const stop = (stopReason) => ({ type: "message_stop", stopReason });

test("bytes go in, and a delta comes out as one update without effects", () => {
  const { loop, request, path } = asked();
  assert.equal(path, "/v1/messages");
  assert.deepEqual(loop.pending(), [request]);
  assert.ok(loop.feed(request.id, begin, 1001).updates.some((update) => update.type === "phase" && update.phase === "streaming"));
  assert.deepEqual(loop.feed(request.id, textBlock, 1001).updates, []);
  const outcome = loop.feed(request.id, text("größer 😀"), 1002);
  assert.deepEqual(outcome, { updates: [{ type: "text", messageIndex: 1, delta: "größer 😀" }], effects: [], nextDeadlineMs: 301_000 });
  const half = text("😀");
  assert.deepEqual(loop.feed(request.id, half.subarray(0, half.length - 20)).updates, []);
  assert.equal(loop.feed(request.id, half.subarray(half.length - 20)).updates[0].delta, "😀");
  for (const chunk of end) loop.feed(request.id, chunk, 1003);
  assert.equal(loop.state().outcome, "completed");
  assert.equal(loop.messages()[1].content[0].text, "größer 😀😀");
  assert.deepEqual(loop.pending(), []);
  loop.free();
});

test("T15 the bytes' way and the reducer over the decoder's events end in one state", () => {
  const { loop, request } = asked();
  for (const chunk of answer) loop.feed(request.id, chunk, 2000);
  const registry = new ToolRegistry([]);
  const decoder = new StreamDecoder("anthropic");
  let state = idleTurn({ tools: registry });
  state = reduceTurn(state, { type: "submit", text: "hi", nowMs: 1000 }, registry);
  for (const event of answer.flatMap((chunk) => decoder.push(chunk))) state = reduceTurn(state, { ...event, nowMs: 2000 }, registry);
  assert.deepEqual({ ...loop.state(), turnId: state.turnId }, state);
  loop.free();
});

test("T1 T10 the reducer is pure: what it was given stays, and a refused input leaves an equal state", () => {
  const registry = new ToolRegistry(boardTools);
  const idle = idleTurn({ tools: registry, limits: { maxIterations: 2 } });
  const copy = structuredClone(idle);
  const requesting = reduceTurn(idle, { type: "submit", text: "hi", nowMs: 1 }, registry);
  assert.deepEqual(idle, copy);
  assert.equal(requesting.phase, "requesting");
  assert.deepEqual(reduceTurn(requesting, { type: "approveCall", callId: "nobody" }, registry), requesting);
  assert.deepEqual(reduceTurn(requesting, { type: "submit", text: "again", nowMs: 2 }, registry).messages, requesting.messages);
  assert.throws(() => reduceTurn({ ...requesting, phase: "dreaming" }, { type: "tick", nowMs: 1 }, registry), (error) => error instanceof CountersignError && error.code === "invalid_state");
  assert.throws(() => reduceTurn(requesting, { type: "tick", nowMs: 1 }, new ToolRegistry([])), (error) => error.code === "tools_mismatch");
  assert.throws(() => reduceTurn(requesting, { type: "dance" }, registry), (error) => error.code === "invalid_input");
});

test("A3 nothing starts without a grant, and a grant of one call starts no other", () => {
  const registry = new ToolRegistry([addCard]);
  let state = idleTurn({ tools: registry });
  for (const input of [{ type: "submit", text: "hi", nowMs: 1 }, { type: "message_start", model: "m" }, complete("a", "add_card", { title: "A" }), complete("b", "add_card", { title: "B" }), stop("tool_use")]) state = reduceTurn(state, input, registry);
  assert.deepEqual(authorizeStart(state, "a", { nowMs: 2 }, registry), { ok: false, violation: "no_grant" });
  state = reduceTurn(state, { type: "approveCall", callId: "a", nowMs: 2 }, registry);
  assert.deepEqual(authorizeStart(state, "a", { nowMs: 2 }, registry), { ok: true });
  assert.deepEqual(authorizeStart(state, "b", { nowMs: 2 }, registry), { ok: false, violation: "no_grant" });
  assert.deepEqual(authorizeStart(state, "a", { nowMs: 2, documentRevision: 7 }, registry), { ok: false, violation: "stale_document" });
  const forged = structuredClone(state);
  forged.calls[0].inputDigest = forged.calls[1].inputDigest;
  assert.equal(authorizeStart(forged, "a", { nowMs: 2 }, registry).ok, false);
});

test("X5 a result counts once, for a call that runs, under the id of its effect", () => {
  const document = new DocumentStore(definition, initial());
  const { loop, request } = asked({ tools: [countCards], document });
  loop.dispatch({ type: "message_start", model: "m" }, request.id);
  loop.dispatch(complete("a", "count_cards", {}), request.id);
  const { effects } = loop.dispatch(stop("tool_use"), request.id);
  const execute = effects.find((effect) => effect.type === "execute");
  const settle = (callId, id) => loop.dispatch({ type: "callSettled", callId, outcome: { status: "ok", result: "2" } }, id);
  assert.equal(refusals(settle("nobody", execute.id)).at(-1).reason, "stale_effect");
  assert.equal(refusals(settle(execute.callId, "e999"))[0].reason, "stale_effect");
  const next = settle(execute.callId, execute.id);
  assert.equal(next.effects[0].type, "request");
  const again = settle(execute.callId, execute.id);
  assert.equal(refusals(again).at(-1).reason, "stale_effect");
  assert.ok(loop.state().violationCounts.unmatched_result >= 1);
  assert.equal(loop.messages().flatMap((message) => message.content).filter((block) => block.type === "tool_result").length, 1);
  loop.free();
  document.free();
});

test("T9 bytes of a request that is over are refused and change nothing", () => {
  const { loop, request } = asked();
  loop.dispatch({ type: "cancel" });
  const before = loop.messages();
  assert.equal(refusals(loop.feed(request.id, answer[0]))[0].reason, "stale_effect");
  assert.equal(refusals(loop.endStream(request.id))[0].reason, "stale_effect");
  assert.deepEqual(loop.messages(), before);
  assert.throws(() => loop.request(request.id, "anthropic", { model: "m" }), (error) => error.code === "stale_effect");
  loop.free();
});

test("T11 every command in the wrong phase is answered with a typed refusal", () => {
  const { loop } = asked();
  const commands = [{ type: "approveCall", callId: "x" }, { type: "approveBatch", callIds: ["x"] }, { type: "denyCall", callId: "x" }, { type: "undoTurn" }, { type: "submit", text: "more", nowMs: 2 }, { type: "advance", nowMs: 2 }, { type: "retry" }, { type: "startCall", callId: "x", nowMs: 2 }];
  for (const command of commands) {
    const [refusal] = refusals(loop.dispatch(command));
    assert.equal(refusal?.input, command.type, JSON.stringify(command));
  }
  loop.free();
});

test("S1 S2 a snapshot is the same text over restore and snapshot again, and holds no grant", () => {
  const document = new DocumentStore(definition, initial());
  const { loop, request } = asked({ tools: boardTools, document, conversationId: "c1" });
  loop.dispatch({ type: "message_start", model: "m" }, request.id);
  loop.dispatch(complete("a", "add_card", { title: "A" }), request.id);
  loop.dispatch(complete("b", "add_card", { title: "B" }), request.id);
  loop.dispatch(stop("tool_use"), request.id);
  loop.dispatch({ type: "approveCall", callId: loop.state().calls[0].id });
  assert.equal(loop.state().grants.length, 1);
  const snapshot = loop.snapshot();
  const restored = ToolLoop.restore(snapshot, { tools: boardTools, document });
  assert.equal(restored.snapshot(), snapshot);
  assert.deepEqual(restored.state().grants, []);
  assert.deepEqual(restored.state().calls.map((call) => call.status), ["pending", "pending"]);
  assert.equal(loop.state().calls[0].status, "approved");
  for (const damaged of ["", "{}", snapshot.slice(1), snapshot.replace('"version":1', '"version":99')]) {
    assert.throws(() => ToolLoop.restore(damaged, { tools: boardTools, document }), (error) => error instanceof CountersignError && /snapshot/.test(error.code + error.message));
  }
  loop.free();
  restored.free();
  document.free();
});

test("T6 a history with open calls is repaired before anything is asked", () => {
  const { loop } = asked({ history: [{ role: "user", content: [{ type: "text", text: "go" }] }, { role: "assistant", content: [{ type: "tool_call", id: "x", name: "t", input: {} }] }] });
  assert.deepEqual(pairingViolations(loop.messages()), []);
  loop.free();
});

test("an external tool needs the conversation's name", () => {
  const external = { name: "mail", description: "Sends.", inputSchema: { type: "object" }, external: true };
  assert.throws(() => new ToolLoop({ tools: [external] }), (error) => error.code === "invalid_options" && error.path === "conversationId");
  new ToolLoop({ tools: [external], conversationId: "c" }).free();
  assert.throws(() => new ToolLoop({ tools: [], mode: "telepathic" }), (error) => error instanceof CountersignError && error.path === "mode");
  assert.throws(() => new ToolLoop({ tools: [], surprise: 1 }), (error) => error instanceof CountersignError);
});
