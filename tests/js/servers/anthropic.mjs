// Anthropic Messages as its servers stream it: frames, refusals, and what was sent to them.
const MODEL = "claude-test";
const SIGNATURE = "c2lnbmF0dXJlLXRoYXQtbm9ib2R5LXJlYWRz";

const frame = (type, data = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const start = (id = "msg_01") => frame("message_start", { message: { id, type: "message", role: "assistant", model: MODEL, content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 12, cache_read_input_tokens: 0, output_tokens: 1 } } });
const block = (index, content_block, ...deltas) => [frame("content_block_start", { index, content_block }), ...deltas.map((delta) => frame("content_block_delta", { index, delta })), frame("content_block_stop", { index })];
const thinking = block(0, { type: "thinking", thinking: "", signature: "" }, { type: "thinking_delta", thinking: "Hmm. " }, { type: "thinking_delta", thinking: "Yes." }, { type: "signature_delta", signature: SIGNATURE });
const words = (index, text) => block(index, { type: "text", text: "" }, ...cut(text).map((part) => ({ type: "text_delta", text: part })));
const call = (index, [id, name, input]) => block(index, { type: "tool_use", id, name, input: {} }, { type: "input_json_delta", partial_json: "" }, ...cut(JSON.stringify(input)).map((partial_json) => ({ type: "input_json_delta", partial_json })));
const end = (stop_reason) => [frame("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 4 } }), frame("message_stop")];

function cut(text) {
  const at = Math.ceil(text.length / 2);
  return [text.slice(0, at), text.slice(at)];
}

/** The format, as the suite that all providers share knows it. */
export const anthropic = {
  format: "anthropic",
  path: "/v1/messages",
  base: "",
  model: MODEL,
  key: (headers) => headers["x-api-key"],
  whole: (text, ...calls) => [start(), frame("ping"), ...thinking, ...(text === "" ? [] : words(1, text)), ...calls.flatMap((each, at) => call(at + 2, each)), ...end(calls.length > 0 ? "tool_use" : "end_turn")],
  half: (text) => [start(), frame("content_block_start", { index: 0, content_block: { type: "text", text: "" } }), frame("content_block_delta", { index: 0, delta: { type: "text_delta", text } })],
  halfCall: (text, [id, name], args) => [start(), ...words(0, text), frame("content_block_start", { index: 1, content_block: { type: "tool_use", id, name, input: {} } }), frame("content_block_delta", { index: 1, delta: { type: "input_json_delta", partial_json: args } })],
  spliced: (text, each) => [start(), ...words(0, text), start("msg_02"), ...call(0, each), ...end("tool_use")],
  failure: (status, message) => frame("error", { error: { type: status === 429 ? "rate_limit_error" : status === 529 ? "overloaded_error" : "api_error", message } }),
  refusal: (_status, message) => ({ type: "error", error: { type: "some_error", message }, request_id: "req_01" }),
  sent: ({ system, messages, tools = [], max_tokens }) => ({
    limit: max_tokens,
    system: typeof system === "string" ? system : (system ?? []).map(({ text }) => text).join(),
    tools: tools.map(({ name }) => name),
    turns: messages.flatMap(({ role, content }) => {
      const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
      const results = blocks.filter(({ type }) => type === "tool_result").map((result) => ({ result: { id: result.tool_use_id, content: textOf(result.content), ...(result.is_error === true ? { isError: true } : {}) } }));
      const text = blocks.filter(({ type }) => type === "text").map((each) => each.text).join("");
      const calls = blocks.filter(({ type }) => type === "tool_use").map(({ id, name, input }) => ({ id, name, input }));
      return [...results, ...(text === "" && calls.length === 0 ? [] : [{ role, text, ...(calls.length === 0 ? {} : { calls }) }])];
    }),
  }),
  /** What the first answer said for nobody but its issuer. */
  state: ({ messages }) => messages.flatMap(({ content }) => (Array.isArray(content) ? content.filter(({ type }) => type === "thinking") : [])),
  issued: [{ type: "thinking", thinking: "Hmm. Yes.", signature: SIGNATURE }],
};

const textOf = (content) => (typeof content === "string" ? content : content.map(({ text }) => text).join(""));
