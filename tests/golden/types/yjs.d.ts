/** `countersign/yjs`: a shared Yjs document kept in step with a document store. Imports no wasm, and Yjs for its types alone. */
import type * as Yjs from "yjs";
import { type Binding, type BindOptions } from "./adapters/binding.js";
import { type Shape, type YjsClasses } from "./adapters/shared_types.js";
import type { DocumentStore } from "./store.js";
export type { Binding, BindOptions, Written } from "./adapters/binding.js";
export type { Shape, YjsClasses } from "./adapters/shared_types.js";
/** How a Yjs document is bound. */
export interface BindYjsOptions extends BindOptions {
    /** The Yjs that made the document: `import * as Y from "yjs"`. */
    Y: YjsClasses;
    /** The origin of the transactions that changes of the store are written in; this module's own where nothing is said. */
    origin?: unknown;
    /**
     * How a value that is new is held: asked for every part of it, with the names that lead to it (places of lists left out). Where it gives nothing,
     * objects become a `Y.Map`, lists a `Y.Array`, and everything else stays as it is.
     */
    shape?: Shape;
}
/** A Yjs document and a store that are kept in step. */
export interface YjsBinding extends Binding {
    /** The origin of the transactions written here, for `trackedOrigins` of a `Y.UndoManager` or for filters. */
    readonly origin: unknown;
}
/**
 * Keeps `root`, a map of a Yjs document, in step with a store. Sections are lists of maps in it. What a turn changes is written in one transaction for
 * each commit, member by member; what others change comes into the store as an edit of the person's side, so that a turn sees it and undoing a turn never
 * takes it back. Bind once the document is loaded: one that is empty is refused, unless `initial: "store"` says to fill it.
 */
export declare function bindYjs(store: DocumentStore, root: Yjs.Map<unknown>, { Y, origin, shape, ...options }: BindYjsOptions): YjsBinding;
