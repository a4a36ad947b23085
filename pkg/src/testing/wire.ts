/** Writes events as the bytes of Anthropic's stream, in a `Response` that gives them in pieces. */

import { wait, type Timers } from "../clock.js";
import type { Json, ProtocolError, StreamEvent, Usage } from "../types.js";

/** How the bytes are given. */
export interface WireOptions {
  /** Ends the stream. */
  signal: AbortSignal;
  /** What `delayMs` goes by. */
  timers: Timers;
  /** How many bytes a chunk holds; a whole frame where nothing is said. */
  chunkBytes: number | undefined;
  /** The wait before each chunk. */
  delayMs: number;
}

/** The status that stands for a failure. */
export function statusOf(error: { code: string; status?: number }): number {
  if (error.status !== undefined) return error.status;
  switch (error.code) {
    case "rate_limited":
      return 429;
    case "overloaded":
      return 529;
    case "context_overflow":
      return 413;
    case "no_api_key":
      return 401;
    default:
      return 500;
  }
}

/** A streaming answer that says `events`. */
export function answerBytes(events: readonly StreamEvent[], options: WireOptions): Response {
  const chunks = cut(frames(events), options.chunkBytes);
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        if (options.delayMs > 0) await wait(options.timers, options.delayMs, options.signal);
        options.signal.throwIfAborted();
      } catch (reason) {
        return controller.error(reason);
      }
      const chunk = chunks[at];
      at += 1;
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** The frames of a stream that says `events`. */
export function frames(events: readonly StreamEvent[]): string[] {
  const written: string[] = [];
  const frame = (type: string, data: Record<string, Json>): void => {
    written.push(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  // the cost stands in the frame before the end
  const usage = events.filter((event) => event.type === "usage").at(-1)?.usage;
  let block: { index: number; kind: "text" | "thinking" | "tool" } | undefined;
  let blocks = 0;
  const close = (): void => {
    if (block !== undefined) frame("content_block_stop", { index: block.index });
    block = undefined;
  };
  const open = (kind: "text" | "thinking" | "tool", content: Json): number => {
    close();
    block = { index: blocks, kind };
    blocks += 1;
    frame("content_block_start", { index: block.index, content_block: content });
    return block.index;
  };
  for (const event of events) {
    switch (event.type) {
      case "message_start":
        frame("message_start", { message: { id: "msg_scripted", type: "message", role: "assistant", model: event.model, content: [], stop_reason: null, usage: { input_tokens: usage?.inputTokens ?? 0, output_tokens: 0 } } });
        break;
      case "text_delta": {
        const index = block?.kind === "text" ? block.index : open("text", { type: "text", text: "" });
        frame("content_block_delta", { index, delta: { type: "text_delta", text: event.text } });
        break;
      }
      case "reasoning_delta": {
        const index = block?.kind === "thinking" ? block.index : open("thinking", { type: "thinking", thinking: "" });
        frame("content_block_delta", { index, delta: { type: "thinking_delta", thinking: event.text } });
        break;
      }
      case "tool_call_start":
        open("tool", { type: "tool_use", id: event.id, name: event.name, input: {} });
        break;
      case "tool_call_input_delta":
        frame("content_block_delta", { index: block?.index ?? 0, delta: { type: "input_json_delta", partial_json: event.partialJson } });
        break;
      case "tool_call_complete":
        close();
        break;
      case "message_stop":
        close();
        frame("message_delta", { delta: { stop_reason: event.stopReason, stop_sequence: null }, usage: { output_tokens: outputOf(usage) } });
        frame("message_stop", {});
        break;
      case "error":
        frame("error", { error: { type: errorType(event.error), message: event.error.message } });
        break;
      case "usage":
      case "provider_state":
      case "aborted":
        break;
    }
  }
  return written;
}

function outputOf(usage: Usage | undefined): number {
  return usage?.outputTokens ?? 0;
}

function errorType(error: ProtocolError): string {
  return error.code === "rate_limited" ? "rate_limit_error" : error.code === "overloaded" ? "overloaded_error" : "api_error";
}

function cut(texts: readonly string[], chunkBytes: number | undefined): Uint8Array[] {
  const encoder = new TextEncoder();
  if (chunkBytes === undefined) return texts.map((text) => encoder.encode(text));
  const bytes = encoder.encode(texts.join(""));
  const size = Math.max(1, Math.floor(chunkBytes));
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
}
