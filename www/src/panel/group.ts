// The calls of one assistant message: cards for what asks, one folded line for what only read. Enters: the
// records. Leaves: cards, and an explicit list of ids for "Approve all". Deletions are never on that list.

import type { CallRecord } from "countersign/threat-model";

import { Keyed, attr, h, words } from "../dom.ts";
import { icon } from "../icons.ts";
import type { Model } from "../model.ts";
import { strings } from "../strings/assistant.ts";
import { count, say } from "../text.ts";
import { Card, type CardHost } from "./card.ts";
import { outcome } from "./words.ts";

/** What a group needs beside its cards' host. */
export interface GroupHost extends CardHost {
  approveAll(calls: readonly CallRecord[]): string | undefined;
  stale(call: CallRecord): string | undefined;
}

/** The group of one message. */
export class Group {
  readonly root: HTMLElement;
  readonly #cards = new Map<string, Card>();
  readonly #rows: Keyed<CallRecord, HTMLElement>;
  readonly #head: HTMLElement;
  readonly #waiting = h("span", { class: "group-count", "data-tip": strings.group.next, "data-key": strings.keys.next });
  readonly #all: HTMLButtonElement;
  readonly #left = h("p", { class: "group-left" });
  readonly #problem = h("p", { class: "card-note problem", role: "alert", hidden: true });
  readonly #reads: HTMLDetailsElement;
  readonly #readsHead = h("span", {});
  readonly #readsList = h("ul", {});
  #readsTold = "";
  #covered: readonly CallRecord[] = [];
  #model: Model;
  #shownAt = performance.now();

  constructor(model: Model, private readonly host: GroupHost) {
    this.#model = model;
    this.#all = h("button", { class: "button primary", type: "button", onclick: () => this.#approveAll() });
    this.#head = h("div", { class: "group-head", hidden: true }, h("div", { class: "group-row" }, this.#waiting, this.#all), this.#left, this.#problem);
    this.#reads = h("details", { class: "reads", hidden: true }, h("summary", {}, icon("read"), this.#readsHead), this.#readsList);
    const cards = h("ul", { class: "cards" });
    this.root = h("div", { class: "group" }, this.#reads, this.#head, cards);
    this.#rows = new Keyed(
      cards,
      (call) => call.id,
      (call) => {
        const card = new Card(call, this.#model, host);
        this.#cards.set(call.id, card);
        return card.root;
      },
      (_, call) => this.#cards.get(call.id)?.update(call, this.#model, host.stale(call)),
    );
  }

  /** Redraws the group. */
  update(calls: readonly CallRecord[], model: Model): void {
    this.#model = model;
    const asking = calls.filter((call) => call.effect !== "read" || call.status === "pending");
    const reads = calls.filter((call) => !asking.includes(call));
    this.#rows.draw(asking);
    this.#drawHead(asking.filter((call) => call.status === "pending"));
    this.#reads.hidden = reads.length === 0;
    words(this.#readsHead, count(reads.length, strings.group.reads));
    const told = reads.map((call) => `${call.id} ${outcome(call)}`).join("\n");
    if (told === this.#readsTold) return;
    this.#readsTold = told;
    this.#readsList.replaceChildren(...reads.map((call) => h("li", {}, h("bdi", {}, call.summary), ` – ${outcome(call)}`)));
  }

  /** The cards in their order. */
  get cards(): Card[] {
    return [...this.root.querySelectorAll<HTMLElement>(".card")].flatMap((node) => this.#cards.get(node.dataset["call"] ?? "") ?? []);
  }

  #drawHead(waiting: readonly CallRecord[]): void {
    const together = waiting.filter((call) => !call.destructive);
    const alone = waiting.length - together.length;
    if (together.length !== this.#covered.length) this.#shownAt = performance.now();
    this.#covered = together;
    this.#head.hidden = waiting.length < 2;
    words(this.#waiting, count(waiting.length, strings.group.waiting));
    this.#all.hidden = together.length < 2;
    words(this.#all, say(strings.group.approveAll, { n: together.length }));
    attr(this.#all, "data-tip", say(strings.group.approveAllTip, { n: together.length }));
    this.#left.hidden = alone === 0 || together.length < 2;
    words(this.#left, count(alone, strings.group.leftOut));
    if (waiting.length === 0) this.#problem.hidden = true;
  }

  #approveAll(): void {
    // the list is what the button said when it was pressed; one that has just changed is read first
    if (performance.now() - this.#shownAt < 300) return;
    const refusal = this.host.approveAll(this.#covered);
    this.#problem.hidden = refusal === undefined;
    words(this.#problem, refusal ?? "");
  }
}
