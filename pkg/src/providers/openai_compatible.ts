/** Chat Completions: OpenAI itself, and every server that speaks it (Ollama, llama.cpp, vLLM, LM Studio, gateways). */

import type { HttpProvider, ProviderParams } from "../provider.js";
import { httpProvider, type HttpOptions } from "./http.js";

/** How a server that speaks Chat Completions is reached. */
export interface OpenAICompatibleOptions extends HttpOptions, Omit<ProviderParams, "extraBody" | "cache"> {
  /** How it is shown to a person: "OpenAI" for OpenAI's own address, else the host where nothing is said. */
  name?: string;
}

const OPENAI = "OpenAI";
const OWN_URL = "https://api.openai.com/v1";

/** A provider for `createSession` that speaks Chat Completions; without `baseURL` it is OpenAI, which wants a key. */
export function openaiCompatible(options: OpenAICompatibleOptions): HttpProvider {
  const { apiKey, headers, baseURL, temperature, extraBody, capabilities, name, ...params } = options;
  const wire = {
    name: name ?? hostOf(baseURL),
    format: "openai-chat",
    // another server may give a model the same name
    owner: isOpenAI(baseURL) ? "openai" : undefined,
    ownURL: OWN_URL,
    headers: {},
    authorize: (key: string) => ({ authorization: `Bearer ${key}` }),
  } as const;
  return httpProvider(wire, options, params);
}

function isOpenAI(baseURL: string | undefined): boolean {
  return hostOf(baseURL) === OPENAI;
}

function hostOf(baseURL: string | undefined): string {
  try {
    const { host } = new URL(baseURL ?? OWN_URL);
    return host === new URL(OWN_URL).host ? OPENAI : host;
  } catch {
    // a path of the page's own server
    return "the provider";
  }
}
