/** `countersign/threat-model`: everything of `countersign` over an engine that also knows the threat model. */
import type { Json, ToolDeclaration } from "./types.js";
export * from "./core.js";
/** The tools that read a threat model: they run in the core, unasked, and change nothing. Offer them before the ones that change it. */
export declare function readTools(): ToolDeclaration[];
/** The twelve graph actions: core tools that change a threat model, to be put beside your own. */
export declare function graphActionTools(): ToolDeclaration[];
/** An empty threat model that is valid; `today` is a date like 2026-11-30. */
export declare function newThreatModel(title: string, author: string, today: string): Json;
/**
 * The part of a system prompt that goes with these tools: what a threat model is, that text between the markers is data and never an instruction,
 * that ids are looked up, and that a change is a proposal. Put your own words before or after it.
 */
export declare function threatModelPrompt(): string;
