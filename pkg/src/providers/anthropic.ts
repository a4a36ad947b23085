/** Anthropic Messages from a browser or a server. The key lives in this closure and leaves it in the request's header alone. */

import { CountersignError } from "../error.js";
import type { HttpProvider, ProviderParams } from "../provider.js";
import { maskExact } from "../redact.js";
import type { Json } from "../types.js";

/** How Anthropic is reached. */
export interface AnthropicOptions extends Omit<ProviderParams, "extraBody"> {
  /** The key, or how to get it, asked at each request. Leave it out where a server of your own adds it. */
  apiKey?: string | (() => string | Promise<string>);
  /** More headers, those of a gateway for example. */
  headers?: Readonly<Record<string, string>>;
  /** Where the API is, a path of your own server for example; Anthropic's own address where nothing is said. */
  baseURL?: string;
  /** Extended thinking, as the API wants it. */
  thinking?: Json;
  /** Sampling temperature. */
  temperature?: number;
  /** More members of the body. */
  extraBody?: Record<string, Json>;
}

const BASE_URL = "https://api.anthropic.com";
const HEADER_VALUE = /^[\x20-\x7e]+$/;
// shorter values (`true`, a version) would mask ordinary words
const SHORTEST_SECRET = 8;

/** A provider for `createSession` that speaks Anthropic Messages. */
export function anthropic(options: AnthropicOptions): HttpProvider {
  const { apiKey, headers = {}, baseURL = BASE_URL, thinking, temperature, extraBody, ...params } = options;
  if (typeof params.model !== "string" || params.model === "") {
    throw new CountersignError("invalid_options", "names no model", { path: "model", expected: "the model's name" });
  }
  if (typeof apiKey === "string") refuseUnsendable(apiKey);
  const base = baseURL.replace(/\/+$/, "");
  // a server that repeats an authorization header may leave out its scheme
  const secrets = new Set(Object.values(headers).flatMap((value) => [value, value.replace(/^\S+\s+/, "")]).filter((value) => value.length >= SHORTEST_SECRET));
  if (typeof apiKey === "string") secrets.add(apiKey);

  const keyNow = async (): Promise<string | undefined> => {
    const key = typeof apiKey === "function" ? await apiKey() : apiKey;
    if (key !== undefined && key !== "") {
      refuseUnsendable(key);
      secrets.add(key);
      return key;
    }
    const elsewhere = Object.keys(headers).some((name) => /^(x-api-key|authorization)$/i.test(name)) || base !== BASE_URL;
    if (elsewhere) return undefined;
    throw new CountersignError("no_api_key", "no key was given for Anthropic; add one in the settings and try again");
  };

  const more = { ...extraBody, ...(thinking === undefined ? {} : { thinking }), ...(temperature === undefined ? {} : { temperature }) };
  const provider: HttpProvider = {
    name: "Anthropic",
    format: "anthropic",
    params: Object.freeze({ ...params, ...(Object.keys(more).length === 0 ? {} : { extraBody: more }) }),
    async open({ path, body, signal, fetch }) {
      const key = await keyNow();
      return fetch(base + path, {
        method: "POST",
        // a redirect could carry the key to another server
        redirect: "manual",
        credentials: "omit",
        referrerPolicy: "no-referrer",
        signal,
        headers: {
          "content-type": "application/json",
          "anthropic-version": "2023-06-01",
          "anthropic-dangerous-direct-browser-access": "true",
          ...headers,
          ...(key === undefined ? {} : { "x-api-key": key }),
        },
        body: JSON.stringify(body),
      });
    },
    mask: (text) => maskExact(text, secrets),
  };
  return Object.freeze(provider);
}

function refuseUnsendable(key: string): void {
  if (HEADER_VALUE.test(key.trim()) && key === key.trim()) return;
  throw new CountersignError("no_api_key", "the key holds characters that cannot be sent (a space at an end, a line break, a typographic character); copy it again", {
    path: "apiKey",
  });
}
