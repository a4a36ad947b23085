/**
 * Reads the plain part of YAML that files of threat models are written in, fast enough for the largest: block mappings and lists, scalars
 * and flow collections of one line, literal blocks. Whatever else stands in a text makes it answer `undefined`: then the YAML library reads
 * it. What is accepted here means exactly what it means there.
 */
import type { Json } from "../types.js";
/** The value of a plain text, or `undefined` for one beyond the plain part; throws for a key that stands twice and for caps passed. */
export declare function readPlain(text: string): Json | undefined;
