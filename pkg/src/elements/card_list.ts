/** The cards of one message, a few for each frame so that none of them is long. Enters: records. Leaves: cards that show them, those in sight first. Decides nothing. */

import type { CallRecord } from "#engine/types";
import type { CardElement } from "./card.js";
import { h, keyed } from "./dom.js";

interface CardView {
  readonly node: HTMLLIElement;
  readonly card: CardElement;
  /** What it was drawn from last. */
  drawn: CallRecord;
}

// what a frame may spend on cards beside all else it does, and how many are drawn whatever it takes
const SLICE_MS = 8;
const LEAST = 8;

/** A list of cards. */
export class CardList {
  /** What is put in the group. */
  readonly node = h("ul", { class: "cards", part: "cards" });
  readonly #views = new Map<string, CardView>();
  #calls: readonly CallRecord[] = [];
  #isWaiting = false;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(
    /** Makes a card; it is given its record here. */
    private readonly make: () => CardElement,
  ) {}

  /** Since when every card stands there as its record says, by the page's clock; endless while one does not. */
  get drawnAt(): number {
    return this.#drawnAt;
  }

  /** Draws what changed: as much as a frame can bear now, the rest in the next ones. Every card knows its record at once. */
  update(calls: readonly CallRecord[]): void {
    this.#calls = calls;
    const built = calls.filter(({ id }) => this.#views.has(id));
    keyed(this.node, this.#views, built, ({ id }) => id, (call) => this.#card(call), ({ card, drawn }, call) => {
      // what is typed on a card may do something else now, though its record is the same
      if (drawn === call) card.call = call;
      else card.hold(call);
    });
    this.#slice();
  }

  #slice(): void {
    const until = performance.now() + SLICE_MS;
    let done = 0;
    const isOver = (): boolean => done >= LEAST && performance.now() >= until;
    const isLeft = this.#redraw(() => isOver() || ((done += 1), false)) || this.#build(() => isOver() || ((done += 1), false));
    if (isLeft) this.#drawnAt = Number.POSITIVE_INFINITY;
    else if (this.#drawnAt === Number.POSITIVE_INFINITY) this.#drawnAt = performance.now();
    if (!isLeft || this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame(() => {
      this.#isWaiting = false;
      this.#slice();
    });
  }

  // from the first that is in sight to the end, then those above
  #redraw(isOver: () => boolean): boolean {
    const old: (readonly [CardView, CallRecord])[] = [];
    for (const call of this.#calls) {
      const view = this.#views.get(call.id);
      if (view !== undefined && view.drawn !== call) old.push([view, call]);
    }
    const first = old.length > LEAST ? firstInSight(old.map(([{ node }]) => node)) : 0;
    for (const [view, call] of [...old.slice(first), ...old.slice(0, first)]) {
      if (isOver()) return true;
      view.drawn = call;
      view.card.call = call;
    }
    return false;
  }

  #build(isOver: () => boolean): boolean {
    if (this.#views.size === this.#calls.length) return false;
    let before: Element | undefined;
    for (const call of this.#calls) {
      let view = this.#views.get(call.id);
      if (view === undefined) {
        if (isOver()) return true;
        this.#views.set(call.id, (view = this.#card(call)));
        if (before === undefined) this.node.prepend(view.node);
        else before.after(view.node);
        view.card.call = call;
      }
      before = view.node;
    }
    return false;
  }

  #card(call: CallRecord): CardView {
    const card = this.make();
    return { card, drawn: call, node: h("li", {}, card) };
  }
}

// they stand one below the other; where all are above, the first
function firstInSight(nodes: readonly Element[]): number {
  let [from, to] = [0, nodes.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((nodes[middle]?.getBoundingClientRect().bottom ?? 0) > 0) to = middle;
    else from = middle + 1;
  }
  return from < nodes.length ? from : 0;
}
