/** Where the person writes. Enters: the phase. Leaves: a message, or a stop; one main button at a time. */

import type { TurnPhase } from "#engine/types";
import type { SessionView } from "../session/view.js";
import { SessionElement } from "./base.js";
import { attribute, focused, h, hide, icon } from "./dom.js";
import { clip } from "./text.js";
import { say } from "./words.js";

const TALLEST = 160;

/** `<countersign-composer>`. */
export class ComposerElement extends SessionElement {
  /** @internal */
  static readonly observedAttributes = ["placeholder", "disabled"];

  readonly #root = this.root();
  readonly #input = h("textarea", { class: "composer-input", part: "input", rows: 1, dir: "auto" });
  readonly #send = h("button", { type: "button", class: "button primary round", part: "button send primary", onclick: () => this.submit() });
  readonly #stop = h("button", { type: "button", class: "button round", part: "button stop", hidden: true, onclick: () => this.#cancel() });
  readonly #hint = h("p", { class: "hint", part: "hint", role: "status" });
  #problem = "";

  constructor() {
    super();
    this.#root.append(h("div", { class: "composer", part: "composer" }, this.#hint, h("div", { class: "composer-box", part: "box" }, this.#input, this.#send, this.#stop)));
    this.#input.addEventListener("input", () => this.#typed());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
  }

  /** What is written. */
  get value(): string {
    return this.#input.value;
  }

  set value(text: string) {
    this.#input.value = text;
    this.#typed();
  }

  /** Whether nothing can be sent; the attribute's text, where it has one, says why. */
  get disabled(): boolean {
    return this.hasAttribute("disabled");
  }

  set disabled(isDisabled: boolean | string) {
    attribute(this, "disabled", isDisabled);
  }

  /** Puts the cursor where the person writes. */
  override focus(options?: FocusOptions): void {
    this.#input.focus(options);
  }

  /** Sends what is written, where that can be done now. */
  submit(): void {
    const text = this.#input.value.trim();
    const { session } = this;
    if (text === "" || session === null || this.#why() !== undefined || this.#runs(session.view.phase)) return;
    const isOurs = this.dispatchEvent(new CustomEvent("countersign-send", { bubbles: true, composed: true, cancelable: true, detail: { text } }));
    this.value = "";
    if (!isOurs) return;
    session.send(text).catch((error: unknown) => this.#failed(text, error));
    this.flush();
  }

  /** @internal */
  attributeChangedCallback(): void {
    if (this.isConnected) this.flush();
  }

  protected override properties(): readonly string[] {
    return [...super.properties(), "value", "disabled"];
  }

  protected override draw(view: SessionView | undefined): void {
    const { composer: words } = this.words;
    const why = this.#why();
    const hasText = this.#input.value.trim() !== "";
    const isWaiting = view?.phase === "awaiting_approval";
    // while changes wait, a written message is the one main action and sets them aside; otherwise stopping is
    const stops = view !== undefined && (this.#runs(view.phase) || (isWaiting && !hasText));
    const at = focused();
    const lost = (stops && at === this.#send) || (!stops && at === this.#stop);
    hide(this.#send, stops);
    hide(this.#stop, !stops);
    if (lost) this.#input.focus({ preventScroll: true });
    label(this.#send, "send", words.send);
    label(this.#stop, "stop", words.stop);
    attribute(this.#send, "aria-disabled", (why !== undefined || !hasText) && "true");
    attribute(this.#send, "title", why ?? (hasText ? words.sendHint : words.empty));
    attribute(this.#stop, "title", words.stopHint);
    attribute(this.#input, "aria-label", words.label);
    attribute(this.#input, "placeholder", this.getAttribute("placeholder") ?? words.placeholder);
    attribute(this.#input, "aria-description", why);
    this.#input.disabled = this.disabled;
    const hint = why ?? (this.#problem !== "" ? this.#problem : isWaiting && hasText ? words.supersedes : "");
    if (this.#hint.textContent !== hint) this.#hint.textContent = hint;
    hide(this.#hint, hint === "");
  }

  #why(): string | undefined {
    const { composer: words } = this.words;
    if (this.disabled) return this.getAttribute("disabled") || words.disabled;
    return this.session === null ? words.noSession : undefined;
  }

  #runs(phase: TurnPhase): boolean {
    return phase === "requesting" || phase === "streaming" || phase === "executing";
  }

  #typed(): void {
    this.#problem = "";
    // as tall as what is written, up to a few lines
    this.#input.style.height = "";
    if (this.#input.value !== "") this.#input.style.height = `${Math.min(this.#input.scrollHeight + 2, TALLEST)}px`;
    if (this.isConnected) this.flush();
  }

  #key(event: KeyboardEvent): void {
    // while a word is being composed, Enter takes the word (keyCode 229 is how some browsers say so)
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    this.submit();
  }

  #cancel(): void {
    this.session?.cancel();
    this.flush();
    this.#input.focus({ preventScroll: true });
  }

  // what could not be sent stands where it was written, unless something else does by now
  #failed(text: string, error: unknown): void {
    if (this.#input.value === "") this.value = text;
    this.#problem = say(this.words.composer.failed, { why: clip(error instanceof Error ? error.message : String(error), 200) });
    this.flush();
  }
}

function label(button: HTMLElement, sign: "send" | "stop", word: string): void {
  if (button.dataset["word"] === word) return;
  button.dataset["word"] = word;
  button.replaceChildren(icon(sign), h("span", { class: sign === "send" ? "sr" : undefined }, word));
}
