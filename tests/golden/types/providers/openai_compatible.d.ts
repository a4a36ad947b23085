/** Chat Completions: OpenAI itself, and every server that speaks it (Ollama, llama.cpp, vLLM, LM Studio, gateways). */
import type { HttpProvider, ProviderParams } from "../provider.js";
import { type HttpOptions } from "./http.js";
/** How a server that speaks Chat Completions is reached. */
export interface OpenAICompatibleOptions extends HttpOptions, Omit<ProviderParams, "extraBody" | "cache"> {
    /** How it is shown to a person: "OpenAI" for OpenAI's own address, else the host where nothing is said. */
    name?: string;
}
/** A provider for `createSession` that speaks Chat Completions; without `baseURL` it is OpenAI, which wants a key. */
export declare function openaiCompatible(options: OpenAICompatibleOptions): HttpProvider;
