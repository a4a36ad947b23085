/**
 * Reads any YAML 1.2 with the library, which is loaded here and nowhere else. Its work is bounded before it is done: the text is taken apart
 * token by token under a budget, and what it holds is turned into plain values by our own walk, where aliases are shared and counted.
 */
import type { Json } from "../types.js";
/** The value of a text; throws `unreadable_file` or `file_too_large`. */
export declare function readWithLibrary(text: string): Promise<Json>;
