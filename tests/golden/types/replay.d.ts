/** Rebuilds a loop from what was recorded of it: to look at what happened, step by step. */
import { type ToolLoop } from "./loop.js";
import { type ToolRegistry } from "./registry.js";
import { type DocumentStore } from "./store.js";
import type { ToolDeclaration, TurnContext } from "./types.js";
/** What a replay is given: nothing that runs is taken from a recording. */
export interface ReplayOptions {
    /** The tools the loop began with. */
    tools: readonly ToolDeclaration[] | ToolRegistry;
    /** Those it was given later by `setTools`, each list by itself, in any order. */
    laterTools?: readonly (readonly ToolDeclaration[] | ToolRegistry)[];
    /** A store of the replay's own, made of the recording's `document` and the same definition; it goes on where the recorded one stood. */
    document?: DocumentStore;
    /** Who asked, where it is not to be who was recorded. */
    context?: TurnContext;
    /** How many of the recording's `inputs` are played; all where nothing is said. */
    until?: number;
}
/**
 * Plays a recording: the loop that comes back is in the state, and `document` in the revision, that the recorded ones were in. Its effects were
 * done long ago; answer none of them. Throws a `CountersignError`: `tools_mismatch`, `document_mismatch`, `invalid_recording` or
 * `unsupported_recording`.
 */
export declare function replay(recording: string, options: ReplayOptions): ToolLoop;
