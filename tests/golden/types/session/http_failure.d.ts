/** What went wrong over HTTP, as one authored sentence that helps; the server's words go redacted into the detail alone. */
import { type HttpProvider } from "../provider.js";
import type { ProtocolError } from "../types.js";
import { type Body, type Patience } from "./http_body.js";
/** An answer that is a stream, or what failed. */
export type Answer = {
    readonly failure: ProtocolError;
    readonly body?: never;
} | {
    readonly failure?: never;
    readonly body: Body;
};
/** What came: a stream to be read, or the failure that its status, its kind or its own words mean. */
export declare function answerOf(response: Response, provider: HttpProvider, patience: Patience): Promise<Answer>;
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
