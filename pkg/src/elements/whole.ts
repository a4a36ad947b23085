/** Whole values for lines that show head and tail. Enters: a line and the patch it tells of. Leaves: the one value in it that reads just so, or nothing. */

import type { Json, JsonPatch, PreviewLine } from "#engine/types";
import { visible } from "./text.js";

// as the core shortens: so many code points, with room for the note in the middle
const LONGEST = 200;
const ROOM = LONGEST - 24;
const TAIL = Math.floor(ROOM / 4);
const SHORTENED = /… [\d,]+ more …/;

/** Finds what a line's new value is as a whole, where it was shortened and one value alone of the patch can be meant. */
export function wholes(patch: JsonPatch): (line: PreviewLine) => string | undefined {
  let held: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  return ({ field, after }) => {
    if (field === undefined || after === undefined || !SHORTENED.test(after)) return undefined;
    held ??= heldBy(patch);
    const meant = [...(held.get(field) ?? [])].filter((value) => value !== after && shortened(value) === after);
    return meant.length === 1 ? meant[0] : undefined;
  };
}

// by the names of members, and by whole paths for what stands beside all sections
function heldBy(patch: JsonPatch): Map<string, Set<string>> {
  const held = new Map<string, Set<string>>();
  const put = (name: string, value: Json): void => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const known = held.get(name);
    if (known === undefined) held.set(name, new Set([text]));
    else known.add(text);
  };
  const look = (value: Json): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (!Array.isArray(value)) put(name, member as Json);
      look(member as Json);
    }
  };
  for (const operation of patch) {
    if (!("value" in operation)) continue;
    const { path, value } = operation as { readonly path: string; readonly value: Json };
    put(path, value);
    put(path.slice(path.lastIndexOf("/") + 1).replaceAll("~1", "/").replaceAll("~0", "~"), value);
    look(value);
  }
  return held;
}

function shortened(text: string): string {
  const all = visible(text);
  if (all.length <= LONGEST || [...all].length <= LONGEST) return all;
  const points = [...text];
  const head = fitting(points, ROOM - TAIL);
  const tail = fitting([...points].reverse(), TAIL).reverse();
  const hidden = points.length - head.length - tail.length;
  return `${head.join("")}… ${String(hidden).replace(/\B(?=(\d{3})+$)/g, ",")} more …${tail.join("")}`;
}

// the code points from one end while they fit as they are shown; an escape is not cut apart
function fitting(points: readonly string[], room: number): string[] {
  const shown: string[] = [];
  let used = 0;
  for (const point of points) {
    const one = visible(point);
    used += [...one].length;
    if (used > room) break;
    shown.push(one);
  }
  return shown;
}
