/** The calls of one message: cards for what asks, one folded line for what only read. Enters: records. Leaves: an explicit list of ids for "Approve all". */

import type { CallRecord } from "#engine/types";
import type { CardElement } from "./card.js";
import { CardList } from "./card_list.js";
import { foreign, h, icon } from "./dom.js";
import { isWaiting, knownSignatureOf, outcomeOf, signatureOf, titleOf } from "./facts.js";
import { Guard } from "./guard.js";
import { viewOf, type ElementSession } from "./session.js";
import { isApprovedTogether, whyNotTogether } from "./together.js";
import { count, say, type ElementWords } from "./words.js";

/** The parts of a card that a page may style from outside a transcript. */
export const CARD_PARTS = "card, line, mark, mark-read, mark-change, mark-delete, mark-good, mark-bad, mark-quiet, title, kind, outcome, body, changes, row, row-added, row-removed, row-changed, before, after, note, note-problem, note-quiet, note-cascade, note-stale, note-loss, actions, button, approve, deny, primary, danger, more, menu, menu-item, exact, input, form, field, issues, effect, candidates, candidate, expiry";

/** What a group needs of its transcript. */
export interface GroupHost {
  readonly session: ElementSession | null;
  readonly words: ElementWords;
  /** Makes a card of this page's kind. */
  readonly card: () => CardElement;
  /** Several calls were decided together; says why not. */
  readonly approveAll: (calls: readonly CallRecord[]) => string | undefined;
}

const READ_MS = 400;

/** The cards of one message. */
export class Group {
  /** What is put in the conversation. */
  readonly node: HTMLElement;
  readonly #head = h("div", { class: "group-head", part: "group-head" });
  readonly #list = new CardList(() => this.#card());
  #drawn: readonly string[] = [];
  #waiting = 0;
  #why = "";
  #shownAt = Number.POSITIVE_INFINITY;
  #calls: readonly CallRecord[] | undefined;
  #problem = "";

  constructor(private readonly host: GroupHost) {
    this.node = h("div", { class: "group", part: "group", role: "group", "aria-label": host.words.group.proposed }, this.#head, this.#list.node);
  }

  /** Whether a card of it waits. */
  get waits(): boolean {
    return this.#calls?.some(isWaiting) === true;
  }

  /** Draws what changed. */
  update(calls: readonly CallRecord[]): void {
    if (calls === this.#calls) return;
    this.#calls = calls;
    this.#list.update(calls);
    this.#drawHead(calls);
  }

  #card(): CardElement {
    const card = this.host.card();
    // once: other words make other cards, and what is typed on this one stays
    if (card.words !== this.host.words) card.words = this.host.words;
    card.setAttribute("exportparts", CARD_PARTS);
    card.session = this.host.session;
    return card;
  }

  #drawHead(calls: readonly CallRecord[]): void {
    const { words } = this.host;
    const waiting = calls.filter(isWaiting);
    const covered = waiting.filter(isApprovedTogether);
    const [before, why] = [this.#drawn, whyNotTogether(waiting, words)];
    this.#drawn = covered.map(knownSignatureOf);
    const isSame = this.#shownAt !== Number.POSITIVE_INFINITY && waiting.length === this.#waiting && why === this.#why && before.length === covered.length && before.every((one, at) => one === this.#drawn[at]);
    [this.#waiting, this.#why] = [waiting.length, why];
    if (isSame) return;
    this.#shownAt = performance.now();
    this.#problem = "";
    this.#paint(waiting, covered, words);
  }

  #paint(waiting: readonly CallRecord[], covered: readonly CallRecord[], words: ElementWords): void {
    this.#head.hidden = waiting.length < 2;
    if (this.#head.hidden) return this.#head.replaceChildren();
    const button = h("button", { type: "button", class: "button primary", part: "button approve-all primary", title: say(words.group.approveAllHint, { n: covered.length }), onclick: (event: MouseEvent) => this.#approve(covered, event.timeStamp) }, say(words.group.approveAll, { n: covered.length }));
    const left = whyNotTogether(waiting, words);
    this.#head.replaceChildren(
      h("div", { class: "group-row" }, h("span", { class: "group-count", dir: "auto", title: say(words.card.key, { action: words.group.nextHint, key: words.keys.next }) }, count(waiting.length, words.group.waiting)), covered.length > 1 && button),
      ...(left === "" ? [] : [h("p", { class: "group-left", part: "group-left", dir: "auto" }, left)]),
      ...(this.#problem === "" ? [] : [h("p", { class: "note problem", role: "alert" }, icon("alert"), h("span", {}, this.#problem))]),
    );
  }

  // the list is what the button said when it was pressed; one that has just changed, or was not all drawn yet when the hand moved, is read first
  #approve(covered: readonly CallRecord[], at: number): void {
    const { session, words } = this.host;
    if (session === null || at - Math.max(this.#shownAt, this.#list.drawnAt) < READ_MS) return;
    const now = new Map(viewOf(session).calls.map((call) => [call.id, call]));
    const fresh = covered.flatMap((call) => now.get(call.id) ?? []);
    const stands = fresh.length === covered.length && fresh.every((call, at) => signatureOf(call) === this.#drawn[at]);
    this.#problem = stands ? (this.host.approveAll(fresh) ?? "") : words.refused.changed;
    Guard.moved();
    if (this.#problem === "" || this.#calls === undefined) return;
    const waiting = this.#calls.filter(isWaiting);
    this.#paint(waiting, waiting.filter(isApprovedTogether), words);
  }
}

/** What was only looked at: one line, and on demand each thing. */
export class Reads {
  /** What is put in the conversation. */
  readonly node: HTMLElement;
  readonly #told = h("span");
  readonly #list = h("ul");
  #calls: readonly CallRecord[] | undefined;

  constructor(private readonly words: ElementWords) {
    this.node = h("details", { class: "reads", part: "reads" }, h("summary", {}, icon("read"), this.#told, icon("chevron")), this.#list);
  }

  /** Draws what changed. */
  update(calls: readonly CallRecord[]): void {
    if (calls === this.#calls) return;
    this.#calls = calls;
    const runs = calls.some((call) => call.status === "running" || call.status === "approved");
    this.#told.textContent = count(calls.length, runs ? this.words.group.looking : this.words.group.reads);
    this.#list.replaceChildren(...calls.map((call) => h("li", { dir: "auto", class: call.isError ? "bad" : undefined }, foreign(titleOf(call)), call.status !== "succeeded" && `: ${outcomeOf(call, this.words)}`)));
  }
}
