// What must compile for a user, and what must not: an editor's own store.
import { createSession, type DocumentChange, type DocumentStore, type JsonPatch, type Provider } from "countersign";
import { applyPatch, bindObject, bindZustand, type Binding } from "countersign/adapters";
import * as threatModel from "countersign/threat-model";
import { bindYjs, type YjsBinding } from "countersign/yjs";
import * as Y from "yjs";
import { createStore } from "zustand/vanilla";

interface Board {
  readonly title: string;
  readonly cards: readonly { readonly id: string; readonly title: string }[];
}

declare const store: DocumentStore;
declare const provider: Provider;
declare let board: Board;

export const plain: Binding = bindObject(store, { get: () => board, set: (next) => void (board = next) });
export const told: Binding = bindObject<Board>(
  store,
  { get: () => board, set: (next, { patch, source, turnId }) => console.log(next.cards.length, patch.length, source === "undo", turnId), subscribe: () => () => undefined },
  { initial: "store", label: ({ remote, patch }) => `${remote} ${patch.length}`, onHeld: (issues) => console.log(issues.join()) },
);
// @ts-expect-error there are two sides
bindObject(store, { get: () => board, set: () => undefined }, { initial: "both" });
// @ts-expect-error an editor takes documents of its own kind
bindObject(store, { get: () => board, set: (next: string) => console.log(next) });
export const other: Binding = bindObject(new threatModel.DocumentStore("threat-model", {}), { get: () => board, set: () => undefined });

const zustand = createStore<{ board: Board; selection: string[]; clear(): void }>()((set) => ({ board, selection: [], clear: () => set({ selection: [] }) }));
export const bound: Binding = bindZustand(store, zustand, { select: (state) => state.board, merge: (document) => ({ board: document }), label: "Edit" });
// @ts-expect-error the document has a place in the state
bindZustand(store, zustand, { select: (state) => state.board, merge: (document) => ({ plan: document }) });

const doc = new Y.Doc();
export const shared: YjsBinding = bindYjs(store, doc.getMap("board"), { Y, shape: (value, path) => (path.at(-1) === "text" ? new Y.Text(String(value)) : undefined) });
export const manager = new Y.UndoManager(doc.getMap("board"), { trackedOrigins: new Set([shared.origin]) });
// @ts-expect-error the Yjs that made the document has to be given
bindYjs(store, doc.getMap("board"), {});
// @ts-expect-error a document is a map
bindYjs(store, doc.getArray("board"), { Y });

export function patched(patch: JsonPatch): Board {
  return applyPatch(board, patch);
}

export function open(): void {
  void createSession({ provider, document: store, promptDocument: "excerpt", promptDocumentBytes: 4096, onCommit: (change: DocumentChange) => void (board = applyPatch(board, change.patch)) });
  // @ts-expect-error no such part
  void createSession({ provider, document: store, promptDocument: "all" });
  const { held } = plain;
  // @ts-expect-error what is held is told, not written
  plain.held = [];
  console.log(held.length);
}
