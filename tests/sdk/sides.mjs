// Both sides of the comparison: what a stream came to, told by our decoder and by the provider's own SDK, in the same
// words: text, calls, why it ended, what it cost, and the opaque state that has to go back.
import { Anthropic } from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { StreamDecoder } from "countersign";

/** What our decoder says of the stream, or that it failed. */
export function ours(format, chunks, limits) {
  const decoder = new StreamDecoder(format, limits);
  const events = chunks.flatMap((chunk) => decoder.push(chunk));
  events.push(...decoder.end());
  decoder.free();
  const said = { text: "", calls: [], stop: "unknown", usage: undefined, state: [], notices: 0 };
  for (const event of events) {
    switch (event.type) {
      case "text_delta":
        said.text += event.text;
        break;
      case "tool_call_complete":
        said.calls.push(event.invalid === undefined ? { id: event.id, name: event.name, input: event.input } : { id: event.id, name: event.name, invalid: true });
        break;
      case "provider_state":
        said.state.push(event.value);
        break;
      case "usage":
        said.usage = event.usage;
        break;
      case "message_stop":
        said.stop = event.stopReason;
        break;
      case "error":
        if (event.error.code !== "malformed_stream") return { failed: event.error };
        said.notices += 1;
        break;
    }
  }
  // beside a signature Gemini's state names the call's own id
  if (format === "gemini") said.state = said.state.map(({ thoughtSignature }) => thoughtSignature).filter((signature) => signature !== undefined);
  // what other servers want back is no part of OpenAI's own API
  if (format === "openai-chat") said.state = [];
  return said;
}

/** What the provider's SDK says of the stream, or that it failed. */
export async function theirs(format, chunks) {
  try {
    return await SDKS[format](fetchOf(chunks));
  } catch (error) {
    return { failed: error };
  }
}

const KEY = { apiKey: "none", maxRetries: 0, dangerouslyAllowBrowser: true };

const SDKS = {
  anthropic: async (fetch) => {
    const stream = new Anthropic({ ...KEY, fetch }).messages.stream({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "x" }] });
    const { content, stop_reason, usage } = await stream.finalMessage();
    const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = usage;
    return {
      text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
      calls: content.filter(({ type }) => type === "tool_use").map(({ id, name, input }) => ({ id, name, input })),
      stop: ["end_turn", "tool_use", "max_tokens", "stop_sequence", "refusal"].includes(stop_reason) ? stop_reason : "unknown",
      usage: counts((input_tokens ?? 0) + (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0), output_tokens, cache_read_input_tokens),
      state: content.filter(({ type, signature, data }) => (type === "thinking" && signature) || (type === "redacted_thinking" && data)),
    };
  },
  "openai-chat": async (fetch) => {
    const client = new OpenAI({ ...KEY, fetch });
    const stream = client.chat.completions.stream({ model: "m", messages: [{ role: "user", content: "x" }], stream_options: { include_usage: true } });
    const { choices, usage } = await stream.finalChatCompletion();
    const [{ message, finish_reason }] = choices;
    return {
      text: (message.content ?? "") + (message.refusal ?? ""),
      calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: written } }) => ({ id, name, input: parsed(written) })),
      // words of refusal are the reason, whatever the finish reason says
      stop: message.refusal ? "refusal" : ({ stop: "end_turn", tool_calls: "tool_use", length: "max_tokens", content_filter: "refusal" }[finish_reason] ?? "unknown"),
      usage: usage ? counts(usage.prompt_tokens, usage.completion_tokens, usage.prompt_tokens_details?.cached_tokens, usage.completion_tokens_details?.reasoning_tokens) : undefined,
      state: [],
    };
  },
  "openai-responses": async (fetch) => {
    const { output, status, incomplete_details, usage, error } = await new OpenAI({ ...KEY, fetch }).responses.stream({ model: "m", input: "x" }).finalResponse();
    if (status === "failed") throw new Error(error?.message ?? "failed");
    const parts = output.filter(({ type }) => type === "message").flatMap(({ content }) => content);
    const calls = output.filter(({ type }) => type === "function_call");
    const cut = { max_output_tokens: "max_tokens", content_filter: "refusal" }[incomplete_details?.reason];
    const declined = parts.some(({ type }) => type === "refusal");
    return {
      text: parts.map(({ type, text, refusal }) => (type === "refusal" ? refusal : text)).join(""),
      calls: calls.map(({ call_id, name, arguments: written }) => ({ id: call_id, name, input: parsed(written) })),
      stop: status === "incomplete" ? (cut ?? "unknown") : declined ? "refusal" : calls.length > 0 ? "tool_use" : "end_turn",
      usage: usage ? counts(usage.input_tokens, usage.output_tokens, usage.input_tokens_details?.cached_tokens, usage.output_tokens_details?.reasoning_tokens) : undefined,
      state: output.filter(({ type }) => type === "reasoning"),
    };
  },
  // one answer is the parts of all chunks, in order, as the SDK's chats keep it; its accessors are for one chunk only
  gemini: async (fetch) => {
    const client = new GoogleGenAI({ apiKey: "none", httpOptions: { retryOptions: { attempts: 1 } } });
    const before = globalThis.fetch;
    // this SDK takes no fetch of its caller's
    globalThis.fetch = fetch;
    try {
      const parts = [];
      let finish, usage, blocked;
      for await (const chunk of await client.models.generateContentStream({ model: "m", contents: "x" })) {
        parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
        finish = chunk.candidates?.[0]?.finishReason ?? finish;
        usage = chunk.usageMetadata ?? usage;
        blocked = chunk.promptFeedback?.blockReason ?? blocked;
      }
      const calls = parts.filter(({ functionCall }) => functionCall).map(({ functionCall: { id, name, args } }) => ({ id, name, input: args ?? {} }));
      return {
        text: parts.map(({ text, thought }) => (thought ? "" : (text ?? ""))).join(""),
        calls,
        stop: blocked ? "refusal" : geminiStop(finish, calls.length > 0),
        usage: usage ? counts((usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0), (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0), usage.cachedContentTokenCount, usage.thoughtsTokenCount) : undefined,
        state: parts.map(({ thoughtSignature }) => thoughtSignature).filter((signature) => signature !== undefined),
      };
    } finally {
      globalThis.fetch = before;
    }
  },
};

function geminiStop(reason, hasCalls) {
  if (reason === "STOP") return hasCalls ? "tool_use" : "end_turn";
  if (reason === "MAX_TOKENS") return "max_tokens";
  return ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "IMAGE_SAFETY"].includes(reason) ? "refusal" : "unknown";
}

function counts(inputTokens, outputTokens, cachedInputTokens, reasoningTokens) {
  const usage = { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 };
  if (cachedInputTokens != null) usage.cachedInputTokens = cachedInputTokens;
  if (reasoningTokens != null) usage.reasoningTokens = reasoningTokens;
  return usage;
}

function parsed(written) {
  try {
    return JSON.parse(written === "" ? "{}" : written);
  } catch {
    return undefined;
  }
}

/** A fetch that answers with these bytes, in these chunks. */
function fetchOf(chunks) {
  return async () => {
    const body = new ReadableStream({
      start(controller) {
        for (const chunk of chunks) if (chunk.length > 0) controller.enqueue(chunk);
        controller.close();
      },
    });
    return new Response(body, { status: 200, headers: { "content-type": "text/event-stream" } });
  };
}

/** Where the two differ, or undefined. A call that we refuse to run is compared by id and name alone. */
export function difference(our, their) {
  if (our.failed || their.failed) return Boolean(our.failed) === Boolean(their.failed) ? undefined : `one failed: ours ${reason(our)}, theirs ${reason(their)}`;
  for (const part of ["text", "stop", "calls", "usage", "state"]) {
    const [one, other] = [our[part], part === "calls" ? callsLike(our.calls, their.calls) : their[part]].map((value) => JSON.stringify(canonical(value)));
    if (one !== other) return `${part}: ours ${one}, theirs ${other}`;
  }
  return undefined;
}

// An id that the provider did not give is ours to choose.
function callsLike(our, their) {
  return their.map(({ id, name, input }, at) => (our[at]?.invalid ? { id: id ?? our[at].id, name, invalid: true } : { id: id ?? our[at]?.id, name, input }));
}

function reason({ failed }) {
  return failed ? (failed.code ?? failed.message ?? "failed") : "did not";
}

function canonical(value) {
  if (typeof value !== "object" || value === null) return value === undefined ? null : value;
  if (Array.isArray(value)) return value.map(canonical);
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, canonical(value[key])]));
}
