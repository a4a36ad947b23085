/** What went wrong over HTTP, as one authored sentence that helps; the server's words go redacted into the detail alone. */
import { type HttpProvider } from "../provider.js";
import type { ProtocolError } from "../types.js";
/** Thrown inside a request when the provider stays silent for too long. */
export declare class Silence extends Error {
}
/** The failure that an answer's status means, or undefined for an answer that is a stream. */
export declare function failureOf(response: Response, provider: HttpProvider, nowMs: number): Promise<ProtocolError | undefined>;
/** The failure that something thrown means: by a provider that could not send, or by the network. */
export declare function failureOfThrown(thrown: unknown, provider: {
    name?: string;
    mask?(text: string): string;
}): ProtocolError;
/** How long the server asks to wait: seconds, milliseconds or a date. */
export declare function retryAfter(headers: Headers, nowMs: number): number | undefined;
