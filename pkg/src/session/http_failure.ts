/** What went wrong over HTTP, as one authored sentence that helps; the server's words go redacted into the detail alone. */

import { wellFormed } from "../json.js";
import { isProviderFailure, type HttpProvider } from "../provider.js";
import { redact } from "../redact.js";
import type { ProtocolError } from "../types.js";
import { beginningOf, Broken, kindOf, Silence, type Body, type Patience } from "./http_body.js";
import { refusalOf } from "./http_refusal.js";
import { saidIn } from "./http_said.js";

// the longest wait a server can ask for: the core's own ceiling
const LONGEST_HINT_MS = 600_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** An answer that is a stream, or what failed. */
export type Answer = { readonly failure: ProtocolError; readonly body?: never } | { readonly failure?: never; readonly body: Body };

/** What came: a stream to be read, or the failure that its status, its kind or its own words mean. */
export async function answerOf(response: Response, provider: HttpProvider, patience: Patience): Promise<Answer> {
  const name = nameOf(provider);
  const { status } = response;
  if (response.type === "opaqueredirect" || REDIRECTS.has(status)) {
    void response.body?.cancel().catch(() => undefined);
    return failed(`${name} answered with a redirect, which is refused because it could carry the key to another server; check the base URL`, status);
  }
  if (response.ok && response.headers.get("content-type")?.startsWith("text/html") === true) {
    void response.body?.cancel().catch(() => undefined);
    return failed(`a web page answered in place of ${name}; check the base URL`, status);
  }
  const body: Body | undefined = response.body === null ? undefined : { begun: [], reader: response.body.getReader() };
  if (response.ok) {
    const kind = body === undefined ? "nothing" : await kindOf(body, patience);
    if (body === undefined || kind === "nothing") return failed(`${name} answered with nothing (${status}); check the base URL`, status);
    if (kind === "stream") return { body };
    if (kind === "page") {
      void body.reader.cancel().catch(() => undefined);
      return failed(`a web page answered in place of ${name}; check the base URL`, status);
    }
  }
  const said = saidIn(body === undefined ? "" : await beginningOf(body, patience));
  const detail = redact(said.detail, (text) => provider.mask?.(text) ?? text);
  const told = detail === undefined ? {} : { providerDetail: detail };
  if (response.ok && said.status === undefined) {
    const sentence = said.isError
      ? `${name} answered with an error in place of a stream (${status})`
      : `${name} answered all at once in place of streaming; check that the server and the model can stream`;
    return { failure: { ...failed(sentence, status).failure, ...told } };
  }
  const retryAfterMs = retryAfter(response.headers, patience.nowMs) ?? (said.retryAfterMs === undefined ? undefined : bounded(said.retryAfterMs));
  return { failure: { ...refusalOf(response.ok ? (said.status ?? status) : status, name, said), ...told, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } };
}

function failed(message: string, status: number): { readonly failure: ProtocolError } {
  // a browser hides the status of a redirect
  return { failure: { code: "http_status", message, ...(status === 0 ? {} : { status }) } };
}

/** The failure that something thrown means: by a provider that could not send, or by the network. */
export function failureOfThrown(thrown: unknown, provider: { name?: string; address?: string; mask?(text: string): string }): ProtocolError {
  if (isProviderFailure(thrown)) return { code: thrown.code, message: thrown.message };
  const name = nameOf(provider);
  if (thrown instanceof Silence) return { code: "transport", message: `${name} sent nothing for ${thrown.message}; the connection was closed` };
  const isBroken = thrown instanceof Broken;
  const detail = redact(detailOfThrown(isBroken ? thrown.cause : thrown), (text) => provider.mask?.(text) ?? text);
  return {
    code: "transport",
    message: isBroken ? `the connection to ${name} broke before the answer was complete: you may be offline, or the server stopped; try again` : unreachable(name, provider.address),
    ...(detail === undefined ? {} : { providerDetail: detail }),
  };
}

/** The error as it can be told: whole characters, no secrets, a wait that is a number of milliseconds. */
export function tellable(error: ProtocolError, mask: (text: string) => string): ProtocolError {
  const { providerDetail: said, retryAfterMs: hint, ...rest } = error;
  const providerDetail = said === undefined ? undefined : redact(said, mask);
  return {
    ...rest,
    message: wellFormed(mask(error.message)),
    ...(providerDetail === undefined ? {} : { providerDetail }),
    ...(hint === undefined ? {} : { retryAfterMs: bounded(hint) }),
  };
}

/** How long the server asks to wait: seconds, milliseconds or a date; an absurd hint is the longest that counts. */
export function retryAfter(headers: Headers, nowMs: number): number | undefined {
  const hint = hintOf(headers, nowMs);
  return hint === undefined ? undefined : bounded(hint);
}

function bounded(hint: number): number {
  return Number.isNaN(hint) ? 0 : Math.min(Math.max(0, Math.ceil(hint)), LONGEST_HINT_MS);
}

function hintOf(headers: Headers, nowMs: number): number | undefined {
  const exact = headers.get("retry-after-ms");
  if (exact !== null && /^\d+(\.\d+)?$/.test(exact.trim())) return Number(exact);
  const hint = headers.get("retry-after")?.trim();
  if (hint === undefined || hint === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(hint)) return Number(hint) * 1000;
  const at = Date.parse(hint);
  return Number.isNaN(at) ? undefined : at - nowMs;
}

// What a browser refuses (an origin the server does not allow, plain http from a secure page) it tells nobody: what
// can be checked is all that can be said.
function unreachable(name: string, address: string | undefined): string {
  const page = (globalThis as { location?: { origin?: string } }).location?.origin;
  const from = page === undefined || page === "null" ? "this page" : `this page (${page})`;
  if (address === undefined) return `the connection to ${name} failed: you may be offline, the address may be wrong, or ${from} may not reach it: by its own content security policy (connect-src) or by the server's word (CORS)`;
  const where = address.endsWith(`//${name}`) ? address : `${name} at ${address}`;
  const isLocal = /\/\/(localhost|127\.|\[::1\]|[^/:]*\.localhost|[^/:]*\.local)\b/i.test(address);
  const secure = page?.startsWith("https:") === true && address.startsWith("http:") && !isLocal ? ", that its address begins with https as this page's does," : "";
  return `the connection to ${where} failed: check that the server is running there${secure} and that it allows requests from ${from} (CORS)`;
}

function nameOf(provider: { name?: string }): string {
  return provider.name ?? "the provider";
}

function detailOfThrown(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause instanceof Error ? thrown.cause.message : "";
  return [thrown.message, cause].filter((part) => part !== "").join(": ");
}
