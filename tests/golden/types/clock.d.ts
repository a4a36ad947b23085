/** The host's time: now, and one way to be called later. A fake clock brings timers of its own with its `now`. */
/** What can be done with time. */
export interface Timers {
    /** Calls `fn` once, not before `ms` have passed; returns how to call it off. */
    later(fn: () => void, ms: number): () => void;
    /** Lets the page do something else and resolves at once after it; a clock that stands still does not. */
    breathe?(): Promise<void>;
}
/** Where a `now` keeps timers of its own. */
export declare const TIMERS: unique symbol;
/** The timers that belong to a `now`: its own, or the engine's. */
export declare function timersOf(now: () => number): Timers;
/** Resolves after `ms`, or rejects with the signal's reason. */
export declare function wait(timers: Timers, ms: number, signal: AbortSignal): Promise<void>;
/** The outcome of `work`, unless `ms` pass first or the signal is aborted. */
export declare function within<T>(timers: Timers, ms: number, signal: AbortSignal, work: Promise<T>, late: () => Error): Promise<T>;
/** The same as `within` for one piece of work after another: a signal is costly to listen to, so that it is listened to once. */
export declare class Watch {
    #private;
    /** Each piece of work may take `ms`; `late` makes the error of one that took longer. */
    constructor(timers: Timers, ms: number, signal: AbortSignal, late: () => Error);
    /** The outcome of `work`, unless the time passes first or the signal is aborted. */
    over<T>(work: Promise<T>): Promise<T>;
    /** Listens no longer. */
    end(): void;
}
