/** The core tools that are made from a definition. */
import type { DocumentDefinition, ToolDeclaration } from "./types.js";
/**
 * The tools that read a document of the definition: they run in the core, unasked, and change nothing. Each declaration carries the definition.
 * Offer them before the ones that change it.
 */
export declare function readTools(definition: "threat-model" | DocumentDefinition): ToolDeclaration[];
