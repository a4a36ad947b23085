// A server of the tests' own that speaks Chat Completions: its payloads, what was sent to it, and the ways in which it can fail.
import { serve, streamed } from "./server.mjs";

export { redirect, refuse } from "./server.mjs";

const MODEL = "m-local";

/** One payload of a stream. */
export const chunk = (delta = {}, finish_reason = null, more = {}) => ({ id: "chatcmpl-1", object: "chat.completion.chunk", model: MODEL, choices: [{ index: 0, delta, finish_reason }], ...more });
export const begin = () => chunk({ role: "assistant", content: "" });
export const say = (content) => chunk({ content });
/** A call, or a part of one. */
export const part = (index, id, name, args) => ({ ...(index === undefined ? {} : { index }), ...(id === undefined ? {} : { id, type: "function" }), function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) } });
export const calls = (...parts) => chunk({ tool_calls: parts });
export const finish = (reason = "stop") => chunk({}, reason);
export const usage = (prompt_tokens = 12, completion_tokens = 4) => ({ id: "chatcmpl-1", model: MODEL, choices: [], usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens } });

/** What a whole answer says: text, or text and calls of `[id, name, input]`, as OpenAI streams it. */
export const answer = (text, ...opened) => [
  begin(),
  ...(text === "" ? [] : [say(text)]),
  ...opened.flatMap(([id, name, input], index) => {
    const written = JSON.stringify(input);
    return [calls(part(index, id, name, "")), calls(part(index, undefined, undefined, written.slice(0, 3))), calls(part(index, undefined, undefined, written.slice(3)))];
  }),
  finish(opened.length > 0 ? "tool_calls" : "stop"),
  usage(),
];

const frameOf = (payload) => `data: ${typeof payload === "string" ? payload : JSON.stringify(payload)}\n\n`;

/** Streams `payloads` (objects, or lines as they are), `[DONE]` behind them unless `done: false`; the other options are those of `streamed`. */
export const stream = (payloads, { done = true, ...options } = {}) => streamed([...payloads, ...(done ? ["[DONE]"] : [])].map(frameOf), options);

/** Starts a server that speaks Chat Completions at `path`. */
export async function chatServer(answers, { path = "/v1/chat/completions", ...options } = {}) {
  const server = await serve(answers, { path, ...options });
  return { ...server, baseURL: server.origin + path.replace(/\/chat\/completions$/, "") };
}

const second = (payload) => ({ ...payload, id: "chatcmpl-2" });
const frames = (payloads) => payloads.map(frameOf);

/** The format, as the suite that all providers share knows it. */
export const chat = {
  format: "openai-chat",
  path: "/v1/chat/completions",
  base: "/v1",
  model: MODEL,
  key: ({ authorization }) => authorization?.replace(/^Bearer /, ""),
  /** A whole answer: thoughts that want to go back, text, and calls of `[id, name, input]`. */
  whole(text, ...opened) {
    const [first, ...rest] = answer(text, ...opened);
    return [...frames([first, ...["Hmm. ", "Yes."].map((reasoning_content) => chunk({ reasoning_content })), ...rest]), frameOf("[DONE]")];
  },
  half: (text) => frames([begin(), say(text)]),
  halfCall: (text, [id, name], args) => frames([begin(), say(text), calls(part(0, id, name, args))]),
  spliced: (text, call) => frames([begin(), say(text), second(begin()), second(calls(part(0, call[0], call[1], JSON.stringify(call[2])))), second(finish("tool_calls"))]),
  failure: (status, message) => frameOf({ error: { code: status, message } }),
  refusal: (status, message) => ({ error: { message, type: "some_error", param: null, code: null } }),
  sent: ({ messages, tools = [], max_completion_tokens }) => ({
    limit: max_completion_tokens,
    system: messages.filter(({ role }) => role === "system").map(({ content }) => content).join(),
    tools: tools.map((tool) => tool.function.name),
    turns: messages.filter(({ role }) => role !== "system").map(({ role, content, tool_calls, tool_call_id }) => {
      if (role === "tool") return { result: { id: tool_call_id, content } };
      return { role, text: content ?? "", ...(tool_calls === undefined ? {} : { calls: tool_calls.map((call) => ({ id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) })) }) };
    }),
  }),
  state: ({ messages }) => messages.flatMap(({ reasoning_content }) => (reasoning_content === undefined ? [] : [reasoning_content])),
  issued: ["Hmm. Yes."],
};
