/** The body of an answer over HTTP: whether it is a stream at all, and the beginning of one that is not. Knows no wire format. */
import { type Timers } from "../clock.js";
/** Thrown inside a request when the provider stays silent for too long. */
export declare class Silence extends Error {
}
/** Thrown inside a request when the connection breaks after the answer began. */
export declare class Broken extends Error {
}
/** What failed while an answer was read: its silence, or its connection. */
export declare function broken(thrown: unknown): Error;
/** How long an answer is listened to. */
export interface Patience {
    readonly timers: Timers;
    readonly silenceTimeoutMs: number;
    readonly signal: AbortSignal;
    readonly nowMs: number;
    /** The error of a silence that was too long. */
    silence(): Silence;
}
/** A body as it is read: what was taken out of it already, and the rest. */
export interface Body {
    readonly begun: Uint8Array<ArrayBuffer>[];
    readonly reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
}
/** What a body is by its first character: no event stream begins with one of these, whatever its content type says. */
export type BodyKind = "json" | "page" | "stream" | "nothing";
/** Looks at the first character that is no blank; what was read for it stays in `begun`. */
export declare function kindOf({ begun, reader }: Body, { timers, silenceTimeoutMs, signal, silence }: Patience): Promise<BodyKind>;
/** As much of the body as an error is told from; a body that hangs is told as far as it came. */
export declare function beginningOf({ begun, reader }: Body, { timers, silenceTimeoutMs, signal, silence }: Patience): Promise<string>;
