/**
 * Writes a threat model as YAML that every reader of 1.1 and 1.2 takes the same way: block style, lists indented by two, texts of several
 * lines as literal blocks, quotes only where they are needed, no anchors, no folding, LF. Characters nobody sees are written as escapes.
 */

import type { Json } from "../types.js";
import { MAX_NESTING, tooLarge } from "./faults.js";
import { ordered, THREAT_MODEL, type Shape } from "./order.js";
import { isSpecialWord } from "./scalars.js";

const UNSEEN = "\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\ufff0-\\ufffb\\ufffe\\uffff";
const NEEDS_ESCAPES = new RegExp(`[${UNSEEN}]`);
const ESCAPED = new RegExp(`[${UNSEEN}]`, "g");
// what begins with a letter is taken for nothing but a text, once the few words are left out
const STARTS_PLAINLY = /^[\p{L}_/(]/u;
const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;
// a longer key is no implicit key
const LONGEST_KEY = 900;
// the two fields that stand without quotes though older readers take them for dates
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** The text of a document. */
export function emit(document: Json): string {
  const lines: string[] = [];
  mapping(document as Record<string, Json>, "", THREAT_MODEL, 1, lines);
  return `${lines.join("\n")}\n`;
}

function mapping(object: Readonly<Record<string, Json>>, indent: string, shape: Shape | undefined, depth: number, lines: string[], first = indent): void {
  limit(depth);
  let start = first;
  for (const [key, value] of ordered(object, shape)) {
    let head = `${start}${keyText(key)}:`;
    if (head.length > LONGEST_KEY + start.length) {
      lines.push(`${start}? ${doubleQuoted(key)}`);
      head = `${indent}:`;
    }
    const inner = shape?.inner?.[key];
    const isDate = inner === undefined && shape === THREAT_MODEL.inner?.["metadata"] && (key === "created" || key === "modified") && typeof value === "string" && DATE.test(value);
    if (isDate) lines.push(`${head} ${value}`);
    else below(value, head, indent, inner, depth, lines);
    start = indent;
  }
}

/** A value behind a key or a dash: on its line where it fits there, below it otherwise. */
function below(value: Json, head: string, indent: string, shape: Shape | undefined, depth: number, lines: string[]): void {
  if (Array.isArray(value)) {
    if (value.length === 0) {
      limit(depth + 1);
      lines.push(`${head} []`);
      return;
    }
    lines.push(head);
    list(value, `${indent}  `, shape, depth + 1, lines);
  } else if (typeof value === "object" && value !== null) {
    if (Object.keys(value).length === 0) {
      limit(depth + 1);
      lines.push(`${head} {}`);
      return;
    }
    lines.push(head);
    mapping(value, `${indent}  `, shape, depth + 1, lines);
  } else {
    lines.push(`${head} ${scalar(value, `${indent}  `)}`);
  }
}

function list(items: readonly Json[], indent: string, shape: Shape | undefined, depth: number, lines: string[]): void {
  limit(depth);
  for (const item of items) {
    const isFilled = typeof item === "object" && item !== null && !Array.isArray(item) && Object.keys(item).length > 0;
    if (isFilled) mapping(item, `${indent}  `, shape, depth + 1, lines, `${indent}- `);
    else below(item, `${indent}-`, indent, shape, depth, lines);
  }
}

function scalar(value: null | boolean | number | string, indent: string): string {
  if (typeof value === "string") return textScalar(value, indent);
  return typeof value === "number" ? number(value) : String(value);
}

function textScalar(text: string, indent: string): string {
  if (NEEDS_ESCAPES.test(text)) return doubleQuoted(text);
  if (text.includes("\n")) return literal(text, indent) ?? doubleQuoted(text);
  return isPlain(text) ? text : doubleQuoted(text);
}

/** A text of several lines as it is; nothing for one whose blank lines hold spaces, which a literal block may lose. */
function literal(text: string, indent: string): string | undefined {
  if (/^[ \n]*$|(?:^|\n) +(?:\n|$)/.test(text)) return undefined;
  const body = text.replace(/\n+$/, "");
  const ends = text.length - body.length;
  // where the first line begins with a space, or is empty, the indentation is said, not found
  const said = /^[ \n]/.test(body) ? "2" : "";
  const lines = body.split("\n").map((line) => (line === "" ? "" : indent + line));
  return `|${said}${ends === 0 ? "-" : ends === 1 ? "" : "+"}\n${lines.join("\n")}${"\n".repeat(Math.max(0, ends - 1))}`;
}

function isPlain(text: string): boolean {
  return STARTS_PLAINLY.test(text) && !isSpecialWord(text) && !text.endsWith(" ") && !text.endsWith(":") && !text.includes(": ") && !text.includes(" #");
}

function keyText(key: string): string {
  return PLAIN_KEY.test(key) && !isSpecialWord(key) ? key : doubleQuoted(key);
}

function doubleQuoted(text: string): string {
  // what JSON escapes YAML escapes the same way
  return JSON.stringify(text).replace(ESCAPED, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The shortest digits; with a point before an exponent, which older readers need, and integers only where they are exact. */
function number(value: number): string {
  const text = Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
  return /^-?[0-9]+e/.test(text) ? text.replace("e", ".0e") : text;
}

function limit(depth: number): void {
  if (depth > MAX_NESTING) throw tooLarge(`mappings and lists may nest ${MAX_NESTING} levels deep`);
}
