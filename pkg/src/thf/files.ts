/** A `.thf` text as a plain value, and a document as such a text. Loaded when a file is opened or saved; asks nobody what a threat model is. */

import { CountersignError } from "../error.js";
import { toJson } from "../json.js";
import type { Json } from "../types.js";
import { emit } from "./emit.js";
import { MAX_FILE_BYTES, tooLarge } from "./faults.js";
import { readWithLibrary } from "./library.js";
import { readPlain } from "./plain.js";

/** What stands in a text, as JSON text; throws `unreadable_file` or `file_too_large`. */
export async function readText(text: unknown): Promise<string> {
  if (typeof text !== "string") throw new CountersignError("invalid_value", "is not a text", { path: "text", expected: "the text of a `.thf` file" });
  checkSize(text);
  const content = text.startsWith("\ufeff") ? text.slice(1) : text;
  const value = readPlain(content) ?? (await readWithLibrary(content));
  try {
    return toJson(value);
  } catch (thrown) {
    if (!(thrown instanceof CountersignError && thrown.code === "invalid_value")) throw thrown;
    throw new CountersignError("unreadable_file", "a text holds half of a surrogate pair, which is no character", { path: thrown.path });
  }
}

/** A readable document as text; throws `file_too_large`. */
export function writeText(document: Json): string {
  const text = emit(document);
  checkSize(text);
  return text;
}

function checkSize(text: string): void {
  // a unit of UTF-16 has one to three bytes
  if (text.length * 3 <= MAX_FILE_BYTES) return;
  const bytes = text.length > MAX_FILE_BYTES ? text.length : new TextEncoder().encode(text).length;
  if (bytes > MAX_FILE_BYTES) throw tooLarge(`a file may have ${MAX_FILE_BYTES} bytes of UTF-8, this one has ${text.length > MAX_FILE_BYTES ? "more" : bytes}`);
}
