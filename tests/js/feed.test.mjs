// The hot path: bytes are put into the core's own memory and come back as text, a number names the request.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { init, ToolLoop } from "countersign";

before(() => init());

const frame = (type, data = {}) => new TextEncoder().encode(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
const begin = frame("message_start", { message: { model: "m", usage: { input_tokens: 3 } } });
const block = frame("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
const text = (said) => frame("content_block_delta", { index: 0, delta: { type: "text_delta", text: said } });
const end = [frame("content_block_stop", { index: 0 }), frame("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } }), frame("message_stop")];

function opened(loop = new ToolLoop({ tools: [] }), nowMs = 1000) {
  const [{ id }] = loop.dispatch({ type: "submit", text: "hi", nowMs }).effects;
  loop.request(id, "anthropic", { model: "m" });
  return { loop, id };
}

const fed = (loop, id, chunk, nowMs) => loop.feed(id, chunk, nowMs).updates;
const refusals = (updates) => updates.filter(({ type }) => type === "refused").map(({ reason }) => reason);

test("every text comes out as it went in, however short, long or wide", () => {
  const { loop, id } = opened();
  fed(loop, id, begin);
  fed(loop, id, block);
  let whole = "";
  const wide = ["é", "日", "😀", "\u0001", '"', "\\", "\u007f", "\u0080", "\ufeff", "\u0000"];
  const plain = "the quick brown fox jumps over the lazy dog, twice";
  const said = [...Array.from(plain, (_, at) => plain.slice(0, at + 1)), ...wide.flatMap((part) => [0, 1, 3, 4, 21, 23, 24, 40].map((at) => plain.slice(0, at) + part + plain.slice(at, at + 2)))];
  for (const delta of said) {
    assert.deepEqual(fed(loop, id, text(delta)), [{ type: "text", messageIndex: 1, delta }]);
    whole += delta;
  }
  assert.equal(loop.messages()[1].content[0].text, whole);
  loop.free();
});

test("a chunk larger than the inbox, and a text longer than the chunk that ends it", () => {
  const { loop, id } = opened();
  fed(loop, id, begin);
  fed(loop, id, block);
  const long = "größer 😀 ".repeat(30_000);
  assert.equal(fed(loop, id, text(long))[0].delta, long);
  // the frame's beginning is kept from earlier chunks: what its end brings is longer than itself
  const bytes = text(long);
  for (let at = 0; at < bytes.length - 3; at += 4096) assert.deepEqual(fed(loop, id, bytes.subarray(at, Math.min(at + 4096, bytes.length - 3))), []);
  assert.equal(fed(loop, id, bytes.subarray(bytes.length - 3))[0].delta, long);
  assert.deepEqual(fed(loop, id, new Uint8Array(0)), []);
  assert.equal(loop.messages()[1].content[0].text, long + long);
  loop.free();
});

test("bytes for an id that is not open are refused, also where it was open once or will be", () => {
  const { loop, id } = opened();
  const [, number] = id.match(/^(?:.*\D)(\d+)$/);
  const later = id.replace(/\d+$/, String(Number(number) + 1)).replace(/^t1/, "t2");
  assert.deepEqual(refusals(fed(loop, later, begin)), ["stale_effect"]);
  for (const chunk of [begin, block, text("one"), ...end]) fed(loop, id, chunk);
  assert.equal(loop.state().phase, "settled");
  assert.deepEqual(refusals(fed(loop, id, text("more"))), ["stale_effect"]);
  const { id: next } = opened(loop);
  assert.equal(next, later);
  assert.deepEqual(refusals(fed(loop, id, text("more"))), ["stale_effect"]);
  for (const chunk of [begin, block]) assert.deepEqual(refusals(fed(loop, next, chunk)), []);
  assert.deepEqual(fed(loop, next, text("two")), [{ type: "text", messageIndex: 3, delta: "two" }]);
  assert.deepEqual(refusals(fed(loop, id, text("more"))), ["stale_effect"]);
  assert.deepEqual(fed(loop, next, text("!")), [{ type: "text", messageIndex: 3, delta: "!" }]);
  assert.equal(loop.messages()[3].content[0].text, "two!");
  loop.free();
});

test("two loops feed side by side, each into its own memory", () => {
  const [one, two] = [opened(), opened()];
  for (const { loop, id } of [one, two]) fed(loop, id, begin), fed(loop, id, block);
  for (let at = 0; at < 50; at += 1) {
    assert.equal(fed(one.loop, one.id, text(`a${at}`))[0].delta, `a${at}`);
    assert.equal(fed(two.loop, two.id, text(`b${at}`.repeat(2000)))[0].delta, `b${at}`.repeat(2000));
  }
  one.loop.free();
  assert.equal(fed(two.loop, two.id, text("c"))[0].delta, "c");
  two.loop.free();
});

test("the next deadline stands beside every chunk, also where only the time moved it", () => {
  const { loop, id } = opened(undefined, 1000);
  for (const chunk of [begin, block, text("a")]) assert.equal(loop.feed(id, chunk, 1001).nextDeadlineMs, 301_000);
  const saved = loop.snapshot();
  loop.free();
  const restored = ToolLoop.restore(saved, { tools: [] });
  const [{ id: again }] = restored.pending();
  restored.request(again, "anthropic", { model: "m" });
  // the rest was laid down for an hour, which is nobody's time
  const moved = restored.feed(again, begin, 3_601_000).nextDeadlineMs;
  assert.ok(moved > 3_601_000, String(moved));
  assert.equal(restored.feed(again, block, 3_601_001).nextDeadlineMs, moved);
  assert.equal(restored.dispatch({ type: "tick", nowMs: 3_601_002 }).nextDeadlineMs, moved);
  restored.free();
});

test("the conversation is the same list while nothing came, and the same messages while they did not change", () => {
  const { loop, id } = opened();
  for (const chunk of [begin, block, text("a")]) fed(loop, id, chunk);
  const first = loop.messages();
  assert.equal(loop.messages(), first);
  assert.ok(Object.isFrozen(first) && Object.isFrozen(first[1].content[0]));
  fed(loop, id, text("b"));
  const second = loop.messages();
  assert.notEqual(second, first);
  assert.equal(second[0], first[0]);
  assert.deepEqual([first[1].content[0].text, second[1].content[0].text], ["a", "ab"]);
  for (const chunk of end) fed(loop, id, chunk);
  assert.equal(loop.messages(), second);
  const { id: next } = opened(loop);
  for (const chunk of [begin, block, text("c")]) fed(loop, next, chunk);
  const third = loop.messages();
  assert.deepEqual(third.map(({ role }) => role), ["user", "assistant", "user", "assistant"]);
  assert.equal(third[1], second[1]);
  const unread = ToolLoop.restore(loop.snapshot(), { tools: [] });
  assert.deepEqual(unread.messages(), third.slice(0, 3));
  unread.free();
  loop.free();
});

test("the answer so far is all text of the newest message, by bytes and by events alike", () => {
  const { loop, id } = opened();
  assert.equal(loop.answer(), "");
  for (const chunk of [begin, block, text("a"), text("größer")]) fed(loop, id, chunk);
  assert.equal(loop.answer(), "agrößer");
  const rest = new Uint8Array([...text("!"), ...end.flatMap((chunk) => [...chunk])]);
  assert.ok(fed(loop, id, rest).length > 1);
  assert.equal(loop.answer(), loop.messages()[1].content[0].text);
  const [{ id: next }] = loop.dispatch({ type: "submit", text: "more", nowMs: 2000 }).effects;
  assert.equal(loop.answer(), "agrößer!");
  loop.dispatch({ type: "message_start", model: "m" }, next);
  for (const said of ["x", "y"]) loop.dispatch({ type: "text_delta", text: said }, next);
  assert.equal(loop.answer(), "xy");
  // asked for late, and after a restore, it is the same
  const saved = loop.snapshot();
  loop.dispatch({ type: "message_stop", stopReason: "end_turn" }, next);
  const restored = ToolLoop.restore(saved, { tools: [] });
  assert.equal(restored.answer(), "agrößer!");
  const settled = ToolLoop.restore(loop.snapshot(), { tools: [] });
  assert.equal(settled.answer(), "xy");
  for (const each of [loop, restored, settled]) each.free();
  assert.throws(() => loop.answer(), { code: "use_after_free" });
});

test("a request is text to send, and the same as a value", () => {
  const loop = new ToolLoop({ tools: [] });
  const [{ id }] = loop.dispatch({ type: "submit", text: "two\nlines", nowMs: 1000 }).effects;
  const request = loop.request(id, "anthropic", { model: "m\nn" });
  assert.equal(request.path, "/v1/messages");
  assert.deepEqual(JSON.parse(request.text), request.body);
  assert.equal(request.body, request.body);
  assert.equal(request.body.model, "m\nn");
  loop.free();
});
