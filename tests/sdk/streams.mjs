// Answers made by chance, and each provider's stream of one: true to how the provider writes it, so that its own SDK
// reads it without complaint.
const TEXTS = ["Hello", " wörld", " 漢字と仮名", " 🧭👩‍👩‍👧", "\n\n", " \"quoted\" \\ back", " <tag>&amp;", "\u2028", "  ", "data: x\n\nevent: y\n\n", "é", "0", "null", "{", "\t", "العربية", "\u0000\u007f"];
const NAMES = ["add_element", "find", "rename-all", "x", "list_threats_2"];

/** Numbers by a seed: the same for the same seed, everywhere. */
export function chance(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (bound) => Math.floor(next() * bound);
  return {
    below,
    often: (share) => next() < share,
    one: (list) => list[below(list.length)],
    many: (most, make) => Array.from({ length: below(most + 1) }, (_, at) => make(at)),
    word: (length) => Array.from({ length }, () => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"[below(62)]).join(""),
  };
}

/** An answer: thoughts, texts and calls in an order, why it ended, what it cost. */
export function answerBy(dice) {
  const parts = [];
  if (dice.often(0.4)) parts.push({ kind: "thought", text: textBy(dice), sealed: dice.word(24) });
  if (dice.often(0.8)) parts.push({ kind: "text", text: textBy(dice) });
  const calls = dice.often(0.6) ? 1 + dice.below(4) : 0;
  for (let n = 0; n < calls; n += 1) {
    if (dice.often(0.15)) parts.push({ kind: "text", text: textBy(dice) });
    parts.push({ kind: "call", id: dice.word(16), name: dice.one(NAMES), input: objectBy(dice, 3), sealed: dice.word(20) });
  }
  if (parts.length === 0) parts.push({ kind: "text", text: "." });
  const end = calls > 0 ? "calls" : dice.one(["end", "end", "end", "length", "declined"]);
  return { parts, end, model: `model-${dice.below(9)}`, input: dice.below(100_000), output: dice.below(9_000), cached: dice.often(0.5) ? dice.below(50) : undefined, thought: dice.below(900) };
}

function textBy(dice) {
  return dice.one(TEXTS.filter((text) => text.trim() !== "")) + dice.many(6, () => dice.one(TEXTS)).join("");
}

function objectBy(dice, depth) {
  return Object.fromEntries(dice.many(4, () => [dice.one(["id", "name", "x", "flow_number", "ключ", "a b", "", "list"]), valueBy(dice, depth - 1)]));
}

function valueBy(dice, depth) {
  const kind = dice.below(depth > 0 ? 8 : 6);
  if (kind === 6) return objectBy(dice, depth);
  if (kind === 7) return dice.many(3, () => valueBy(dice, depth - 1));
  return [() => textBy(dice), () => dice.below(2_000_000) - 1_000_000, () => dice.below(1_000) / 8, () => dice.often(0.5), () => null, () => ""][kind]();
}

/** The bytes of the answer in the provider's format. */
export function streamOf(format, answer, dice) {
  return new TextEncoder().encode(WRITERS[format](answer, dice));
}

/** The bytes in chunks cut by chance, through characters and lines. */
export function cutBy(dice, bytes) {
  const sizes = dice.one([[1], [bytes.length], [1, 2, 3, 5, 8], [16, 64, 200], [700, 0, 1]]);
  const chunks = [];
  for (let at = 0; at < bytes.length; ) {
    const size = dice.one(sizes);
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

/** A text in pieces, as tokens come: never through a surrogate pair. */
function pieces(dice, text) {
  const points = [...text];
  const parts = [];
  while (points.length > 0) parts.push(points.splice(0, 1 + dice.below(7)).join(""));
  return parts;
}

// JSON as different servers write it: what is in a string may be escaped or not, blanks may stand between.
function written(dice, value) {
  const text = JSON.stringify(value);
  return dice.often(0.3) ? text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`) : text;
}

function argumentsBy(dice, input) {
  return dice.often(0.3) ? JSON.stringify(input, null, 1) : JSON.stringify(input);
}

const WRITERS = { anthropic, "openai-chat": chat, "openai-responses": responses, gemini };

/** Every format that streams are written in here. */
export const FORMATS = Object.keys(WRITERS);

function anthropic(answer, dice) {
  let stream = "";
  const say = (type, more) => (stream += `event: ${type}\ndata: ${written(dice, { type, ...more })}\n\n`);
  const cache = answer.cached === undefined ? {} : { cache_creation_input_tokens: answer.thought, cache_read_input_tokens: answer.cached };
  const message = { id: `msg_${dice.word(20)}`, type: "message", role: "assistant", model: answer.model, content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: answer.input, ...cache, output_tokens: 1 } };
  say("message_start", { message });
  const blocks = answer.parts.flatMap((part) => (part.kind === "thought" && dice.often(0.3) ? [part, { kind: "sealed", data: part.sealed }] : [part]));
  for (const [index, part] of blocks.entries()) {
    const block = { thought: () => ({ type: "thinking", thinking: "", signature: "" }), sealed: () => ({ type: "redacted_thinking", data: part.data }), text: () => ({ type: "text", text: "" }), call: () => ({ type: "tool_use", id: `toolu_${part.id}`, name: part.name, input: {} }) }[part.kind]();
    say("content_block_start", { index, content_block: block });
    if (dice.often(0.3)) say("ping", {});
    const add = (delta) => say("content_block_delta", { index, delta });
    if (part.kind === "thought") {
      for (const thinking of pieces(dice, part.text)) add({ type: "thinking_delta", thinking });
      add({ type: "signature_delta", signature: part.sealed });
    } else if (part.kind === "text") for (const text of pieces(dice, part.text)) add({ type: "text_delta", text });
    else if (part.kind === "call") {
      add({ type: "input_json_delta", partial_json: "" });
      const isEmpty = Object.keys(part.input).length === 0;
      if (!isEmpty) for (const partial_json of pieces(dice, argumentsBy(dice, part.input))) add({ type: "input_json_delta", partial_json });
    }
    say("content_block_stop", { index });
  }
  const stop_reason = { calls: "tool_use", end: dice.one(["end_turn", "stop_sequence", "pause_turn"]), length: "max_tokens", declined: "refusal" }[answer.end];
  say("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: dice.often(0.5) ? { input_tokens: answer.input, ...cache, output_tokens: answer.output } : { output_tokens: answer.output } });
  say("message_stop", {});
  return stream;
}

function chat(answer, dice) {
  let stream = "";
  const head = { id: `chatcmpl-${dice.word(20)}`, object: "chat.completion.chunk", created: 1_790_000_000, model: answer.model, service_tier: "default", system_fingerprint: null };
  const say = (choices, more = { usage: null }) => (stream += `data: ${written(dice, { ...head, choices, ...more })}\n\n`);
  const add = (delta, finish_reason = null) => say([{ index: 0, delta, logprobs: null, finish_reason }]);
  add({ role: "assistant", content: answer.parts.some(({ kind }) => kind === "text") ? "" : null, refusal: null });
  for (const { text } of answer.parts.filter(({ kind }) => kind === "text")) {
    for (const piece of pieces(dice, text)) add(answer.end === "declined" ? { refusal: piece } : { content: piece });
  }
  const calls = answer.parts.filter(({ kind }) => kind === "call").map((call, index) => ({ call, index, left: pieces(dice, argumentsBy(dice, call.input)) }));
  // one after the other, as OpenAI does, or taking turns, which its format allows
  const takesTurns = dice.often(0.3);
  for (const { call, index } of takesTurns ? calls : []) open(call, index);
  if (takesTurns) while (calls.some(({ left }) => left.length > 0)) next(dice.one(calls.filter(({ left }) => left.length > 0)));
  else
    for (const each of calls) {
      open(each.call, each.index);
      while (each.left.length > 0) next(each);
    }
  add({}, { calls: "tool_calls", end: "stop", length: "length", declined: dice.one(["stop", "content_filter"]) }[answer.end]);
  const details = answer.cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: answer.cached, audio_tokens: 0 }, completion_tokens_details: { reasoning_tokens: answer.thought, audio_tokens: 0 } };
  say([], { usage: { prompt_tokens: answer.input, completion_tokens: answer.output, total_tokens: answer.input + answer.output, ...details } });
  return `${stream}data: [DONE]\n\n`;

  function open({ id, name }, index) {
    add({ tool_calls: [{ index, id: `call_${id}`, type: "function", function: { name, arguments: "" } }] });
  }
  function next({ index, left }) {
    add({ tool_calls: [{ index, function: { arguments: left.shift() } }] });
  }
}

function responses(answer, dice) {
  let stream = "";
  let sequence_number = 0;
  const say = (type, more) => (stream += `event: ${type}\ndata: ${written(dice, { type, sequence_number: sequence_number++, ...more })}\n\n`);
  const base = { id: `resp_${dice.word(24)}`, object: "response", created_at: 1_790_000_000, status: "in_progress", error: null, incomplete_details: null, instructions: null, model: answer.model, output: [], parallel_tool_calls: true, store: false, tools: [], usage: null, metadata: {} };
  say("response.created", { response: base });
  say("response.in_progress", { response: base });
  const output = [];
  for (const [output_index, part] of answer.parts.entries()) {
    if (part.kind === "thought") output.push(reasoning(part, output_index));
    if (part.kind === "text") output.push(message(part, output_index));
    if (part.kind === "call") output.push(call(part, output_index));
  }
  const details = answer.cached === undefined ? { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } } : { input_tokens_details: { cached_tokens: answer.cached }, output_tokens_details: { reasoning_tokens: answer.thought } };
  const usage = { input_tokens: answer.input, output_tokens: answer.output, total_tokens: answer.input + answer.output, ...details };
  const isCut = answer.end === "length";
  const response = { ...base, status: isCut ? "incomplete" : "completed", incomplete_details: isCut ? { reason: "max_output_tokens" } : null, output, usage };
  say(isCut ? "response.incomplete" : "response.completed", { response });
  return stream;

  function reasoning({ text, sealed }, output_index) {
    const item = { id: `rs_${dice.word(20)}`, type: "reasoning", encrypted_content: sealed, summary: [] };
    const at = { item_id: item.id, output_index, summary_index: 0 };
    say("response.output_item.added", { output_index, item });
    say("response.reasoning_summary_part.added", { ...at, part: { type: "summary_text", text: "" } });
    for (const delta of pieces(dice, text)) say("response.reasoning_summary_text.delta", { ...at, delta });
    say("response.reasoning_summary_text.done", { ...at, text });
    say("response.reasoning_summary_part.done", { ...at, part: { type: "summary_text", text } });
    const done = { ...item, summary: [{ type: "summary_text", text }] };
    say("response.output_item.done", { output_index, item: done });
    return done;
  }
  function message({ text }, output_index) {
    const item = { id: `msg_${dice.word(20)}`, type: "message", status: "in_progress", role: "assistant", content: [] };
    const at = { item_id: item.id, output_index, content_index: 0 };
    const [kind, empty, whole] = answer.end === "declined" ? ["refusal", { type: "refusal", refusal: "" }, { type: "refusal", refusal: text }] : ["output_text", { type: "output_text", annotations: [], logprobs: [], text: "" }, { type: "output_text", annotations: [], logprobs: [], text }];
    say("response.output_item.added", { output_index, item });
    say("response.content_part.added", { ...at, part: empty });
    for (const delta of pieces(dice, text)) say(`response.${kind}.delta`, { ...at, delta, ...(kind === "refusal" ? {} : { logprobs: [] }) });
    say(`response.${kind}.done`, { ...at, ...(kind === "refusal" ? { refusal: text } : { text, logprobs: [] }) });
    say("response.content_part.done", { ...at, part: whole });
    const done = { ...item, status: "completed", content: [whole] };
    say("response.output_item.done", { output_index, item: done });
    return done;
  }
  function call({ id, name, input }, output_index) {
    const item = { id: `fc_${dice.word(20)}`, type: "function_call", status: "in_progress", arguments: "", call_id: `call_${id}`, name };
    const given = argumentsBy(dice, input);
    say("response.output_item.added", { output_index, item });
    for (const delta of pieces(dice, given)) say("response.function_call_arguments.delta", { item_id: item.id, output_index, delta });
    say("response.function_call_arguments.done", { item_id: item.id, output_index, name, arguments: given });
    const done = { ...item, status: "completed", arguments: given };
    say("response.output_item.done", { output_index, item: done });
    return done;
  }
}

function gemini(answer, dice) {
  let stream = "";
  const end = dice.one(["\r\n", "\n"]);
  const responseId = dice.word(20);
  const usage = (output) => ({ promptTokenCount: answer.input, ...(answer.cached === undefined ? {} : { cachedContentTokenCount: answer.cached }), ...(output === undefined ? {} : { candidatesTokenCount: output, thoughtsTokenCount: answer.thought }), totalTokenCount: answer.input + (output ?? 0) });
  const say = (parts, more = {}, output) => (stream += `data: ${written(dice, { candidates: [{ content: { parts, role: "model" }, ...more, index: 0 }], usageMetadata: usage(output), modelVersion: answer.model, responseId })}${end}${end}`);
  const named = dice.often(0.5);
  let signed = false;
  for (const part of answer.parts) {
    if (part.kind === "thought") for (const text of pieces(dice, part.text)) say([{ text, thought: true }]);
    if (part.kind === "text") for (const text of pieces(dice, part.text)) say([{ text }]);
    if (part.kind === "call") {
      // of several calls in a row the first alone is signed
      say([{ functionCall: { ...(named ? { id: part.id } : {}), name: part.name, args: part.input }, ...(signed ? {} : { thoughtSignature: part.sealed }) }]);
      signed = true;
    }
  }
  say([{ text: "" }], { finishReason: { calls: "STOP", end: "STOP", length: "MAX_TOKENS", declined: "SAFETY" }[answer.end] }, answer.output);
  return stream;
}
