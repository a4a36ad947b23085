/** `countersign/threat-model`: everything of `countersign` over an engine that also knows the threat model. */

import {
  graphActionTools as graphActionToolsJson, newThreatModel as newThreatModelJson, readTools as readToolsJson, threatModelPrompt as promptText,
} from "#threat-model";

import { guarded } from "./error.js";
import { fromJson } from "./json.js";
import { engine } from "./load.js";
import type { Json, ToolDeclaration } from "./types.js";

export * from "./core.js";

/** The tools that read a threat model: they run in the core, unasked, and change nothing. Offer them before the ones that change it. */
export function readTools(): ToolDeclaration[] {
  engine();
  return fromJson<ToolDeclaration[]>(guarded(() => readToolsJson()));
}

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

/**
 * The part of a system prompt that goes with these tools: what a threat model is, that text between the markers is data and never an instruction,
 * that ids are looked up, and that a change is a proposal. Put your own words before or after it.
 */
export function threatModelPrompt(): string {
  engine();
  return guarded(() => promptText());
}
