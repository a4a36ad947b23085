// Text that somebody else wrote, made safe to read: what a person cannot see is shown as an escape, what
// is too long shows head, tail and how much is hidden. Enters: foreign strings and JSON. Leaves: plain
// strings for textContent. Knows no document and no DOM.

import { appStrings } from "./strings/app.ts";

// controls, format characters, separators, the braille blank, and all that Unicode ignores by default
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The text with every invisible character as an escape, never dropping one. */
export function shown(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    if (character === "\n") return "\\n";
    if (character === "\r") return "\\r";
    if (character === "\t") return "\\t";
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}}`;
  });
}

/** Text of several lines: line ends and tabs stay, everything else invisible is shown. */
export function shownLines(text: string): string {
  return text.replace(INVISIBLE, (character) => (character === "\n" || character === "\t" ? character : shown(character)));
}

/** One line of at most about `max` characters: head, tail and the hidden length. */
export function clip(text: string, max: number): string {
  const points = [...text];
  if (points.length <= max) return shown(text);
  const tail = Math.floor(max / 4);
  const head = max - tail;
  const hidden = appStrings.hiddenCharacters.replace("{n}", String(points.length - head - tail));
  return `${shown(points.slice(0, head).join(""))} ${hidden} ${shown(points.slice(points.length - tail).join(""))}`;
}

/** A label for a drawing: cut where there is no room; the whole text stands elsewhere. */
export function shorten(text: string, max: number): string {
  const points = [...text];
  return points.length <= max ? shown(text) : `${shown(points.slice(0, Math.max(1, max - 1)).join(""))}…`;
}

/** The exact value as JSON that can be read and edited: invisible characters stand as JSON escapes. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(INVISIBLE, (character) =>
    character === "\n" ? character : [...Array(character.length).keys()].map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""),
  );
}

/** A part of a sentence: authored words, or a name that came from the document or the model. */
export type Part = string | { name: string };

/** Puts names into an authored sentence, each no longer than `max`: `fill("Connect {from} to {to}", { from, to })`. */
export function fill(template: string, names: Record<string, string>, max = 80): Part[] {
  const parts: Part[] = [];
  for (const piece of template.split(/(\{[a-z]+\})/)) {
    const key = /^\{([a-z]+)\}$/.exec(piece)?.[1];
    const name = key === undefined ? undefined : names[key];
    if (name !== undefined) parts.push({ name: clip(name, max) });
    else if (piece !== "") parts.push(piece);
  }
  return parts;
}

/** The sentence as one plain line, for announcements and labels. */
export function plain(parts: readonly Part[]): string {
  return parts.map((part) => (typeof part === "string" ? part : part.name)).join("");
}

/** `{n}` and the like replaced in an authored sentence. */
export function say(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{([a-z]+)\}/g, (whole, key: string) => (key in values ? String(values[key]) : whole));
}

/** The word a table has for a key somebody else chose; nothing for what the table only inherits, such as `constructor`. */
export function wordFor<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** "1 flow", "3 flows". */
export function count(n: number, forms: readonly [one: string, many: string]): string {
  return say(n === 1 ? forms[0] : forms[1], { n });
}

/** "a", "a and b", "a, b and c". */
export function list(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? "";
  return say(appStrings.and, { list: items.slice(0, -1).join(", "), last: items[items.length - 1] ?? "" });
}
