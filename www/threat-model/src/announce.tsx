// Says things to screen readers, politely and once, and shows short passing notes to everyone.
// Enters: sentences. Leaves: a live region and one note.

import type { ReactNode } from "react";

import { Cell, useCell } from "./cell.ts";

const SHOWN_MS = 7000;
const TOGETHER_MS = 120;

/** A short passing note, with one thing to do about it. */
interface Note {
  readonly sentence: string;
  readonly action: { label: string; run: () => void } | undefined;
}

/** Speaks and shows notes. */
export class Announcer {
  /** What the live region says. */
  readonly said = new Cell("");
  /** The note on screen. */
  readonly noted = new Cell<Note | undefined>(undefined);
  #queue: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Says a sentence; several in one moment are said together. */
  say(sentence: string): void {
    this.#queue.push(sentence);
    if (this.#queue.length > 1) return;
    setTimeout(() => {
      this.said.set(this.#queue.join(". "));
      this.#queue = [];
    }, TOGETHER_MS);
  }

  /** Takes a note away whose act no longer fits, because something else happened meanwhile. */
  withdraw(): void {
    if (this.noted.value?.action !== undefined) this.noted.set(undefined);
  }

  /** Shows a note for a few seconds, with one thing to do about it. */
  note(sentence: string, action?: { label: string; run: () => void }): void {
    clearTimeout(this.#timer);
    this.noted.set({ sentence, action });
    this.say(sentence);
    this.#timer = setTimeout(() => this.noted.set(undefined), SHOWN_MS);
  }
}

/** Where the page shows what is announced. */
export function Notes({ announcer }: { announcer: Announcer }): ReactNode {
  const said = useCell(announcer.said);
  const note = useCell(announcer.noted);
  const act = () => {
    announcer.noted.set(undefined);
    note?.action?.run();
  };
  return (
    <div className="notes">
      <div className="sr" role="status" aria-live="polite" aria-atomic="true">{said}</div>
      {note !== undefined && (
        <div className="note">
          <span dir="auto">{note.sentence}</span>
          {note.action !== undefined && <button className="button quiet" type="button" onClick={act}>{note.action.label}</button>}
        </div>
      )}
    </div>
  );
}
