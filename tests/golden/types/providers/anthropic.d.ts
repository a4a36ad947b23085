/** Anthropic Messages from a browser or a server. The key lives in this closure and leaves it in the request's header alone. */
import type { HttpProvider, ProviderParams } from "../provider.js";
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
/** A provider for `createSession` that speaks Anthropic Messages. */
export declare function anthropic(options: AnthropicOptions): HttpProvider;
