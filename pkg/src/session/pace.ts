/** Keeps an answer, and tools one after another, from being one long task, however much there is at once. Enters: chunks, and work. Leaves: pieces, and pauses. */

import type { Timers } from "../clock.js";

const PIECE_BYTES = 16 * 1024;
// a frame's worth of work is done in one go
const WORK_MS = 8;

/** The pace of a session: of what it reads, and of its tools. */
export class Pace {
  readonly #timers: Timers;
  #worked = 0;
  #lasting: Promise<void> | undefined;

  /** A clock without pauses is never paused for. */
  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Does a piece of work. */
  work<T>(piece: () => T): T {
    const from = performance.now();
    try {
      return piece();
    } finally {
      this.#worked += performance.now() - from;
    }
  }

  /** The pause that is due by now, if one is. What asks while it lasts waits for it too, so that all go on in the order they asked. */
  pause(): Promise<void> | undefined {
    if (this.#lasting !== undefined || this.#worked < WORK_MS) return this.#lasting;
    this.#worked = 0;
    this.#lasting = this.#timers.breathe?.().finally(() => {
      this.#lasting = undefined;
    });
    return this.#lasting;
  }
}

/** The chunk in pieces that each take little time. */
export function piecesOf(chunk: Uint8Array): Uint8Array[] {
  if (chunk.length <= PIECE_BYTES) return [chunk];
  return Array.from({ length: Math.ceil(chunk.length / PIECE_BYTES) }, (_, at) => chunk.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES));
}
