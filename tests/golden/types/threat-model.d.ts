/** `countersign/threat-model`: everything of `countersign` over an engine that also knows the threat model. */
import type { Json, ToolDeclaration } from "./types.js";
export * from "./core.js";
/** The twelve graph actions: core tools that change a threat model, to be put beside your own. */
export declare function graphActionTools(): ToolDeclaration[];
/** An empty threat model that is valid; `today` is a date like 2026-11-30. */
export declare function newThreatModel(title: string, author: string, today: string): Json;
