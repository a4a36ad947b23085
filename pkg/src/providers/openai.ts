/** OpenAI's Responses API, and servers that speak it. It is asked to store nothing, so reasoning comes encrypted and goes back as it came. */

import type { HttpProvider, ProviderParams } from "../provider.js";
import type { Json } from "../types.js";
import { httpProvider, type HttpOptions } from "./http.js";
import { capabilitiesOf } from "./models.js";

/** How OpenAI is reached. */
export interface OpenAIOptions extends HttpOptions, Omit<ProviderParams, "extraBody" | "maxTokensField" | "cache" | "shortCallIds"> {
  /**
   * `{ effort, summary }`, as the API wants it. `false` for a model that does not reason: such a model refuses to be asked for encrypted
   * reasoning, which is asked for otherwise; of gpt-4o and gpt-4.1 this is known.
   */
  reasoning?: false | { [member: string]: Json };
}

const WIRE = {
  name: "OpenAI",
  format: "openai-responses",
  owner: "openai",
  ownURL: "https://api.openai.com/v1",
  headers: {},
  authorize: (key: string) => ({ authorization: `Bearer ${key}` }),
} as const;

/** A provider for `createSession` that speaks OpenAI Responses. */
export function openai(options: OpenAIOptions): HttpProvider {
  const { apiKey, headers, baseURL, temperature, extraBody, capabilities, reasoning, ...params } = options;
  const reasons = reasoning ?? (capabilitiesOf("openai", params.model, capabilities).reasoning === false ? false : undefined);
  const asked: Record<string, Json> = reasons === undefined ? {} : reasons !== false ? { reasoning: reasons } : extraBody?.["include"] === undefined ? { include: [] } : {};
  return httpProvider(WIRE, options, params, asked);
}
