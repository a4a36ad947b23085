// The bytes of a provider's answer, made from a seed: same arguments, same bytes, on every machine.
// Each format as its own servers frame it.

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
export function numbersFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of a list. */
export const oneOf = (list, next) => list[Math.floor(next() * list.length)];

// Pieces as models stream them: short words with a space before them, punctuation and escapes, a few characters of several bytes.
const WORDS =
  "the of and to in is that for it as with on be this are by from at or an model data flow element boundary threat trust zone service gateway database token session user request response attacker spoof tamper denial encrypt key store queue cache login admin policy role network proxy browser client server event stream tool call input output".split(" ");
const MARKS = [".", ",", ":", "\n", "\n\n", ' "', '"', " `", "`", "\\", " (", ")", " -", "**", " {", "}", "\t"];
const WIDE = ["é", " –", " “", "”", " naïve", " →", "日本", " 語", " Grüße", "😀", " 👩‍💻", " Ж"];

function piece(next) {
  const kind = next();
  if (kind < 0.82) return ` ${oneOf(WORDS, next)}`;
  return oneOf(kind < 0.97 ? MARKS : WIDE, next);
}

/** A text of so many pieces. */
export function textFrom(next, pieces) {
  let text = "";
  for (let at = 0; at < pieces; at += 1) text += piece(next);
  return text;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const nameFrom = (next, length) => Array.from({ length }, () => LETTERS[Math.floor(next() * LETTERS.length)]).join("");

// A call's arguments come in fragments of uneven length that never cut a character of two units.
function fragmentsOf(json, wanted, next) {
  const count = Math.max(1, Math.min(wanted, json.length));
  const fragments = [];
  let at = 0;
  for (let made = 0; made < count && at < json.length; made += 1) {
    const left = json.length - at;
    const after = count - made - 1;
    let length = left;
    if (after > 0) {
      length = Math.max(1, Math.min(left - after, Math.round((left / (after + 1)) * (0.5 + next()))));
      const last = json.charCodeAt(at + length - 1);
      if (last >= 0xd800 && last <= 0xdbff) length = Math.min(length + 1, left);
    }
    fragments.push(json.slice(at, at + length));
    at += length;
  }
  return fragments;
}

/** The model every answer names. */
export const MODEL = { anthropic: "claude-sonnet-5", openai: "gpt-5.6-sol", responses: "gpt-5.6-sol", gemini: "gemini-3-pro" };

const WRITERS = { anthropic: anthropicFrames, openai: openaiFrames, responses: responsesFrames, gemini: geminiFrames };
const PREFIXES = { anthropic: "toolu_", openai: "call_", responses: "call_", gemini: "" };

/**
 * One answer: `deltas` pieces of text, then `calls` ({name, input}) in so many `fragments` each.
 * Gives its frames, the JSON inside them, and what must come out: the text and the calls with their ids.
 */
export function answer({ provider, deltas = 0, calls = [], fragments = 8, seed }) {
  const next = numbersFrom(seed * 7919 + 13);
  const cuts = numbersFrom(seed * 104729 + 7);
  const pieces = Array.from({ length: deltas }, () => piece(next));
  const named = calls.map(({ name, input }, at) => ({ id: `${PREFIXES[provider]}${String(seed).padStart(4, "0")}_${at}_${nameFrom(next, 12)}`, name, input }));
  return { provider, text: pieces.join(""), calls: named, ...WRITERS[provider]({ pieces, calls: named, fragments, next, cuts }) };
}

function anthropicFrames({ pieces, calls, fragments, next, cuts }) {
  const frames = [];
  const dataLines = [];
  const say = (type, body) => {
    const data = JSON.stringify({ type, ...body });
    dataLines.push(data);
    frames.push(`event: ${type}\ndata: ${data}\n\n`);
  };
  const caches = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const usage = { input_tokens: 2310, ...caches, cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 }, output_tokens: 1, service_tier: "standard" };
  say("message_start", {
    message: { model: MODEL.anthropic, id: `msg_${nameFrom(next, 24)}`, type: "message", role: "assistant", content: [], stop_reason: null, stop_sequence: null, usage },
  });
  let index = 0;
  if (pieces.length > 0) {
    say("content_block_start", { index, content_block: { type: "text", text: "" } });
    say("ping", {});
    for (const text of pieces) say("content_block_delta", { index, delta: { type: "text_delta", text } });
    say("content_block_stop", { index });
    index += 1;
  }
  for (const { id, name, input } of calls) {
    say("content_block_start", { index, content_block: { type: "tool_use", id, name, input: {} } });
    for (const partial of ["", ...fragmentsOf(JSON.stringify(input), fragments, cuts)]) {
      say("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: partial } });
    }
    say("content_block_stop", { index });
    index += 1;
  }
  const written = pieces.length + calls.length * fragments;
  say("message_delta", { delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null }, usage: { input_tokens: 2310, ...caches, output_tokens: written } });
  say("message_stop", {});
  return { frames, dataLines };
}

function openaiFrames({ pieces, calls, fragments, next, cuts }) {
  const frames = [];
  const dataLines = [];
  const head = { id: `chatcmpl-${nameFrom(next, 28)}`, object: "chat.completion.chunk", created: 1764400000, model: MODEL.openai, service_tier: "default", system_fingerprint: `fp_${nameFrom(next, 10)}` };
  const say = (body) => {
    const data = JSON.stringify({ ...head, ...body });
    dataLines.push(data);
    frames.push(`data: ${data}\n\n`);
  };
  // the server pads its events, so that their sizes say less about the text
  const padding = () => nameFrom(next, 1 + Math.floor(next() * 13));
  const choice = (delta, finish_reason = null) => say({ choices: [{ index: 0, delta, logprobs: null, finish_reason }], usage: null, obfuscation: padding() });
  choice({ role: "assistant", content: pieces.length > 0 ? "" : null, refusal: null });
  for (const content of pieces) choice({ content });
  for (const [index, { id, name, input }] of calls.entries()) {
    choice({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
    for (const part of fragmentsOf(JSON.stringify(input), fragments, cuts)) choice({ tool_calls: [{ index, function: { arguments: part } }] });
  }
  choice({}, calls.length > 0 ? "tool_calls" : "stop");
  const written = pieces.length + calls.length * fragments;
  say({
    choices: [],
    usage: {
      prompt_tokens: 2310,
      completion_tokens: written,
      total_tokens: 2310 + written,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
    },
    obfuscation: nameFrom(next, 8),
  });
  frames.push("data: [DONE]\n\n");
  return { frames, dataLines };
}

function responsesFrames({ pieces, calls, fragments, next, cuts }) {
  const frames = [];
  const dataLines = [];
  const say = (type, body) => {
    const data = JSON.stringify({ type, sequence_number: frames.length, ...body });
    dataLines.push(data);
    frames.push(`event: ${type}\ndata: ${data}\n\n`);
  };
  const padding = () => nameFrom(next, 1 + Math.floor(next() * 13));
  const output = [];
  const response = (status, more = {}) => ({
    response: {
      id: responseId, object: "response", created_at: 1764400000, status, background: false, error: null, incomplete_details: null, instructions: null, max_output_tokens: 4096,
      model: MODEL.responses, output: [...output], parallel_tool_calls: true, previous_response_id: null, reasoning: { effort: "medium", summary: null }, store: false,
      temperature: 1, text: { format: { type: "text" } }, tool_choice: "auto", tools: [], top_p: 1, truncation: "disabled", usage: null, user: null, metadata: {}, ...more,
    },
  });
  const responseId = `resp_${nameFrom(next, 48)}`;
  say("response.created", response("in_progress"));
  say("response.in_progress", response("in_progress"));
  const place = () => ({ output_index: output.length });
  if (pieces.length > 0) {
    const id = `msg_${nameFrom(next, 48)}`;
    const text = pieces.join("");
    const within = { item_id: id, ...place(), content_index: 0 };
    const part = (written) => ({ type: "output_text", annotations: [], logprobs: [], text: written });
    const item = (status, content) => ({ id, type: "message", status, content, role: "assistant" });
    say("response.output_item.added", { ...place(), item: item("in_progress", []) });
    say("response.content_part.added", { ...within, part: part("") });
    for (const delta of pieces) say("response.output_text.delta", { ...within, delta, logprobs: [], obfuscation: padding() });
    say("response.output_text.done", { ...within, text, logprobs: [] });
    say("response.content_part.done", { ...within, part: part(text) });
    say("response.output_item.done", { ...place(), item: item("completed", [part(text)]) });
    output.push(item("completed", [part(text)]));
  }
  for (const { id: callId, name, input } of calls) {
    const id = `fc_${nameFrom(next, 48)}`;
    const json = JSON.stringify(input);
    const within = { item_id: id, ...place() };
    const item = (status, written) => ({ id, type: "function_call", status, arguments: written, call_id: callId, name });
    say("response.output_item.added", { ...place(), item: item("in_progress", "") });
    for (const delta of fragmentsOf(json, fragments, cuts)) say("response.function_call_arguments.delta", { ...within, delta, obfuscation: padding() });
    say("response.function_call_arguments.done", { ...within, arguments: json });
    say("response.output_item.done", { ...place(), item: item("completed", json) });
    output.push(item("completed", json));
  }
  const written = pieces.length + calls.length * fragments;
  const usage = { input_tokens: 2310, input_tokens_details: { cached_tokens: 0 }, output_tokens: written, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2310 + written };
  say("response.completed", response("completed", { usage }));
  return { frames, dataLines };
}

// calls come whole, each in a part of its own
function geminiFrames({ pieces, calls, next }) {
  const frames = [];
  const dataLines = [];
  const responseId = nameFrom(next, 22);
  let written = 0;
  const say = (parts, more = {}) => {
    written += parts.length;
    const usageMetadata = { promptTokenCount: 2310, candidatesTokenCount: written, totalTokenCount: 2310 + written, promptTokensDetails: [{ modality: "TEXT", tokenCount: 2310 }] };
    const data = JSON.stringify({ candidates: [{ content: { parts, role: "model" }, index: 0, ...more }], usageMetadata, modelVersion: MODEL.gemini, responseId });
    dataLines.push(data);
    frames.push(`data: ${data}\r\n\r\n`);
  };
  for (const text of pieces) say([{ text }]);
  for (const [at, { id, name, input: args }] of calls.entries()) {
    // one signature for the calls of a message, with the first
    say([{ functionCall: { name, args, id }, ...(at === 0 ? { thoughtSignature: `${nameFrom(next, 120)}==` } : {}) }]);
  }
  say([{ text: "" }], { finishReason: "STOP" });
  return { frames, dataLines };
}

/** The bytes of an answer, cut at its events ("event") or after every so many bytes. */
export function chunksOf({ frames }, cut) {
  const encoder = new TextEncoder();
  if (cut === "event") return frames.map((frame) => encoder.encode(frame));
  const bytes = encoder.encode(frames.join(""));
  const chunks = [];
  for (let at = 0; at < bytes.length; at += cut) chunks.push(bytes.subarray(at, at + cut));
  return chunks;
}

/** A call whose arguments are about twelve characters for each of so many fragments. */
export function longCall(at, fragments) {
  const next = numbersFrom(93 + at);
  const description = textFrom(next, Math.ceil((fragments * 12) / 5));
  const updates = { name: `Service ${at}`, description, technologies: ["TypeScript", "PostgreSQL"], position: { x: 12.5, y: -40 } };
  return { name: "update_element", input: { action: "update_element", id: `comp-${at + 1}`, updates } };
}
