/** The tools that change any document of entities, told from its definition. */
import type { DocumentDefinition, ToolDeclaration } from "./types.js";
/**
 * `add_entity`, `update_entity`, `delete_entity` and `move_entity` for documents of this definition, to be put beside your own: core tools that
 * ask before they change anything, make the ids, and follow the references when something is deleted.
 */
export declare function entityTools(definition: DocumentDefinition): ToolDeclaration[];
