// The document as the editor draws it, kept beside the store: each change is applied as the patch it came as, so that
// whatever a change did not touch stays the very same object. Enters: the store's changes. Leaves: the model.

import type { DocumentStore, JsonPatch } from "countersign/threat-model";

import { Cell } from "../cell.ts";
import { asModel, type Model } from "../model.ts";

/** The current model of a store, and how to stop following it. */
export function follow(store: DocumentStore): { readonly model: Cell<Model>; readonly stop: () => void } {
  const model = new Cell(asModel(store.read()));
  const stop = store.onChange((change) => model.set(next(store, model.value, change.patch)));
  return { model, stop };
}

function next(store: DocumentStore, model: Model, patch: JsonPatch): Model {
  try {
    return asModel(patched(model, patch));
  } catch {
    return asModel(store.read()); // the store is right whatever happened here
  }
}

/** The document after a patch; parts that it does not touch are shared. Throws where a path leads nowhere. */
export function patched(document: unknown, patch: JsonPatch): unknown {
  const own = new Set<object>(); // what this call copied, and so may change
  let root = document;
  for (const operation of patch) {
    if (operation.op === "test") continue;
    const path = operation.path.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    root = changed(root, path, 0, operation, own);
  }
  return root;
}

function changed(node: unknown, path: readonly string[], at: number, operation: JsonPatch[number], own: Set<object>): unknown {
  const key = path[at];
  if (key === undefined) return "value" in operation ? operation.value : undefined;
  const isLast = at === path.length - 1;
  if (Array.isArray(node)) {
    const list = copied<unknown[]>(node, own, () => [...(node as unknown[])]);
    const index = key === "-" ? list.length : Number(key);
    if (!Number.isInteger(index) || index < 0 || index > list.length) throw new RangeError(key);
    if (!isLast) list[index] = changed(list[index], path, at + 1, operation, own);
    else if (operation.op === "remove") list.splice(index, 1);
    else if ("value" in operation) list.splice(index, operation.op === "add" ? 0 : 1, operation.value);
    return list;
  }
  if (typeof node !== "object" || node === null) throw new TypeError(key);
  const fields = copied<Record<string, unknown>>(node as Record<string, unknown>, own, () => ({ ...node }));
  if (isLast && operation.op === "remove") delete fields[key];
  else {
    const value = changed(fields[key], path, at + 1, operation, own);
    // a plain assignment to `__proto__` would change what the object is
    Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return fields;
}

function copied<T extends object>(node: T, own: Set<object>, copy: () => T): T {
  if (own.has(node)) return node;
  const mine = copy();
  own.add(mine);
  return mine;
}
