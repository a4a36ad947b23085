// The HTTP half of the tests' own servers: one answer for each request, given well or badly. Knows no provider's format.
import { createServer } from "node:http";

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Streams `frames`, each a text. `bytes`: how many a write holds, instead of a frame; `pauseMs` after each write; `keepAlive: true` puts comments
 * between; `type`: the content type; `then`: "end", "stall" (the connection stays open) or "break" (it is torn).
 */
export const streamed = (frames, { bytes, pauseMs = 0, keepAlive = false, type = "text/event-stream", then = "end" } = {}) => async (response) => {
  response.writeHead(200, { ...(type === undefined ? {} : { "content-type": type }) });
  const told = keepAlive ? frames.flatMap((frame) => [": keep-alive\n\n", frame]) : frames;
  const whole = Buffer.from(told.join(""));
  const writes = bytes === undefined ? told : Array.from({ length: Math.ceil(whole.length / bytes) }, (_, at) => whole.subarray(at * bytes, (at + 1) * bytes));
  for (const write of writes) {
    if (response.destroyed) return;
    response.write(write);
    if (pauseMs > 0) await pause(pauseMs);
  }
  if (then === "end") response.end();
  if (then === "break") setTimeout(() => response.socket?.end(), 30); // what was written still arrives, however slow the reader is
};

/** An answer that is no stream: an object as JSON, a text as a page, or nothing at all. */
export const refuse = (status, body = { error: { message: `status ${status}`, type: "some_error", code: null } }, headers = {}) => (response) =>
  response.writeHead(status, { ...(body === "" ? {} : { "content-type": typeof body === "string" ? "text/html" : "application/json" }), ...headers }).end(typeof body === "string" ? body : JSON.stringify(body));

/** A redirect. */
export const redirect = (location, status = 307) => (response) => response.writeHead(status, { location }).end();

/**
 * Starts a server on loopback that answers POSTs at `path`. `answers` are given in order, one for each, or made by one function of the request.
 * `cors` is the origin that may read its answers ("*" for every one); without it a page of another origin may not.
 */
export async function serve(answers, { cors, path }) {
  const requests = [];
  const server = createServer(async (request, response) => {
    if (cors !== undefined) {
      response.setHeader("access-control-allow-origin", cors);
      response.setHeader("access-control-allow-headers", "authorization, content-type, x-api-key, x-goog-api-key, anthropic-version, anthropic-dangerous-direct-browser-access");
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
  return {
    requests,
    origin: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
