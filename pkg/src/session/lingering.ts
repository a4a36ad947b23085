/**
 * Ends an answer that is whole while its connection stays open: some formats close a message by closing the connection, and not every server
 * does. Enters: when something of the message came. Leaves: one call, once a finish reason was told and nothing came after it for a while.
 */

import type { Timers } from "../clock.js";

// usage may follow the finish reason, and nobody waits for that longer than this
const LINGER_MS = 10_000;

/** The watch over one answer. */
export class Lingering {
  readonly #timers: Timers;
  readonly #ms: number;
  readonly #now: () => number;
  readonly #mayEnd: () => boolean;
  readonly #finish: () => void;
  #movedAt: number;
  #callOff: () => void;

  /** Calls `finish` where `mayEnd` holds and nothing moved for ten seconds, or for half of `silenceTimeoutMs` where that is less. */
  constructor(timers: Timers, silenceTimeoutMs: number, now: () => number, mayEnd: () => boolean, finish: () => void) {
    this.#timers = timers;
    this.#ms = Math.max(1, Math.min(LINGER_MS, silenceTimeoutMs / 2));
    this.#now = now;
    this.#mayEnd = mayEnd;
    this.#finish = finish;
    this.#movedAt = now();
    this.#callOff = timers.later(this.#look, this.#ms);
  }

  /** Something of the message came; bytes that say nothing, which keep a connection alive, do not count. */
  moved(nowMs: number): void {
    this.#movedAt = nowMs;
  }

  /** Looks no longer. */
  end(): void {
    this.#callOff();
  }

  readonly #look = (): void => {
    const left = this.#movedAt + this.#ms - this.#now();
    if (left <= 0 && this.#mayEnd()) return this.#finish();
    this.#callOff = this.#timers.later(this.#look, left > 0 ? left : this.#ms);
  };
}
