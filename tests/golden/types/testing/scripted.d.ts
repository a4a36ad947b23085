/** A provider that answers from a script, as events or as real Anthropic wire bytes over a real `Response`. */
import type { EventsProvider, HttpProvider } from "../provider.js";
import type { AdvertisedTool, Json, Message, ProtocolErrorCode, StopReason, StreamEvent, Usage } from "../types.js";
/** A call that a scripted answer opens. */
export interface ScriptedCall {
    /** Its id; made where nothing is said. */
    id?: string;
    /** The tool. */
    name: string;
    /** The arguments. */
    input: Json;
}
/** One scripted answer. */
export interface ScriptedTurn {
    /** What it says first, whole or in the pieces it streams. */
    text?: string | readonly string[];
    /** What it calls then. */
    calls?: readonly ScriptedCall[];
    /** Why it stops; by its calls where nothing is said. */
    stop?: StopReason;
    /** What it costs. */
    usage?: Usage;
    /** How it fails: in place of an answer, or after what it says. */
    error?: {
        code: ProtocolErrorCode;
        message?: string;
        status?: number;
        retryAfterMs?: number;
    };
    /** How long it waits before each piece. */
    delayMs?: number;
}
/** One answer: a turn, events as they are, or a function of the request. */
export type Step = ScriptedTurn | readonly StreamEvent[] | ((request: ScriptedRequest) => ScriptedTurn | readonly StreamEvent[]);
/** One request that the script was asked. */
export interface ScriptedRequest {
    /** The system prompt. */
    readonly system?: string;
    /** The conversation; over the wire it stands in `body`. */
    readonly messages: readonly Message[];
    /** The tools that were offered; over the wire they stand in `body`. */
    readonly tools: readonly AdvertisedTool[];
    /** The body, over the wire. */
    readonly body?: Json;
    /** Its place among the requests, from 0. */
    readonly index: number;
}
/** How a script is played. */
export interface ScriptedOptions {
    /** Answers with real bytes of this format. */
    wire?: "anthropic";
    /** How many bytes a chunk holds; a whole frame where nothing is said. */
    chunkBytes?: number;
    /** The clock that `delayMs` goes by. */
    now?: () => number;
    /** The model's name. */
    model?: string;
}
/** A provider that keeps what it was asked. */
export interface ScriptedRecord {
    /** What was asked, in order. */
    readonly requests: readonly ScriptedRequest[];
}
/** A scripted provider. */
export type ScriptedProvider = (EventsProvider | HttpProvider) & ScriptedRecord;
/** A provider that gives one step for each request, in order. */
export declare function scripted(steps: readonly Step[], options: ScriptedOptions & {
    wire: "anthropic";
}): HttpProvider & ScriptedRecord;
export declare function scripted(steps: readonly Step[], options?: ScriptedOptions & {
    wire?: never;
}): EventsProvider & ScriptedRecord;
