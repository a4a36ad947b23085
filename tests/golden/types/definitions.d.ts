/** The core tools that are made from a definition. */
import type { DocumentDefinition, ToolDeclaration } from "./types.js";
/**
 * The tools that read a document of the definition: they run in the core, unasked, and change nothing. Each declaration carries the definition.
 * Offer them before the ones that change it.
 */
export declare function readTools(definition: "threat-model" | DocumentDefinition): ToolDeclaration[];
/**
 * `add_entity`, `update_entity`, `delete_entity` and `move_entity` for documents of this definition, to be put beside your own: core tools that
 * ask before they change anything, make the ids, and follow the references when something is deleted.
 */
export declare function entityTools(definition: DocumentDefinition): ToolDeclaration[];
