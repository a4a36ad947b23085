// Says things to screen readers, politely and once, and shows short passing notes to everyone.

import type { Voice } from "../document/desk.svelte.ts";

const SHOWN_MS = 7000;
const TOGETHER_MS = 80;

/** A note on screen, with one thing to do about it. */
export interface Note {
  readonly sentence: string;
  readonly action?: { readonly label: string; run(): void } | undefined;
}

/** The page's voice. */
export class PageVoice implements Voice {
  /** What the live region says. */
  said = $state("");
  /** What the live region says at once, for what the person is doing with the keyboard. */
  now = $state("");
  /** The note on screen. */
  noted: Note | undefined = $state.raw();
  #queue: string[] = [];
  #hide: ReturnType<typeof setTimeout> | undefined;

  /** Says a sentence; several in one moment are said together. */
  say(sentence: string): void {
    this.#queue.push(sentence);
    if (this.#queue.length > 1) return;
    setTimeout(() => {
      const text = this.#queue.join(". ");
      // the same sentence twice is a change only if it is another text
      this.said = text === this.said ? `${text}\u00a0` : text;
      this.#queue = [];
    }, TOGETHER_MS);
  }

  /** Says at once where something stands while it is carried. */
  sayNow(sentence: string): void {
    this.now = sentence === this.now ? `${sentence}\u00a0` : sentence;
  }

  /** Shows a note, and says it. */
  note(sentence: string, action?: Note["action"]): void {
    this.say(sentence);
    this.noted = { sentence, action };
    clearTimeout(this.#hide);
    this.#hide = setTimeout(() => this.withdraw(), SHOWN_MS);
  }

  /** Does what the note offers, and takes it away. */
  act(): void {
    const action = this.noted?.action;
    this.withdraw();
    action?.run();
  }

  /** Takes the note away. */
  withdraw(): void {
    this.noted = undefined;
    clearTimeout(this.#hide);
  }
}
