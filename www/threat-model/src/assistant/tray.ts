// Where cards lie until they are decided. Enters: the records that were drawn, and what the person does with a card.
// Leaves: decisions to the session, each about the record on screen. No decision happens by accident: a card that has
// just appeared, changed or moved ignores hands for a moment.

import type { CallRecord, Json, Preview, Session } from "countersign/threat-model";

import { strings } from "../strings/assistant.ts";
import { clip, say } from "../text.ts";
import { faceOf } from "./words.ts";

/** How long a card must have been there, and have had focus, before a key decides it. */
const SETTLE_MS = 400;
/** How long a pointer is ignored after a card above it folded and moved this one under it. */
const MOVED_MS = 300;
/** How long cards that have just appeared or changed are only there to be read before they are approved together. */
const READ_MS = 300;

/** What a card says beside its call. */
export interface Note {
  /** Why the last decision was not taken. */
  readonly problem?: string;
  /** What it would do as it is being edited; nothing where what is written cannot be used. */
  readonly edited?: Preview | null;
}

/** How a decision came about. */
export interface Hand {
  /** A shortcut, Enter or Space asked, not a pointer. */
  readonly byKey?: boolean;
  /** It was written out in a form, so it is no accident. */
  readonly fromForm?: boolean;
  /** When the hand moved, by the page's clock: on a busy page long before anybody hears of it. */
  readonly at?: number;
}

interface Drawn {
  readonly call: CallRecord;
  readonly face: string;
  readonly since: number;
}

const NO_NOTE: Note = Object.freeze({});

/** The cards of one conversation. */
export class Tray {
  /** Told after each decision, for the focus. */
  decided: (hand: Hand) => void = () => undefined;
  readonly #notes = new Map<string, Note>();
  readonly #listeners = new Set<() => void>();
  readonly #drawn = new Map<string, Drawn>();
  #focused: { readonly id: string; readonly at: number } | undefined;
  #movedAt = Number.NEGATIVE_INFINITY;

  /** `session` is that of the moment. */
  constructor(readonly session: () => Session | undefined) {}

  /** Tells `fn` that a note changed; returns how to stop. */
  readonly subscribe = (fn: () => void): (() => void) => {
    this.#listeners.add(fn);
    return () => this.#listeners.delete(fn);
  };

  /** What a card says beside its call: the same object while nothing changed. */
  note(callId: string): Note {
    return this.#notes.get(callId) ?? NO_NOTE;
  }

  /** This record is on screen now: a decision about its call is one about it. */
  drawn(call: CallRecord): void {
    const before = this.#drawn.get(call.id);
    const face = faceOf(call);
    // long after it was decided, where many are drawn: only now it folds or grows, and moves what is below it
    if (before !== undefined && before.face !== face) this.#movedAt = performance.now();
    this.#drawn.set(call.id, { call, face, since: before?.face === face ? before.since : performance.now() });
    const { edited } = this.note(call.id);
    if (call.status !== "pending") this.#set(call.id, NO_NOTE);
    // why the card before it was refused is no longer the question
    else if (before?.face !== face) this.#set(call.id, edited === undefined ? NO_NOTE : { edited });
  }

  /** Whether the call of this card waits now, whatever is drawn of it still. */
  readonly waits = (card: HTMLElement): boolean => this.session()?.peek().pending.some((call) => call.id === card.dataset["call"]) === true;

  /** A card has the focus, or none has. */
  focused(callId: string | undefined): void {
    if (callId === this.#focused?.id) return;
    this.#focused = callId === undefined ? undefined : { id: callId, at: performance.now() };
  }

  /** A card is being edited, and would do this; `undefined` when it no longer is. */
  editing(callId: string, edited: Preview | null | undefined): void {
    const { problem } = this.note(callId);
    this.#set(callId, { ...(problem === undefined ? {} : { problem }), ...(edited === undefined ? {} : { edited }) });
  }

  /** Approves the card as it is on screen, or with another input whose effect is on screen. */
  approve(callId: string, hand: Hand = {}, editedInput?: Json): void {
    this.#decide(callId, hand, (session, call) => session.approve(call, editedInput === undefined ? {} : { editedInput }));
  }

  /** Denies exactly this call. */
  deny(callId: string, hand: Hand = {}, reason?: string): void {
    this.#decide(callId, hand, (session) => session.deny(callId, reason === "" ? undefined : reason));
  }

  /** Says which of several things is meant. */
  select(callId: string, targetId: string, hand: Hand): void {
    this.#decide(callId, { ...hand, fromForm: true }, (session) => session.select(callId, targetId), false);
  }

  /** Approves exactly these cards as they are on screen, once all of them have been there for a moment; says why not where it was refused. */
  approveAll(callIds: readonly string[], hand: Hand = {}): string | undefined {
    const { at = performance.now() } = hand;
    const cards = callIds.flatMap((id) => this.#drawn.get(id) ?? []);
    if (cards.some(({ since }) => at - since < READ_MS)) return undefined;
    const problem = refusal(this.session()?.approveAll(cards.map(({ call }) => call)));
    this.#movedAt = performance.now();
    if (problem === undefined) this.decided(hand);
    return problem;
  }

  #decide(callId: string, hand: Hand, ask: (session: Session, call: CallRecord) => Answer, ends = true): void {
    const session = this.session();
    const drawn = this.#drawn.get(callId);
    if (session === undefined || drawn?.call.status !== "pending" || (hand.fromForm !== true && !this.#settled(drawn, hand))) return;
    const problem = refusal(ask(session, drawn.call));
    if (problem !== undefined) {
      this.#drawn.set(callId, { ...drawn, since: performance.now() });
      this.#set(callId, { ...this.note(callId), problem });
      return;
    }
    this.#movedAt = performance.now();
    if (ends) this.decided(hand);
  }

  // a click counts once the card has been there for a moment; a key also needs the focus for that long
  #settled({ call, since }: Drawn, { byKey = false, at = performance.now() }: Hand): boolean {
    if (at - since < SETTLE_MS) return false;
    return byKey ? this.#focused?.id === call.id && at - this.#focused.at >= SETTLE_MS : at - this.#movedAt >= MOVED_MS;
  }

  #set(callId: string, note: Note): void {
    const before = this.note(callId);
    if (before.problem === note.problem && before.edited === note.edited) return;
    if (note.problem === undefined && note.edited === undefined) this.#notes.delete(callId);
    else this.#notes.set(callId, Object.freeze(note));
    for (const listener of [...this.#listeners]) listener();
  }
}

interface Answer {
  readonly ok: boolean;
  readonly reason?: string;
  readonly detail?: string;
}

function refusal(answer: Answer | undefined): string | undefined {
  if (answer === undefined || answer.ok) return undefined;
  const words = strings.card.refused;
  if (answer.reason === "stale_document" || answer.reason === "stale_effect") return words.stale;
  if (answer.reason === "not_pending" || answer.reason === "settled") return words.not_pending;
  return answer.detail === undefined ? words.other : say(words.told, { why: clip(answer.detail, 200) });
}
