// The two forms of a card: denying with a reason, and editing the input as JSON. Enters: the exact input and the
// tool's own objections. Leaves: a reason or a parsed input; what the tool objects to is shown, not sent.

import { h, words } from "../dom.ts";
import { strings } from "../strings/assistant.ts";
import { clip, say } from "../text.ts";

/** What the forms ask of their card. */
export interface FormHost {
  deny(reason: string): void;
  approve(input: unknown): void;
  issues(input: unknown): readonly string[];
  closed(): void;
}

/** The forms of one card; at most one is open. */
export class CardForms {
  readonly root = h("div", { class: "card-form", hidden: true });

  constructor(private readonly host: FormHost) {
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.isComposing) return;
      event.stopPropagation();
      this.close();
      this.host.closed();
    });
  }

  /** Whether one is open. */
  get isOpen(): boolean {
    return !this.root.hidden;
  }

  /** Asks why not. */
  reason(): void {
    const input = h("textarea", { class: "field", rows: 2, dir: "auto", maxlength: 500, placeholder: strings.card.reasonPlaceholder });
    const send = () => this.host.deny(input.value.trim());
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      send();
    });
    this.#show(strings.card.reasonLabel, input, [], h("button", { class: "button", type: "button", onclick: send }, strings.card.deny));
  }

  /** Lets the input be changed. */
  edit(text: string, destructive: boolean): void {
    const input = h("textarea", { class: "field code", rows: Math.min(14, text.split("\n").length + 1), spellcheck: "false", dir: "ltr" });
    input.value = text;
    const problems = h("ul", { class: "problems", role: "alert" });
    const check = (): { input: unknown } | undefined => {
      const read = parse(input.value);
      const found = "problem" in read ? [read.problem] : this.host.issues(read.input);
      problems.replaceChildren(...found.slice(0, 6).map((issue) => h("li", {}, clip(issue, 240))));
      return "problem" in read || found.length > 0 ? undefined : read;
    };
    let timer = 0;
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = window.setTimeout(check, 250);
    });
    const send = () => {
      const read = check();
      if (read !== undefined) this.host.approve(read.input);
    };
    const label = destructive ? strings.card.editDelete : strings.card.editApprove;
    this.#show(strings.card.editLabel, input, [problems], h("button", { class: destructive ? "button danger" : "button primary", type: "button", onclick: send }, label));
  }

  /** Closes what is open. */
  close(): void {
    this.root.hidden = true;
    this.root.replaceChildren();
  }

  #show(label: string, input: HTMLTextAreaElement, below: readonly HTMLElement[], action: HTMLButtonElement): void {
    const caption = h("span", { class: "form-label" });
    words(caption, label);
    const cancel = h("button", { class: "button quiet", type: "button", onclick: () => {
      this.close();
      this.host.closed();
    } }, strings.card.cancel);
    this.root.replaceChildren(h("label", {}, caption, input), ...below, h("div", { class: "card-actions" }, action, cancel));
    this.root.hidden = false;
    this.host.closed();
    input.focus();
  }
}

function parse(text: string): { input: unknown } | { problem: string } {
  try {
    const input: unknown = JSON.parse(text);
    return typeof input === "object" && input !== null && !Array.isArray(input) ? { input } : { problem: strings.card.notObject };
  } catch (error) {
    return { problem: say(strings.card.notJson, { why: error instanceof Error ? error.message : String(error) }) };
  }
}
