/** How long a card can still be decided, told in its last minute alone. Enters: a time and a clock. Leaves: words. */

import { h, stamp } from "./dom.js";
import { say, type ElementWords } from "./words.js";

const LAST_MINUTE_MS = 60_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const frame = stamp(() => h("span", { class: "expiry", part: "expiry" }));

/** Counts down beside the buttons of a card. */
export class Countdown {
  /** Where it is told. */
  readonly node = frame();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Counts towards `at`, by this clock. */
  start(at: number | null, now: () => number, words: ElementWords): void {
    this.stop();
    const left = at === null ? Infinity : at - now();
    const told = left > LAST_MINUTE_MS ? "" : say(words.card.expires, { n: Math.max(0, Math.ceil(left / 1000)) });
    if (this.node.textContent !== told) this.node.textContent = told;
    if (left <= 0 || left === Infinity) return;
    this.#timer = setTimeout(() => this.start(at, now, words), left > LAST_MINUTE_MS ? Math.min(left - LAST_MINUTE_MS, LONGEST_TIMER_MS) : 1000);
  }

  /** Counts no longer. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
