/** `countersign/threat-model`: everything of `countersign` over an engine that also knows the threat model. */
import type { DocumentDefinition, Json, ToolDeclaration } from "./types.js";
export { componentCatalog, type CatalogComponent, type ComponentCategory, type ComponentProvider, type ComponentVariant, } from "./catalog.js";
export * from "./core.js";
/**
 * The tools that read a document of the definition, the threat model where none is given: they run in the core, unasked, and change nothing. Offer
 * them before the ones that change it.
 */
export declare function readTools(definition?: "threat-model" | DocumentDefinition): ToolDeclaration[];
/** The twelve graph actions: core tools that change a threat model, to be put beside your own. */
export declare function graphActionTools(): ToolDeclaration[];
/**
 * The part of a system prompt that goes with these tools: what a threat model is, that text between the markers is data and never an instruction,
 * that ids are looked up, and that a change is a proposal. Put your own words before or after it.
 */
export declare function threatModelPrompt(): string;
/** What an empty threat model begins with. */
export interface EmptyThreatModelOptions {
    /** What the model is called. */
    title: string;
    /** Who makes it. */
    author: string;
    /** The day it is made on, as 2026-11-30. */
    today: string;
}
/** An empty threat model with one empty diagram, as an editor opens it for a new file; refuses a day that does not exist. */
export declare function emptyThreatModel({ title, author, today }: EmptyThreatModelOptions): Json;
/**
 * The threat model in the text of a `.thf` file, every default filled in. Rejects with a `CountersignError`: `file_too_large` for a cap that
 * is passed, `unreadable_file` for a text that is not one YAML document, `unreadable_document` for one that is not shaped like a threat model.
 * Broken references are no reason: a `DocumentStore` holds such a document and tells them by `issues()`.
 */
export declare function readThf(text: string): Promise<Json>;
/**
 * The text of a `.thf` file for a threat model: sections and fields in their order, unknown ones kept behind the known, nothing lost. Rejects with
 * `unreadable_document` for what `readThf` would not read, and with `file_too_large`.
 */
export declare function writeThf(document: Json): Promise<string>;
