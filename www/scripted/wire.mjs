// Anthropic Messages as bytes: what a script says becomes the server-sent events of a real answer, in small
// pieces with small pauses. Enters: blocks of text and tool calls. Leaves: frames on an HTTP response.

import { setTimeout as pause } from "node:timers/promises";

const CUT_PAUSE_MS = 200;

/**
 * Streams one answer. `say` is `{ blocks: ({ text } | { tool, input })[], stop? }`.
 * `cutAfter` ends the connection after that many frames, as a broken network would.
 */
export async function stream(response, request, say, { delayMs, cutAfter = Infinity }) {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store", "x-accel-buffering": "no" });
  let sent = 0;
  try {
    for (const [name, data, ms = delayMs] of frames(request, say)) {
      if (sent >= cutAfter) {
        // what was sent gets through before the line goes dead: a reset would take it back
        await pause(CUT_PAUSE_MS, undefined, { signal: gone.signal });
        return void response.socket.end();
      }
      await pause(ms, undefined, { signal: gone.signal });
      response.write(`event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`);
      sent += 1;
    }
    response.end();
  } catch (error) {
    // the page stopped reading: there is nobody left to answer
    if (error?.name !== "AbortError") throw error;
  }
}

/** Answers with an error in the API's own shape. */
export function refuse(response, status, type, message, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ type: "error", error: { type, message } }));
}

function* frames(request, { blocks, stop }) {
  const seed = request.messages.length;
  const calls = blocks.filter((block) => block.tool !== undefined).length;
  yield ["message_start", {
    message: {
      id: `msg_scripted_${seed}`, type: "message", role: "assistant", model: request.model, content: [], stop_reason: null, stop_sequence: null,
      usage: { input_tokens: Math.ceil(JSON.stringify(request.messages).length / 4), output_tokens: 1 },
    },
  }];
  yield ["ping", {}];
  let written = 0;
  for (const [index, block] of blocks.entries()) {
    if (block.tool === undefined) {
      yield ["content_block_start", { index, content_block: { type: "text", text: "" } }];
      for (const text of pieces(block.text, 9)) yield ["content_block_delta", { index, delta: { type: "text_delta", text } }];
      written += block.text.length;
    } else {
      const id = `toolu_${String(seed).padStart(3, "0")}_${String(index).padStart(2, "0")}`;
      const json = JSON.stringify(block.input);
      yield ["content_block_start", { index, content_block: { type: "tool_use", id, name: block.tool, input: {} } }];
      yield ["content_block_delta", { index, delta: { type: "input_json_delta", partial_json: "" } }, 0];
      for (const partial_json of pieces(json, 24)) yield ["content_block_delta", { index, delta: { type: "input_json_delta", partial_json } }];
      written += json.length;
    }
    yield ["content_block_stop", { index }, 0];
  }
  yield ["message_delta", { delta: { stop_reason: stop ?? (calls > 0 ? "tool_use" : "end_turn"), stop_sequence: null }, usage: { output_tokens: Math.ceil(written / 4) } }, 0];
  yield ["message_stop", {}, 0];
}

// whole code points only: a provider never cuts one in two either
function* pieces(text, size) {
  const points = [...text];
  for (let at = 0; at < points.length; at += size) yield points.slice(at, at + size).join("");
}
