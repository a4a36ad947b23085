/** Gemini from a browser or a server: the key goes in a header, never into the address, where logs would keep it. */

import { CountersignError } from "../error.js";
import type { HttpProvider, ProviderParams } from "../provider.js";
import type { Json } from "../types.js";
import { httpProvider, type HttpOptions } from "./http.js";

/** How Gemini is reached. */
export interface GeminiOptions extends HttpOptions, Omit<ProviderParams, "extraBody" | "maxTokensField" | "cache" | "shortCallIds" | "parallelToolCalls"> {
  /** `generationConfig.thinkingConfig`, as the API wants it: `{ includeThoughts: true }` for example. */
  thinking?: Json;
}

const WIRE = {
  name: "Gemini",
  format: "gemini",
  owner: "gemini",
  ownURL: "https://generativelanguage.googleapis.com/v1beta",
  headers: {},
  authorize: (key: string) => ({ "x-goog-api-key": key }),
  // keys can be restricted to the pages of an origin, which is looked for in the referrer; the path is not told
  referrerPolicy: "strict-origin",
} as const;

/** A provider for `createSession` that speaks Gemini's `streamGenerateContent`. */
export function gemini(options: GeminiOptions): HttpProvider {
  const { temperature, thinking, ...reach } = options;
  const { apiKey, headers, baseURL, extraBody, capabilities, ...params } = reach;
  const given = extraBody?.["generationConfig"] ?? {};
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new CountersignError("invalid_options", "is no object", { path: "extraBody.generationConfig", expected: "an object" });
  }
  const generationConfig = { ...given, ...(temperature === undefined ? {} : { temperature }), ...(thinking === undefined ? {} : { thinkingConfig: thinking }) };
  return httpProvider(WIRE, reach, params, Object.keys(generationConfig).length === 0 ? {} : { generationConfig });
}
