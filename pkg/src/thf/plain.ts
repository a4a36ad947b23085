/**
 * Reads the plain part of YAML that files of threat models are written in, fast enough for the largest: block mappings and lists, scalars
 * and flow collections of one line, literal blocks. Whatever else stands in a text makes it answer `undefined`: then the YAML library reads
 * it. What is accepted here means exactly what it means there.
 */

import type { Json } from "../types.js";
import { MAX_NESTING, tooDeep, twice } from "./faults.js";
import { plainScalar, setMember, Unheld } from "./scalars.js";

// tabs, controls, other line ends and marks of byte order: the library knows the rules for them
const UNUSUAL = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff]|\r(?!\n)/;
const KEY = /[A-Za-z_][A-Za-z0-9_-]*(?=:(?:[ \r\n]|$))/y;
const LITERAL = /\|([1-9]?)([+-]?)(?=\r?(?:\n|$))/y;
const FLOW_KEY = /([A-Za-z_][A-Za-z0-9_-]*): +/y;
const FLOW_SCALAR = /(?:[A-Za-z0-9_/.]|-(?=[0-9A-Za-z]))[A-Za-z0-9_/. @+-]*/y;
// the library refuses longer ones where they stand before their colon
const LONGEST_KEY = 1000;

/** The text is beyond the plain part. */
const NOT_PLAIN = Symbol("not plain");

/** The value of a plain text, or `undefined` for one beyond the plain part; throws for a key that stands twice and for caps passed. */
export function readPlain(text: string): Json | undefined {
  if (UNUSUAL.test(text)) return undefined;
  try {
    return new PlainReader(text).document();
  } catch (thrown) {
    if (thrown === NOT_PLAIN) return undefined;
    throw thrown;
  }
}

class PlainReader {
  readonly #text: string;
  /** Where the next line starts. */
  #next = 0;
  /** The line that is read: where it starts, where its content starts and ends. The indent is -1 once there is none. */
  #line = 0;
  #at = 0;
  #end = 0;
  #indent = -1;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Json {
    this.#advance();
    if (this.#indent !== 0) throw NOT_PLAIN;
    const value = this.#block(1);
    if (this.#hasLine()) throw NOT_PLAIN;
    return value;
  }

  /** The mapping or list that starts on this line. */
  #block(depth: number): Json {
    return this.#isDash(this.#at) ? this.#list(depth) : this.#mapping(depth);
  }

  #mapping(depth: number): Json {
    this.#limit(depth);
    const column = this.#indent;
    const found: Record<string, Json> = {};
    do {
      const start = this.#at;
      const key = this.#key();
      if (key === undefined) throw NOT_PLAIN;
      if (Object.hasOwn(found, key)) throw twice(key, this.#text, start);
      this.#skipSpaces();
      setMember(found, key, this.#isBlank() ? this.#below(column, depth, true) : this.#inline(column, depth));
    } while (this.#indent === column);
    if (this.#indent > column) throw NOT_PLAIN;
    return found;
  }

  #list(depth: number): Json {
    this.#limit(depth);
    const column = this.#indent;
    const found: Json[] = [];
    do {
      this.#at += 1;
      this.#skipSpaces();
      if (this.#isBlank()) found.push(this.#below(column, depth, false));
      else if (this.#isDash(this.#at)) throw NOT_PLAIN;
      else if (this.#isKeyHere()) {
        this.#indent = this.#at - this.#line;
        found.push(this.#mapping(depth + 1));
      } else found.push(this.#inline(column, depth));
    } while (this.#indent === column && this.#isDash(this.#at));
    if (this.#indent > column) throw NOT_PLAIN;
    return found;
  }

  /** What stands on the lines below a key or a dash with nothing behind it. */
  #below(column: number, depth: number, underKey: boolean): Json {
    this.#advance();
    if (this.#indent > column || (underKey && this.#indent === column && this.#isDash(this.#at))) return this.#block(depth + 1);
    return null;
  }

  /** The value on the rest of this line, and the lines below for a literal block. */
  #inline(column: number, depth: number): Json {
    const first = this.#text.charCodeAt(this.#at);
    if (first === 0x7c) return this.#literal(column);
    let value: Json;
    if (first === 0x22 || first === 0x27) value = this.#quoted();
    else if (first === 0x5b || first === 0x7b) value = this.#flow(depth + 1);
    else value = this.#plain();
    this.#skipSpaces();
    if (!this.#isBlank()) throw NOT_PLAIN;
    this.#advance();
    // a scalar that goes on below
    if (this.#indent > column) throw NOT_PLAIN;
    return value;
  }

  #plain(): Json {
    const text = this.#text;
    const start = this.#at;
    let end = this.#end;
    for (let at = text.indexOf("#", start); at !== -1 && at < end; at = text.indexOf("#", at + 1)) {
      if (text.charCodeAt(at - 1) === 0x20) end = at;
    }
    while (text.charCodeAt(end - 1) === 0x20) end -= 1;
    const source = text.slice(start, end);
    if (!/^(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|-[^\s])/.test(source) || source.includes(": ") || source.endsWith(":")) throw NOT_PLAIN;
    this.#at = end;
    return resolved(source);
  }

  /** A quoted scalar that ends on this line; the place is behind it then. */
  #quoted(): string {
    const text = this.#text;
    const start = this.#at + 1;
    const mark = text.charAt(start - 1);
    const isDouble = mark === '"';
    let end = text.indexOf(mark, start);
    while (end !== -1 && end < this.#end) {
      if (isDouble ? isEscaped(text, end, start) : text.charCodeAt(end + 1) === 0x27) end = text.indexOf(mark, end + (isDouble ? 1 : 2));
      else break;
    }
    if (end === -1 || end >= this.#end) throw NOT_PLAIN;
    this.#at = end + 1;
    const inside = text.slice(start, end);
    if (!isDouble) return inside.replaceAll("''", "'");
    if (!inside.includes("\\")) return inside;
    try {
      // every escape of JSON is one of YAML
      return JSON.parse(`"${inside}"`) as string;
    } catch {
      throw NOT_PLAIN;
    }
  }

  /** A list or mapping that ends on this line. */
  #flow(depth: number): Json {
    this.#limit(depth);
    const isList = this.#text.charCodeAt(this.#at) === 0x5b;
    const closer = isList ? 0x5d : 0x7d;
    const list: Json[] = [];
    const found: Record<string, Json> = {};
    this.#at += 1;
    this.#skipSpaces();
    if (this.#text.charCodeAt(this.#at) === closer) {
      this.#at += 1;
      return isList ? list : found;
    }
    for (;;) {
      if (isList) list.push(this.#flowValue(depth));
      else {
        const start = this.#at;
        const key = this.#flowKey();
        if (Object.hasOwn(found, key)) throw twice(key, this.#text, start);
        setMember(found, key, this.#flowValue(depth));
      }
      this.#skipSpaces();
      const next = this.#text.charCodeAt(this.#at);
      this.#at += 1;
      if (next === closer && this.#at <= this.#end) return isList ? list : found;
      if (next !== 0x2c) throw NOT_PLAIN;
      this.#skipSpaces();
    }
  }

  #flowKey(): string {
    const first = this.#text.charCodeAt(this.#at);
    if (first !== 0x22 && first !== 0x27) {
      FLOW_KEY.lastIndex = this.#at;
      const match = FLOW_KEY.exec(this.#text);
      if (match?.[1] === undefined || match[0].length > LONGEST_KEY) throw NOT_PLAIN;
      this.#at = FLOW_KEY.lastIndex;
      return match[1];
    }
    const start = this.#at;
    const key = this.#quoted();
    if (this.#text.charCodeAt(this.#at) !== 0x3a || this.#at - start > LONGEST_KEY) throw NOT_PLAIN;
    this.#at += 1;
    this.#skipSpaces();
    return key;
  }

  #flowValue(depth: number): Json {
    const first = this.#text.charCodeAt(this.#at);
    if (first === 0x5b || first === 0x7b) return this.#flow(depth + 1);
    if (first === 0x22 || first === 0x27) return this.#quoted();
    FLOW_SCALAR.lastIndex = this.#at;
    const match = FLOW_SCALAR.exec(this.#text);
    if (match === null) throw NOT_PLAIN;
    this.#at = FLOW_SCALAR.lastIndex;
    let end = match[0].length;
    while (match[0].charCodeAt(end - 1) === 0x20) end -= 1;
    return resolved(match[0].slice(0, end));
  }

  /** A literal block: the lines below, as they are. */
  #literal(column: number): string {
    const text = this.#text;
    LITERAL.lastIndex = this.#at;
    const header = LITERAL.exec(text);
    if (header === null) throw NOT_PLAIN;
    let content = header[1] === "" ? -1 : column + Number(header[1]);
    const lines: string[] = [];
    let filled = 0;
    let widest = 0;
    let start = this.#next;
    for (;;) {
      const end = text.indexOf("\n", start);
      // where the text ends inside a block the library decides what its last line is
      if (end === -1) {
        if (start < text.length) throw NOT_PLAIN;
        break;
      }
      const stop = text.charCodeAt(end - 1) === 0x0d && end > start ? end - 1 : end;
      let at = start;
      while (at < stop && text.charCodeAt(at) === 0x20) at += 1;
      const indent = at - start;
      if (at === stop) {
        if (content !== -1 && indent > content) throw NOT_PLAIN;
        widest = Math.max(widest, indent);
        lines.push("");
      } else {
        if (content === -1 && indent > column) content = indent;
        if (content === -1 || indent < content) {
          if (indent > column) throw NOT_PLAIN;
          break;
        }
        if (filled === 0 && widest > content) throw NOT_PLAIN;
        lines.push(text.slice(start + content, stop));
        filled = lines.length;
      }
      start = end + 1;
    }
    if (filled === 0) throw NOT_PLAIN;
    const blank = lines.length - filled;
    this.#next = start;
    this.#advance();
    // a comment inside the block's indentation is none
    if (this.#indent > column) throw NOT_PLAIN;
    const body = lines.slice(0, filled).join("\n");
    return header[2] === "-" ? body : header[2] === "+" ? `${body}\n${"\n".repeat(blank)}` : `${body}\n`;
  }

  /** The key that starts here, with its colon behind it; nothing where there is none. */
  #key(): string | undefined {
    const start = this.#at;
    const first = this.#text.charCodeAt(start);
    let key: string;
    if (first === 0x22 || first === 0x27) {
      key = this.#quoted();
      const after = this.#text.charCodeAt(this.#at + 1);
      if (this.#text.charCodeAt(this.#at) !== 0x3a || !(this.#at + 1 >= this.#end || after === 0x20)) return undefined;
    } else {
      KEY.lastIndex = start;
      const match = KEY.exec(this.#text);
      if (match === null) return undefined;
      key = match[0];
      this.#at = KEY.lastIndex;
    }
    if (this.#at - start > LONGEST_KEY) throw NOT_PLAIN;
    this.#at += 1;
    return key;
  }

  #isKeyHere(): boolean {
    const at = this.#at;
    const isKey = this.#key() !== undefined;
    this.#at = at;
    return isKey;
  }

  #hasLine(): boolean {
    return this.#indent >= 0;
  }

  #isDash(at: number): boolean {
    return this.#text.charCodeAt(at) === 0x2d && (at + 1 >= this.#end || this.#text.charCodeAt(at + 1) === 0x20);
  }

  /** Whether nothing but a comment is left of this line. */
  #isBlank(): boolean {
    return this.#at >= this.#end || (this.#text.charCodeAt(this.#at) === 0x23 && this.#text.charCodeAt(this.#at - 1) === 0x20);
  }

  #skipSpaces(): void {
    while (this.#at < this.#end && this.#text.charCodeAt(this.#at) === 0x20) this.#at += 1;
  }

  #limit(depth: number): void {
    if (depth > MAX_NESTING) throw tooDeep(this.#text, this.#at);
  }

  /** Goes to the next line that holds something. */
  #advance(): void {
    const text = this.#text;
    while (this.#next < text.length) {
      const start = this.#next;
      const found = text.indexOf("\n", start);
      const end = found === -1 ? text.length : found;
      this.#next = end + 1;
      const stop = end > start && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end;
      let at = start;
      while (at < stop && text.charCodeAt(at) === 0x20) at += 1;
      if (at === stop || text.charCodeAt(at) === 0x23) continue;
      // markers of documents and directives stand at the start of a line
      if (at === start && (text.charCodeAt(at) === 0x25 || /^(?:---|\.\.\.)/.test(text.slice(at, at + 3)))) throw NOT_PLAIN;
      [this.#line, this.#at, this.#end, this.#indent] = [start, at, stop, at - start];
      return;
    }
    this.#indent = -1;
  }
}

function resolved(source: string): Json {
  try {
    return plainScalar(source);
  } catch (thrown) {
    throw thrown instanceof Unheld ? NOT_PLAIN : thrown;
  }
}

/** Whether the mark at `at` stands behind an odd number of backslashes. */
function isEscaped(text: string, at: number, start: number): boolean {
  let first = at;
  while (first > start && text.charCodeAt(first - 1) === 0x5c) first -= 1;
  return (at - first) % 2 === 1;
}
