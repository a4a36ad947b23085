/**
 * What is known of models: provider and id enter, a record leaves; of a model that is not listed nothing is assumed. Models change faster than
 * packages: a provider's `capabilities` option goes before this list, member by member.
 */
import type { ModelCapabilities } from "../provider.js";
/** Whose models a list holds. */
export type ModelOwner = "anthropic" | "openai" | "gemini";
/** What is known of `owner`'s model, the host's own word first; an owner of none is a server nothing is known of. */
export declare function capabilitiesOf(owner: ModelOwner | undefined, model: string, own?: ModelCapabilities): ModelCapabilities;
