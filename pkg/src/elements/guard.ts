/**
 * No decision by accident: what has just appeared, changed or moved under a hand is only there to be read. Knows times alone:
 * when a card was drawn, and when a hand moved, which on a busy page is long before anybody hears of it.
 */

/** How long a card must have said the same, and have had the focus, before a key decides it. */
const SETTLE_MS = 600;
/** How long a pointer finds a card that has just appeared or changed only there to be read. */
const POINTER_MS = 400;
/** How long a pointer is ignored after a card nearby folded or grew, and moved others under it. */
const MOVED_MS = 300;

/** What decided: a key, a pointer, or something written out in a form, which is no accident. */
export type Hand = "key" | "pointer" | "form";

/** A hand, and when it moved, by the page's clock: the time of the event. */
export interface Gesture {
  readonly hand: Hand;
  readonly at: number;
}

/** Watches over one card. */
export class Guard {
  // of all cards on the page, because any of them moves those below it
  static #movedAt = Number.NEGATIVE_INFINITY;
  #changedAt = Number.POSITIVE_INFINITY;
  #focusedAt = Number.POSITIVE_INFINITY;

  /** A card folded or grew: those below it stand elsewhere now. */
  static moved(): void {
    Guard.#movedAt = performance.now();
  }

  /** The card says something else than before. */
  changed(): void {
    this.#changedAt = performance.now();
  }

  /** The focus came in, or left. */
  focus(isIn: boolean): void {
    if (!isIn) this.#focusedAt = Number.POSITIVE_INFINITY;
    else if (this.#focusedAt === Number.POSITIVE_INFINITY) this.#focusedAt = performance.now();
  }

  /** Whether a decision counts. */
  allows({ hand, at }: Gesture): boolean {
    if (hand === "key") return at - this.#changedAt >= SETTLE_MS && at - this.#focusedAt >= SETTLE_MS;
    if (hand === "pointer") return at - this.#changedAt >= POINTER_MS && at - Guard.#movedAt >= MOVED_MS;
    return at - this.#changedAt >= POINTER_MS;
  }
}
