// A server of the tests' own that speaks Chat Completions over real HTTP, well or badly: one answer for each request.
import { createServer } from "node:http";

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

/**
 * Streams `payloads` (objects, or lines as they are). `bytes`: how many a write holds; `pauseMs` before each;
 * `done: false` leaves `[DONE]` out; `keepAlive: true` puts comments between; `type`: the content type;
 * `then`: "end", "stall" (the connection stays open) or "break" (it is torn).
 */
export const stream = (payloads, { bytes, pauseMs = 0, done = true, keepAlive = false, type = "text/event-stream", then = "end" } = {}) => async (response) => {
  response.writeHead(200, { "content-type": type });
  const lines = [...payloads, ...(done ? ["[DONE]"] : [])].map((payload) => `data: ${typeof payload === "string" ? payload : JSON.stringify(payload)}\n\n`);
  const frames = keepAlive ? lines.flatMap((line) => [": keep-alive\n\n", line]) : lines;
  const whole = Buffer.from(frames.join(""));
  const writes = bytes === undefined ? frames : Array.from({ length: Math.ceil(whole.length / bytes) }, (_, at) => whole.subarray(at * bytes, (at + 1) * bytes));
  for (const write of writes) {
    if (response.destroyed) return;
    response.write(write);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  if (then === "end") response.end();
  // what was written is on its way before the connection goes
  if (then === "break") setTimeout(() => response.destroy(), 30);
};

/** An answer that is no stream: an error as OpenAI words it, or any body. */
export const refuse = (status, body = { error: { message: `status ${status}`, type: "some_error", code: null } }, headers = {}) => (response) =>
  response.writeHead(status, { "content-type": typeof body === "string" ? "text/html" : "application/json", ...headers }).end(typeof body === "string" ? body : JSON.stringify(body));

/** A redirect. */
export const redirect = (location, status = 307) => (response) => response.writeHead(status, { location }).end();

/**
 * Starts a server on loopback. `answers` are given in order, one for each POST, or made by one function of the request.
 * `cors` is the origin that may read its answers ("*" for every one); without it a page of another origin may not.
 */
export async function chatServer(answers, { cors, path = "/v1/chat/completions" } = {}) {
  const requests = [];
  const server = createServer(async (request, response) => {
    if (cors !== undefined) {
      response.setHeader("access-control-allow-origin", cors);
      response.setHeader("access-control-allow-headers", "authorization, content-type");
      response.setHeader("access-control-allow-private-network", "true");
    }
    // without CORS a preflight is answered as by a server that never heard of it
    if (request.method === "OPTIONS") return response.writeHead(cors === undefined ? 405 : 204).end();
    let body = "";
    for await (const piece of request) body += piece;
    if (request.url !== path) return refuse(404, "404 page not found")(response);
    const asked = { method: request.method, url: request.url, headers: request.headers, body: JSON.parse(body), finished: new Promise((resolve) => response.once("close", () => resolve(response.writableFinished))) };
    requests.push(asked);
    const given = typeof answers === "function" ? answers(asked, requests.length - 1) : answers[requests.length - 1];
    await (given ?? refuse(500, "no answer left"))(response, asked);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    requests,
    origin,
    baseURL: origin + path.replace(/\/chat\/completions$/, ""),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
