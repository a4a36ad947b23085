/**
 * What is known of models: provider and id enter, a record leaves; of a model that is not listed nothing is assumed. Models change faster than
 * packages: a provider's `capabilities` option goes before this list, member by member.
 */

import { CountersignError } from "../error.js";
import type { ModelCapabilities } from "../provider.js";

/** Whose models a list holds. */
export type ModelOwner = "anthropic" | "openai" | "gemini";

const both = { tools: true, parallelToolCalls: true } as const;
const claude = { ...both, maxInputTokens: 200_000 };
const claudeOfAMillion = { ...both, maxInputTokens: 1_000_000 };
const gpt5 = { ...both, maxInputTokens: 272_000 };
const gpt56 = { ...both, maxInputTokens: 1_050_000 };
// the generations before reasoning refuse to be asked for its encrypted form
const gpt41 = { ...both, reasoning: false, maxInputTokens: 1_047_576 };
const gpt4o = { ...both, reasoning: false, maxInputTokens: 128_000 };
const gemini = { ...both, maxInputTokens: 1_048_576 };

const MODELS: Readonly<Record<ModelOwner, Readonly<Record<string, ModelCapabilities>>>> = {
  anthropic: {
    "claude-opus-4-8": claudeOfAMillion,
    "claude-sonnet-5": claudeOfAMillion,
    "claude-opus-4-5": claude,
    "claude-sonnet-4-5": claude,
    "claude-haiku-4-5": claude,
    "claude-opus-4-1": claude,
  },
  openai: {
    "gpt-5.6-sol": gpt56,
    "gpt-5.6-terra": gpt56,
    "gpt-5.6-luna": gpt56,
    "gpt-5": gpt5,
    "gpt-5-mini": gpt5,
    "gpt-5-nano": gpt5,
    "gpt-4.1": gpt41,
    "gpt-4.1-mini": gpt41,
    "gpt-4.1-nano": gpt41,
    "gpt-4o": gpt4o,
    "gpt-4o-mini": gpt4o,
  },
  gemini: {
    "gemini-2.5-pro": gemini,
    "gemini-2.5-flash": gemini,
    "gemini-2.5-flash-lite": gemini,
  },
};

// a dated snapshot (`…-20251001`, `…-2025-08-07`) is the model it was taken of
const SNAPSHOT = /-(\d{8}|\d{4}-\d{2}-\d{2})$/;

/** What is known of `owner`'s model, the host's own word first; an owner of none is a server nothing is known of. */
export function capabilitiesOf(owner: ModelOwner | undefined, model: string, own: ModelCapabilities = {}): ModelCapabilities {
  const window = own.maxInputTokens;
  if (window !== undefined && !(Number.isSafeInteger(window) && window > 0)) {
    throw new CountersignError("invalid_options", "is no window", { path: "capabilities.maxInputTokens", expected: "a whole number from 1" });
  }
  const listed = owner === undefined ? {} : MODELS[owner];
  const find = (id: string): ModelCapabilities | undefined => (Object.hasOwn(listed, id) ? listed[id] : undefined);
  // a member that is there and undefined says nothing, and takes nothing away
  const said = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  // what is no name at all is refused by whoever makes the provider
  const id = String(model);
  return Object.freeze({ ...(find(id) ?? find(id.replace(SNAPSHOT, ""))), ...said });
}
