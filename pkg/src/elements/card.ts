/** One proposed change: what it would do, the person's decision, and what became of it. What is approved is what was on screen. */

import type { CallRecord, Json, Preview } from "#engine/types";
import type { SessionView } from "../session/view.js";
import { SessionElement } from "./base.js";
import { candidateHint, effectOf, exactOf, lossLine, note, staleNote } from "./card_parts.js";
import { attribute, focused, foreign, h, icon, isTyping, spoken, within, type IconName } from "./dom.js";
import { EditPanel } from "./edit.js";
import { isWaiting, markOf, needsChoice, outcomeOf, refusalOf, signatureOf, titleOf, toneOf, waitsFor } from "./facts.js";
import { Guard, type Hand } from "./guard.js";
import { menuButton } from "./menu.js";
import type { DecisionDetail, ElementDecision } from "./session.js";
import { say } from "./words.js";

const LAST_MINUTE_MS = 60_000;
const LONGEST_REASON = 500;
// a click without a pointer right after one of these keys was made by it; otherwise by a screen reader
const KEY_CLICK_MS = 80;
const OUTCOME: Readonly<Record<CallRecord["status"], IconName>> = { pending: "wait", approved: "check", running: "wait", succeeded: "check", failed: "alert", undone: "undo", denied: "cross", unknown: "alert" };

/** `<countersign-card>`. */
export class CardElement extends SessionElement {
  /** @internal */
  static readonly observedAttributes = ["call-id"];

  readonly #root = this.root();
  readonly #guard = new Guard();
  readonly #article = h("div", { class: "card", part: "card", role: "group", tabindex: -1 });
  readonly #body = h("div", { class: "body", part: "body" });
  readonly #effect = h("div", { class: "effect" });
  readonly #panel = h("div", { class: "panel" });
  readonly #actions = h("div", { class: "actions", part: "actions" });
  #given: CallRecord | null = null;
  #call: CallRecord | undefined;
  #signature = "";
  #problem = "";
  #open = false;
  #exact = false;
  #form: "edit" | "reason" | undefined;
  #edit: EditPanel | undefined;
  #chosen: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isIn = { focus: false, pointer: false };
  #looking = false;
  #parent: Node | null = null;
  #keyAt = Number.NEGATIVE_INFINITY;

  constructor() {
    super();
    this.#body.append(this.#effect, this.#panel, this.#actions);
    this.#root.append(this.#article);
    this.#article.addEventListener("focusin", () => this.#focus(true));
    this.#article.addEventListener("focusout", (event) => this.#focus(within(this.#article, event.relatedTarget as Node | null)));
    this.#article.addEventListener("pointerenter", () => this.#pointer(true));
    this.#article.addEventListener("pointerleave", () => this.#pointer(false));
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
    return this.#call !== undefined && isWaiting(this.#call);
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
    this.#parent = this.parentNode;
    super.connectedCallback();
  }

  /** @internal */
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    if (this.#looking) this.#parent?.dispatchEvent(new CustomEvent("countersign-preview", { bubbles: true, composed: true, detail: null }));
    this.#looking = false;
    this.#isIn = { focus: false, pointer: false };
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
    this.#edit?.remove();
    this.#edit = undefined;
    if (this.#form === "edit") this.#form = undefined;
  }

  protected override draw(view: SessionView | undefined): void {
    const call = this.#given ?? view?.calls.find(({ id }) => id === this.callId);
    if (call === this.#call && this.#signature !== "") return;
    if (call?.id !== this.#call?.id) this.#forget();
    this.#call = call;
    if (call === undefined) return this.#article.replaceChildren();
    const signature = signatureOf(call);
    const isSame = signature === this.#signature;
    const before = this.#signature;
    this.#signature = signature;
    attribute(this, "data-status", call.status);
    if (isSame && isWaiting(call)) return;
    const hadFocus = within(this.#article, focused());
    if (isWaiting(call)) this.#drawWaiting(call);
    else this.#drawDecided(call);
    if (!isSame) {
      this.#guard.changed();
      if (before !== "") Guard.moved();
    }
    // what had the focus may be gone
    if (hadFocus && !within(this.#article, focused())) this.focus({ preventScroll: true });
    this.#look();
  }

  #drawWaiting(call: CallRecord): void {
    const { words } = this;
    const title = titleOf(call);
    const mark = markOf(call);
    const heading = h("span", { class: "title", part: "title", dir: "auto" }, foreign(title));
    const line = h("div", { class: "line", part: "line" }, h("span", { class: `mark ${mark}`, part: `mark ${mark}` }, icon(mark)), heading, h("span", { class: "kind", part: "kind" }, words.card[mark]));
    attribute(this.#article, "aria-label", `${words.card[mark]}: ${title}`);
    this.#article.className = `card waiting ${mark}`;
    this.#drawEffect(call);
    this.#drawPanel(call);
    this.#drawActions(call);
    this.#article.replaceChildren(line, this.#body);
    this.#countdown();
  }

  #drawEffect(call: CallRecord): void {
    const { words } = this;
    const waits = waitsFor(call, words);
    const nodes: Node[] = [];
    if (call.stale !== null) nodes.push(staleNote(call.stale, words));
    if (needsChoice(call)) nodes.push(this.#choice(call));
    else if (waits !== undefined) nodes.push(note("wait", "quiet busy", [waits]));
    else if (call.act?.reason !== undefined) nodes.push(note("info", "quiet", [foreign(call.act.reason)]));
    if (!needsChoice(call) && !(call.awaiting === "preview" && call.preview === null)) nodes.push(...effectOf(call, call.preview, words));
    if (this.#problem !== "") nodes.push(h("p", { class: "note problem", part: "note problem", role: "alert" }, icon("alert"), h("span", {}, this.#problem)));
    this.#effect.replaceChildren(...nodes);
    this.#effect.hidden = this.#form === "edit";
  }

  #choice(call: CallRecord): HTMLElement {
    const { words } = this;
    const { candidates = [], reason } = call.act ?? {};
    if (!candidates.some(({ id }) => id === this.#chosen)) this.#chosen = undefined;
    const choose = (id: string) => () => {
      this.#chosen = id;
      this.#drawActions(call);
    };
    const rows = candidates.map(({ id, title, section }) =>
      h("label", { class: "candidate", part: "candidate" }, h("input", { type: "radio", name: "candidate", value: id, checked: id === this.#chosen, onchange: choose(id) }), h("span", { dir: "auto" }, foreign(title, "name"), " ", foreign(candidateHint(section, id, words), "quiet"))),
    );
    return h("fieldset", { class: "candidates", part: "candidates" }, h("legend", {}, words.card.choose), reason !== undefined && h("p", { class: "quiet" }, foreign(reason)), ...rows);
  }

  #drawPanel(call: CallRecord): void {
    const nodes: Node[] = [];
    if (this.#exact) nodes.push(exactOf(call, this.words));
    if (this.#form === "edit" && this.#edit !== undefined) {
      this.#edit.refresh(call);
      if (this.#edit.node.parentNode === this.#panel && !this.#exact && this.#panel.childNodes.length === 1) return;
      nodes.push(this.#edit.node);
    }
    if (this.#form === "reason") {
      const typed = this.#panel.querySelector<HTMLElement>(".reason");
      nodes.push(typed ?? this.#reason(call));
    }
    this.#panel.replaceChildren(...nodes);
  }

  #drawActions(call: CallRecord): void {
    const { words } = this;
    this.#actions.hidden = this.#form !== undefined;
    const title = titleOf(call);
    const isChoice = needsChoice(call);
    const word = isChoice ? words.card.use : call.destructive ? words.card.approveDelete : words.card.approve;
    const blocked = isChoice ? (this.#chosen === undefined ? words.card.chooseFirst : undefined) : waitsFor(call, words);
    const named = (action: string): string => say(words.card.button, { action, title });
    const tip = (action: string, key: string): string => say(words.card.key, { action, key });
    const approve = h(
      "button",
      {
        type: "button", class: `button ${call.preview?.error !== undefined ? "" : call.destructive && !isChoice ? "danger" : "primary"}`, part: `button approve ${call.destructive ? "danger" : "primary"}`, "data-act": "approve", "aria-label": named(word), "aria-disabled": blocked !== undefined && "true",
        "aria-description": blocked ?? lossLine(call, words), "aria-keyshortcuts": words.keys.approve, title: blocked ?? tip(word, words.keys.approve), onclick: (event: MouseEvent) => this.#decide(this.#handOf(event)),
      },
      word,
    );
    const deny = h("button", { type: "button", class: "button", part: "button deny", "data-act": "deny", "aria-label": named(words.card.deny), "aria-keyshortcuts": words.keys.deny, title: tip(words.card.deny, words.keys.deny), onclick: (event: MouseEvent) => this.#deny(this.#handOf(event)) }, words.card.deny);
    const at = (focused() as HTMLElement | null)?.dataset?.["act"];
    const inside = within(this.#actions, focused());
    const menu = this.#actions.querySelector<HTMLElement>(".menu-place") ?? menuButton(words.card.more, () => this.#items());
    menu.querySelector("button")?.setAttribute("aria-label", named(words.card.more));
    this.#actions.replaceChildren(approve, deny, menu, h("span", { class: "expiry", part: "expiry" }));
    this.#tick();
    if (inside) (at === "deny" ? deny : at === "approve" ? approve : (menu.querySelector("button") ?? approve)).focus({ preventScroll: true });
  }

  #items(): { label: string; run: () => void }[] {
    const { words } = this;
    const open = (form: "edit" | "reason") => () => this.#openForm(form);
    const toggle = (): void => {
      this.#exact = !this.#exact;
      this.#redrawPanel();
      if (this.#exact) this.#panel.querySelector<HTMLElement>("pre")?.focus();
    };
    const canEdit = this.#call !== undefined && !needsChoice(this.#call);
    return [...(canEdit ? [{ label: words.card.edit, run: open("edit") }] : []), { label: words.card.denyWithReason, run: open("reason") }, { label: this.#exact ? words.card.hideInput : words.card.showInput, run: toggle }];
  }

  #openForm(form: "edit" | "reason"): void {
    const { session } = this;
    if (this.#call === undefined || session === null) return;
    this.#form = form;
    if (form === "edit") {
      this.#edit ??= new EditPanel(session, this.#call, this.words, { approve: (input, isOld) => this.#approveEdited(input, isOld), close: () => this.#closeForm(), look: () => this.#look(true) });
    }
    this.#redrawPanel();
    if (form === "edit") this.#edit?.focus();
    else this.#panel.querySelector<HTMLElement>("textarea")?.focus();
  }

  #closeForm(): void {
    this.#form = undefined;
    this.#redrawPanel();
    this.#actions.querySelector<HTMLElement>(".menu-place button")?.focus();
  }

  #redrawPanel(): void {
    if (this.#call === undefined || !this.waiting) return;
    Guard.moved();
    this.#drawEffect(this.#call);
    this.#drawPanel(this.#call);
    this.#drawActions(this.#call);
    this.#look(true);
  }

  #reason(call: CallRecord): HTMLElement {
    const { words } = this;
    const field = h("textarea", { class: "field", part: "field", rows: 2, maxlength: LONGEST_REASON, dir: "auto", "aria-label": words.reason.label });
    const send = (): void => this.#deny("form", field.value.trim());
    const key = (event: KeyboardEvent): void => {
      if (event.isComposing) return;
      if (event.key === "Escape") this.#closeForm();
      else if (event.key === "Enter" && !event.shiftKey) send();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    const deny = h("button", { type: "button", class: "button primary", part: "button deny", "aria-label": say(words.card.button, { action: words.reason.deny, title: titleOf(call) }), onclick: send }, words.reason.deny);
    const cancel = h("button", { type: "button", class: "button", part: "button", onclick: () => this.#closeForm() }, words.reason.cancel);
    return h("div", { class: "reason", onkeydown: key }, h("p", { class: "label", "aria-hidden": "true" }, words.reason.label), field, h("div", { class: "actions" }, deny, cancel));
  }

  #drawDecided(call: CallRecord): void {
    const { words } = this;
    clearTimeout(this.#timer);
    this.#form = undefined;
    this.#edit?.remove();
    this.#edit = undefined;
    const title = titleOf(call);
    const told = outcomeOf(call, words);
    const body = h("div", { class: "body", part: "body" });
    const show = (): void => {
      attribute(line, "aria-expanded", String(this.#open));
      body.hidden = !this.#open;
      body.replaceChildren(...(this.#open ? [...(call.preview === null ? [] : effectOf(call, call.preview, words)), exactOf(call, words)] : []));
    };
    const toggle = (): void => {
      this.#open = !this.#open;
      Guard.moved();
      show();
    };
    const line = h(
      "button",
      { type: "button", class: "line", part: "line", onclick: toggle },
      h("span", { class: `mark ${toneOf(call)}`, part: `mark ${toneOf(call)}` }, icon(OUTCOME[call.status])),
      h("span", { class: "title", part: "title", dir: "auto" }, foreign(title)),
      h("span", { class: "outcome", part: "outcome" }, spoken(": "), foreign(told)),
      icon("chevron"),
    );
    show();
    attribute(this.#article, "aria-label", `${title}: ${told}`);
    this.#article.className = `card decided ${toneOf(call)}`;
    this.#article.replaceChildren(line, body);
  }

  #countdown(): void {
    clearTimeout(this.#timer);
    if (!this.isConnected) return;
    const left = this.#tick();
    if (left !== undefined && left > 0) this.#timer = setTimeout(() => this.#countdown(), left > LAST_MINUTE_MS ? Math.min(left - LAST_MINUTE_MS, 2 ** 31 - 1) : 1000);
  }

  // nothing is said before the last minute
  #tick(): number | undefined {
    const at = this.#call?.expiresAtMs ?? null;
    if (at === null) return undefined;
    const left = at - (this.session?.now?.() ?? Date.now());
    const place = this.#actions.querySelector(".expiry");
    if (place !== null) place.textContent = left > LAST_MINUTE_MS ? "" : say(this.words.card.expires, { n: Math.max(0, Math.ceil(left / 1000)) });
    return left;
  }

  #handOf(event: MouseEvent): Hand {
    return event.detail === 0 && performance.now() - this.#keyAt < KEY_CLICK_MS ? "key" : "pointer";
  }

  #key(event: KeyboardEvent): void {
    if (event.key === "Enter" || event.key === " ") {
      this.#keyAt = performance.now();
      // a key held down decides one card, not those after it
      if (event.repeat) event.preventDefault();
    }
    if (!this.waiting || event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const key = event.key.toUpperCase();
    if (key !== this.words.keys.approve && key !== this.words.keys.deny) return;
    event.preventDefault();
    if (event.repeat || this.#form !== undefined) return;
    if (key === this.words.keys.approve) this.#decide("key");
    else this.#deny("key");
  }

  #decide(hand: Hand): void {
    const call = this.#call;
    if (call === undefined || !this.waiting) return;
    if (needsChoice(call)) {
      const chosen = this.#chosen;
      if (chosen !== undefined) this.#ask("select", hand, (id) => this.session?.select?.(id, chosen));
    } else if (waitsFor(call, this.words) === undefined) this.#ask("approve", hand, (id) => this.session?.approve(id));
  }

  #approveEdited(input: Json, isOld: boolean): void {
    this.#ask(isOld ? "approve" : "edit", "form", (id) => (isOld ? this.session?.approve(id) : this.session?.approve(id, { editedInput: input })));
  }

  #deny(hand: Hand, reason = ""): void {
    this.#ask("deny", hand, (id) => (reason === "" ? this.session?.deny(id) : this.session?.deny(id, reason)));
  }

  // what is decided is what stands on screen: a card that says something else by now is drawn anew instead
  #ask(decision: DecisionDetail["decision"], hand: Hand, ask: (callId: string) => ElementDecision | undefined): void {
    const call = this.#call;
    if (call === undefined || !this.waiting || !this.#guard.allows(hand)) return;
    const now = this.session?.view.calls.find(({ id }) => id === call.id);
    if (now === undefined || signatureOf(now) !== this.#signature) {
      if (this.#given !== null && now !== undefined) this.#given = now;
      this.flush();
      if (this.waiting) this.#complain(this.words.refused.changed);
      return;
    }
    const answer = this.#answer(() => ask(call.id));
    if (answer.ok) {
      this.#problem = "";
      if (this.#given === null) this.flush();
    } else this.#complain(refusalOf(answer, this.words));
    const detail: DecisionDetail = { callId: call.id, decision, ok: answer.ok, ...(answer.reason === undefined ? {} : { reason: answer.reason }) };
    this.dispatchEvent(new CustomEvent("countersign-decision", { bubbles: true, composed: true, detail }));
  }

  #answer(ask: () => ElementDecision | undefined): ElementDecision {
    try {
      return ask() ?? { ok: false };
    } catch (error) {
      return { ok: false, detail: error instanceof Error ? error.message : String(error) };
    }
  }

  #complain(problem: string): void {
    this.#problem = problem;
    this.#guard.changed();
    if (this.#form === "edit") this.#edit?.complain(problem);
    if (this.#call !== undefined && this.waiting) this.#drawEffect(this.#call);
  }

  #focus(isIn: boolean): void {
    this.#guard.focus(isIn);
    this.#isIn.focus = isIn;
    this.#look();
  }

  #pointer(isIn: boolean): void {
    this.#isIn.pointer = isIn;
    this.#look();
  }

  // what the host draws while a person looks at the card: nothing of it is applied
  #look(again = false): void {
    const call = this.#call;
    const looks = (this.#isIn.focus || this.#isIn.pointer) && call !== undefined && (call.status === "pending" || call.status === "approved");
    if (!looks && !this.#looking) return;
    const preview = this.#form === "edit" ? (this.#edit?.preview ?? null) : (call?.preview ?? null);
    const detail = looks && call !== undefined ? { callId: call.id, preview, call } : null;
    const key = detail === null ? "" : `${call?.id} ${preview?.effectDigest ?? ""}`;
    if (!again && this.#looking && detail !== null && key === this.#lookedAt) return;
    this.#lookedAt = key;
    this.#looking = looks;
    this.dispatchEvent(new CustomEvent<PreviewDetail>("countersign-preview", { bubbles: true, composed: true, detail }));
  }
  #lookedAt = "";

  #forget(): void {
    this.#call = undefined;
    this.#signature = "";
    this.#problem = "";
    this.#open = this.#exact = false;
    this.#form = undefined;
    this.#edit?.remove();
    this.#edit = undefined;
    this.#chosen = undefined;
    this.#panel.replaceChildren();
    clearTimeout(this.#timer);
  }
}

/** What `countersign-preview` tells: the card that a person looks at, or that they look at none. */
export type PreviewDetail = { readonly callId: string; readonly preview: Preview | null; readonly call: CallRecord } | null;
