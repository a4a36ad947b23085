/** The document store as users see it: the document is read as one frozen value, changes are told to listeners once the core is done. */
/// <reference lib="esnext.disposable" preserve="true" />
import type { CommitOutcome, DocumentDefinition, HistoryEntry, Json, JsonPatch } from "./types.js";
/** One change of a document, as a listener is told of it. */
export interface DocumentChange {
    /** The revision after it. */
    readonly revision: number;
    /** What changed; frozen. */
    readonly patch: JsonPatch;
    /** Who changed it. */
    readonly source: "user" | "turn" | "undo" | "redo";
    /** The turn that made the change, or whose step was taken back or made again. */
    readonly turnId?: string;
}
/** How a store is kept. */
export interface DocumentStoreOptions {
    /** How many undo steps are kept; 20 where nothing is said. */
    history?: number;
    /** Marks a document that nobody minds losing. */
    sandbox?: boolean;
}
/** A document with revisions, one undo step per change, and rules that every change must keep. */
export declare class DocumentStore {
    #private;
    /**
     * Throws when the shape of `initial` cannot be read; a readable document with broken references is held and told by `issues()`.
     * A definition's `rules` is called at commits with the proposed document and may not call back in.
     */
    constructor(definition: "threat-model" | DocumentDefinition, initial: Json, options?: DocumentStoreOptions);
    /** What is wrong with the document as it is, one line each. */
    issues(): string[];
    /**
     * The document, defaults filled in: the same deeply frozen value while the revision stands. After a change of single
     * entities everything else in it is what it was, value for value.
     */
    read(): Json;
    /** Grows with every change, also with undo and redo. */
    get revision(): number;
    /** SHA-256 of the document's canonical JSON, computed when it is asked for. */
    get digest(): string;
    /**
     * The document's part of a system prompt as it is now: `"summary"` alone, or an `"excerpt"` with the first entities of every section. It is
     * bounded (8192 bytes where nothing is said, at least 1024), cleaned, between the untrusted-data markers, and says what it leaves out.
     */
    prompt(part: "summary" | "excerpt", maxBytes?: number): string;
    /** A user's own edit, the whole next document or a patch: its own undo step. */
    edit(next: Json | JsonPatch, label: string): CommitOutcome;
    /** Takes the newest step back. */
    undo(): CommitOutcome;
    /** Brings the step taken back last back again. */
    redo(): CommitOutcome;
    /** The steps that can be taken back, oldest first. */
    history(): HistoryEntry[];
    /** Tells `fn` of every change, once the call that made it is through the core; returns how to stop. */
    onChange(fn: (change: DocumentChange) => void): () => void;
    /** Gives the memory back; loops that use the document keep their own hold on it. */
    free(): void;
    /** The same as `free`, for `using`. */
    readonly [Symbol.dispose]: () => void;
}
