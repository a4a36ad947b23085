/** The core tools that are made from a definition. */

import { CountersignError, guarded } from "./error.js";
import { fromJson, isPlainObject, toJson } from "./json.js";
import { engine } from "./load.js";
import type { DocumentDefinition, ToolDeclaration } from "./types.js";

/**
 * The tools that read a document of the definition: they run in the core, unasked, and change nothing. Each declaration carries the definition.
 * Offer them before the ones that change it.
 */
export function readTools(definition: "threat-model" | DocumentDefinition): ToolDeclaration[] {
  const core = engine();
  const text = toJson(typeof definition === "string" ? definition : withoutRules(definition), "definition");
  return fromJson<ToolDeclaration[]>(guarded(() => core.readTools(text)));
}

/**
 * `add_entity`, `update_entity`, `delete_entity` and `move_entity` for documents of this definition, to be put beside your own: core tools that
 * ask before they change anything, make the ids, and follow the references when something is deleted.
 */
export function entityTools(definition: DocumentDefinition): ToolDeclaration[] {
  const core = engine();
  const text = toJson(withoutRules(definition), "definition");
  return fromJson<ToolDeclaration[]>(guarded(() => core.entityTools(text)));
}

/** @internal A definition as the core reads it: `rules` is a function and stays outside. */
export function withoutRules(definition: DocumentDefinition): Omit<DocumentDefinition, "rules"> {
  if (!isPlainObject(definition)) {
    throw new CountersignError("invalid_definition", "has to be an object that says the sections of a document", { path: "definition" });
  }
  const { rules, ...plain } = definition;
  if (rules !== undefined && typeof rules !== "function") {
    throw new CountersignError("invalid_definition", "has to be a function of the document that returns a list of lines", { path: "rules" });
  }
  return plain;
}
