// Says things to screen readers, politely and once, and shows short passing notes to everyone.
// Enters: sentences. Leaves: two live regions and one note.

import { h, words } from "./dom.ts";

/** Speaks and shows notes. */
export class Announcer {
  readonly root: HTMLElement;
  readonly #live = h("div", { class: "sr", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  readonly #note = h("div", { class: "note", hidden: true });
  #timer = 0;
  #queue: string[] = [];

  constructor() {
    this.root = h("div", { class: "notes" }, this.#live, this.#note);
  }

  /** Says a sentence; several in one moment are said together. */
  say(sentence: string): void {
    this.#queue.push(sentence);
    if (this.#queue.length > 1) return;
    setTimeout(() => {
      words(this.#live, this.#queue.join(". "));
      this.#queue = [];
    }, 120);
  }

  /** Shows a note for a few seconds, with one thing to do about it. */
  note(sentence: string, action?: { label: string; run: () => void }): void {
    clearTimeout(this.#timer);
    const button = action && h("button", { class: "button quiet", type: "button", onclick: () => this.#hide(action.run) }, action.label);
    this.#note.replaceChildren(h("span", { dir: "auto" }, sentence), ...(button ? [button] : []));
    this.#note.hidden = false;
    this.say(sentence);
    this.#timer = window.setTimeout(() => this.#hide(), 6000);
  }

  #hide(then?: () => void): void {
    this.#note.hidden = true;
    then?.();
  }
}
