/** How a turn ended: a notice, an error with what to do next, and the receipt with its undo. The receipt is counted, never quoted from the model. */

import type { ProtocolError } from "#engine/types";
import type { SessionView } from "../session/view.js";
import { foreign, h, icon } from "./dom.js";
import { receiptOf } from "./facts.js";
import { prose, sentence, visible } from "./text.js";
import { isSuperseded, type Turn, type TurnEnd } from "./turns.js";
import { say, wordFor, type ElementWords } from "./words.js";

/** Whether a turn can be taken back, and why not. */
export type UndoState = SessionView["undo"] | "older";

/** What an ending can ask for. */
export interface EndingHost {
  readonly undo: () => void;
  readonly retry: (text: string) => void;
}

// where sending the same once more can help
const RETRY: ReadonlySet<ProtocolError["code"]> = new Set(["http_status", "rate_limited", "overloaded", "transport", "malformed_stream", "truncated_stream", "protocol_violation", "no_api_key", "cancelled"]);

/** The last lines of one turn; nothing where there is nothing to say. */
export function endingOf(turn: Turn, end: TurnEnd, undo: UndoState, words: ElementWords, host: EndingHost): Node[] {
  const told = noteOf(turn, end, words);
  return [
    ...(told === undefined ? [] : [h("p", { class: "note quiet", part: "notice" }, icon("info"), h("span", { dir: "auto" }, foreign(told)))]),
    ...(end.outcome === "failed" && end.error !== null ? [failure(turn, end.error, words, host)] : []),
    ...receipt(turn, undo, words, host),
  ];
}

function failure(turn: Turn, error: ProtocolError, words: ElementWords, host: EndingHost): HTMLElement {
  const told = wordFor(words.errors, error.code) ?? sentence(error.message);
  return h(
    "div",
    { class: "failure", part: "error" },
    h("p", { class: "note problem" }, icon("alert"), h("span", { dir: "auto" }, foreign(told))),
    error.providerDetail !== undefined && h("details", {}, h("summary", {}, words.receipt.details, icon("chevron")), h("p", { class: "quiet", dir: "auto" }, prose(error.providerDetail))),
    turn.isLast && turn.asked !== "" && RETRY.has(error.code) && h("button", { type: "button", class: "button", part: "button retry", onclick: () => host.retry(turn.asked) }, words.receipt.retry),
  );
}

function receipt(turn: Turn, undo: UndoState, words: ElementWords, host: EndingHost): Node[] {
  const { applied, undone, text } = receiptOf(turn.calls, words);
  if (text === "") return [];
  const why = { undoable: undefined, already_undone: words.receipt.alreadyUndone, superseded: words.receipt.superseded, older: words.receipt.older }[undo];
  const tip = why ?? say(words.card.key, { action: words.receipt.undoHint, key: words.keys.undo });
  const button = h("button", { type: "button", class: "button undo", part: "button undo", "aria-disabled": why !== undefined && "true", "aria-description": why, "aria-keyshortcuts": words.keys.undo, title: tip, onclick: () => why === undefined && host.undo() }, icon("undo"), words.receipt.undo);
  const canShow = applied > 0 || (undone > 0 && undo === "undoable");
  return [h("div", { class: "receipt", part: "receipt" }, icon(applied > 0 ? "check" : "info"), h("span", { class: "receipt-text", dir: "auto" }, text), canShow && button)];
}

function noteOf(turn: Turn, end: TurnEnd, words: ElementWords): string | undefined {
  if (isSuperseded(turn)) return words.receipt.supersededNote;
  if (end.outcome === "cancelled") return words.receipt.stopped;
  return end.notice === null ? undefined : sentence(visible(end.notice));
}
