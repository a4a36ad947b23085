/** The tools that change any document of entities, told from its definition. */

import { guarded } from "./error.js";
import { fromJson, toJson } from "./json.js";
import { engine } from "./load.js";
import { withoutRules } from "./store.js";
import type { DocumentDefinition, ToolDeclaration } from "./types.js";

/**
 * `add_entity`, `update_entity`, `delete_entity` and `move_entity` for documents of this definition, to be put beside your own: core tools that
 * ask before they change anything, make the ids, and follow the references when something is deleted.
 */
export function entityTools(definition: DocumentDefinition): ToolDeclaration[] {
  const { entityTools: declared } = engine();
  const text = toJson(withoutRules(definition), "definition");
  return fromJson<ToolDeclaration[]>(guarded(() => declared(text)));
}
