/** What a status means, as one authored sentence with the provider's name and the number, never in the provider's words. */

import type { ProtocolError } from "../types.js";
import type { Said } from "./http_said.js";

// what says by itself that the conversation is too long
const TOO_LONG = new Set(["context_length_exceeded", "exceed_context_size_error", "request_too_large", "prompt_too_long"]);
// Anthropic, Gemini and most servers have no code of its own for it and say so in prose; what is told of output limits is not meant
const TOLD_TOO_LONG = /\bcontext (length|window|size|limit)\b|\b(prompt|input|request) is too (long|large)\b|\binput token count\b.*\bexceeds\b/i;
// a 503 that says so is no defect of the server
const OVERLOADED = new Set(["UNAVAILABLE", "overloaded_error"]);
const NO_KEY = new Set(["API_KEY_INVALID", "invalid_api_key", "authentication_error"]);

/** The failure that `status` means, by what the body says where that is finer. */
export function refusalOf(status: number, name: string, said: Said): ProtocolError {
  const says = (words: ReadonlySet<string>): boolean => [...words].some((word) => said.words.has(word));
  if (status === 413 || ([400, 422, 500].includes(status) && says(TOO_LONG)) || ([400, 422].includes(status) && TOLD_TOO_LONG.test(said.message))) {
    return { code: "context_overflow", message: `the conversation is too large for ${name} (${status}); start a new one or remove something`, status };
  }
  // the status that such a failure has elsewhere, so that whoever goes by it need not know who answered
  if (status === 400 && says(NO_KEY)) return { code: "http_status", message: `${name} did not accept the key (400); check it in the settings`, status: 401 };
  if (status === 403 && [...said.words].some((word) => /^API_KEY_.*BLOCKED$/.test(word))) {
    return { code: "http_status", message: `${name} refused the request (403): the key is restricted and does not allow this page or this API; check its restrictions`, status };
  }
  if (status === 400 && said.words.has("FAILED_PRECONDITION")) {
    return { code: "http_status", message: `${name} refused the request (400): billing may not be set up, or the region is not served`, status };
  }
  if (status === 429 && said.words.has("insufficient_quota")) {
    return { code: "rate_limited", message: `the quota of the account at ${name} is used up (429); check its plan and balance`, status };
  }
  if (status === 529 || (status === 503 && says(OVERLOADED))) return { code: "overloaded", message: `${name} is overloaded (${status}); try again in a moment`, status };
  return { code: status === 429 ? "rate_limited" : "http_status", message: sentenceOf(status, name), status };
}

function sentenceOf(status: number, name: string): string {
  switch (status) {
    case 400:
      return `${name} could not read the request (400): the model may not take something in it, tools for example`;
    case 401:
      return `${name} did not accept the key, or asks for one (401); check it in the settings`;
    case 402:
      return `${name} asks for payment (402); check the account's balance`;
    case 403:
      return `${name} refused the request (403): the key may be right but lack the permission, or the region is not served`;
    case 404:
      return `${name} does not know the model or the address (404); check the model's name and the base URL`;
    case 405:
      return `${name} takes no requests at this address (405); check the base URL`;
    case 408:
    case 504:
      return `${name} took too long to answer (${status}); try again`;
    case 422:
      return `${name} did not accept something in the request (422): an option or a tool may be of a kind that the model does not take`;
    case 429:
      return `${name} asks to slow down (429): a rate limit or a quota was reached`;
    default:
      return status >= 500 ? `${name} is temporarily unavailable (${status}); try again in a moment` : `${name} refused the request (${status})`;
  }
}
