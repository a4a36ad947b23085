/** A clock that stands still until it is moved; its timers ride on its `now`, where sessions find them. */

import { TIMERS, type Timers } from "../clock.js";

/** A clock for tests. */
export interface FakeClock {
  /** Now, epoch milliseconds: hand it to `createSession({ now })`, and the session's waits follow this clock. */
  readonly now: () => number;
  /** Moves time on: what falls due runs in order at its own moment, and what that starts has its turn before the next. */
  advance(ms: number): Promise<void>;
}

const START_MS = 1_700_000_000_000;

/** A clock that begins at `startMs`. */
export function fakeClock(startMs = START_MS): FakeClock {
  let time = startMs;
  let made = 0;
  const timers = new Map<number, { at: number; fn: () => void }>();
  const own: Timers = {
    later(fn, ms) {
      made += 1;
      const id = made;
      timers.set(id, { at: time + Math.max(0, ms), fn });
      return () => {
        timers.delete(id);
      };
    },
  };
  const next = (until: number): [number, { at: number; fn: () => void }] | undefined =>
    [...timers].filter(([, timer]) => timer.at <= until).sort(([a, left], [b, right]) => left.at - right.at || a - b)[0];
  return {
    now: Object.assign((): number => time, { [TIMERS]: own }),
    async advance(ms) {
      const until = time + ms;
      await settle();
      for (let due = next(until); due !== undefined; due = next(until)) {
        const [id, timer] = due;
        timers.delete(id);
        time = Math.max(time, timer.at);
        timer.fn();
        await settle();
      }
      time = until;
      await settle();
    },
  };
}

// Lets promises and streams that are ready run; a few rounds, because one hands on to the next.
async function settle(): Promise<void> {
  for (let round = 0; round < 4; round += 1) await new Promise<void>((resolve) => setTimeout(resolve, 0));
}
