/** The loop machine as users see it: one conversation of many turns, sans-IO; every call returns what it caused. */
/// <reference lib="esnext.disposable" preserve="true" />
import type { RequestParams } from "./functions.js";
import type { TurnOptions } from "./options.js";
import { type ToolRegistry } from "./registry.js";
import { type DocumentStore } from "./store.js";
import type { Effect, Json, Message, Outcome, Preview, Prices, ProviderFormat, ToolDeclaration, TurnContext, TurnInput, TurnStanding, TurnState } from "./types.js";
/** What a loop is made of. */
export interface ToolLoopOptions extends TurnOptions {
    /** The tools, from the first submit on. */
    tools: readonly ToolDeclaration[] | ToolRegistry;
    /** The document that tools read and change; shared, not copied. */
    document?: DocumentStore;
    /** Part of every id that leaves the loop; required when a tool is external or runs on a server. No two conversations may have the same. */
    conversationId?: string;
    /** For `maxCostMicros`. */
    prices?: Prices;
    /** The model's window: older groups of messages are left out of requests that would not fit. */
    maxInputTokens?: number;
    /** Keeps everything that goes into the loop, for `recording`. */
    recordInputs?: boolean;
}
/** What a restored loop is given anew: nothing of it is taken from the snapshot. */
export interface RestoreOptions {
    /** The tools. */
    tools: readonly ToolDeclaration[] | ToolRegistry;
    /** The document. */
    document?: DocumentStore;
    /** Who asks now. */
    context?: TurnContext;
    /** Keeps everything that goes into the loop from here on, for `recording`. */
    recordInputs?: boolean;
}
/**
 * What a request of a loop says beside conversation and tools: `maxOutputTokens` is the turn's `reserveOutputTokens` where nothing is said,
 * `maxInputTokens`, the window of the model this request goes to, is the loop's.
 */
export type LoopRequestParams = Omit<RequestParams, "maxOutputTokens"> & {
    maxOutputTokens?: number;
    maxInputTokens?: number;
};
/** A request as it is sent. */
export interface LoopRequest {
    /** The path after the base URL. */
    readonly path: string;
    /** The body as JSON text, ready to send. */
    readonly text: string;
    /** The body; read out of the text when it is asked for. */
    readonly body: Json;
}
/** An input that a person typed: as it would be approved, with what the call would then do where that can be told; or what is wrong with it. */
export type ProposedInput = {
    readonly ok: true;
    readonly input: Json;
    readonly preview: Preview | null;
} | {
    readonly ok: false;
    readonly issues: readonly string[];
};
/** Whether the newest turn that changed something can be taken back. */
export type UndoAvailability = TurnStanding;
/** One conversation: events and commands in, updates and effects out. */
export declare class ToolLoop {
    #private;
    /** Starts a conversation. */
    constructor(options: ToolLoopOptions);
    /** Goes on from a snapshot: tools, document and trusted context are given anew, and no grant survives. */
    static restore(snapshot: string, options: RestoreOptions): ToolLoop;
    /** Tells the loop one thing; `effectId` names the effect it answers. */
    dispatch(input: TurnInput, effectId?: string): Outcome;
    /** Other tools from the next submit on; what was removed or changed loses its grants now. */
    setTools(tools: readonly ToolDeclaration[] | ToolRegistry): Outcome;
    /** The path and body for an open `request` effect; binds its decoder. */
    request(requestId: string, format: ProviderFormat, params: LoopRequestParams): LoopRequest;
    /** Bytes of the answer, straight to the reducer. */
    feed(requestId: string, chunk: Uint8Array, nowMs?: number): Outcome;
    /** Whether `endStream` would find the answer whole: its finish reason came, and the connection is still open. */
    mayEndStream(requestId: string): boolean;
    /** The answer's bytes are over. */
    endStream(requestId: string, nowMs?: number): Outcome;
    /** The effects that were not answered yet. */
    pending(): Effect[];
    /** The current turn. */
    state(): TurnState;
    /** The whole conversation, frozen: the same list while nothing came, and the same message while it did not change. */
    messages(): Message[];
    /** All text of the newest message of the model that has any: what is shown while an answer comes, for little more than a delta costs. */
    answer(): string;
    /** What a call that waits would do, or what it would do with another input; null where that is not known. Changes nothing. */
    preview(callId: string, editedInput?: Json): Preview | null;
    /** Whether the newest turn that changed something can be taken back. */
    undoAvailability(): UndoAvailability;
    /** The conversation as text that `restore` understands; the loop goes on untouched. */
    snapshot(): string;
    /**
     * Everything that went into the loop so far, as JSON text for `replay`: `{ version, document, inputs, … }`. Only with `recordInputs`
     * (`not_recorded`), and only while it is not too large to be kept (`recording_full`).
     */
    recording(): string;
    /** SHA-256 over the state and the document's digest: two loops with equal digests are in the same state. */
    stateDigest(): string;
    /** Gives this handle's memory back; store and registry live on. */
    free(): void;
    /** The same as `free`, for `using`. */
    readonly [Symbol.dispose]: () => void;
}
