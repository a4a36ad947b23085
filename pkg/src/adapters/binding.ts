/** Keeps an editor's own state and a document store in step: each side is told only what the other changed, and nobody's change comes back to them. */

import { reportLater } from "../error.js";
import { ID_KEYS } from "../handle.js";
import type { DocumentChange, DocumentStore } from "../store.js";
import type { Json, JsonPatch } from "../types.js";
import { diff, kept, merged, patched, same } from "./changes.js";

/** What every adapter can be told. */
export interface BindOptions {
  /** Whose document counts where they differ at first: the editor's where nothing is said. */
  initial?: "editor" | "store";
  /** What an edit of the editor is called in the history; `remote` is one that somebody else made in a shared document. */
  label?: string | ((edit: { readonly patch: JsonPatch; readonly remote: boolean }) => string);
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

// an editor that changes what it is given settles after this many rounds, or not at all
const ROUNDS = 10;
// a patch of more operations says no less than the document
const PATCHED = 500;

/** Keeps both in step until it is disposed of. */
export function bind(store: DocumentStore, editor: EditorSide, options: BindOptions = {}): Binding {
  return new Bound(store, editor, options);
}

class Bound implements Binding {
  readonly #store: DocumentStore;
  readonly #editor: EditorSide;
  readonly #options: BindOptions;
  readonly #keys: readonly string[];
  readonly #stops: (() => void)[];
  // the store's document as it was told last, made of the editor's own values wherever they say the same
  #image: unknown;
  #revision: number;
  // the image that the editor has
  #taken: unknown;
  #why: Omit<Written, "patch"> = {};
  #remote = false;
  #held: readonly string[] = [];
  #busy = false;
  #again = false;
  #disposed = false;

  constructor(store: DocumentStore, editor: EditorSide, options: BindOptions) {
    this.#store = store;
    this.#editor = editor;
    this.#options = options;
    this.#keys = store[ID_KEYS];
    const now = editor.read();
    this.#revision = store.revision;
    this.#image = kept(now, store.read(), this.#keys);
    this.#taken = options.initial === "store" ? now : this.#image;
    this.#stops = [store.onChange((change) => this.#told(change)), editor.listen((remote) => this.#edited(remote))];
    this.changed();
  }

  get held(): readonly string[] {
    return this.#held;
  }

  changed(): void {
    this.#edited(false);
  }

  dispose(): void {
    this.#disposed = true;
    for (const stop of this.#stops.splice(0)) stop();
  }

  #told(change: DocumentChange): void {
    // made before this binding was, and told after
    if (this.#disposed || change.revision <= this.#revision) return;
    this.#revision = change.revision;
    this.#image = patched(this.#image, change.patch, this.#keys);
    this.#why = { source: change.source, ...(change.turnId === undefined ? {} : { turnId: change.turnId }) };
    this.#settle();
  }

  #edited(remote: boolean): void {
    if (this.#disposed) return;
    this.#remote ||= remote;
    this.#settle();
  }

  // what either side does in answer to the other is looked at once this is through
  #settle(): void {
    this.#again = true;
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let round = 0; this.#again && !this.#disposed; round += 1) {
        if (round === ROUNDS) return this.#hold(["the editor's state is never what it was given: it changes each change of the document"]);
        this.#again = false;
        this.#step();
      }
    } catch (error) {
      this.#hold([messageOf(error)]);
    } finally {
      this.#busy = false;
    }
  }

  #step(): void {
    const now = this.#editor.read();
    const mine = this.#taken === this.#image ? now : this.#take(now);
    // what is not told yet is told soon, and then this goes on
    if (mine === undefined || this.#store.revision !== this.#revision) return;
    const patch = diff(this.#image, mine, this.#keys);
    if (patch.length === 0) {
      this.#image = this.#taken = mine;
      this.#remote = false;
      return this.#hold([]);
    }
    const { label = "Edited" } = this.#options;
    const said = typeof label === "function" ? label({ patch, remote: this.#remote }) : label;
    const outcome = this.#store.edit(patch.length > PATCHED ? (mine as Json) : patch, said);
    if (outcome.status === "refused") return this.#hold(linesOf(outcome.result));
    this.#remote = false;
    if (outcome.status === "committed") return;
    // the store has it already, only written out: the editor is given that
    this.#why = {};
    this.#taken = mine;
    this.#again = true;
  }

  /** Brings to the editor what the store did; gives what the editor has then, or nothing where it did not take it. */
  #take(now: unknown): unknown {
    const next = this.#nextOf(now);
    if (next === now) return this.#agree(now);
    const keys = this.#keys;
    const why: Written = {
      ...this.#why,
      get patch() {
        return diff(now, next, keys);
      },
    };
    try {
      this.#editor.write(next, now, why);
    } catch (error) {
      reportLater(error);
    }
    const after = this.#editor.read();
    if (after === now || (after !== next && same(after, now))) {
      this.#hold(["the editor's state did not take a change of the document"]);
      return undefined;
    }
    return this.#agree(after);
  }

  /** The editor has what the store did; of values that say the same the editor's are kept. */
  #agree(now: unknown): unknown {
    this.#image = this.#taken = same(now, this.#image) ? now : kept(now, this.#image, this.#keys);
    return now;
  }

  /** What the editor is to have: what it has where nothing is to change. */
  #nextOf(now: unknown): unknown {
    if (now === this.#taken) return this.#image;
    // the store tells an edit that came from here
    if (same(now, this.#image)) return now;
    return same(now, this.#taken) ? kept(now, this.#image, this.#keys) : merged(this.#taken, this.#image, now, this.#keys);
  }

  #hold(issues: readonly string[]): void {
    if (this.#disposed || (issues.length === this.#held.length && issues.every((line, at) => line === this.#held[at]))) return;
    this.#held = Object.freeze([...issues]);
    try {
      this.#options.onHeld?.(this.#held);
    } catch (error) {
      reportLater(error);
    }
  }
}

// the first of several lines only says that the others follow
function linesOf(result: string): string[] {
  const lines = result.split("\n");
  return lines.length > 1 ? lines.slice(1) : lines;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
