/** Writes events as the bytes of Anthropic's stream, in a `Response` that gives them in pieces. */
import { type Timers } from "../clock.js";
import type { StreamEvent } from "../types.js";
/** How the bytes are given. */
export interface WireOptions {
    /** Ends the stream. */
    signal: AbortSignal;
    /** What `delayMs` goes by. */
    timers: Timers;
    /** How many bytes a chunk holds; a whole frame where nothing is said. */
    chunkBytes: number | undefined;
    /** The wait before each chunk. */
    delayMs: number;
}
/** The status that stands for a failure. */
export declare function statusOf(error: {
    code: string;
    status?: number;
}): number;
/** A streaming answer that says `events`. */
export declare function answerBytes(events: readonly StreamEvent[], options: WireOptions): Response;
/** The frames of a stream that says `events`. */
export declare function frames(events: readonly StreamEvent[]): string[];
