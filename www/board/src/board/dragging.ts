// Dragging a card by mouse or pen. Enters: a press on a card. Leaves: where it would be put down, and that it was.
// A finger scrolls; it moves cards by their menus.

import type { Hand } from "./hand.svelte.ts";

const SLACK_PX = 5;
const EDGE_PX = 48;
const SCROLL_PX = 12;

/** What the board draws under the pointer. */
export interface Flight {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Begins following a press; `fly` is told where the card is drawn. */
export function follow(event: PointerEvent, id: string, hand: Hand, board: HTMLElement, fly: (flight: Flight | undefined) => void): void {
  if (event.button !== 0 || event.pointerType === "touch" || !(event.currentTarget instanceof HTMLElement)) return;
  const box = event.currentTarget.getBoundingClientRect();
  const grip = { x: event.clientX - box.left, y: event.clientY - box.top };
  const start = { x: event.clientX, y: event.clientY };
  let at = start;
  let isFlying = false;
  let frame = 0;
  const step = (): void => {
    scrollNear(at, board);
    const place = placeUnder(at, board, id);
    if (place !== undefined) hand.hover(id, place.lane, place.before);
    frame = requestAnimationFrame(step);
  };
  const moved = (move: PointerEvent): void => {
    at = { x: move.clientX, y: move.clientY };
    if (!isFlying && Math.hypot(at.x - start.x, at.y - start.y) < SLACK_PX) return;
    move.preventDefault();
    if (!isFlying) {
      isFlying = true;
      step();
    }
    fly({ id, x: at.x - grip.x, y: at.y - grip.y, width: box.width });
  };
  const end = (isDrop: boolean): void => {
    cancelAnimationFrame(frame);
    listening.abort();
    fly(undefined);
    if (!isFlying) return;
    // the press that ends here is no click on the card
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    if (!isDrop) return void hand.putBack();
    const place = placeUnder(at, board, id);
    if (place !== undefined) hand.hover(id, place.lane, place.before);
    void hand.drop();
  };
  const listening = new AbortController();
  const { signal } = listening;
  addEventListener("pointermove", moved, { signal });
  addEventListener("pointerup", () => end(true), { signal });
  addEventListener("pointercancel", () => end(false), { signal });
  addEventListener("blur", () => end(false), { signal });
  addEventListener(
    "keydown",
    (key) => {
      if (key.key !== "Escape") return;
      key.preventDefault();
      key.stopPropagation();
      end(false);
    },
    { signal, capture: true },
  );
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

function placeUnder(at: { x: number; y: number }, board: HTMLElement, id: string): { lane: string; before: string | undefined } | undefined {
  const lanes = [...board.querySelectorAll<HTMLElement>("[data-lane]")];
  const away = (lane: HTMLElement): number => {
    const { left, right } = lane.getBoundingClientRect();
    return Math.max(left - at.x, at.x - right, 0);
  };
  const [lane] = lanes.sort((a, b) => away(a) - away(b));
  if (lane === undefined) return undefined;
  const cards = [...lane.querySelectorAll<HTMLElement>("[data-card]")].filter((card) => card.dataset["card"] !== id);
  const before = cards.find((card) => {
    const { top, height } = card.getBoundingClientRect();
    return at.y < top + height / 2;
  });
  return { lane: lane.dataset["lane"] ?? "", before: before?.dataset["card"] };
}

function scrollNear(at: { x: number; y: number }, board: HTMLElement): void {
  const { left, right } = board.getBoundingClientRect();
  if (at.x < left + EDGE_PX) board.scrollLeft -= SCROLL_PX;
  else if (at.x > right - EDGE_PX) board.scrollLeft += SCROLL_PX;
  const list = document.elementsFromPoint(at.x, at.y).find((one) => one.matches(".lane-cards"));
  if (list === undefined) return;
  const { top, bottom } = list.getBoundingClientRect();
  if (at.y < top + EDGE_PX) list.scrollTop -= SCROLL_PX;
  else if (at.y > bottom - EDGE_PX) list.scrollTop += SCROLL_PX;
}
