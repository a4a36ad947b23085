/** Lists of entities compared by id: what went, what came, and the fewest that moved. */

import { isPlainObject } from "../json.js";

/** Where two lists differ: everything before `start` and from the ends on is the same. */
export interface Middle {
  readonly start: number;
  readonly endBefore: number;
  readonly endAfter: number;
}

/** What leads from one list of ids to another: places to take out, from the back, then places to put in, from the front. */
export interface ListPlan {
  /** Places in the list before, the last one first. */
  readonly out: readonly number[];
  /** Places in the list after, the first one first; one that stood in the list before has moved. */
  readonly in: readonly number[];
}

/** The ids of a list whose items are all objects with an id of their own under one of the keys; nothing of any other list. */
export function idsOf(list: readonly unknown[], keys: readonly string[]): string[] | undefined {
  for (const key of keys) {
    const ids: string[] = [];
    for (const item of list) {
      const id = isPlainObject(item) ? item[key] : undefined;
      if (typeof id !== "string") break;
      ids.push(id);
    }
    if (ids.length === list.length && new Set(ids).size === ids.length) return ids;
  }
  return undefined;
}

/** What is between the beginning and the end that two lists have in common: the very same items, or what `same` says. */
export function middleOf<T>(before: readonly T[], after: readonly T[], same?: (left: T, right: T) => boolean): Middle {
  const isSame = (left: number, right: number): boolean => before[left] === after[right] || same?.(before[left] as T, after[right] as T) === true;
  let start = 0;
  while (start < before.length && start < after.length && isSame(start, start)) start += 1;
  let [endBefore, endAfter] = [before.length, after.length];
  while (endBefore > start && endAfter > start && isSame(endBefore - 1, endAfter - 1)) {
    endBefore -= 1;
    endAfter -= 1;
  }
  return { start, endBefore, endAfter };
}

/** Plans the change of a list of ids; everything that is not in the plan keeps its order. */
export function planOf(before: readonly string[], after: readonly string[]): ListPlan {
  const { start, endBefore, endAfter } = middleOf(before, after);
  const placeBefore = new Map<string, number>();
  for (let at = start; at < endBefore; at += 1) placeBefore.set(before[at] as string, at);
  const common: number[] = [];
  for (let at = start; at < endAfter; at += 1) {
    const place = placeBefore.get(after[at] as string);
    if (place !== undefined) common.push(place);
  }
  const stays = new Set(longestRise(common));
  const into: number[] = [];
  for (let at = start; at < endAfter; at += 1) {
    const place = placeBefore.get(after[at] as string);
    if (place === undefined || !stays.has(place)) into.push(at);
  }
  const out: number[] = [];
  for (let at = endBefore - 1; at >= start; at -= 1) if (!stays.has(at)) out.push(at);
  return { out, in: into };
}

/** What leads from one list to another: what goes and comes, and which items stay, as places before and after. */
export interface ListChange extends ListPlan {
  readonly stay: readonly (readonly [before: number, after: number])[];
  /** Where an item that comes stood before, when it has only moved. */
  from(at: number): number | undefined;
}

/** Compares two lists: by id where all that differs has one, else by place. */
export function listChange(before: readonly unknown[], after: readonly unknown[], keys: readonly string[], same: (left: unknown, right: unknown) => boolean): ListChange {
  const { start, endBefore, endAfter } = middleOf(before, after);
  const [ids, fresh] = [idsOf(before.slice(start, endBefore), keys), idsOf(after.slice(start, endAfter), keys)];
  const shifted = (places: readonly number[]): number[] => places.map((at) => at + start);
  if (ids === undefined || fresh === undefined || ids.length + fresh.length === 0) {
    if (before.length === after.length) return { out: [], in: [], stay: shifted([...Array(endAfter - start).keys()]).map((at) => [at, at]), from: () => undefined };
    const rest = middleOf(before.slice(start, endBefore), after.slice(start, endAfter), same);
    const places = (end: number): number[] => shifted([...Array(end - rest.start).keys()].map((at) => at + rest.start));
    return { out: places(rest.endBefore).reverse(), in: places(rest.endAfter), stay: [], from: () => undefined };
  }
  const plan = planOf(ids, fresh);
  const known = new Map(ids.map((id, at) => [id, at + start]));
  const into = new Set(plan.in);
  const stay = fresh.flatMap((id, at): [number, number][] => (into.has(at) ? [] : [[known.get(id) as number, at + start]]));
  return { out: shifted(plan.out), in: shifted(plan.in), stay, from: (at) => known.get(fresh[at - start] as string) };
}

/** The longest rising part of distinct numbers. */
function longestRise(numbers: readonly number[]): number[] {
  // the place of the smallest last number of a rise of each length, and what comes before each number in its rise
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [at, value] of numbers.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[tails[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    previous[at] = low === 0 ? -1 : (tails[low - 1] as number);
    tails[low] = at;
  }
  const rise: number[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] as number) rise.push(numbers[at] as number);
  return rise.reverse();
}
