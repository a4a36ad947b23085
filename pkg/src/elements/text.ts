/** Text that somebody else wrote, made safe to read. Enters: foreign strings and JSON. Leaves: plain strings for text nodes. Knows no DOM. */

import type { Json } from "#engine/types";

// The very code points that the core shows as escapes (`is_invisible`), and halves of surrogate pairs, which only a script can hold.
const INVISIBLE =
  /[\0-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\ud800-\udfff]/gu;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
// what joins letters and emoji in honest prose, and hides nothing
const PROSE = "\n\t\u200c\u200d\ufe0e\ufe0f";

const LONGEST_VALUE = 400;
const MOST_ITEMS = 50;

/** The text with every invisible character as an escape, never dropping one: the same escapes as the core's. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (c) => SHORT[c] ?? `\\u{${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}}`);
}

/** Text to read, nothing to approve: line ends, tabs and joiners stay, everything else invisible is shown. */
export function prose(text: string): string {
  return text.replace(INVISIBLE, (c) => (PROSE.includes(c) ? c : visible(c)));
}

/** Whether a person cannot see all of the text. */
export function hidesSomething(text: string): boolean {
  return text.search(INVISIBLE) >= 0;
}

/** At most about `max` characters, made visible: head, tail and how much is between. */
export function clip(text: string, max: number, hidden: (n: number) => string = (n) => `… ${n} more …`): string {
  if (text.length <= max) return visible(text);
  const points = [...text];
  if (points.length <= max) return visible(text);
  const tail = Math.floor(max / 4);
  const head = max - tail;
  return `${visible(points.slice(0, head).join(""))} ${hidden(points.length - head - tail)} ${visible(points.slice(points.length - tail).join(""))}`;
}

/** A value as JSON to read, over several lines; where not all of it stands there, `cut` says so. */
export function exactJson(value: Json, whole: boolean, hidden: (n: number) => string): { readonly text: string; readonly cut: boolean } {
  let cut = false;
  const told = (n: number): string => {
    cut = true;
    return hidden(n);
  };
  const written = (item: Json, indent: string): string => {
    const inner = `${indent}  `;
    if (typeof item === "string") return whole ? visible(JSON.stringify(item)) : clip(JSON.stringify(item), LONGEST_VALUE, told);
    if (typeof item !== "object" || item === null) return JSON.stringify(item);
    const rows = Array.isArray(item)
      ? item.map((each) => () => written(each, inner))
      : Object.entries(item).map(([key, each]) => () => `${clip(JSON.stringify(key), whole ? Infinity : LONGEST_VALUE, told)}: ${written(each as Json, inner)}`);
    const [open, close] = Array.isArray(item) ? ["[", "]"] : ["{", "}"];
    if (rows.length === 0) return open + close;
    const tooMany = !whole && rows.length > MOST_ITEMS;
    const shown = tooMany ? [...rows.slice(0, MOST_ITEMS - 5), () => told(rows.length - MOST_ITEMS), ...rows.slice(-5)] : rows;
    return `${open}\n${shown.map((row) => inner + row()).join(",\n")}\n${indent}${close}`;
  };
  const text = written(value, "");
  return { text, cut };
}

/** The name of a field or a section as words (`trust_zone`, `dueDate`); a name that is no plain identifier stays as it is. */
export function spaced(name: string): string {
  if (!/^[a-z][a-zA-Z0-9]*([_-][a-zA-Z0-9]+)*$/.test(name)) return visible(name);
  return name
    .replace(/[_-]/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);
}

/** The same with a capital. */
export function capital(text: string): string {
  const [first = ""] = text;
  return first.toLocaleUpperCase() + text.slice(first.length);
}

/** A notice of the core as a sentence: with a capital and a stop. */
export function sentence(text: string): string {
  return `${capital(visible(text))}${/[.?!…]$/.test(text) ? "" : "."}`;
}
