// One proposed change: what it does, the person's decision, and what became of it. Enters: the call's record and
// the document. Leaves: approve and deny, exactly for this call. No action happens by accident: a card that has
// just appeared or changed ignores keys for a moment.

import type { CallRecord } from "countersign/threat-model";

import { attr, h, sentence, words } from "../dom.ts";
import { icon } from "../icons.ts";
import type { Model } from "../model.ts";
import { strings } from "../strings/assistant.ts";
import { exactJson, plain, say, shownLines, type Part } from "../text.ts";
import { CardForms } from "./card-forms.ts";
import { openMenu } from "./menu.ts";
import { heading, lines, lossLines, markOf, outcome, tone } from "./words.ts";

/** How long a card must have been there, and have had focus, before a key decides it. */
const SETTLE_MS = 400;
/** How long a pointer is ignored after a card above it folded and moved this one under it. */
const MOVED_MS = 300;
const SHOWN_LINES = 6;

/** What cards ask of the panel. */
export interface CardHost {
  /** Resolves with words when it was refused. */
  approve(call: CallRecord, editedInput?: unknown): string | undefined;
  deny(call: CallRecord, reason?: string): string | undefined;
  /** What a tool says against an input; empty when it may be used. */
  issues(toolName: string, input: unknown): readonly string[];
  /** The card that is looked at, for the canvas. */
  look(callId: string | undefined): void;
  /** After a decision by keyboard: on to what waits next. */
  decided(callId: string, byKey: boolean): void;
}

interface Decision {
  /** A shortcut, Enter or Space asked, not a pointer. */
  readonly byKey?: boolean;
  /** It was written out in a form, so it is no accident. */
  readonly fromForm?: boolean;
}

/** The card of one call. */
export class Card {
  readonly root: HTMLElement;
  readonly #mark = h("span", { class: "card-mark" });
  readonly #heading = h("span", { class: "card-heading", dir: "auto" });
  readonly #outcome = h("span", { class: "card-outcome" });
  readonly #line: HTMLElement;
  readonly #body = h("div", { class: "card-body" });
  readonly #changes = h("ul", { class: "changes" });
  readonly #loss = h("div", { class: "loss" });
  readonly #stale = h("p", { class: "card-note stale", hidden: true });
  readonly #problem = h("p", { class: "card-note problem", role: "alert", hidden: true });
  readonly #expiry = h("p", { class: "expiry", hidden: true });
  readonly #actions = h("div", { class: "card-actions" });
  readonly #approve: HTMLButtonElement;
  readonly #deny: HTMLButtonElement;
  readonly #more: HTMLButtonElement;
  readonly #exact = h("div", { class: "exact", hidden: true });
  readonly #forms: CardForms;
  #call: CallRecord;
  #model: Model;
  #title: readonly Part[] = [];
  #open = false;
  #allLines = false;
  #appearedAt = performance.now();
  #focusedAt = Number.POSITIVE_INFINITY;
  #movedAt = Number.NEGATIVE_INFINITY;
  #staleText: string | undefined;

  constructor(call: CallRecord, model: Model, private readonly host: CardHost) {
    this.#call = call;
    this.#model = model;
    this.#line = h("div", { class: "card-line", onclick: () => this.#toggle(), onkeydown: (event: KeyboardEvent) => this.#lineKey(event) }, this.#mark, h("span", { class: "card-words" }, this.#heading, this.#outcome), icon("chevron"));
    this.#approve = h("button", { class: "button", type: "button", "data-key": strings.keys.approve, onclick: (event: MouseEvent) => this.approve({ byKey: isKey(event) }) });
    this.#deny = h("button", { class: "button quiet", type: "button", "data-tip": strings.card.deny, "data-key": strings.keys.deny, onclick: (event: MouseEvent) => this.deny({ byKey: isKey(event) }) }, strings.card.deny);
    this.#more = h("button", { class: "icon-button", type: "button", "aria-haspopup": "menu", "aria-expanded": "false", "aria-label": strings.card.more, "data-tip": strings.card.more, onclick: () => this.#menu() }, icon("more"));
    this.#actions.append(this.#approve, this.#deny, this.#more);
    this.#forms = new CardForms({
      deny: (reason) => this.deny({ reason, fromForm: true }),
      approve: (input) => this.approve({ input, fromForm: true }),
      issues: (input) => this.host.issues(this.#call.toolName, input),
      closed: () => this.#draw(),
    });
    this.#body.append(this.#loss, this.#changes, this.#stale, this.#problem, this.#expiry, this.#exact, this.#forms.root, this.#actions);
    this.root = h("li", { class: "card", tabindex: "-1", "data-call": call.id }, this.#line, this.#body);
    this.root.addEventListener("focusin", () => {
      if (this.#focusedAt === Number.POSITIVE_INFINITY) this.#focusedAt = performance.now();
      this.host.look(this.#call.id);
    });
    this.root.addEventListener("focusout", (event) => {
      if (event.relatedTarget instanceof Node && this.root.contains(event.relatedTarget)) return;
      this.#focusedAt = Number.POSITIVE_INFINITY;
      this.host.look(undefined);
    });
    this.root.addEventListener("pointerenter", () => this.host.look(this.#call.id));
    this.root.addEventListener("pointerleave", () => {
      if (!this.root.contains(document.activeElement)) this.host.look(undefined);
    });
    this.#draw();
  }

  /** The call as it was last drawn. */
  get call(): CallRecord {
    return this.#call;
  }

  /** Line one, in plain words. */
  get title(): string {
    return plain(this.#title);
  }

  /** Redraws where something differs. */
  update(call: CallRecord, model: Model, stale: string | undefined): void {
    if (call === this.#call && model === this.#model && stale === this.#staleText) return;
    if (stale !== undefined && stale !== this.#staleText) this.#appearedAt = performance.now();
    if (call.status === "pending" && this.#call.status !== "pending") this.#appearedAt = performance.now();
    const wasOpen = this.#call.status === "pending";
    // an edited input is another change: its names and lines are told anew
    if (call.inputDigest !== this.#call.inputDigest) {
      this.#title = [];
      this.#changes.replaceChildren();
      this.#loss.replaceChildren();
    }
    this.#call = call;
    this.#model = model;
    this.#staleText = stale;
    if (wasOpen && call.status !== "pending") {
      this.#open = false;
      this.#forms.close();
      this.#exact.hidden = true;
      this.#problem.hidden = true;
    }
    this.#draw();
  }

  /** Approves exactly this call. */
  approve({ input, fromForm = false, byKey = false }: Decision & { input?: unknown } = {}): void {
    if (this.#call.status !== "pending" || (!fromForm && !this.#settled(byKey))) return;
    this.#answer(this.host.approve(this.#call, input), byKey || fromForm);
  }

  /** Denies exactly this call. */
  deny({ reason, fromForm = false, byKey = false }: Decision & { reason?: string } = {}): void {
    if (this.#call.status !== "pending" || (!fromForm && !this.#settled(byKey))) return;
    this.#answer(this.host.deny(this.#call, reason), byKey || fromForm);
  }

  /** Another card was decided and this one may have moved: a second click of the same hand is not meant for it. */
  moved(): void {
    this.#movedAt = performance.now();
  }

  /** Keeps the quiet countdown of the last minute. */
  tick(nowMs: number): void {
    const left = this.#call.expiresAtMs === null ? Infinity : Math.ceil((this.#call.expiresAtMs - nowMs) / 1000);
    this.#expiry.hidden = this.#call.status !== "pending" || left > 60;
    if (!this.#expiry.hidden) words(this.#expiry, say(strings.card.expires, { n: Math.max(0, left) }));
  }

  #answer(refusal: string | undefined, byKey: boolean): void {
    this.#problem.hidden = refusal === undefined;
    words(this.#problem, refusal ?? "");
    if (refusal === undefined) this.host.decided(this.#call.id, byKey);
    else this.#appearedAt = performance.now();
  }

  // a mouse click counts once the card has been there for a moment; a key also needs the focus for that long
  #settled(byKey: boolean): boolean {
    const now = performance.now();
    if (now - this.#appearedAt < SETTLE_MS) return false;
    return byKey ? now - this.#focusedAt >= SETTLE_MS : now - this.#movedAt >= MOVED_MS;
  }

  #toggle(): void {
    if (this.#call.status === "pending") return;
    this.#open = !this.#open;
    this.#draw();
  }

  #lineKey(event: KeyboardEvent): void {
    if (event.target !== this.#line || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    this.#toggle();
  }

  #menu(): void {
    openMenu(this.#more, [
      { label: strings.card.edit, run: () => this.#forms.edit(exactJson(this.#call.input), this.#call.destructive) },
      { label: strings.card.denyWithReason, run: () => this.#forms.reason() },
      { label: this.#exact.hidden ? strings.card.showInput : strings.card.hideInput, run: () => this.#showExact(this.#exact.hidden !== false) },
    ]);
  }

  #showExact(on: boolean): void {
    this.#exact.hidden = !on;
    this.#draw();
  }

  #draw(): void {
    const call = this.#call;
    const waiting = call.status === "pending";
    const open = waiting || this.#open;
    // a decided card keeps the names it was decided under, whatever happens to them later
    if (waiting || this.#title.length === 0) this.#title = heading(call, this.#model);
    attr(this.root, "data-status", call.status);
    attr(this.root, "data-waiting", waiting);
    attr(this.root, "data-destructive", call.destructive);
    attr(this.root, "data-tone", tone(call));
    attr(this.root, "aria-label", waiting ? this.title : `${this.title}: ${outcome(call)}`);
    const mark = markOf(call);
    if (this.#mark.dataset["mark"] !== mark) {
      this.#mark.dataset["mark"] = mark;
      this.#mark.replaceChildren(icon(mark), h("span", { class: "sr" }, strings.card.effects[mark]));
    }
    if (this.#heading.textContent !== this.title) this.#heading.replaceChildren(...sentence(this.#title));
    words(this.#outcome, waiting ? "" : outcome(call));
    // only a decided card folds, so only then is its line a button
    attr(this.#line, "role", waiting ? null : "button");
    attr(this.#line, "tabindex", waiting ? null : "0");
    attr(this.#line, "aria-expanded", waiting ? null : open ? "true" : "false");
    this.#body.hidden = !open;
    this.#stale.hidden = this.#staleText === undefined || !waiting;
    words(this.#stale, this.#staleText ?? "");
    this.#actions.hidden = !waiting || this.#forms.isOpen;
    const word = call.destructive ? strings.card.delete : strings.card.approve;
    words(this.#approve, word);
    attr(this.#approve, "class", call.destructive ? "button danger" : "button primary");
    attr(this.#approve, "data-tip", word);
    attr(this.#approve, "aria-label", `${word}: ${this.title}`);
    attr(this.#deny, "aria-label", `${strings.card.deny}: ${this.title}`);
    if (open) this.#drawBody(waiting);
  }

  #drawBody(waiting: boolean): void {
    const call = this.#call;
    if (waiting || this.#changes.childElementCount + this.#loss.childElementCount === 0) {
      this.#loss.replaceChildren(...lossLines(call, this.#model).map((row) => h("p", {}, ...sentence(row))));
      const all = lines(call, this.#model);
      const some = this.#allLines ? all : all.slice(0, SHOWN_LINES);
      this.#changes.replaceChildren(...some.map((line) => h("li", { class: `change ${line.kind}` }, ...sentence(line.parts))));
      if (all.length > SHOWN_LINES) this.#changes.append(h("li", {}, this.#moreLines(all.length - SHOWN_LINES)));
    }
    this.#loss.hidden = this.#loss.childElementCount === 0;
    this.#changes.hidden = this.#changes.childElementCount === 0;
    const exact = !this.#exact.hidden || !waiting;
    this.#exact.hidden = !exact;
    if (!exact) return;
    const told = waiting || call.result === null ? [] : [h("p", { class: "exact-title" }, strings.outcome.answer), h("pre", {}, shownLines(call.result))];
    this.#exact.replaceChildren(h("p", { class: "exact-title" }, say(strings.card.exact, { tool: shownLines(call.toolName) })), h("pre", { tabindex: "0" }, exactJson(call.input)), ...told);
  }

  #moreLines(n: number): HTMLButtonElement {
    const label = this.#allLines ? strings.card.fewerLines : say(strings.card.moreLines, { n });
    return h("button", { class: "link", type: "button", onclick: () => {
      this.#allLines = !this.#allLines;
      this.#changes.replaceChildren();
      this.#draw();
    } }, label);
  }
}

// Enter and Space arrive as clicks without a pointer
function isKey(event: MouseEvent): boolean {
  return event.detail === 0;
}
