/** What went wrong over HTTP, as one authored sentence that helps; the server's words go redacted into the detail alone. */

import { within, type Timers } from "../clock.js";
import { wellFormed } from "../json.js";
import { isProviderFailure, type HttpProvider } from "../provider.js";
import { redact } from "../redact.js";
import type { ProtocolError, ProtocolErrorCode } from "../types.js";

const ERROR_BODY_BYTES = 16 * 1024;
// the longest wait a server can ask for: the core's own ceiling
const LONGEST_HINT_MS = 600_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Thrown inside a request when the provider stays silent for too long. */
export class Silence extends Error {}

/** How long an answer that failed is listened to. */
export interface Patience {
  readonly timers: Timers;
  readonly silenceTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly nowMs: number;
}

/** The failure that an answer's status means, or undefined for an answer that is a stream. */
export async function failureOf(response: Response, provider: HttpProvider, patience: Patience): Promise<ProtocolError | undefined> {
  if (response.type === "opaqueredirect" || REDIRECTS.has(response.status)) {
    void response.body?.cancel().catch(() => undefined);
    const status = response.status === 0 ? {} : { status: response.status };
    return { code: "http_status", message: `${nameOf(provider)} answered with a redirect, which is refused because it could carry the key to another server; check the base URL`, ...status };
  }
  if (response.ok) {
    if (response.headers.get("content-type")?.startsWith("text/html") === true) {
      void response.body?.cancel().catch(() => undefined);
      return { code: "http_status", message: `a web page answered in place of ${nameOf(provider)}; check the base URL`, status: response.status };
    }
    if (response.body === null) return { code: "transport", message: `${nameOf(provider)} answered without a body`, status: response.status };
    if (!(await isJson(response, patience))) return undefined;
    const detail = await detailOf(response, provider, patience);
    return {
      code: "http_status",
      message: `${nameOf(provider)} answered all at once in place of streaming; check that the server and the model can stream`,
      status: response.status,
      ...(detail === undefined ? {} : { providerDetail: detail }),
    };
  }
  const { status } = response;
  const detail = await detailOf(response, provider, patience);
  const retryAfterMs = retryAfter(response.headers, patience.nowMs);
  return {
    code: codeOf(status),
    message: sentenceOf(status, nameOf(provider)),
    status,
    ...(detail === undefined ? {} : { providerDetail: detail }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** The failure that something thrown means: by a provider that could not send, or by the network. */
export function failureOfThrown(thrown: unknown, provider: { name?: string; address?: string; mask?(text: string): string }): ProtocolError {
  if (isProviderFailure(thrown)) return { code: thrown.code, message: thrown.message };
  const name = nameOf(provider);
  if (thrown instanceof Silence) return { code: "transport", message: `${name} sent nothing for ${thrown.message}; the connection was closed` };
  const detail = redact(detailOfThrown(thrown), (text) => provider.mask?.(text) ?? text);
  return {
    code: "transport",
    message: unreachable(name, provider.address),
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
  if (address === undefined) return `the connection to ${name} failed: you may be offline, the address may be wrong, or the server may not allow requests from ${from} (CORS)`;
  const where = address.endsWith(`//${name}`) ? address : `${name} at ${address}`;
  const isLocal = /\/\/(localhost|127\.|\[::1\]|[^/:]*\.localhost|[^/:]*\.local)\b/i.test(address);
  const secure = page?.startsWith("https:") === true && address.startsWith("http:") && !isLocal ? ", that its address begins with https as this page's does," : "";
  return `the connection to ${where} failed: check that the server is running there${secure} and that it allows requests from ${from} (CORS)`;
}

function nameOf(provider: { name?: string }): string {
  return provider.name ?? "the provider";
}

function codeOf(status: number): ProtocolErrorCode {
  switch (status) {
    case 413:
      return "context_overflow";
    case 429:
      return "rate_limited";
    case 529:
      return "overloaded";
    default:
      return "http_status";
  }
}

function sentenceOf(status: number, name: string): string {
  switch (status) {
    case 400:
      return `${name} could not read the request (400)`;
    case 401:
      return `${name} did not accept the key, or asks for one (401); check it in the settings`;
    case 402:
      return `${name} asks for payment (402); check the account's balance`;
    case 403:
      return `${name} refused the request (403): the key may be right but lack the permission, or the region is not served`;
    case 404:
      return `${name} does not know the model or the address (404); check the model's name and the base URL`;
    case 408:
    case 504:
      return `${name} took too long to answer (${status}); try again`;
    case 413:
      return `the conversation is too large for ${name} (413); start a new one or remove something`;
    case 429:
      return `${name} asks to slow down (429): a rate limit or a quota was reached`;
    case 529:
      return `${name} is overloaded (529); try again in a moment`;
    default:
      return status >= 500 ? `${name} is temporarily unavailable (${status}); try again in a moment` : `${name} refused the request (${status})`;
  }
}

async function detailOf(response: Response, provider: HttpProvider, patience: Patience): Promise<string | undefined> {
  const text = await beginningOf(response, patience);
  const mask = (part: string): string => provider.mask?.(part) ?? part;
  try {
    const said = JSON.parse(text) as { error?: unknown } | [{ error?: unknown }];
    const { error } = Array.isArray(said) ? said[0] : said;
    const { type, code, message } = (typeof error === "object" && error !== null ? error : { message: error }) as Record<string, unknown>;
    const parts = [type, code, message].filter((part): part is string => typeof part === "string" && part !== "");
    if (parts.length > 0) return redact(parts.join(": "), mask);
  } catch {
    // not JSON: a gateway's page, told as it is
  }
  return redact(text.replace(/<[^<>]*>/g, " ").replace(/\s+/g, " "), mask);
}

// A server that cannot stream sends JSON; one that streams may call its events so, and is read.
async function isJson(response: Response, { timers, silenceTimeoutMs, signal }: Patience): Promise<boolean> {
  if (response.headers.get("content-type")?.startsWith("application/json") !== true) return false;
  const reader = response.clone().body?.getReader();
  if (reader === undefined) return false;
  const first = async (): Promise<boolean> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return false;
      const said = new TextDecoder().decode(value).trimStart();
      if (said !== "") return said.startsWith("{") || said.startsWith("[");
    }
  };
  try {
    return await within(timers, silenceTimeoutMs, signal, first(), () => new Silence());
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

async function beginningOf(response: Response, { timers, silenceTimeoutMs, signal }: Patience): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  const read = async (): Promise<void> => {
    for (let left = ERROR_BODY_BYTES; left > 0; ) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value.subarray(0, left), { stream: true });
      left -= value.byteLength;
    }
  };
  try {
    // one time for all of it: a body that trickles is given no more than one that hangs
    await within(timers, silenceTimeoutMs, signal, read(), () => new Silence());
  } catch {
    // what arrived is enough for a detail
  }
  void reader.cancel().catch(() => undefined);
  return text;
}

function detailOfThrown(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause instanceof Error ? thrown.cause.message : "";
  return [thrown.message, cause].filter((part) => part !== "").join(": ");
}
