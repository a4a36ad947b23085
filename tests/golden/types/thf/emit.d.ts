/**
 * Writes a threat model as YAML that every reader of 1.1 and 1.2 takes the same way: block style, lists indented by two, texts of several
 * lines as literal blocks, quotes only where they are needed, no anchors, no folding, LF. Characters nobody sees are written as escapes.
 */
import type { Json } from "../types.js";
/** The text of a document. */
export declare function emit(document: Json): string;
