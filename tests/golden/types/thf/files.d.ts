/** A `.thf` text as a plain value, and a document as such a text. Loaded when a file is opened or saved; asks nobody what a threat model is. */
import type { Json } from "../types.js";
/** What stands in a text, as JSON text; throws `unreadable_file` or `file_too_large`. */
export declare function readText(text: unknown): Promise<string>;
/** A readable document as text; throws `file_too_large`. */
export declare function writeText(document: Json): string;
