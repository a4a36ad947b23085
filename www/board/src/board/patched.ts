// A board as a patch would make it. Enters: a board and a patch of adds, removes and replaces. Leaves: another board, or
// nothing where the patch does not fit.

import type { Json, JsonPatch } from "countersign";

import type { Board } from "../document/model.ts";

/** The board after `patch`; undefined where a place of the patch is not there. */
export function patched(board: Board, patch: JsonPatch): Board | undefined {
  let value: Json | undefined = board as unknown as Json;
  for (const step of patch) {
    const keys = step.path.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    value = value === undefined ? undefined : changed(value, keys, step.op, "value" in step ? step.value : undefined);
  }
  return value as unknown as Board | undefined;
}

function changed(at: Json, [key, ...rest]: readonly string[], op: string, value: Json | undefined): Json | undefined {
  if (key === undefined) return op === "remove" ? undefined : value;
  if (Array.isArray(at)) return inList(at, key, rest, op, value);
  if (typeof at !== "object" || at === null) return undefined;
  const members = at as { readonly [name: string]: Json };
  if (rest.length > 0) {
    const inner = Object.hasOwn(members, key) ? changed(members[key] as Json, rest, op, value) : undefined;
    return inner === undefined ? undefined : { ...members, [key]: inner };
  }
  if (op === "remove") return Object.fromEntries(Object.entries(members).filter(([name]) => name !== key));
  return value === undefined ? undefined : { ...members, [key]: value };
}

function inList(list: readonly Json[], key: string, rest: readonly string[], op: string, value: Json | undefined): Json | undefined {
  const at = key === "-" ? list.length : /^\d+$/.test(key) ? Number(key) : -1;
  const isOutside = at < 0 || at > list.length || (at === list.length && (op !== "add" || rest.length > 0));
  if (isOutside) return undefined;
  if (rest.length > 0) {
    const inner = changed(list[at] as Json, rest, op, value);
    return inner === undefined ? undefined : list.with(at, inner);
  }
  if (op === "remove") return list.toSpliced(at, 1);
  if (value === undefined) return undefined;
  return op === "add" ? list.toSpliced(at, 0, value) : list.with(at, value);
}
