/** Rebuilds a loop from what was recorded of it: to look at what happened, step by step. */

import { guarded } from "./error.js";
import { toJson } from "./json.js";
import { engine } from "./load.js";
import { adoptedLoop, type ToolLoop } from "./loop.js";
import { type ToolRegistry, withRegistry } from "./registry.js";
import { type DocumentStore, rawStore } from "./store.js";
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
export function replay(recording: string, options: ReplayOptions): ToolLoop {
  const { Replay } = engine();
  const { tools, laterTools = [], document, ...plain } = options;
  const store = document === undefined ? undefined : rawStore(document);
  const text = toJson(plain, "options");
  const raw = new Replay();
  try {
    for (const each of [tools, ...laterTools]) withRegistry(each, (registry) => raw.offer(registry));
    return adoptedLoop(guarded(() => raw.run(recording, text, store?.handle())), document);
  } finally {
    raw.free();
  }
}
