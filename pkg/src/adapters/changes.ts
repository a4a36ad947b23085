/** Plain documents compared, patched and brought together; what did not change stays the very same value. Knows no store. */

import { CountersignError } from "../error.js";
import { isPlainObject } from "../json.js";
import type { Json, JsonPatch } from "../types.js";
import { idsOf, listChange, planOf } from "./lists.js";

type Plain = Record<string, unknown>;
type Keys = readonly string[];

/** Whether two values say the same: the order of keys and members that are undefined aside. */
export function same(left: unknown, right: unknown): boolean {
  if (Object.is(left, right) || left === right) return true;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    // most items of a long list are the very same value
    for (let at = 0; at < left.length; at += 1) if (left[at] !== right[at] && !same(left[at], right[at])) return false;
    return true;
  }
  if (!isPlainObject(left) || !isPlainObject(right)) return false;
  return namesOf(left, right).every((name) => same(own(left, name), own(right, name)));
}

/** The patch from one document to the other; lists of entities are compared by id. */
export function diff(before: unknown, after: unknown, keys: Keys): JsonPatch {
  const patch: JsonPatch = [];
  difference(patch, before, after, "", keys);
  return patch;
}

/** The document after the patch. What the patch does not name is shared with the document before, which stays as it was. */
export function patched(document: unknown, patch: JsonPatch, keys: Keys): unknown {
  // `root` holds the document, so that its place is like any other; what was copied here once is changed in place
  const copies = new Set<object>();
  const root: Plain = { document };
  copies.add(root);
  // an entity that moves goes and comes again
  const gone = new Map<string, unknown>();
  for (const operation of patch) {
    const path = ["document", ...segmentsOf(operation.path)];
    const last = path.pop() as string;
    let at: Plain | unknown[] = root;
    for (const step of path) {
      const child: unknown = Array.isArray(at) ? at[Number(step)] : own(at, step);
      if (!Array.isArray(child) && !isPlainObject(child)) misfit(operation.path);
      const copy: Plain | unknown[] = copies.has(child) ? child : Array.isArray(child) ? [...child] : { ...child };
      copies.add(copy);
      put(at, step, copy);
      at = copy;
    }
    change(at, last, operation, gone, keys);
  }
  return root["document"];
}

/** `after` with every part that says the same as before taken from `before`. */
export function kept(before: unknown, after: unknown, keys: Keys): unknown {
  if (Object.is(before, after)) return before;
  if (Array.isArray(before) && Array.isArray(after)) {
    const [ids, fresh] = [idsOf(before, keys), idsOf(after, keys)];
    const known = ids !== undefined && fresh !== undefined ? new Map(ids.map((id, at) => [id, before[at] as unknown])) : undefined;
    const list = after.map((item: unknown, at) => kept(known === undefined ? before[at] : known.get(fresh?.[at] as string), item, keys));
    return list.length === before.length && list.every((item, at) => Object.is(item, before[at])) ? before : list;
  }
  if (!isPlainObject(before) || !isPlainObject(after)) return after;
  const next: Plain = { ...after };
  for (const name of Object.keys(after)) put(next, name, kept(own(before, name), after[name], keys));
  return namesOf(before, next).every((name) => Object.is(own(before, name), own(next, name))) ? before : next;
}

/**
 * `mine` with what changed from `base` to `theirs`, where `mine` changed something else. Where both changed the same place, `mine` stands; an
 * entity that one side changed and the other took out stays where that side is `mine`.
 */
export function merged(base: unknown, theirs: unknown, mine: unknown, keys: Keys): unknown {
  if (Object.is(base, theirs) || Object.is(theirs, mine)) return mine;
  if (Object.is(base, mine)) return theirs;
  if (isPlainObject(theirs) && isPlainObject(mine) && (base === undefined || isPlainObject(base))) {
    const from = base ?? {};
    let next = mine;
    for (const name of namesOf(from, theirs)) {
      const [value, now] = [merged(own(from, name), own(theirs, name), own(mine, name), keys), own(mine, name)];
      if (Object.is(value, now)) continue;
      if (next === mine) next = { ...mine };
      if (value === undefined) delete next[name];
      else put(next, name, value);
    }
    return next;
  }
  if (Array.isArray(base) && Array.isArray(theirs) && Array.isArray(mine)) {
    const list = mergedLists(base, theirs, mine, keys);
    if (list !== undefined) return list;
  }
  if (same(base, theirs)) return mine;
  return same(base, mine) ? theirs : mine;
}

/** The steps of a JSON pointer. */
export function segmentsOf(path: string): string[] {
  return path
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A member that an object has itself. */
export function own(object: Plain, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The names that either object has. */
export function namesOf(left: Plain, right: Plain): string[] {
  return [...new Set([...Object.keys(left), ...Object.keys(right)])];
}

function difference(patch: JsonPatch, before: unknown, after: unknown, path: string, keys: Keys): void {
  if (Object.is(before, after)) return;
  if (isPlainObject(before) && isPlainObject(after)) {
    for (const name of namesOf(before, after)) {
      const [old, fresh, place] = [own(before, name), own(after, name), `${path}/${escaped(name)}`];
      if (fresh === undefined && old !== undefined) patch.push({ op: "remove", path: place });
      else if (old === undefined && fresh !== undefined) patch.push({ op: "add", path: place, value: fresh as Json });
      else difference(patch, old, fresh, place, keys);
    }
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) return listDifference(patch, before, after, path, keys);
  if (!same(before, after)) patch.push({ op: "replace", path, value: after as Json });
}

function listDifference(patch: JsonPatch, before: readonly unknown[], after: readonly unknown[], path: string, keys: Keys): void {
  const { out, in: into, stay } = listChange(before, after, keys, same);
  for (const at of out) patch.push({ op: "remove", path: `${path}/${at}` });
  // from the front: everything before a place is as it will be
  for (const at of into) patch.push({ op: "add", path: `${path}/${at}`, value: after[at] as Json });
  for (const [from, to] of stay) difference(patch, before[from], after[to], `${path}/${to}`, keys);
}

function mergedLists(base: readonly unknown[], theirs: readonly unknown[], mine: readonly unknown[], keys: Keys): unknown[] | undefined {
  const [baseIds, theirIds] = [idsOf(base, keys), idsOf(theirs, keys)];
  if (baseIds === undefined || theirIds === undefined) return undefined;
  // mine may be broken: an entity that stands there twice is changed at both places, and what has no id stays as it is
  const myIds = mine.map((item) => idsOf([item], keys)?.[0]);
  const byId = (ids: readonly string[], list: readonly unknown[]): Map<string, unknown> => new Map(ids.map((id, at) => [id, list[at]]));
  const [ofBase, ofTheirs] = [byId(baseIds, base), byId(theirIds, theirs)];
  const placesOfMine = new Map<string, number[]>();
  for (const [at, id] of myIds.entries()) if (id !== undefined) placesOfMine.set(id, [...(placesOfMine.get(id) ?? []), at]);
  const moved = new Set(planOf(baseIds, theirIds).in.map((at) => theirIds[at] as string).filter((id) => (placesOfMine.get(id)?.length ?? 1) === 1));
  // what they put in or moved stands behind what it stands behind in theirs
  const behind = new Map<string | undefined, string[]>();
  let anchor: string | undefined;
  for (const id of theirIds) {
    if (!moved.has(id)) {
      if (placesOfMine.has(id)) anchor = id;
    } else if (placesOfMine.has(id) || !ofBase.has(id)) {
      // what mine took out does not come back because they moved it
      const place = behind.get(anchor);
      if (place === undefined) behind.set(anchor, [id]);
      else place.push(id);
    }
  }
  const list: unknown[] = [];
  const take = (id: string, at: number | undefined): void => {
    const item = at === undefined ? undefined : mine[at];
    list.push(ofTheirs.has(id) ? merged(ofBase.get(id), ofTheirs.get(id), item, keys) : item);
  };
  const takeBehind = (id: string | undefined): void => behind.get(id)?.forEach((next) => take(next, placesOfMine.get(next)?.[0]));
  takeBehind(undefined);
  for (const [at, id] of myIds.entries()) {
    if (id === undefined) {
      list.push(mine[at]);
      continue;
    }
    const isGone = ofBase.has(id) && !ofTheirs.has(id) && same(ofBase.get(id), mine[at]);
    if (!isGone && !moved.has(id)) take(id, at);
    if (placesOfMine.get(id)?.at(-1) === at) takeBehind(id);
  }
  return list.length === mine.length && list.every((item, at) => Object.is(item, mine[at])) ? (mine as unknown[]) : list;
}

function change(at: Plain | unknown[], last: string, operation: JsonPatch[number], gone: Map<string, unknown>, keys: Keys): void {
  const place = !Array.isArray(at) ? last : last === "-" ? at.length : Number(last);
  const isThere = Object.hasOwn(at, place);
  const now: unknown = typeof place === "number" ? (at as unknown[])[place] : own(at as Plain, place);
  if (operation.op === "test" ? !same(now, operation.value) : operation.op !== "add" && !isThere) misfit(operation.path);
  switch (operation.op) {
    case "test":
      return;
    case "remove":
      if (typeof place === "number") (at as unknown[]).splice(place, 1);
      else delete (at as Plain)[place];
      for (const id of idsOf([now], keys) ?? []) gone.set(id, now);
      return;
    case "add":
      if (typeof place === "number" && !(place <= (at as unknown[]).length)) misfit(operation.path);
      if (typeof place === "number") (at as unknown[]).splice(place, 0, kept(gone.get(idsOf([operation.value], keys)?.[0] ?? ""), operation.value, keys));
      else put(at, place, kept(now, operation.value, keys));
      return;
    case "replace":
      put(at, last, kept(now, operation.value, keys));
  }
}

// defined, not assigned: `__proto__` is a key like any other
function put(at: Plain | unknown[], name: string, value: unknown): void {
  Object.defineProperty(at, name, { value, enumerable: true, configurable: true, writable: true });
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function misfit(path: string): never {
  throw new CountersignError("invalid_value", "the patch does not fit the document", { path: path === "" ? "the document" : path, expected: "the document the patch was made for" });
}
