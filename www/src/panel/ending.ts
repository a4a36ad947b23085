// How a turn ended: a notice, an error with what to do next, and the receipt with its undo. Enters: the turn's
// records and how it settled. Leaves: undo and retry. The receipt is counted, never quoted from the model.

import type { SessionView } from "countersign/threat-model";

import { attr, h, words } from "../dom.ts";
import { icon } from "../icons.ts";
import { strings } from "../strings/assistant.ts";
import { shown } from "../text.ts";
import type { Turn, TurnEnd } from "./conversation.ts";
import { receipt } from "./words.ts";

/** What an ending asks of the panel. */
export interface EndingHost {
  undo(): void;
  retry(text: string): void;
}

/** Whether this turn can be taken back, and why not. */
export type UndoState = SessionView["undo"] | "older";

/** The last lines of one turn. */
export class Ending {
  readonly root = h("div", { class: "ending" });
  readonly #notice = h("p", { class: "ending-note", hidden: true });
  readonly #error = h("div", { class: "ending-error", hidden: true });
  readonly #errorText = h("p", {});
  readonly #retry: HTMLButtonElement;
  readonly #receipt = h("div", { class: "receipt", hidden: true });
  readonly #receiptMark = icon("check");
  readonly #receiptText = h("span", { class: "receipt-text" });
  readonly #undo: HTMLButtonElement;
  #asked = "";

  constructor(host: EndingHost) {
    this.#retry = h("button", { class: "button quiet", type: "button", onclick: () => host.retry(this.#asked) }, strings.receipt.retry);
    this.#undo = h("button", { class: "button quiet undo-turn", type: "button", "data-key": strings.keys.undoTurn, onclick: () => {
      if (this.#undo.getAttribute("aria-disabled") !== "true") host.undo();
    } }, icon("undo"), strings.receipt.undo);
    this.#error.append(icon("warning"), this.#errorText, this.#retry);
    this.#receipt.append(this.#receiptMark, this.#receiptText, this.#undo);
    this.root.append(this.#notice, this.#error, this.#receipt);
  }

  /** Redraws; a turn that still runs has no ending. */
  update(turn: Turn, undo: UndoState): void {
    this.root.hidden = turn.end === undefined;
    if (turn.end === undefined) return;
    this.#asked = turn.asked;
    const note = noteOf(turn.end);
    this.#notice.hidden = note === undefined;
    if (note !== undefined && this.#notice.textContent !== note) this.#notice.replaceChildren(icon("info"), h("span", {}, note));
    const error = turn.end.error;
    this.#error.hidden = error === null || turn.end.outcome !== "failed";
    if (error !== null) {
      words(this.#errorText, errorWords(error));
      this.#retry.hidden = !turn.isLast || !mayRetry(error);
    }
    this.#drawReceipt(turn, undo);
  }

  #drawReceipt(turn: Turn, undo: UndoState): void {
    const { applied, text } = receipt(turn.calls);
    this.#receipt.hidden = text === "";
    words(this.#receiptText, text);
    attr(this.#receiptMark, "display", applied > 0 ? null : "none");
    this.#undo.hidden = applied === 0;
    const reason = { undoable: undefined, already_undone: strings.receipt.alreadyUndone, superseded: strings.receipt.superseded, older: strings.receipt.older }[undo];
    attr(this.#undo, "aria-disabled", reason === undefined ? null : "true");
    attr(this.#undo, "data-tip", reason ?? strings.receipt.undoTip);
    attr(this.#undo, "aria-description", reason ?? null);
  }
}

/** The error in a person's words, with what to do next. */
export function errorWords(error: NonNullable<TurnEnd["error"]>): string {
  const words = strings.errors;
  if (error.status === 401) return words["refused_key"] ?? error.message;
  if (error.status === 403) return words["forbidden"] ?? error.message;
  return words[error.code] ?? words["other"] ?? error.message;
}

function mayRetry(error: NonNullable<TurnEnd["error"]>): boolean {
  if (error.status !== undefined && error.status >= 400 && error.status < 500 && error.status !== 429 && error.status !== 408) return false;
  return !["unsupported_capability", "no_api_key", "context_overflow", "cancelled"].includes(error.code);
}

// the core writes notices without a capital and a stop, so that hosts can put them anywhere
function sentence(notice: string): string {
  return `${notice.charAt(0).toLocaleUpperCase()}${notice.slice(1)}${/[.?]$/.test(notice) ? "" : "."}`;
}

function noteOf(end: TurnEnd): string | undefined {
  if (end.superseded) return strings.receipt.stoppedBySend;
  if (end.outcome === "cancelled") return strings.receipt.stopped;
  return end.notice === null ? undefined : sentence(shown(end.notice));
}
