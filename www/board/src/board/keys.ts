// The board by keyboard. Enters: a key press on a card. Leaves: the focus elsewhere, a card picked up, carried, dropped,
// added or deleted.

import type { Hand } from "./hand.svelte.ts";

/** Acts on a key where it is one of the board's. */
export function boardKey(event: KeyboardEvent, hand: Hand): void {
  const { target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement) || !target.matches(".card-face")) return;
  const id = target.closest<HTMLElement>("[data-card]")?.dataset["card"];
  if (id === undefined) return;
  const isRtl = getComputedStyle(target).direction === "rtl";
  const aside = { ArrowLeft: isRtl ? 1 : -1, ArrowRight: isRtl ? -1 : 1 }[event.key] ?? 0;
  const along = { ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0;
  const isKnown = hand.carried?.by === "keys" ? whileCarrying(event, hand, along, aside) : atRest(event, hand, id, along, aside);
  if (!isKnown) return;
  event.preventDefault();
  event.stopPropagation();
}

function whileCarrying(event: KeyboardEvent, hand: Hand, along: number, aside: number): boolean {
  if (along !== 0 || aside !== 0) void hand.carry(along, aside);
  else if (event.key === " " || event.key === "Enter") {
    if (!event.repeat) void hand.drop();
  } else if (event.key === "Escape") void hand.putBack();
  // until it is dropped or put back the focus stays with it
  else return event.key === "Tab";
  return true;
}

function atRest(event: KeyboardEvent, hand: Hand, id: string, along: number, aside: number): boolean {
  if (along !== 0 || aside !== 0) return goOn(hand, id, along, aside);
  if (event.repeat && event.key !== "Delete") return event.key === " ";
  switch (event.key) {
    case " ":
      hand.pickUp(id);
      return true;
    case "Delete":
      if (!event.repeat) void hand.deleteCard(id);
      return true;
    case "n":
    case "N":
      hand.adding = hand.desk.board.cards.find((card) => card.id === id)?.lane;
      return true;
    default:
      return false;
  }
}

function goOn(hand: Hand, id: string, along: number, aside: number): boolean {
  const lanes = hand.shown.lanes.map((lane) => hand.visible(lane.id)).filter((cards) => cards.length > 0);
  const at = lanes.findIndex((cards) => cards.some((card) => card.id === id));
  const here = lanes[at] ?? [];
  const place = here.findIndex((card) => card.id === id);
  const there = lanes[at + aside] ?? here;
  const next = aside === 0 ? here[place + along] : there[Math.min(place, there.length - 1)];
  if (next !== undefined) void hand.focus(next.id);
  return true;
}
