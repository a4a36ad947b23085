/** The core tools that are made from a definition. */

import { guarded } from "./error.js";
import { fromJson, isPlainObject, toJson } from "./json.js";
import { engine } from "./load.js";
import type { DocumentDefinition, ToolDeclaration } from "./types.js";

/**
 * The tools that read a document of the definition: they run in the core, unasked, and change nothing. Each declaration carries the definition.
 * Offer them before the ones that change it.
 */
export function readTools(definition: "threat-model" | DocumentDefinition): ToolDeclaration[] {
  const core = engine();
  const text = toJson(isPlainObject(definition) ? withoutRules(definition as DocumentDefinition) : definition, "definition");
  return fromJson<ToolDeclaration[]>(guarded(() => core.readTools(text)));
}

/** @internal A definition as the core reads it: `rules` is a function and stays outside. */
export function withoutRules(definition: DocumentDefinition): Omit<DocumentDefinition, "rules"> {
  const { rules: _, ...plain } = definition;
  return plain;
}
