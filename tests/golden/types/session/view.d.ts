/** The session's state as it is shown: updates in, an immutable view out in which parts that did not change keep their identity. */
import type { ToolLoop, UndoAvailability } from "../loop.js";
import type { CallRecord, Message, ProtocolError, TurnOutcome, TurnPhase, Update } from "../types.js";
/** How far a running call is. */
export interface ViewProgress {
    /** The call. */
    readonly callId: string;
    /** What it is at. */
    readonly label: string;
    /** 0 to 1. */
    readonly fraction?: number;
}
/** One change that was committed: told from the document's history, never from the model's words. */
export interface Receipt {
    /** The call. */
    readonly callId: string;
    /** Its tool. */
    readonly toolName: string;
    /** What headed its card: the title of its preview, or the line of its input. */
    readonly summary: string;
    /** Whether it was taken back since. */
    readonly undone: boolean;
}
/** What the current turn cost. */
export interface ViewUsage {
    /** Tokens read. */
    readonly inputTokens: number;
    /** Tokens written. */
    readonly outputTokens: number;
    /** Millionths of the host's currency, where prices were given. */
    readonly costMicros: number;
}
/** Everything there is to show, at one moment. */
export interface SessionView {
    /** Where the turn is. */
    readonly phase: TurnPhase;
    /** The conversation. */
    readonly messages: readonly Message[];
    /** Every call of the session, in the order they were opened. */
    readonly calls: readonly CallRecord[];
    /** The calls that wait for the person. */
    readonly pending: readonly CallRecord[];
    /** How the turn ended, once it did. */
    readonly outcome: TurnOutcome | null;
    /** What the person should know. */
    readonly notice: string | null;
    /** What failed. */
    readonly error: ProtocolError | null;
    /** What the turn cost so far. */
    readonly usage: ViewUsage;
    /** How far the running call is. */
    readonly progress: ViewProgress | null;
    /** Whether the newest turn that changed something can be taken back. */
    readonly undo: UndoAvailability;
    /** What was committed. */
    readonly receipts: readonly Receipt[];
    /** The document's revision; 0 without a document. */
    readonly documentRevision: number;
    /** The model's reasoning of the current turn: shown, not kept. */
    readonly reasoning: string;
}
/** Folds updates and builds views; a view is built when it is read, so that a delta costs one entry. */
export declare class ViewState {
    #private;
    /** Takes the loop's present state as the beginning. */
    constructor(loop: ToolLoop, revision: () => number, clean: (error: ProtocolError) => ProtocolError);
    /** Where the turn is. */
    get phase(): TurnPhase;
    /** The call as the core told it last. */
    call(callId: string): CallRecord | undefined;
    /** A new turn begins: what belonged to the last one alone is dropped. */
    begin(): void;
    /** Something outside the turn changed, the document for example. */
    touch(): void;
    /** Takes one update. */
    fold(update: Update): void;
    /** The view for somebody to look at: from here on its cards are what an approval can name. */
    handOut(): SessionView;
    /** These records were drawn: their cards are what an approval by id can name. What is none of this session's records is passed over. */
    saw(records: readonly CallRecord[]): void;
    /** What names the card of a record; for an id, the one that was shown last. Nothing where it had none. */
    shown(call: string | CallRecord): string | undefined;
    /** The calls that had a card among what was shown and wait still. */
    shownPending(): CallRecord[];
    /** The view: the same object while nothing changed. */
    build(): SessionView;
}
