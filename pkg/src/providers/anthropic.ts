/** Anthropic Messages from a browser or a server. */

import type { HttpProvider, ProviderParams } from "../provider.js";
import type { Json } from "../types.js";
import { httpProvider, type HttpOptions } from "./http.js";

/** How Anthropic is reached. */
export interface AnthropicOptions extends HttpOptions, Omit<ProviderParams, "extraBody" | "maxTokensField" | "shortCallIds"> {
  /** Extended thinking, as the API wants it. */
  thinking?: Json;
}

const WIRE = {
  name: "Anthropic",
  format: "anthropic",
  owner: "anthropic",
  ownURL: "https://api.anthropic.com",
  headers: { "anthropic-version": "2023-06-01", "anthropic-dangerous-direct-browser-access": "true" },
  authorize: (key: string) => ({ "x-api-key": key }),
} as const;

/** A provider for `createSession` that speaks Anthropic Messages. */
export function anthropic(options: AnthropicOptions): HttpProvider {
  const { apiKey, headers, baseURL, temperature, extraBody, capabilities, thinking, ...params } = options;
  return httpProvider(WIRE, options, params, thinking === undefined ? {} : { thinking });
}
