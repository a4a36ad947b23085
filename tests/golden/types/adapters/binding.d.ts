/** Keeps an editor's own state and a document store in step: each side is told only what the other changed, and nobody's change comes back to them. */
import type { DocumentChange, DocumentStore } from "../store.js";
import type { JsonPatch } from "../types.js";
/** What every adapter can be told. */
export interface BindOptions {
    /** Whose document counts where they differ at first: the editor's where nothing is said. */
    initial?: "editor" | "store";
    /** What an edit of the editor is called in the history; `remote` is one that somebody else made in a shared document. */
    label?: string | ((edit: {
        readonly patch: JsonPatch;
        readonly remote: boolean;
    }) => string);
    /** Told when edits begin to be held, why, and with an empty list that nothing is held any more. */
    onHeld?: (issues: readonly string[]) => void;
}
/** An editor's state and a document store that are kept in step. */
export interface Binding {
    /**
     * Why the editor's edits do not reach the store, one line each; empty while both are in step. What is held stays in the editor as it is,
     * and goes to the store as soon as the document is one that the store takes.
     */
    readonly held: readonly string[];
    /** Looks at the editor's state: for editors whose state cannot be subscribed to. */
    changed(): void;
    /** Lets go of both sides. */
    dispose(): void;
}
/** What caused that the editor's state is written to. */
export interface Written {
    /** What changes in the editor's document. */
    readonly patch: JsonPatch;
    /** Who changed the store's document; nothing where the store only fills in what an edit left out. */
    readonly source?: DocumentChange["source"];
    /** The turn that made the change, or whose step was taken back or made again. */
    readonly turnId?: string;
}
/** The editor's side of a binding. */
export interface EditorSide {
    /** The document as the editor has it: another value wherever it changed. Throws what cannot be read. */
    read(): unknown;
    /** Takes `next`, which shares with `now` what stays. */
    write(next: unknown, now: unknown, why: Written): void;
    /** Tells of changes; returns how to stop. */
    listen(changed: (remote: boolean) => void): () => void;
}
/** Keeps both in step until it is disposed of. */
export declare function bind(store: DocumentStore, editor: EditorSide, options?: BindOptions): Binding;
