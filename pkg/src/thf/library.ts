/**
 * Reads any YAML 1.2 with the library, which is loaded here and nowhere else. Its work is bounded before it is done: the text is taken apart
 * token by token under a budget, and what it holds is turned into plain values by our own walk, where aliases are shared and counted.
 */

import type { Document, Node, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";

import type { Json } from "../types.js";
import { MAX_FILE_BYTES, MAX_MEMBERS, MAX_NESTING, MAX_VALUES, quoted, tooDeep, tooLarge, tooMany, tooMuch, twice, unreadable } from "./faults.js";
import { plainScalar, setMember, Unheld } from "./scalars.js";

type Library = typeof import("yaml");

// a token costs the library some microseconds: this many are a second or two
const MAX_TOKENS = 400_000;
const STANDARD = "tag:yaml.org,2002:";
// what JSON has no word for is read as the mapping, list or text it stands on
const COLLECTION_TAGS: ReadonlySet<string> = new Set(["map", "seq", "omap", "pairs", "set"]);
const SCALAR_TAGS: ReadonlySet<string> = new Set(["str", "int", "float", "bool", "null", "binary", "merge"]);

/** The value of a text; throws `unreadable_file` or `file_too_large`. */
export async function readWithLibrary(text: string): Promise<Json> {
  const yaml = await import("yaml");
  return new Walk(yaml, text).document(compose(yaml, text));
}

function compose(yaml: Library, text: string): Document.Parsed {
  const parser = new yaml.Parser();
  const tokens: Parameters<InstanceType<Library["Composer"]>["next"]>[0][] = [];
  let count = 0;
  let documents = 0;
  const keep = (produced: Iterable<(typeof tokens)[number]>): void => {
    for (const token of produced) {
      if (token.type === "error") throw flawed(undefined, text, token.offset);
      if (token.type === "document" && (documents += 1) > 1) throw unreadable("the file holds several documents; a threat model is one", text, token.offset);
      tokens.push(token);
    }
  };
  for (const lexeme of new yaml.Lexer().lex(text)) {
    if ((count += 1) > MAX_TOKENS) throw tooLarge("the file is too long for what it uses beyond plain YAML (anchors, tags, folded texts and the like)", text, parser.offset);
    keep(parser.next(lexeme));
    // the stack holds the document, the open collections and a scalar
    if (parser.stack.length > MAX_NESTING + 2) throw tooDeep(text, parser.offset);
  }
  keep(parser.end());
  if (documents === 0) throw unreadable("the file is empty", text, 0);
  const options = { version: "1.2", schema: "core", merge: false, uniqueKeys: false, resolveKnownTags: false, prettyErrors: false, logLevel: "silent" } as const;
  const composer = new yaml.Composer(options);
  endAtFirstError(composer, text);
  const [document] = [...composer.compose(tokens, true, text.length)] as Document.Parsed[];
  const error = document?.errors[0];
  if (document === undefined || error !== undefined) throw flawed(error?.code, text, error?.pos[0] ?? 0);
  return document;
}

// The library goes on after an error and makes an object with a stack for each; a text may hold a hundred thousand.
function endAtFirstError(composer: object, text: string): void {
  let first: unknown;
  const onError = (source: number | readonly number[] | { offset: number }, code: string, _: string, isWarning?: boolean): void => {
    if (isWarning === true) return;
    const offset = typeof source === "number" ? source : "offset" in source ? source.offset : (source[0] ?? 0);
    // what is thrown is caught and told once more on the way out
    throw (first ??= flawed(code, text, offset));
  };
  Object.assign(composer, { onError });
}

function flawed(code: string | undefined, text: string, offset: number): Error {
  return unreadable(code === "TAB_AS_INDENT" ? "a tab stands where only spaces may" : "the text is not one document of YAML 1.2", text, offset);
}

/** What an anchor names, and what using it once more adds. */
interface Named {
  readonly value: Json;
  readonly values: number;
  readonly units: number;
  readonly height: number;
}

class Walk {
  readonly #yaml: Library;
  readonly #text: string;
  readonly #named = new Map<string, Named>();
  #values = 0;
  #units = 0;

  constructor(yaml: Library, text: string) {
    this.#yaml = yaml;
    this.#text = text;
  }

  document(document: Document.Parsed): Json {
    return this.#value(document.contents, 1).value;
  }

  /** A node's value and how many levels of collections it has. */
  #value(node: Node | null, depth: number): { value: Json; height: number } {
    if (node === null) return { value: null, height: 0 };
    if (this.#yaml.isAlias(node)) return this.#aliased(node.source, depth, node);
    const [values, units] = [this.#values, this.#units];
    const result = this.#own(node, depth);
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) this.#named.set(anchor, { ...result, values: this.#values - values, units: this.#units - units });
    return result;
  }

  #own(node: Node, depth: number): { value: Json; height: number } {
    this.#count(1, 0, node);
    if (this.#yaml.isScalar(node)) {
      const value = this.#scalar(node);
      if (typeof value === "string") this.#count(0, value.length, node);
      return { value, height: 0 };
    }
    if (depth > MAX_NESTING) throw tooDeep(this.#text, placeOf(node));
    if ((node as YAMLSeq).items.length > MAX_MEMBERS) throw tooMany(this.#text, placeOf(node));
    const tag = this.#standardTag(node, COLLECTION_TAGS);
    const isMap = this.#yaml.isMap(node);
    if (tag === (isMap ? "seq" : "map")) throw unreadable(`a ${isMap ? "mapping" : "list"} is not of the type \`!!${tag}\``, this.#text, placeOf(node));
    if (isMap) return this.#mapping(node as YAMLMap<Node, Node | null>, depth);
    return this.#list(node as YAMLSeq<Node | Pair<Node, Node | null>>, depth);
  }

  #list(node: YAMLSeq<Node | Pair<Node, Node | null>>, depth: number): { value: Json; height: number } {
    const list: Json[] = [];
    let height = 0;
    for (const item of node.items) {
      if (this.#yaml.isPair(item)) throw unreadable("a pair stands where an item of a list is expected", this.#text, placeOf(node));
      const inner = this.#value(item, depth + 1);
      height = Math.max(height, inner.height);
      list.push(inner.value);
    }
    return { value: list, height: height + 1 };
  }

  #mapping(node: YAMLMap<Node, Node | null>, depth: number): { value: Json; height: number } {
    const found: Record<string, Json> = {};
    const merged: Record<string, Json>[] = [];
    let height = 0;
    for (const { key, value } of node.items) {
      const inner = this.#value(value, depth + 1);
      if (this.#isMerge(key)) {
        merged.push(...this.#mergeable(inner.value, key));
        height = Math.max(height, inner.height - 1);
        continue;
      }
      height = Math.max(height, inner.height);
      const name = this.#key(key);
      if (Object.hasOwn(found, name)) throw twice(name, this.#text, placeOf(key));
      setMember(found, name, inner.value);
    }
    // what stands in the mapping itself wins, then what was named first
    for (const source of merged) {
      for (const name of Object.keys(source)) {
        this.#count(1, name.length, node);
        if (!Object.hasOwn(found, name)) setMember(found, name, source[name] as Json);
      }
    }
    return { value: found, height: height + 1 };
  }

  #key(node: Node): string {
    if (this.#yaml.isAlias(node)) {
      const { value } = this.#aliased(node.source, 1, node);
      if (typeof value === "string") return value;
    } else if (this.#yaml.isScalar(node)) {
      this.#count(1, 0, node);
      this.#standardTag(node, SCALAR_TAGS);
      // a number, a date or `true` as a key is the text it is written as
      const name = typeof node.value === "string" ? node.value : (node.source ?? "");
      this.#count(0, name.length, node);
      if (node.anchor !== undefined) this.#named.set(node.anchor, { value: name, values: 1, units: name.length, height: 0 });
      return name;
    }
    throw unreadable("a key must be a text", this.#text, placeOf(node));
  }

  #isMerge(key: Node): boolean {
    return this.#yaml.isScalar(key) && key.type === "PLAIN" && key.source === "<<" && (key.tag === undefined || key.tag === `${STANDARD}merge`);
  }

  #mergeable(value: Json, key: Node): Record<string, Json>[] {
    const list = Array.isArray(value) ? value : [value];
    return list.map((source) => {
      if (typeof source === "object" && source !== null && !Array.isArray(source)) return source;
      throw unreadable("`<<` takes a mapping, or a list of mappings", this.#text, placeOf(key));
    });
  }

  #aliased(name: string, depth: number, node: Node): { value: Json; height: number } {
    const named = this.#named.get(name);
    if (named === undefined) throw unreadable(`the alias ${quoted(`*${name}`)} names nothing that is complete before it`, this.#text, placeOf(node));
    this.#count(named.values, named.units, node);
    if (depth + named.height - 1 > MAX_NESTING) throw tooDeep(this.#text, placeOf(node));
    return { value: named.value, height: named.height };
  }

  #scalar(node: Scalar): Json {
    const tag = this.#standardTag(node, SCALAR_TAGS);
    const source = node.source ?? "";
    const plain = node.type === "PLAIN";
    if (tag === "str") return source;
    if (tag === "binary") return source.replace(/\s+/g, "");
    if (tag === undefined && (!plain || node.tag !== undefined)) return typeof node.value === "string" ? node.value : source;
    let value: Json;
    try {
      value = plainScalar(source);
    } catch (thrown) {
      if (!(thrown instanceof Unheld)) throw thrown;
      throw unreadable(`no number holds ${quoted(source)} as it is; written as a text it stands in quotes`, this.#text, placeOf(node));
    }
    const isKind = tag === undefined || tag === "merge" || (tag === "null" ? value === null : tag === "bool" ? typeof value === "boolean" : tag === "int" ? Number.isInteger(value) : typeof value === "number");
    if (!isKind) throw unreadable(`${quoted(source)} is not of the type \`!!${tag}\``, this.#text, placeOf(node));
    return value;
  }

  /** The short name of a node's tag, where it is one of these. */
  #standardTag(node: Node, known: ReadonlySet<string>): string | undefined {
    const { tag } = node as { tag?: string };
    // a lone `!` says that a scalar is a text, and nothing of a collection
    if (tag === undefined || tag === "!") return undefined;
    const short = tag.startsWith(STANDARD) ? tag.slice(STANDARD.length) : "";
    if (known.has(short)) return short;
    throw unreadable(`the tag ${quoted(tag.startsWith(STANDARD) ? `!!${short}` : tag)} is not known here`, this.#text, placeOf(node));
  }

  #count(values: number, units: number, node: Node): void {
    this.#values += values;
    this.#units += units;
    if (this.#values > MAX_VALUES || this.#units > MAX_FILE_BYTES) {
      throw tooMuch(this.#text, placeOf(node));
    }
  }
}

function placeOf(node: Node): number {
  return (node as { range?: readonly number[] | null }).range?.[0] ?? 0;
}
