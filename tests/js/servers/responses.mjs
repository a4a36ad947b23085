// OpenAI Responses as its servers stream it: frames, refusals, and what was sent to them.
const MODEL = "gpt-test";
const ENCRYPTED = "gAAAAABencryptedReasoningThatNobodyReads0123456789==";

// every event carries its number, and a delta a filler that hides its length
function numbered(payloads) {
  return payloads.map((payload, sequence_number) => {
    const filled = payload.delta === undefined ? payload : { ...payload, obfuscation: "x7Hq" };
    return `event: ${payload.type}\ndata: ${JSON.stringify({ ...filled, sequence_number })}\n\n`;
  });
}

const usage = { input_tokens: 12, input_tokens_details: { cached_tokens: 0 }, output_tokens: 4, output_tokens_details: { reasoning_tokens: 2 }, total_tokens: 16 };
const response = (status, more = {}) => ({ id: "resp_01", object: "response", created_at: 1_764_000_000, status, background: false, error: null, incomplete_details: null, instructions: null, model: MODEL, output: [], parallel_tool_calls: true, store: false, usage: null, ...more });
const begin = (more = {}) => ["response.created", "response.in_progress"].map((type) => ({ type, response: response("in_progress", more) }));
const reasoningItem = { id: "rs_01", type: "reasoning", summary: [{ type: "summary_text", text: "Hmm. Yes." }], encrypted_content: ENCRYPTED };

function reasoning(output_index) {
  const at = { item_id: reasoningItem.id, output_index, summary_index: 0 };
  return [
    { type: "response.output_item.added", output_index, item: { ...reasoningItem, summary: [], encrypted_content: "gAAAAABstart" } },
    { type: "response.reasoning_summary_part.added", ...at, part: { type: "summary_text", text: "" } },
    ...["Hmm. ", "Yes."].map((delta) => ({ type: "response.reasoning_summary_text.delta", ...at, delta })),
    { type: "response.reasoning_summary_text.done", ...at, text: "Hmm. Yes." },
    { type: "response.reasoning_summary_part.done", ...at, part: { type: "summary_text", text: "Hmm. Yes." } },
    { type: "response.output_item.done", output_index, item: reasoningItem },
  ];
}

const messageItem = (status, text) => ({ id: "msg_01", type: "message", status, role: "assistant", content: text === undefined ? [] : [{ type: "output_text", annotations: [], logprobs: [], text }] });
const wordsBegin = (output_index, text) => {
  const at = { item_id: "msg_01", output_index, content_index: 0 };
  return [
    { type: "response.output_item.added", output_index, item: messageItem("in_progress") },
    { type: "response.content_part.added", ...at, part: { type: "output_text", annotations: [], logprobs: [], text: "" } },
    ...cut(text).map((delta) => ({ type: "response.output_text.delta", ...at, delta, logprobs: [] })),
  ];
};
const words = (output_index, text) => {
  const at = { item_id: "msg_01", output_index, content_index: 0 };
  return [
    ...wordsBegin(output_index, text),
    { type: "response.output_text.done", ...at, text, logprobs: [] },
    { type: "response.content_part.done", ...at, part: { type: "output_text", annotations: [], logprobs: [], text } },
    { type: "response.output_item.done", output_index, item: messageItem("completed", text) },
  ];
};

const callItem = (call_id, name, status, args) => ({ id: `fc_${call_id}`, type: "function_call", status, arguments: args, call_id, name });
const callBegin = (output_index, [id, name], ...parts) => [
  { type: "response.output_item.added", output_index, item: callItem(id, name, "in_progress", "") },
  ...parts.map((delta) => ({ type: "response.function_call_arguments.delta", item_id: `fc_${id}`, output_index, delta })),
];
const call = (output_index, [id, name, input]) => {
  const args = JSON.stringify(input);
  return [
    ...callBegin(output_index, [id, name], ...cut(args)),
    { type: "response.function_call_arguments.done", item_id: `fc_${id}`, output_index, arguments: args },
    { type: "response.output_item.done", output_index, item: callItem(id, name, "completed", args) },
  ];
};
const end = (payloads) => ({ type: "response.completed", response: response("completed", { usage, output: payloads.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item) }) });

function cut(text) {
  const at = Math.ceil(text.length / 2);
  return [text.slice(0, at), text.slice(at)];
}

/** The format, as the suite that all providers share knows it. */
export const responses = {
  format: "openai-responses",
  path: "/v1/responses",
  base: "/v1",
  model: MODEL,
  key: ({ authorization }) => authorization?.replace(/^Bearer /, ""),
  whole(text, ...calls) {
    const payloads = [...begin(), ...reasoning(0), ...(text === "" ? [] : words(1, text)), ...calls.flatMap((each, at) => call(at + 2, each))];
    return numbered([...payloads, end(payloads)]);
  },
  half: (text) => numbered([...begin(), ...wordsBegin(0, text)]),
  halfCall: (text, [id, name], args) => numbered([...begin(), ...words(0, text), ...callBegin(1, [id, name], args)]),
  spliced(text, each) {
    const payloads = [...begin({ id: "resp_02" }), ...call(0, each)];
    return numbered([...begin(), ...wordsBegin(0, text), ...payloads, { ...end(payloads), response: { ...end(payloads).response, id: "resp_02" } }]);
  },
  failure: (status, message) => numbered([{ type: "error", code: status === 429 ? "rate_limit_exceeded" : "server_error", message, param: null }]).join(""),
  refusal: (_status, message) => ({ error: { message, type: "some_error", param: null, code: null } }),
  sent: ({ instructions = "", input, tools = [], max_output_tokens }) => ({
    limit: max_output_tokens,
    system: instructions,
    tools: tools.map(({ name }) => name),
    // calls are items of their own, behind the message they belong to
    turns: input.reduce((turns, item) => {
      const last = turns.at(-1);
      if (item.type === "function_call") {
        const made = { id: item.call_id, name: item.name, input: JSON.parse(item.arguments) };
        if (last?.role === "assistant") last.calls = [...(last.calls ?? []), made];
        else turns.push({ role: "assistant", text: "", calls: [made] });
      } else if (item.type === "function_call_output") turns.push({ result: { id: item.call_id, content: item.output } });
      else if (item.type === undefined || item.type === "message") turns.push({ role: item.role, text: typeof item.content === "string" ? item.content : item.content.map(({ text }) => text).join("") });
      return turns;
    }, []),
  }),
  state: ({ input }) => input.filter(({ type }) => type === "reasoning"),
  issued: [reasoningItem],
};
