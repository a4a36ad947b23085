/** `countersign/threat-model`: everything of `countersign` over an engine that also knows the threat model. */

import { graphActionTools as graphActionToolsJson, newThreatModel as newThreatModelJson } from "#threat-model";

import { guarded } from "./error.js";
import { fromJson } from "./json.js";
import { engine } from "./load.js";
import type { Json, ToolDeclaration } from "./types.js";

export * from "./core.js";

/** The twelve graph actions: core tools that change a threat model, to be put beside your own. */
export function graphActionTools(): ToolDeclaration[] {
  engine();
  return fromJson<ToolDeclaration[]>(guarded(() => graphActionToolsJson()));
}

/** An empty threat model that is valid; `today` is a date like 2026-11-30. */
export function newThreatModel(title: string, author: string, today: string): Json {
  engine();
  return fromJson<Json>(guarded(() => newThreatModelJson(title, author, today)));
}
