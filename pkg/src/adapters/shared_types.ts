/** A Yjs document read as plain JSON and written to with as few operations as it takes, so that what others do at the same time is merged. */

import type * as Yjs from "yjs";

import { CountersignError } from "../error.js";
import { isPlainObject } from "../json.js";
import { namesOf, own, same } from "./changes.js";
import { listChange } from "./lists.js";

/** The classes of the Yjs that made the document; another copy of Yjs does not know its types. */
export type YjsClasses = Pick<typeof Yjs, "Map" | "Array" | "Text" | "AbstractType">;

/** A shared type, whatever it holds. */
export type SharedType = Yjs.Map<unknown> | Yjs.Array<unknown> | Yjs.Text;

/** How a value that is new becomes one of the shared document; nothing for the ordinary way. */
export type Shape = (value: unknown, path: readonly string[]) => unknown;

/** Reads shared types and keeps what it read of each until that is told to have changed. */
export class SharedReader {
  readonly #types: YjsClasses;
  #known = new WeakMap<SharedType, unknown>();

  constructor(types: YjsClasses) {
    this.#types = types;
  }

  /** What a type holds: the very same value for every part that did not change. */
  read(type: SharedType): unknown {
    return this.#told(type, this.#known);
  }

  /** The same in the middle of a transaction, when nothing is told yet. */
  readAnew(type: SharedType): unknown {
    return this.#told(type, new WeakMap());
  }

  /** A type changed, and with it everything it stands in. */
  forget(type: SharedType): void {
    for (let at: SharedType | null = type; at !== null; at = at.parent as SharedType | null) this.#known.delete(at);
  }

  #told(type: SharedType, known: WeakMap<SharedType, unknown>): unknown {
    try {
      return this.#plain(type, undefined, known);
    } catch {
      // where it is that cannot be read is looked for once there is something
      return this.#plain(type, "", known);
    }
  }

  #plain(value: unknown, path: string | undefined, known: WeakMap<SharedType, unknown>): unknown {
    const { AbstractType, Array: YArray, Map: YMap, Text: YText } = this.#types;
    if (!(value instanceof AbstractType)) return jsonOnly(value, path);
    const type: SharedType = value as SharedType;
    const before = known.get(type);
    if (before !== undefined) return before;
    let plain: unknown;
    if (type instanceof YMap) {
      const object: Record<string, unknown> = {};
      for (const [name, member] of type.entries()) {
        if (member === undefined) continue;
        Object.defineProperty(object, name, { value: this.#plain(member, inside(path, name), known), enumerable: true, configurable: true, writable: true });
      }
      plain = Object.freeze(object);
    } else if (type instanceof YArray) {
      plain = Object.freeze(type.toArray().map((item, at) => this.#plain(item, inside(path, at), known)));
    } else if (type.constructor === YText) {
      plain = type.toString();
    } else {
      throw unreadable(path, `a \`${value.constructor.name}\``);
    }
    known.set(type, plain);
    return plain;
  }
}

/** Writes to shared types. */
export class SharedWriter {
  readonly #types: YjsClasses;
  readonly #keys: readonly string[];
  readonly #shape: Shape;

  constructor(types: YjsClasses, keys: readonly string[], shape: Shape) {
    this.#types = types;
    this.#keys = keys;
    this.#shape = shape;
  }

  /** Makes a map that holds `before` hold `after`. */
  map(map: Yjs.Map<unknown>, before: Record<string, unknown>, after: Record<string, unknown>, path: readonly string[]): void {
    for (const name of namesOf(before, after)) {
      const [old, next] = [own(before, name), own(after, name)];
      if (Object.is(old, next)) continue;
      if (next === undefined) map.delete(name);
      else if (!this.#inside(map.get(name), old, next, [...path, name])) map.set(name, this.#fresh(map.get(name), next, [...path, name]));
    }
  }

  #list(list: Yjs.Array<unknown>, before: readonly unknown[], after: readonly unknown[], path: readonly string[]): void {
    const { out, in: into, stay, from } = listChange(before, after, this.#keys, same);
    const moved = new Map<number, unknown>();
    const movers = new Set(into.flatMap((at) => from(at) ?? []));
    for (const at of out) {
      const item = list.get(at);
      if (movers.has(at)) moved.set(at, item instanceof this.#types.AbstractType ? item.clone() : item);
      list.delete(at, 1);
    }
    for (const at of into) {
      const place = from(at);
      const mover = place === undefined ? undefined : moved.get(place);
      list.insert(at, [mover ?? this.#made(after[at], path)]);
      if (mover !== undefined) this.#item(list, at, before[place as number], after[at], path);
    }
    for (const [old, at] of stay) this.#item(list, at, before[old], after[at], path);
  }

  #item(list: Yjs.Array<unknown>, at: number, before: unknown, after: unknown, path: readonly string[]): void {
    if (Object.is(before, after) || this.#inside(list.get(at), before, after, path)) return;
    const fresh = this.#fresh(list.get(at), after, path);
    list.delete(at, 1);
    list.insert(at, [fresh]);
  }

  /** Changes a value where it is; says whether it could. */
  #inside(value: unknown, before: unknown, after: unknown, path: readonly string[]): boolean {
    const { Array: YArray, Map: YMap, Text: YText } = this.#types;
    if (same(before, after)) return true;
    if (value instanceof YMap && isPlainObject(before) && isPlainObject(after)) this.map(value as Yjs.Map<unknown>, before, after, path);
    else if (value instanceof YArray && Array.isArray(before) && Array.isArray(after)) this.#list(value as Yjs.Array<unknown>, before, after, path);
    else if (value instanceof YText && typeof before === "string" && typeof after === "string") retype(value as Yjs.Text, before, after);
    else return false;
    return true;
  }

  // what was plain JSON stays plain JSON: an object that somebody holds as one value is replaced as one
  #fresh(value: unknown, next: unknown, path: readonly string[]): unknown {
    const wasPlain = typeof value === "object" && value !== null && !(value instanceof this.#types.AbstractType);
    return wasPlain ? next : this.#made(next, path);
  }

  #made(value: unknown, path: readonly string[]): unknown {
    const shaped = this.#shape(value, path);
    if (shaped !== undefined) return shaped;
    const { Array: YArray, Map: YMap } = this.#types;
    if (Array.isArray(value)) return filled(new YArray<unknown>(), value.map((item: unknown) => this.#made(item, path)));
    if (!isPlainObject(value)) return value;
    return new YMap(Object.keys(value).flatMap((name) => (value[name] === undefined ? [] : [[name, this.#made(value[name], [...path, name])] as [string, unknown]])));
  }
}

function filled(list: Yjs.Array<unknown>, items: unknown[]): Yjs.Array<unknown> {
  list.push(items);
  return list;
}

/** The fewest letters of a text are replaced, so that what others write beside them stays. */
function retype(text: Yjs.Text, before: string, after: string): void {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let [endBefore, endAfter] = [before.length, after.length];
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore -= 1;
    endAfter -= 1;
  }
  // never between the halves of a surrogate pair
  const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
  if (start > 0 && (isLow(before.charCodeAt(start)) || isLow(after.charCodeAt(start)))) start -= 1;
  if (isLow(before.charCodeAt(endBefore)) || isLow(after.charCodeAt(endAfter))) {
    endBefore += 1;
    endAfter += 1;
  }
  if (endBefore > start) text.delete(start, endBefore - start);
  if (endAfter > start) text.insert(start, after.slice(start, endAfter));
}

function inside(path: string | undefined, name: string | number): string | undefined {
  return path === undefined ? undefined : `${path}/${name}`;
}

function jsonOnly(value: unknown, path: string | undefined): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (Array.isArray(value) || isPlainObject(value)) return value;
  throw unreadable(path, typeof value === "object" ? `a \`${value.constructor.name}\`` : `a ${typeof value}`);
}

function unreadable(path: string | undefined, what: string): CountersignError {
  return new CountersignError("invalid_value", `is ${what}, which JSON cannot hold`, { path: path === "" ? "root" : path, expected: "a Y.Map, a Y.Array, a Y.Text or plain JSON" });
}
