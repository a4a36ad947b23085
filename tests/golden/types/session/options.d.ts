/** What a session is made of, and the small answers it gives. */
import type { TurnOptions } from "../options.js";
import type { Provider } from "../provider.js";
import type { DocumentChange, DocumentStore } from "../store.js";
import type { Tool } from "../tool.js";
import type { Prices, RefusalReason, ToolDeclaration, TurnContext, Update } from "../types.js";
/** A tool in a session: one of the host's own, or a declaration that the core runs itself. */
export type SessionTool = Tool | ToolDeclaration;
/** Where a session keeps its snapshots. */
export interface SessionStorage {
    /** The newest snapshot, where there is one: the session goes on from it. */
    load?(): string | null | undefined | Promise<string | null | undefined>;
    /** Keeps a snapshot; awaited before every request and before a tool that reaches out of the page runs, so that both are on record. */
    save(snapshot: string): void | Promise<void>;
}
/** What `createSession` is given. */
export interface SessionOptions extends Omit<TurnOptions, "context"> {
    /** Where answers come from. */
    provider: Provider;
    /** The tools, or a function that makes them, called once the core is loaded. */
    tools?: readonly SessionTool[] | (() => readonly SessionTool[] | Promise<readonly SessionTool[]>);
    /** The document that tools read and change. */
    document?: DocumentStore;
    /** Who asks, or a function asked at each message. */
    context?: TurnContext | (() => TurnContext);
    /** The system prompt, or a function asked at each request. */
    system?: string | (() => string);
    /**
     * What of the document stands in the system prompt of each request, behind `system` and as it is then: nothing where nothing is said, its
     * `"summary"`, or an `"excerpt"`. With it come the rules of the untrusted-data markers and of the tools, where `system` does not hold them already.
     */
    promptDocument?: "none" | "summary" | "excerpt";
    /** How many bytes that part has at most: 8192 where nothing is said, 1024 and more. */
    promptDocumentBytes?: number;
    /** Keeps snapshots. */
    storage?: SessionStorage;
    /** A snapshot to go on from; before what `storage` holds. */
    snapshot?: string;
    /**
     * The conversation's name; made where nothing is said. No two conversations may have the same: turn ids, effect ids and the idempotency keys of
     * what leaves the page are made from it, and a server that has seen a key takes the call for the one it did. It stays the same only for a conversation
     * that is restored from its snapshot.
     */
    conversationId?: string;
    /** The host's fetch. */
    fetch?: typeof fetch;
    /** The host's clock, epoch milliseconds. */
    now?: () => number;
    /** What a token costs. */
    prices?: Prices;
    /** The model's window; what the provider knows of its model where nothing is said. */
    maxInputTokens?: number;
    /** Keeps everything that goes into the conversation, for `session.recording()`. */
    recordInputs?: boolean;
    /** How long a provider may stay silent, in milliseconds; 300 000 where nothing is said. */
    silenceTimeoutMs?: number;
    /**
     * Told what a tool threw, for the operator: of it the model, the view and snapshots hold at most a `ToolError`'s message. The call's
     * id ties the two together. Without it the page's error reporting (`reportError`, or the console) is told.
     */
    onToolError?: (callId: string, error: unknown) => void;
    /**
     * Told of every change of the document but the host's own `store.edit`: commits of turns, undo and redo. For a store of the host's own
     * that follows the document by patches; of several sessions over one document give it to one.
     */
    onCommit?: (change: DocumentChange) => void;
    /** Told of every update as it comes, each text delta among them, before subscribers are told. */
    onUpdates?: (updates: readonly Update[]) => void;
}
/** Refuses an option that does not exist: one that is meant to hold something back must not be passed over in silence. */
export declare function requireKnownOptions(options: SessionOptions): void;
/** Whether a decision was taken, and why not. */
export type Decision = {
    readonly ok: true;
} | {
    readonly ok: false;
    readonly reason: RefusalReason;
    readonly detail?: string;
};
/** What became of a decision about several calls. */
export interface BatchDecision {
    /** Whether every call of the list was approved, and there was one. */
    readonly ok: boolean;
    /** The first reason where it was not. */
    readonly reason?: RefusalReason;
    /** The calls that were approved. */
    readonly approved: readonly string[];
    /** The calls that were not, and why. */
    readonly refused: readonly {
        readonly callId: string;
        readonly reason: RefusalReason;
    }[];
}
/** Whether the turn was taken back, and why not. */
export type UndoResult = {
    readonly ok: true;
} | {
    readonly ok: false;
    readonly reason: RefusalReason | "already_undone" | "superseded";
};
