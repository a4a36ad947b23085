/** One proposed change: what it would do, the person's decision, and what became of it. What is approved is what was on screen. */

import type { CallRecord, Json } from "#engine/types";
import type { SessionView } from "../session/view.js";
import { SessionElement } from "./base.js";
import { CardPanel } from "./card_panel.js";
import { effectOf, note, staleNote } from "./card_parts.js";
import { choiceOf, decidedCard, decisionButtons, named, waitingLine } from "./card_views.js";
import { Countdown } from "./countdown.js";
import { attribute, focused, foreign, h, icon, isLetter, isTyping, stamp, within } from "./dom.js";
import { isWaiting, knownSignatureOf, markOf, needsChoice, outcomeOf, refusalOf, signatureOf, titleOf, toneOf, waitsFor } from "./facts.js";
import { Guard, type Gesture } from "./guard.js";
import { Looking } from "./looking.js";
import { menuButton } from "./menu.js";
import { viewOf, type DecisionDetail, type ElementDecision } from "./session.js";

// a click without a pointer right after Enter or Space was made by it; otherwise by a screen reader
const KEY_CLICK_MS = 80;

const copies: Readonly<Record<"card" | "body" | "effect" | "actions", () => HTMLElement>> = {
  card: stamp(() => h("div", { class: "card", part: "card", role: "group", tabindex: -1 })),
  body: stamp(() => h("div", { class: "body", part: "body" })),
  effect: stamp(() => h("div", { class: "effect" })),
  actions: stamp(() => h("div", { class: "actions", part: "actions" })),
};

/** `<countersign-card>`. */
export class CardElement extends SessionElement {
  /** @internal */
  static readonly observedAttributes = ["call-id"];

  readonly #article = copies.card();
  readonly #effect = copies.effect();
  readonly #panel = new CardPanel({
    call: () => (this.waiting ? this.#call : undefined),
    session: () => this.session,
    words: () => this.words,
    redraw: () => this.#redrawBody(),
    look: () => this.#look(),
    back: () => this.#menu?.querySelector("button")?.focus(),
    approve: (input, isOld) => this.#approveEdited(input, isOld),
    deny: (reason) => this.#deny(formed(), reason),
  });
  readonly #countdown = new Countdown();
  readonly #actions = copies.actions();
  readonly #body = copies.body();
  readonly #guard = new Guard();
  readonly #looking = new Looking(this);
  #menu: HTMLElement | undefined;
  #given: CallRecord | null = null;
  #call: CallRecord | undefined;
  #signature = "";
  #problem = "";
  #open = false;
  #chosen: string | undefined;
  #keyAt = Number.NEGATIVE_INFINITY;

  constructor() {
    super();
    this.root().append(this.#article);
    this.#body.append(this.#effect, this.#panel.node, this.#actions);
    this.#article.addEventListener("focusin", () => this.#focus(true));
    this.#article.addEventListener("focusout", (event) => this.#focus(within(this.#article, event.relatedTarget as Node | null)));
    this.#article.addEventListener("pointerenter", () => this.#looking.set("pointer", true));
    this.#article.addEventListener("pointerleave", () => this.#looking.set("pointer", false));
    this.#article.addEventListener("keydown", (event) => this.#key(event));
    this.#article.addEventListener("keyup", (event) => void (event.key === " " && (this.#keyAt = performance.now())));
  }

  /** The call that is shown, where its record is not given. */
  get callId(): string {
    return this.#given?.id ?? this.getAttribute("call-id") ?? "";
  }

  set callId(id: string | null | undefined) {
    attribute(this, "call-id", id);
  }

  /** The record that is shown; without one the session's call of `callId` is. */
  get call(): CallRecord | null {
    return this.#given ?? this.#call ?? null;
  }

  set call(call: CallRecord | null | undefined) {
    this.#given = call ?? null;
    this.refollow();
    if (this.isConnected) this.flush();
  }

  /** Whether the call waits for the person. */
  get waiting(): boolean {
    return this.call !== null && isWaiting(this.call);
  }

  /** Another record of the call it was given, drawn when it is given again or flushed. @internal */
  hold(call: CallRecord): void {
    this.#given = call;
  }

  /** Puts the focus on the card, not on a button of it. */
  override focus(options?: FocusOptions): void {
    (this.waiting ? this.#article : (this.#article.querySelector<HTMLElement>("button.line") ?? this.#article)).focus(options);
  }

  /** @internal */
  attributeChangedCallback(): void {
    if (this.isConnected && this.#given === null) this.flush();
  }

  /** @internal */
  override connectedCallback(): void {
    this.#looking.connected();
    super.connectedCallback();
    this.#count();
  }

  /** @internal */
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#countdown.stop();
    this.#guard.focus(false);
    this.#looking.end();
  }

  protected override properties(): readonly string[] {
    return [...super.properties(), "callId", "call"];
  }

  protected override follows(): boolean {
    return this.#given === null;
  }

  protected override swapped(): void {
    this.#forget();
  }

  protected override reworded(): void {
    this.#signature = "";
    this.#menu = undefined;
    this.#panel.closeForms();
  }

  protected override draw(view: SessionView | undefined): void {
    const call = this.#given ?? view?.calls.find(({ id }) => id === this.callId);
    if (call !== undefined && call === this.#call && this.#signature !== "") return this.#panel.refresh(call);
    if (call?.id !== this.#call?.id) this.#forget();
    this.#call = call;
    if (call === undefined) return this.#article.replaceChildren();
    const before = this.#signature;
    this.#signature = knownSignatureOf(call);
    // what was said about a decision was said about another card
    if (this.#signature !== before) this.#problem = "";
    attribute(this, "data-status", call.status);
    if (this.#signature === before && isWaiting(call)) return this.#panel.refresh(call);
    const hadFocus = within(this.#article, focused());
    if (isWaiting(call)) this.#drawWaiting(call);
    else this.#drawDecided(call);
    if (this.#signature !== before) {
      this.#guard.changed();
      if (before !== "") Guard.moved();
    }
    // what had the focus may be gone
    if (hadFocus && !within(this.#article, focused())) this.focus({ preventScroll: true });
    this.#look();
  }

  #drawWaiting(call: CallRecord): void {
    const { words } = this;
    const mark = markOf(call);
    attribute(this.#article, "aria-label", `${words.card[mark]}: ${titleOf(call)}`);
    this.#article.className = `card waiting ${mark}`;
    this.#drawBody(call);
    const line = waitingLine(call, words);
    // what is typed in a form stays where it is
    if (this.#body.parentNode === this.#article) this.#article.firstElementChild?.replaceWith(line);
    else this.#article.replaceChildren(line, this.#body);
    this.#count();
  }

  #drawBody(call: CallRecord): void {
    this.#drawEffect(call);
    this.#panel.draw(call);
    this.#drawActions(call);
  }

  #drawEffect(call: CallRecord): void {
    const { words } = this;
    const waits = waitsFor(call, words);
    const isChoice = needsChoice(call);
    if (call.act?.candidates?.some(({ id }) => id === this.#chosen) !== true) this.#chosen = undefined;
    const choose = (id: string): void => {
      this.#chosen = id;
      this.#drawActions(call);
    };
    const nodes: (Node | false)[] = [
      call.stale !== null && staleNote(call.stale, words),
      isChoice && choiceOf(call, words, this.#chosen, choose),
      !isChoice && waits !== undefined && note("wait", "quiet busy", [waits]),
      !isChoice && waits === undefined && call.act?.reason !== undefined && note("info", "quiet", [foreign(call.act.reason)]),
      ...(isChoice || (call.awaiting === "preview" && call.preview === null) || this.#panel.isEdit ? [] : effectOf(call, call.preview, words)),
      this.#problem !== "" && !this.#panel.isEdit && h("p", { class: "note problem", part: "note note-problem", role: "alert" }, icon("alert"), h("span", {}, this.#problem)),
    ];
    this.#effect.replaceChildren(...nodes.filter((node): node is Node => node !== false));
  }

  #drawActions(call: CallRecord): void {
    const { words } = this;
    this.#actions.hidden = this.#panel.isForm;
    const at = within(this.#actions, focused()) ? (focused() as HTMLElement).dataset["act"] : undefined;
    const [approve, deny] = decisionButtons(call, words, this.#chosen !== undefined, { decide: (event) => this.#decide(this.#gestureOf(event)), deny: (event) => this.#deny(this.#gestureOf(event)) });
    const menu = (this.#menu ??= menuButton(words.card.more, () => this.#panel.items()));
    menu.firstElementChild?.setAttribute("aria-label", named(words.card.more, call, words));
    if (menu.parentNode === this.#actions) {
      // the menu stays where it is: it may be open
      while (this.#actions.firstChild !== null && this.#actions.firstChild !== menu) this.#actions.firstChild.remove();
      menu.before(approve, deny);
    } else this.#actions.replaceChildren(approve, deny, menu, this.#countdown.node);
    if (at !== undefined) (at === "deny" ? deny : approve).focus({ preventScroll: true });
  }

  #drawDecided(call: CallRecord): void {
    this.#countdown.stop();
    this.#panel.closeForms();
    const { words } = this;
    attribute(this.#article, "aria-label", `${titleOf(call)}: ${outcomeOf(call, words)}`);
    this.#article.className = `card decided ${toneOf(call)}`;
    const toggled = (isOpen: boolean): void => {
      this.#open = isOpen;
      Guard.moved();
    };
    this.#article.replaceChildren(...decidedCard(call, words, this.#open, toggled));
  }

  #redrawBody(): void {
    if (this.#call === undefined || !this.waiting) return;
    Guard.moved();
    this.#drawBody(this.#call);
    this.#look();
  }

  #count(): void {
    const { session, words } = this;
    if (this.waiting && this.isConnected) this.#countdown.start(this.#call?.expiresAtMs ?? null, () => session?.now?.() ?? Date.now(), words);
  }

  #gestureOf(event: MouseEvent): Gesture {
    return { hand: event.detail === 0 && performance.now() - this.#keyAt < KEY_CLICK_MS ? "key" : "pointer", at: event.timeStamp };
  }

  #key(event: KeyboardEvent): void {
    if (event.key === "Enter" || event.key === " ") {
      this.#keyAt = performance.now();
      // a key held down decides one card, not those after it
      if (event.repeat && !isTyping(event)) event.preventDefault();
    }
    if (!this.waiting || event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const { approve, deny } = this.words.keys;
    const approves = isLetter(event, approve);
    if (!approves && !isLetter(event, deny)) return;
    event.preventDefault();
    if (event.repeat || this.#panel.isForm) return;
    const gesture: Gesture = { hand: "key", at: event.timeStamp };
    if (approves) this.#decide(gesture);
    else this.#deny(gesture);
  }

  #decide(gesture: Gesture): void {
    const call = this.#call;
    const chosen = this.#chosen;
    if (call === undefined || !this.waiting) return;
    if (!needsChoice(call)) {
      if (waitsFor(call, this.words) === undefined) this.#ask("approve", gesture, (shown) => this.session?.approve(shown));
    } else if (chosen !== undefined) this.#ask("select", gesture, ({ id }) => this.session?.select?.(id, chosen));
  }

  #approveEdited(input: Json, isOld: boolean): void {
    this.#ask(isOld ? "approve" : "edit", formed(), (shown) => (isOld ? this.session?.approve(shown) : this.session?.approve(shown, { editedInput: input })));
  }

  #deny(gesture: Gesture, reason = ""): void {
    this.#ask("deny", gesture, ({ id }) => (reason === "" ? this.session?.deny(id) : this.session?.deny(id, reason)));
  }

  // what is decided is what stands on screen: a card that says something else by now is drawn anew instead
  #ask(decision: DecisionDetail["decision"], gesture: Gesture, ask: (call: CallRecord) => ElementDecision | undefined): void {
    const call = this.#call;
    if (call === undefined || !this.waiting || !this.#guard.allows(gesture)) return;
    const now = this.session === null ? undefined : viewOf(this.session).calls.find(({ id }) => id === call.id);
    if (now === undefined || signatureOf(now) !== this.#signature) {
      if (this.#given !== null && now !== undefined) this.#given = now;
      this.flush();
      return this.#complain(this.words.refused.changed);
    }
    // the session's own record, which says what was drawn: it names the card
    const answer = answerOf(() => ask(now));
    if (!answer.ok) this.#complain(refusalOf(answer, this.words));
    else {
      this.#problem = "";
      this.flush();
    }
    const detail: DecisionDetail = { callId: call.id, decision, ok: answer.ok, ...(answer.reason === undefined ? {} : { reason: answer.reason }) };
    this.dispatchEvent(new CustomEvent("countersign-decision", { bubbles: true, composed: true, detail }));
  }

  #complain(problem: string): void {
    if (this.#call === undefined || !this.waiting) return;
    this.#problem = problem;
    this.#guard.changed();
    this.#panel.complain(problem);
    this.#drawEffect(this.#call);
  }

  #focus(isIn: boolean): void {
    this.#guard.focus(isIn);
    this.#looking.set("focus", isIn);
  }

  #look(): void {
    this.#looking.at(this.#call, this.#panel.preview(this.#call));
  }

  #forget(): void {
    this.#call = this.#chosen = undefined;
    this.#signature = this.#problem = "";
    this.#open = false;
    this.#panel.clear();
    this.#countdown.stop();
    this.#looking.at(undefined, null);
  }
}

function answerOf(ask: () => ElementDecision | undefined): ElementDecision {
  try {
    return ask() ?? { ok: false };
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

function formed(): Gesture {
  return { hand: "form", at: performance.now() };
}
