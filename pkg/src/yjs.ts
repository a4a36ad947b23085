/** `countersign/yjs`: a shared Yjs document kept in step with a document store. Imports no wasm, and Yjs for its types alone. */

import type * as Yjs from "yjs";

import { bind, type Binding, type BindOptions } from "./adapters/binding.js";
import { type Shape, SharedReader, SharedWriter, type SharedType, type YjsClasses } from "./adapters/shared_types.js";
import { CountersignError } from "./error.js";
import { ID_KEYS } from "./handle.js";
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
export function bindYjs(store: DocumentStore, root: Yjs.Map<unknown>, { Y, origin = Symbol("countersign"), shape = () => undefined, ...options }: BindYjsOptions): YjsBinding {
  if (typeof (Y as YjsClasses | undefined)?.Map !== "function") {
    throw new CountersignError("invalid_options", "is not Yjs", { path: "Y", expected: "`import * as Y from \"yjs\"`" });
  }
  const doc = root instanceof Y.Map ? root.doc : null;
  if (doc === null) {
    throw new CountersignError("invalid_options", "is no map of a document made by this Yjs", { path: "root", expected: "`doc.getMap(name)`, and the `Y` that made `doc`" });
  }
  if (root.size === 0 && options.initial !== "store") {
    throw new CountersignError("invalid_options", "is empty", { path: "root", expected: "a document that was loaded, or `initial: \"store\"` to fill it from the store" });
  }
  const reader = new SharedReader(Y);
  const writer = new SharedWriter(Y, store[ID_KEYS], shape);
  // between its first change and its observers a transaction has told nobody of what it did
  let untold = 0;
  const opened = (): void => void (untold += 1);
  const told = (): void => void (untold = Math.max(0, untold - 1));
  doc.on("beforeTransaction", opened);
  doc.on("beforeObserverCalls", told);
  const binding = bind(
    store,
    {
      read: () => (untold > 0 ? reader.readAnew(root) : reader.read(root)),
      write: (next, now) => doc.transact(() => writer.map(root, now as Record<string, unknown>, next as Record<string, unknown>, []), origin),
      listen: (changed) => {
        const observer: Parameters<typeof root.observeDeep>[0] = (events, transaction) => {
          for (const { target } of events) reader.forget(target as SharedType);
          changed(!transaction.local);
        };
        root.observeDeep(observer);
        return () => {
          root.unobserveDeep(observer);
          doc.off("beforeTransaction", opened);
          doc.off("beforeObserverCalls", told);
        };
      },
    },
    options,
  );
  return {
    origin,
    get held() {
      return binding.held;
    },
    changed: () => binding.changed(),
    dispose: () => binding.dispose(),
  };
}
