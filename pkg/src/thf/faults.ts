/** What a `.thf` file may hold at most, and the errors that say what is wrong with one and where. Knows no YAML. */

import { CountersignError } from "../error.js";

/** The longest file, in UTF-8 bytes. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** How deep mappings and lists may nest; the whole document is the first level. */
export const MAX_NESTING = 64;
/** The most members of one mapping or list: as many as a document has entries. */
export const MAX_MEMBERS = 50_000;
/** The most values of a file, texts and numbers and collections alike, aliases counted as what they stand for. */
export const MAX_VALUES = 1_000_000;

// the longest piece of a file that an error quotes, in code points
const QUOTED = 40;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`]/gu;

/** The text is not one YAML document that this format takes; `offset` is where that shows. */
export function unreadable(sentence: string, text: string, offset: number): CountersignError {
  return new CountersignError("unreadable_file", sentence, { path: lineOf(text, offset) });
}

/** A cap is passed, at `offset` where there is such a place. */
export function tooLarge(sentence: string, text = "", offset = -1): CountersignError {
  return new CountersignError("file_too_large", sentence, { path: offset < 0 ? undefined : lineOf(text, offset) });
}

/** The refusal of a key that stands twice, which both readers find. */
export function twice(key: string, text: string, offset: number): CountersignError {
  return unreadable(`the key ${quoted(key)} stands twice in one mapping`, text, offset);
}

/** The refusal of what nests too deeply, where the text does. */
export function tooDeep(text?: string, offset?: number): CountersignError {
  return tooLarge(`mappings and lists may nest ${MAX_NESTING} levels deep`, text, offset);
}

/** The refusal of a mapping or list that is too long, where the text is. */
export function tooMany(text?: string, offset?: number): CountersignError {
  return tooLarge(`a mapping or list may have ${MAX_MEMBERS} members`, text, offset);
}

/** The refusal of a file that holds too much. */
export function tooMuch(text?: string, offset?: number): CountersignError {
  return tooLarge(`a file may hold ${MAX_VALUES} values, each alias counted as what it stands for, and ${MAX_FILE_BYTES} characters in them`, text, offset);
}

/** A piece of the file as an error may show it: short, in backticks, nothing invisible left invisible. */
export function quoted(piece: string): string {
  // twice as many units hold as many code points at least
  const points = [...piece.slice(0, 2 * QUOTED + 2)];
  const cut = points.length > QUOTED ? `${points.slice(0, QUOTED).join("")}…` : points.join("");
  return `\`${cut.replace(UNSEEN, (point) => `\\u{${(point.codePointAt(0) ?? 0).toString(16)}}`)}\``;
}

function lineOf(text: string, offset: number): string {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return `line ${line}`;
}
