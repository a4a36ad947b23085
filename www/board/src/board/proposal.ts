// What a proposed change would do to the board, for drawing it there. Enters: the board as it is, the change, and those
// that come before it in the same message. Leaves: marks on cards and lanes, and what would come, with its place. Pure.

import type { JsonPatch, Preview } from "countersign";

import { byId, cardsOf, type Board, type Card, type Lane } from "../document/model.ts";
import { patched } from "./patched.ts";

/** One field of a card or lane, before and after. */
export interface FieldChange {
  readonly field: string;
  readonly before?: string;
  readonly after?: string;
}

/** A card that would come to a place: a new one, or one from another place. */
export interface Coming {
  readonly card: Card;
  readonly isNew: boolean;
  /** The card of the board it would stand before; at the end of the lane where there is none. */
  readonly before: string | undefined;
}

/** What is drawn. */
export interface Proposal {
  /** Cards and lanes that would go. */
  readonly removed: ReadonlySet<string>;
  /** Cards and lanes that would be others, with their fields. */
  readonly changed: ReadonlyMap<string, readonly FieldChange[]>;
  /** Cards that would stand elsewhere. */
  readonly moved: ReadonlySet<string>;
  /** By lane, the cards that would come to it. */
  readonly coming: ReadonlyMap<string, readonly Coming[]>;
  /** Lanes that would come, each with the lane it would stand before. */
  readonly lanes: readonly { readonly lane: Lane; readonly before: string | undefined }[];
}

/** The marks for `preview` on `board`; `earlier` are the changes of the same message that would be made first. */
export function proposalOf(board: Board, preview: Preview, earlier: readonly JsonPatch[]): Proposal | undefined {
  if (preview.error !== undefined) return undefined;
  const before = earlier.reduce<Board | undefined>((draft, patch) => (draft === undefined ? undefined : patched(draft, patch)), board);
  const after = before === undefined ? undefined : patched(before, preview.patch);
  const changed = changesOf(preview);
  const removed = new Set(preview.lines.filter((line) => line.kind === "removed" && line.field === undefined).map((line) => line.id));
  // a change too large to hand out, or one that no longer fits what is drawn, is told by its lines alone
  if (before === undefined || after === undefined || preview.patch.length === 0) return { removed, changed, moved: new Set(), coming: new Map(), lanes: [] };
  const moved = new Set([...movedOf(before, after)].filter((id) => byId(board.cards, id) !== undefined));
  const coming = new Map<string, Coming[]>();
  const touched = new Set([...after.cards.filter((card) => byId(before.cards, card.id) === undefined).map((card) => card.id), ...moved]);
  const lanes = new Set(after.cards.filter((card) => touched.has(card.id)).map((card) => card.lane));
  for (const lane of lanes) {
    const order = cardsOf(after, lane);
    const stays = (card: Card): boolean => byId(board.cards, card.id)?.lane === lane && !moved.has(card.id);
    const list = order.flatMap((card, at) =>
      touched.has(card.id) ? [{ card, isNew: !moved.has(card.id), before: order.slice(at + 1).find(stays)?.id }] : []);
    coming.set(lane, list);
  }
  const fresh = after.lanes.flatMap((lane, at) =>
    byId(board.lanes, lane.id) === undefined && (byId(before.lanes, lane.id) === undefined || lanes.has(lane.id))
      ? [{ lane, before: after.lanes.slice(at + 1).find((other) => byId(board.lanes, other.id) !== undefined)?.id }]
      : []);
  return { removed, changed, moved, coming, lanes: fresh };
}

function changesOf(preview: Preview): Map<string, FieldChange[]> {
  const changed = new Map<string, FieldChange[]>();
  for (const { kind, section, id, field, before, after } of preview.lines) {
    if (kind !== "changed" || field === undefined || (section !== "cards" && section !== "lanes")) continue;
    const change = { field, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
    changed.set(id, [...(changed.get(id) ?? []), change]);
  }
  return changed;
}

// the cards of both boards that stand elsewhere: in another lane, or outside the longest run that kept its order
function movedOf(before: Board, after: Board): Set<string> {
  const moved = new Set<string>();
  for (const lane of after.lanes) {
    const was = cardsOf(before, lane.id).map((card) => card.id);
    const is = cardsOf(after, lane.id).map((card) => card.id);
    const stayed = is.filter((id) => was.includes(id));
    const kept = new Set(longestRun(stayed.map((id) => was.indexOf(id))).map((at) => was[at]));
    for (const id of stayed) if (!kept.has(id)) moved.add(id);
    for (const id of is) if (!was.includes(id) && byId(before.cards, id) !== undefined) moved.add(id);
  }
  return moved;
}

// the longest increasing subsequence
function longestRun(values: readonly number[]): readonly number[] {
  const ends: (readonly number[])[] = [];
  for (const value of values) {
    const best = ends.filter((run) => (run.at(-1) ?? -1) < value).reduce<readonly number[]>((long, run) => (run.length > long.length ? run : long), []);
    ends.push([...best, value]);
  }
  return ends.reduce<readonly number[]>((long, run) => (run.length > long.length ? run : long), []);
}
