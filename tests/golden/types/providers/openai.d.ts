/** OpenAI's Responses API, and servers that speak it. It is asked to store nothing, so reasoning comes encrypted and goes back as it came. */
import type { HttpProvider, ProviderParams } from "../provider.js";
import type { Json } from "../types.js";
import { type HttpOptions } from "./http.js";
/** How OpenAI is reached. */
export interface OpenAIOptions extends HttpOptions, Omit<ProviderParams, "extraBody" | "maxTokensField" | "cache" | "shortCallIds"> {
    /**
     * `{ effort, summary }`, as the API wants it. `false` for a model that does not reason: such a model refuses to be asked for encrypted
     * reasoning, which is asked for otherwise; of gpt-4o and gpt-4.1 this is known.
     */
    reasoning?: false | {
        [member: string]: Json;
    };
}
/** A provider for `createSession` that speaks OpenAI Responses. */
export declare function openai(options: OpenAIOptions): HttpProvider;
