/** `countersign/adapters`: an editor's own store kept in step with a document store. Imports no wasm and no framework. */
import { type Binding, type BindOptions, type Written } from "./adapters/binding.js";
import type { DocumentStore } from "./store.js";
import type { JsonPatch } from "./types.js";
export type { Binding, BindOptions, Written } from "./adapters/binding.js";
/** Where an editor keeps its document: a value that is replaced, never changed in place. */
export interface ObjectTarget<T> {
    /** The document as it is now. */
    get(): T;
    /** Takes the next one; `get` gives it from then on. `why.patch` is what changed, for reducers that want no more. */
    set(next: T, why: Written): void;
    /** Tells of changes. Without it call `changed()` of the binding after each edit. */
    subscribe?(listener: () => void): () => void;
}
/** The part of a Zustand store that is used. */
export interface ZustandTarget<S> {
    /** The state. */
    getState(): S;
    /** Merges a part into the state. */
    setState(part: Partial<S>): void;
    /** Tells of changes. */
    subscribe(listener: () => void): () => void;
}
/** Where in the state of a Zustand store the document is. */
export interface BindZustandOptions<S, T> extends BindOptions {
    /** The document in a state. */
    select(state: S): T;
    /** The part of the state that holds the document from now on. */
    merge(document: T, state: S): Partial<S>;
}
/**
 * Keeps a document that an editor holds as one immutable value in step with a store: changes of turns come as a new value that shares everything they
 * left alone, and edits go into the store as the person's own.
 */
export declare function bindObject<T>(store: DocumentStore, target: ObjectTarget<T>, options?: BindOptions): Binding;
/** The same for a document in a Zustand store. */
export declare function bindZustand<S, T>(store: DocumentStore, zustand: ZustandTarget<S>, { select, merge, ...options }: BindZustandOptions<S, T>): Binding;
/** The document after a patch, for editors that take `onCommit` themselves: everything that the patch does not name is shared with the one before. */
export declare function applyPatch<T>(document: T, patch: JsonPatch): T;
