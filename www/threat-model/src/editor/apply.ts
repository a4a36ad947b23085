// A JSON patch on a copy of the document, for drawing what it would make. Enters: a document and a patch. Leaves: the
// changed document, in which whatever the patch does not touch is the very same object, or nothing where it does not fit.

import type { Json, JsonPatch } from "countersign/threat-model";

type Container = Json[] | { [key: string]: Json };

/** The document after the patch. */
export function patched<T>(document: T, patch: readonly JsonPatch[number][]): T | undefined {
  let next = document as unknown as Json | undefined;
  for (const step of patch) {
    const path = step.path.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    next = next === undefined ? undefined : done(next, path, step.op, "value" in step ? step.value : undefined);
  }
  return next as unknown as T | undefined;
}

function done(at: Json, path: readonly string[], op: string, value: Json | undefined): Json | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return op === "remove" ? undefined : value;
  if (typeof at !== "object" || at === null) return undefined;
  if (rest.length > 0) {
    const inner = child(at, key);
    const next = inner === undefined ? undefined : done(inner, rest, op, value);
    return next === undefined ? undefined : put(at, key, next);
  }
  if (op === "test") return at;
  if (op === "add") return value === undefined ? undefined : Array.isArray(at) ? inserted(at, key, value) : put(at, key, value);
  if (child(at, key) === undefined) return undefined;
  if (op === "replace") return value === undefined ? undefined : put(at, key, value);
  if (op !== "remove") return undefined;
  if (Array.isArray(at)) return at.toSpliced(Number(key), 1);
  return Object.fromEntries(Object.entries(at).filter(([name]) => name !== key));
}

function child(at: Container, key: string): Json | undefined {
  if (Array.isArray(at)) return /^\d+$/.test(key) ? (at[Number(key)] as Json | undefined) : undefined;
  return Object.hasOwn(at, key) ? (at as { [key: string]: Json })[key] : undefined;
}

function put(at: Container, key: string, value: Json): Json {
  if (Array.isArray(at)) return at.with(Number(key), value);
  return { ...at, [key]: value };
}

function inserted(at: Json[], key: string, value: Json): Json | undefined {
  const index = key === "-" ? at.length : Number(key);
  return Number.isInteger(index) && index <= at.length ? at.toSpliced(index, 0, value) : undefined;
}
