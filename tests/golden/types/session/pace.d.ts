/** Keeps an answer, and tools one after another, from being one long task, however much there is at once. Enters: chunks, and work. Leaves: pieces, and pauses. */
import type { Timers } from "../clock.js";
/** The pace of a session: of what it reads, and of its tools. */
export declare class Pace {
    #private;
    /** A clock without pauses is never paused for. */
    constructor(timers: Timers);
    /** Does a piece of work. */
    work<T>(piece: () => T): T;
    /** The pause that is due by now, if one is. What asks while it lasts waits for it too, so that all go on in the order they asked. */
    pause(): Promise<void> | undefined;
}
/** The chunk in pieces that each take little time. */
export declare function piecesOf(chunk: Uint8Array): Uint8Array[];
