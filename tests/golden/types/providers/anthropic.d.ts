/** Anthropic Messages from a browser or a server. */
import type { HttpProvider, ProviderParams } from "../provider.js";
import type { Json } from "../types.js";
import { type HttpOptions } from "./http.js";
/** How Anthropic is reached. */
export interface AnthropicOptions extends HttpOptions, Omit<ProviderParams, "extraBody" | "maxTokensField" | "shortCallIds"> {
    /** Extended thinking, as the API wants it. */
    thinking?: Json;
}
/** A provider for `createSession` that speaks Anthropic Messages. */
export declare function anthropic(options: AnthropicOptions): HttpProvider;
