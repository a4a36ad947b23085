// The open board as the page sees it. Enters: the store, and changes as drafts. Leaves: the board after every change,
// what undo and redo would do, and sentences for what was done.

import type { DocumentStore, Json } from "countersign";

import { strings } from "../strings.ts";
import { fill } from "../words.ts";
import { Draft } from "./draft.ts";
import type { Board } from "./model.ts";
import { soon } from "./soon.ts";

/** Says a sentence to everyone. */
export interface Voice {
  /** For screen readers alone. */
  say(sentence: string): void;
  /** A short note on screen as well. */
  note(sentence: string, action?: { readonly label: string; run(): void }): void;
}

/** One open board. */
export class Desk {
  /** The board; parts that did not change are the same objects. */
  board: Board = $state.raw(EMPTY);
  /** What undo would take back. */
  undoLabel: string | undefined = $state();
  /** What redo would bring back. */
  redoLabel: string | undefined = $state();
  // the store tells what can be taken back, not what was taken back
  #undone: string[] = [];
  #isBehind = false;

  /** Follows `store`. */
  constructor(
    readonly store: DocumentStore,
    readonly voice: Voice,
  ) {
    this.board = store.read() as unknown as Board;
    this.#tell();
    store.onChange(({ source }) => {
      if (source === "undo") this.#undone.push(this.undoLabel ?? "");
      else if (source === "redo") this.#undone.pop();
      else this.#undone = [];
      this.#tell();
      if (source !== "turn") this.#catchUp();
      // a turn may make many steps at once: they are drawn together
      else if (!this.#isBehind) soon(() => this.#catchUp());
      this.#isBehind = source === "turn";
    });
  }

  /** The board as it stands in the store, which a turn that is carried out may have brought further than what is drawn. */
  get newest(): Board {
    return this.store.read() as unknown as Board;
  }

  /** Makes one change, as one step; gives what `change` gave, or nothing where the board refuses it. */
  edit<T>(label: string, change: (draft: Draft) => T): T | undefined {
    const draft = new Draft(this.newest);
    const made = change(draft);
    if (draft.patch.length === 0) return made;
    const outcome = this.store.edit(draft.patch, label);
    if (outcome.status !== "refused") return made;
    this.voice.note(fill(strings.refused, { why: outcome.result.split("\n")[0] ?? "" }));
    return undefined;
  }

  /** Takes the newest step back, whoever made it. */
  undo(): void {
    const label = this.undoLabel;
    if (label !== undefined && this.store.undo().status === "committed") this.voice.say(fill(strings.undone, { label }));
  }

  /** Brings the step taken back last back again. */
  redo(): void {
    const label = this.redoLabel;
    if (label !== undefined && this.store.redo().status === "committed") this.voice.say(fill(strings.redone, { label }));
  }

  /** Another board in place of this one, as one step. */
  replace(board: Board, label: string): void {
    this.store.edit(board as unknown as Json, label);
  }

  #catchUp(): void {
    this.#isBehind = false;
    this.board = this.newest;
  }

  #tell(): void {
    const last = this.store.history().at(-1);
    this.undoLabel = last === undefined ? undefined : last.source === "turn" ? strings.assistantStep : last.label;
    this.redoLabel = this.#undone.at(-1);
  }
}

const EMPTY: Board = { title: "", lanes: [], people: [], labels: [], cards: [] };
