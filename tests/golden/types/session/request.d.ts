/** Answers one `request` effect: waits where it must, sends once, feeds the bytes or events, and tells every failure as one event. */
import { type Timers } from "../clock.js";
import type { ToolLoop } from "../loop.js";
import { type Provider } from "../provider.js";
import type { AdvertisedTool, Effect, Outcome } from "../types.js";
import { type Pace } from "./pace.js";
/** A `request` effect. */
export type RequestEffect = Extract<Effect, {
    type: "request";
}>;
/** What a request needs of its session. */
export interface RequestHost {
    readonly loop: ToolLoop;
    readonly provider: Provider;
    readonly timers: Timers;
    readonly pace: Pace;
    readonly fetch: typeof fetch;
    readonly silenceTimeoutMs: number;
    /** The window that the host names, whatever is known of the model. */
    readonly maxInputTokens: number | undefined;
    now(): number;
    system(): string | undefined;
    advertised(): readonly AdvertisedTool[];
    /** Resolves once what is sent is on record. */
    saved(): Promise<void>;
    /** Runs one call of the loop and does what it caused. */
    step(call: (loop: ToolLoop) => Outcome): Outcome;
}
/** Runs one request to its end; never rejects. Aborting `controller` ends it in silence. */
export declare function answerRequest(host: RequestHost, effect: RequestEffect, controller: AbortController): Promise<void>;
