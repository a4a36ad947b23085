// From settings to a provider, and one question to try it. Enters: settings. Leaves: a provider, or what failed. The key
// goes into the provider's closure and nowhere else.

import { anthropic, createSession, gemini, openai, openaiCompatible, type HttpProvider, type ProtocolError } from "countersign/threat-model";

import { accessOf, type Reached, type Settings } from "./settings.ts";

const PATIENCE_MS = 30_000;

const MAKERS: Readonly<Record<Reached, (given: { model: string; apiKey?: string; baseURL?: string }) => HttpProvider>> = { anthropic, openai, gemini, compatible: openaiCompatible };

/** The provider that the settings name. */
export function providerOf(settings: Settings): HttpProvider {
  const access = accessOf(settings);
  if (settings.kind === "scripted" || access === undefined) return anthropic({ model: "scripted", baseURL: new URL("scripted", document.baseURI).href });
  const { model, apiKey, baseURL } = access;
  const given = { model, ...(apiKey === "" ? {} : { apiKey }), ...(baseURL === "" ? {} : { baseURL }) };
  return MAKERS[settings.kind](given);
}

/** Asks for one short answer, outside of any conversation; resolves with what failed. */
export async function probe(settings: Settings): Promise<ProtocolError | undefined> {
  const session = await createSession({
    provider: providerOf(settings),
    limits: { maxRetriesPerTurn: 0, maxIterations: 1, turnDeadlineMs: PATIENCE_MS, reserveOutputTokens: 64 },
  });
  try {
    await session.send("Answer with the one word: ready");
    const { outcome, error, notice } = session.view;
    if (outcome === "completed") return undefined;
    return error ?? { code: "transport", message: notice ?? "nothing was answered in time" };
  } finally {
    session.dispose();
  }
}
