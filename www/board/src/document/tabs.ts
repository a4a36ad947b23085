// One board in several tabs: each has a store of its own, kept in step. Enters: changes of this tab's store, and what
// other tabs and the page's storage say. Leaves: the newest board, kept, and edits of the store.
//
// Every state has a stamp: a counter, and the tab that made it where counters are equal. The greater stamp wins in
// every tab, so all of them end with the same board whatever order they hear things in.

import { DocumentStore, type Json } from "countersign";

import { definition } from "./definition.ts";
import { soon } from "./soon.ts";

const KEPT = "countersign-board";

interface State {
  readonly count: number;
  readonly tab: string;
  readonly document: Json;
  readonly label: string;
}

/** Opens the board that is kept, or `first`, and keeps it in step with other tabs; `told` is called where another tab changed it. */
export function openBoard(first: Json, told: (label: string) => void): DocumentStore {
  const known = kept();
  const store = storeOf(known?.document) ?? new DocumentStore(definition, first);
  new Tabs(store, known, told);
  return store;
}

class Tabs {
  readonly #channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(KEPT);
  readonly #tab = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  #stamp: Pick<State, "count" | "tab">;
  #taking = false;
  #isUntold = false;

  constructor(
    readonly store: DocumentStore,
    known: State | undefined,
    readonly told: (label: string) => void,
  ) {
    this.#stamp = known ?? { count: 0, tab: "" };
    store.onChange(() => {
      if (this.#taking) return;
      this.#stamp = { count: this.#stamp.count + 1, tab: this.#tab };
      // a turn may make many steps at once: they are told together
      if (!this.#isUntold) soon(() => this.#say());
      this.#isUntold = true;
    });
    addEventListener("pagehide", () => this.#say());
    this.#channel?.addEventListener("message", ({ data }) => this.#take(asState(data)));
    // a tab that slept, or came back from the browser's own cache, heard nothing
    const wake = (): void => {
      if (document.visibilityState === "visible") this.#take(kept());
    };
    document.addEventListener("visibilitychange", wake);
    addEventListener("pageshow", wake);
  }

  #say(): void {
    if (!this.#isUntold) return;
    this.#isUntold = false;
    const { store } = this;
    const state: State = { ...this.#stamp, document: store.read(), label: store.history().at(-1)?.label ?? "" };
    keep(state);
    this.#channel?.postMessage(state);
  }

  #take(state: State | undefined): void {
    if (state === undefined || !isNewer(state, this.#stamp)) return;
    this.#stamp = { count: state.count, tab: state.tab };
    this.#isUntold = false;
    this.#taking = true;
    try {
      if (this.store.edit(state.document, state.label).status === "committed") this.told(state.label);
    } finally {
      this.#taking = false;
    }
    // of two tabs that changed it at once the older one may have been kept last
    keep(state);
  }
}

function isNewer(a: Pick<State, "count" | "tab">, b: Pick<State, "count" | "tab">): boolean {
  return a.count > b.count || (a.count === b.count && a.tab > b.tab);
}

function keep(state: State): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(state));
  } catch {
    // no storage, or none left: the board lasts as long as its tabs
  }
}

function kept(): State | undefined {
  try {
    return asState(JSON.parse(localStorage.getItem(KEPT) ?? "null"));
  } catch {
    return undefined;
  }
}

function asState(value: unknown): State | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { count, tab, document, label } = value as Partial<Record<keyof State, unknown>>;
  if (!Number.isSafeInteger(count) || typeof tab !== "string" || typeof label !== "string" || document === undefined) return undefined;
  return { count: count as number, tab, document: document as Json, label };
}

// what is kept may be of another version of this page
function storeOf(document: Json | undefined): DocumentStore | undefined {
  if (document === undefined) return undefined;
  try {
    const store = new DocumentStore(definition, document);
    if (store.issues().length === 0) return store;
    store.free();
  } catch {
    // it cannot be read
  }
  return undefined;
}
