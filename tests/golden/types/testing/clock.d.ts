/** A clock that stands still until it is moved; its timers ride on its `now`, where sessions find them. */
/** A clock for tests. */
export interface FakeClock {
    /** Now, epoch milliseconds: hand it to `createSession({ now })`, and the session's waits follow this clock. */
    readonly now: () => number;
    /** Moves time on: what falls due runs in order at its own moment, and what that starts has its turn before the next. */
    advance(ms: number): Promise<void>;
}
/** A clock that begins at `startMs`. */
export declare function fakeClock(startMs?: number): FakeClock;
