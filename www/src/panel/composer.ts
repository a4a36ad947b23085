// Where the person writes. Enters: the phase. Leaves: a message to send, or a stop; one main button at a time.

import { attr, h, words } from "../dom.ts";
import { icon } from "../icons.ts";
import { strings } from "../strings/assistant.ts";

/** What the composer asks of the panel. */
export interface ComposerHost {
  send(text: string): void;
  stop(): void;
}

/** What the composer has to know of the turn. */
export type ComposerState = "ready" | "running" | "waiting";

/** The foot of the panel. */
export class Composer {
  readonly root: HTMLElement;
  readonly #input: HTMLTextAreaElement;
  readonly #send: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  readonly #hint = h("p", { class: "composer-hint", hidden: true }, strings.composer.supersedes);
  readonly #chips: HTMLElement;
  #state: ComposerState = "ready";

  constructor(private readonly host: ComposerHost) {
    this.#input = h("textarea", { class: "composer-input", rows: 1, dir: "auto", "aria-label": strings.composer.label, placeholder: strings.composer.placeholder });
    this.#send = h("button", { class: "round primary", type: "button", "aria-label": strings.composer.send, "data-key": strings.keys.send, onclick: () => this.#submit() }, icon("send"));
    this.#stop = h("button", { class: "round", type: "button", "aria-label": strings.composer.stop, "data-tip": strings.composer.stopTip, hidden: true, onclick: () => this.host.stop() }, icon("stop"), h("span", {}, strings.composer.stop));
    this.#chips = h("div", { class: "chips", role: "group", "aria-label": strings.composer.chips }, ...strings.composer.starters.map((starter) => h("button", { class: "chip", type: "button", onclick: () => this.#start(starter.text) }, starter.label)));
    this.root = h("div", { class: "composer" }, this.#chips, this.#hint, h("div", { class: "composer-box" }, this.#input, this.#send, this.#stop));
    this.#input.addEventListener("input", () => this.#draw());
    this.#input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#submit();
    });
    this.#draw();
  }

  /** Follows the turn. */
  update(state: ComposerState): void {
    if (state === this.#state) return;
    const hadFocus = document.activeElement === this.#send || document.activeElement === this.#stop;
    this.#state = state;
    this.#draw();
    // the button that had the focus may be gone; the focus goes to where the person writes
    if (hadFocus && (document.activeElement === document.body || document.activeElement === null)) this.#input.focus();
  }

  /** Puts the cursor there. */
  focus(): void {
    this.#input.focus();
  }

  // as tall as what is written, up to a few lines
  #fit(): void {
    this.#input.style.height = "";
    if (this.#input.value !== "") this.#input.style.height = `${Math.min(this.#input.scrollHeight, 160)}px`;
  }

  #start(text: string): void {
    if (this.#state === "ready") this.host.send(text);
    this.#input.focus();
  }

  #submit(): void {
    const text = this.#input.value.trim();
    if (text === "" || this.#state === "running") return;
    this.#input.value = "";
    this.#draw();
    this.host.send(text);
  }

  #draw(): void {
    const written = this.#input.value.trim() !== "";
    // while changes wait, a written message is the one main action and sets them aside; otherwise stopping is
    const stops = this.#state === "running" || (this.#state === "waiting" && !written);
    const focused = document.activeElement;
    this.#stop.hidden = !stops;
    this.#send.hidden = stops;
    if (focused === this.#stop && !stops) this.#send.focus();
    attr(this.#send, "aria-disabled", written ? null : "true");
    attr(this.#send, "data-tip", written ? strings.composer.sendTip : strings.composer.emptyTip);
    this.#hint.hidden = !(this.#state === "waiting" && written);
    this.#chips.hidden = this.#state !== "ready" || written;
    this.#fit();
    words(this.#hint, strings.composer.supersedes);
  }
}
