/** Gemini from a browser or a server: the key goes in a header, never into the address, where logs would keep it. */
import type { HttpProvider, ProviderParams } from "../provider.js";
import type { Json } from "../types.js";
import { type HttpOptions } from "./http.js";
/** How Gemini is reached. */
export interface GeminiOptions extends HttpOptions, Omit<ProviderParams, "extraBody" | "maxTokensField" | "cache" | "shortCallIds" | "parallelToolCalls"> {
    /** `generationConfig.thinkingConfig`, as the API wants it: `{ includeThoughts: true }` for example. */
    thinking?: Json;
}
/** A provider for `createSession` that speaks Gemini's `streamGenerateContent`. */
export declare function gemini(options: GeminiOptions): HttpProvider;
