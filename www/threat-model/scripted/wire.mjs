// What a script says as bytes: the server-sent events of a real answer, in small pieces with small pauses. Enters:
// blocks of text and tool calls. Leaves: frames on an HTTP response, of Anthropic Messages or of Chat Completions.

import { setTimeout as pause } from "node:timers/promises";

const CUT_PAUSE_MS = 200;

/** The formats: how an answer and an error of each are written. */
export const FORMATS = {
  anthropic: { frames: anthropicFrames, error: (type, message) => ({ type: "error", error: { type, message } }) },
  chat: { frames: chatFrames, error: (type, message) => ({ error: { message, type, param: null, code: null } }) },
};

/**
 * Streams one answer. `say` is `{ blocks: ({ text } | { tool, input })[] }`.
 * `cutAfter` ends the connection after that many frames, as a broken network would.
 */
export async function stream(response, format, request, say, { delayMs, cutAfter = Infinity }) {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store", "x-accel-buffering": "no" });
  let sent = 0;
  try {
    for (const [frame, ms = delayMs] of format.frames(request, say)) {
      if (sent >= cutAfter) {
        // what was sent gets through before the line goes dead: a reset would take it back
        await pause(CUT_PAUSE_MS, undefined, { signal: gone.signal });
        return void response.socket.end();
      }
      await pause(ms, undefined, { signal: gone.signal });
      response.write(frame);
      sent += 1;
    }
    response.end();
  } catch (error) {
    // the page stopped reading: there is nobody left to answer
    if (error?.name !== "AbortError") throw error;
  }
}

/** Answers with an error in the API's own shape. */
export function refuse(response, format, status, type, message, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(format.error(type, message)));
}

function* anthropicFrames(request, { blocks }) {
  const frame = (name, data) => `event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`;
  const seed = request.messages.length;
  yield [frame("message_start", {
    message: {
      id: `msg_scripted_${seed}`, type: "message", role: "assistant", model: request.model, content: [], stop_reason: null, stop_sequence: null,
      usage: { input_tokens: sizeOf(request), output_tokens: 1 },
    },
  })];
  yield [frame("ping", {})];
  for (const [index, block] of blocks.entries()) {
    const delta = (what) => frame("content_block_delta", { index, delta: what });
    if (block.tool === undefined) {
      yield [frame("content_block_start", { index, content_block: { type: "text", text: "" } })];
      for (const text of pieces(block.text, 9)) yield [delta({ type: "text_delta", text })];
    } else {
      yield [frame("content_block_start", { index, content_block: { type: "tool_use", id: idOf("toolu", seed, index), name: block.tool, input: {} } })];
      yield [delta({ type: "input_json_delta", partial_json: "" }), 0];
      for (const partial_json of pieces(JSON.stringify(block.input), 24)) yield [delta({ type: "input_json_delta", partial_json })];
    }
    yield [frame("content_block_stop", { index }), 0];
  }
  yield [frame("message_delta", { delta: { stop_reason: callsIn(blocks) ? "tool_use" : "end_turn", stop_sequence: null }, usage: { output_tokens: written(blocks) } }), 0];
  yield [frame("message_stop", {}), 0];
}

function* chatFrames(request, { blocks }) {
  const seed = request.messages.length;
  const frame = (more) => `data: ${JSON.stringify({ id: `chatcmpl-scripted-${seed}`, object: "chat.completion.chunk", created: 0, model: request.model, ...more })}\n\n`;
  const delta = (what, finish_reason = null) => frame({ choices: [{ index: 0, delta: what, finish_reason }] });
  yield [delta({ role: "assistant", content: "" })];
  let index = 0;
  for (const block of blocks) {
    if (block.tool === undefined) {
      for (const content of pieces(block.text, 9)) yield [delta({ content })];
      continue;
    }
    yield [delta({ tool_calls: [{ index, id: idOf("call", seed, index), type: "function", function: { name: block.tool, arguments: "" } }] })];
    for (const part of pieces(JSON.stringify(block.input), 24)) yield [delta({ tool_calls: [{ index, function: { arguments: part } }] })];
    index += 1;
  }
  yield [delta({}, index > 0 ? "tool_calls" : "stop"), 0];
  if (request.stream_options?.include_usage === true) {
    const [prompt_tokens, completion_tokens] = [sizeOf(request), written(blocks)];
    yield [frame({ choices: [], usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens } }), 0];
  }
  yield ["data: [DONE]\n\n", 0];
}

function idOf(prefix, seed, index) {
  return `${prefix}_${String(seed).padStart(3, "0")}_${String(index).padStart(2, "0")}`;
}

function callsIn(blocks) {
  return blocks.some((block) => block.tool !== undefined);
}

function sizeOf(request) {
  return Math.ceil(JSON.stringify(request.messages).length / 4);
}

function written(blocks) {
  return Math.ceil(blocks.reduce((sum, block) => sum + (block.text ?? JSON.stringify(block.input)).length, 0) / 4);
}

// whole code points only: a provider never cuts one in two either
function* pieces(text, size) {
  const points = [...text];
  for (let at = 0; at < points.length; at += size) yield points.slice(at, at + size).join("");
}
