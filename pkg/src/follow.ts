/** A frozen document followed from one revision to the next: what did not change stays the very same value. */

import { deepFreeze } from "./json.js";
import type { Json, JsonPatch } from "./types.js";

type Container = Record<string, unknown>;

/** Of how many entities that went it is asked whether they came to stand elsewhere. */
const MOST_MOVED = 16;

/** The document after a patch of whole entities, as the core tells it; lists that the patch names are copied once each. */
export function follow(document: Json, patch: JsonPatch): Json {
  const lists = new Map<string, unknown[]>();
  const gone: unknown[] = [];
  for (const operation of patch) {
    const end = operation.path.lastIndexOf("/");
    const path = operation.path.slice(0, end);
    const place = Number(operation.path.slice(end + 1));
    // spread, not `slice`: engines copy a frozen list that way seventy times as fast
    const list = lists.get(path) ?? [...(segmentsOf(path).reduce<unknown>((at, key) => (at as Container)[key], document) as unknown[])];
    lists.set(path, list);
    if (operation.op === "remove") {
      const [before] = list.splice(place, 1);
      if (gone.length < MOST_MOVED) gone.push(before);
    }
    // what went from one place and came to another is the very same value
    else if (operation.op === "add") list.splice(place, 0, gone.find((before) => kept(before, operation.value) === before) ?? deepFreeze(operation.value));
    else if (operation.op === "replace") list[place] = deepFreeze(kept(list[place], operation.value));
  }
  let next: unknown = document;
  for (const [path, list] of lists) next = replaced(next, segmentsOf(path), Object.freeze(list));
  return next as Json;
}

/** The value at `keys` replaced, with everything above it copied and everything beside it kept. */
function replaced(at: unknown, keys: readonly string[], value: unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  const below = replaced((at as Container)[key], rest, value);
  const copy: unknown = Array.isArray(at) ? [...at] : { ...(at as Container) };
  // defined, not assigned: `__proto__` is a key like any other
  Object.defineProperty(copy, key, { value: below, enumerable: true, configurable: true, writable: true });
  return Object.freeze(copy);
}

/** `next`, with every part that is the same in `before`, down to the order of keys, taken from there. */
function kept(before: unknown, next: unknown): unknown {
  if (typeof before !== "object" || typeof next !== "object" || before === null || next === null || Array.isArray(before) !== Array.isArray(next)) return next;
  const [old, fresh] = [Object.keys(before), Object.keys(next)];
  let same = old.length === fresh.length;
  for (const [at, key] of fresh.entries()) {
    const known = Object.hasOwn(before, key) ? (before as Container)[key] : undefined;
    const value = kept(known, (next as Container)[key]);
    (next as Container)[key] = value;
    same &&= old[at] === key && Object.is(known, value);
  }
  return same ? before : next;
}

function segmentsOf(path: string): string[] {
  return path
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}
