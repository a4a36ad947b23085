/** The conversation: what was asked, said, looked at and proposed, how each turn ended. Moves the focus on after decisions, and listens to the keys. */

import type { CallRecord } from "#engine/types";
import type { SessionView } from "../session/view.js";
import { Announcer } from "./announce.js";
import { SessionElement } from "./base.js";
import type { CardElement } from "./card.js";
import { focused, h, hide, icon, isLetter, isTyping, keyed, within } from "./dom.js";
import type { UndoState } from "./ending.js";
import { refusalOf } from "./facts.js";
import { Follow } from "./follow.js";
import { viewOf, type DecisionDetail } from "./session.js";
import { TurnView } from "./turn_view.js";
import { Turns, type Turn } from "./turns.js";

/** `<countersign-transcript>`. */
export class TranscriptElement extends SessionElement {
  /** The element to go to when no card waits any more; the `<countersign-composer>` beside this element where nothing is said. */
  composer: HTMLElement | null = null;

  readonly #root = this.root();
  readonly #log = h("div", { class: "log", part: "log" });
  readonly #empty = h("div", { class: "empty", part: "empty" }, h("slot", { name: "empty" }));
  readonly #scroll = h("div", { class: "scroll", part: "scroll", tabindex: 0, role: "log", "aria-live": "off" }, this.#empty, this.#log);
  readonly #below = h("button", { type: "button", class: "button below", part: "button below", hidden: true, onclick: () => this.toEnd() });
  readonly #views = new Map<string, TurnView>();
  readonly #announcer = new Announcer();
  readonly #follow = new Follow(this.#scroll, this.#log, () => this.#firstWaiting(), (isBelow) => hide(this.#below, !isBelow));
  readonly #pressed = (event: KeyboardEvent): void => this.#key(event);
  #turns = new Turns();
  #view: SessionView | undefined;
  #said = "";

  constructor() {
    super();
    this.#root.append(h("div", { class: "transcript" }, this.#scroll, this.#below, this.#announcer.node));
    this.#root.addEventListener("countersign-decision", (event) => this.#decided((event as CustomEvent<DecisionDetail>).detail));
    this.#label();
  }

  /** Goes to the end, and follows from there. */
  toEnd(): void {
    hide(this.#below, true);
    this.#follow.toEnd();
    if (focused() === this.#below || focused() === null) this.#scroll.focus({ preventScroll: true });
  }

  /** Puts the focus on the next card that waits, or the one before; says whether there is one. */
  focusNext(step: 1 | -1 = 1): boolean {
    const waiting = this.#cards().filter((card) => card.waiting);
    const at = waiting.findIndex((card) => card === this.#root.activeElement);
    const card = waiting[at === -1 ? (step === 1 ? 0 : waiting.length - 1) : (at + step + waiting.length) % waiting.length];
    return this.#focus(card);
  }

  /** Takes the newest turn back, where that is possible. */
  undo(): void {
    const { session } = this;
    if (session === null || viewOf(session).undo !== "undoable") return;
    const answer = session.undo();
    if (!answer.ok) this.#announcer.say(refusalOf(answer, this.words));
    this.flush();
  }

  /** @internal */
  override connectedCallback(): void {
    super.connectedCallback();
    this.ownerDocument.addEventListener("keydown", this.#pressed);
    this.#follow.start();
  }

  /** @internal */
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.ownerDocument.removeEventListener("keydown", this.#pressed);
    this.#follow.stop();
    this.#announcer.stop();
  }

  protected override properties(): readonly string[] {
    return [...super.properties(), "composer"];
  }

  protected override swapped(): void {
    this.#turns = new Turns();
    this.#announcer.reset();
    this.#clear();
    this.#follow.toEnd();
  }

  protected override reworded(): void {
    this.#label();
    this.#clear();
  }

  protected override draw(view: SessionView | undefined): void {
    if (view === this.#view && view !== undefined) return;
    this.#view = view;
    const hadFocus = within(this, focused()) && focused() !== this;
    const turns = view === undefined ? [] : this.#turns.of(view);
    const newest = [...turns].reverse().find((turn) => turn.calls.some((call) => call.committed || call.status === "undone"));
    hide(this.#empty, turns.length > 0);
    keyed(this.#log, this.#views, turns, (turn) => turn.key, () => this.#make(), (turnView, turn) => turnView.update(turn, isThinking(view, turn), turn === newest ? (view?.undo ?? "older") : ("older" satisfies UndoState)));
    if (view !== undefined) this.#announcer.look(view, turns.at(-1), this.words);
    const said = view === undefined ? "" : saidSoFar(view);
    this.#follow.grew(said !== this.#said);
    this.#said = said;
    if (hadFocus && (focused() === this || !within(this, focused()))) this.#moveOn(undefined);
  }

  #make(): TurnView {
    const host = this;
    return new TurnView(
      this.words,
      {
        get session() {
          return host.session;
        },
        get words() {
          return host.words;
        },
        card: () => document.createElement("countersign-card") as CardElement,
        approveAll: (calls) => this.#approveAll(calls),
      },
      { undo: () => this.undo(), retry: (text) => this.#retry(text) },
    );
  }

  #approveAll(calls: readonly CallRecord[]): string | undefined {
    const { session } = this;
    if (session === null) return undefined;
    const answer = session.approveAll(calls);
    this.flush();
    for (const { id: callId } of calls) {
      const refused = answer.refused.find((each) => each.callId === callId);
      const detail: DecisionDetail = { callId, decision: "approve", ok: refused === undefined, ...(refused === undefined ? {} : { reason: refused.reason }) };
      this.dispatchEvent(new CustomEvent("countersign-decision", { bubbles: true, composed: true, detail }));
    }
    if (answer.approved.length > 0) this.#moveOn(undefined);
    return answer.ok ? undefined : refusalOf(answer, this.words);
  }

  #retry(text: string): void {
    const asked = this.dispatchEvent(new CustomEvent("countersign-retry", { bubbles: true, composed: true, cancelable: true, detail: { text } }));
    if (asked) this.session?.send(text).catch((error: unknown) => this.#announcer.say(error instanceof Error ? error.message : String(error)));
    this.#moveOn(undefined);
    this.toEnd();
  }

  #decided({ callId, ok }: DecisionDetail): void {
    if (!ok) return;
    const before = this.#cards();
    const at = before.findIndex((card) => card.callId === callId);
    this.flush();
    // the cards below it first, then those above
    this.#moveOn([...before.slice(at + 1), ...before.slice(0, Math.max(0, at))]);
  }

  // to the next card that waits, or to where the person writes: the focus is never lost
  #moveOn(cards: readonly CardElement[] | undefined): void {
    if (this.#focus((cards ?? this.#cards()).find((card) => card.waiting))) return;
    const root = this.getRootNode() as Document | ShadowRoot;
    const composer = this.composer ?? root.querySelector<HTMLElement>("countersign-composer");
    // where there is no keyboard, one would come up over what is read
    if (composer !== null && !matchMedia("(pointer: coarse)").matches) composer.focus({ preventScroll: true });
    if (focused() === null || focused() === document.body) this.#scroll.focus({ preventScroll: true });
  }

  #focus(card: CardElement | undefined): boolean {
    card?.flush();
    card?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: "nearest" });
    return card !== undefined;
  }

  #cards(): CardElement[] {
    return [...this.#log.querySelectorAll<CardElement>("countersign-card")];
  }

  #firstWaiting(): HTMLElement | undefined {
    for (const view of this.#views.values()) {
      const group = view.waiting();
      if (group !== undefined) return group;
    }
    return undefined;
  }

  #key(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const { keys } = this.words;
    const isInCard = (this.#root.activeElement as CardElement | null)?.waiting === true;
    const isArrow = event.key === "ArrowDown" || event.key === "ArrowUp";
    if (isLetter(event, keys.next) || (isArrow && isInCard)) {
      if (this.focusNext(event.key === "ArrowUp" ? -1 : 1)) event.preventDefault();
    } else if (isLetter(event, keys.undo) && !event.repeat && this.session !== null && viewOf(this.session).phase === "settled") this.undo();
  }

  #label(): void {
    this.#scroll.setAttribute("aria-label", this.words.transcript.label);
    this.#below.replaceChildren(icon("down"), this.words.transcript.below);
    this.#empty.querySelector("slot")?.replaceChildren(this.words.transcript.empty);
  }

  #clear(): void {
    for (const { node } of this.#views.values()) node.remove();
    this.#views.clear();
    this.#view = undefined;
  }
}

// what makes "New below" true: more was said, asked or done, not a card that says something else
function saidSoFar({ messages, calls, outcome, notice }: SessionView): string {
  const last = messages.at(-1)?.content.reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 1), 0) ?? 0;
  return [messages.length, last, calls.length, outcome, notice].join(" ");
}

function isThinking(view: SessionView | undefined, turn: Turn): boolean {
  if (view === undefined || !turn.isLast) return false;
  return view.phase === "requesting" || (view.phase === "streaming" && turn.pieces.at(-1)?.kind !== "said");
}
