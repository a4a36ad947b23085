/** What went wrong over HTTP, as one authored sentence that helps; the server's words go redacted into the detail alone. */
import { type Timers } from "../clock.js";
import { type HttpProvider } from "../provider.js";
import type { ProtocolError } from "../types.js";
/** Thrown inside a request when the provider stays silent for too long. */
export declare class Silence extends Error {
}
/** How long an answer that failed is listened to. */
export interface Patience {
    readonly timers: Timers;
    readonly silenceTimeoutMs: number;
    readonly signal: AbortSignal;
    readonly nowMs: number;
}
/** The failure that an answer's status means, or undefined for an answer that is a stream. */
export declare function failureOf(response: Response, provider: HttpProvider, patience: Patience): Promise<ProtocolError | undefined>;
/** The failure that something thrown means: by a provider that could not send, or by the network. */
export declare function failureOfThrown(thrown: unknown, provider: {
    name?: string;
    address?: string;
    mask?(text: string): string;
}): ProtocolError;
/** The error as it can be told: whole characters, no secrets, a wait that is a number of milliseconds. */
export declare function tellable(error: ProtocolError, mask: (text: string) => string): ProtocolError;
/** How long the server asks to wait: seconds, milliseconds or a date; an absurd hint is the longest that counts. */
export declare function retryAfter(headers: Headers, nowMs: number): number | undefined;
