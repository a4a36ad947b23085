/**
 * Ends an answer that is whole while its connection stays open: some formats close a message by closing the connection, and not every server
 * does. Enters: when something of the message came. Leaves: one call, once a finish reason was told and nothing came after it for a while.
 */
import type { Timers } from "../clock.js";
/** The watch over one answer. */
export declare class Lingering {
    #private;
    /** Calls `finish` where `mayEnd` holds and nothing moved for ten seconds, or for half of `silenceTimeoutMs` where that is less. */
    constructor(timers: Timers, silenceTimeoutMs: number, now: () => number, mayEnd: () => boolean, finish: () => void);
    /** Something of the message came; bytes that say nothing, which keep a connection alive, do not count. */
    moved(nowMs: number): void;
    /** Looks no longer. */
    end(): void;
}
