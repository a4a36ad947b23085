// Where cards lie until they are decided. Enters: what the person does with a card, and what was on screen. Leaves:
// decisions to the session, and what each card has to say. No decision happens by accident: a card that has just
// appeared, changed or moved ignores hands for a moment.

import type { CallRecord, Json, Session, SessionView, ToolRegistry } from "countersign/threat-model";

import type { Model } from "../model.ts";
import { strings } from "../strings/assistant.ts";
import { clip, say, type Part } from "../text.ts";
import { heading, lines, lossLines, type Line } from "./words.ts";

/** How long a card must have been there, and have had focus, before a key decides it. */
const SETTLE_MS = 400;
/** How long a pointer is ignored after a card above it folded and moved this one under it. */
const MOVED_MS = 300;

/** What a card says beside its call. */
export interface Note {
  /** What changed in the document since the card was made. */
  readonly stale?: string;
  /** Why the last decision was not taken. */
  readonly problem?: string;
}

/** A card's line and what is below it, as they were when it was last open to decide. */
export interface Face {
  readonly title: readonly Part[];
  readonly lines: readonly Line[];
  readonly loss: readonly (readonly Part[])[];
}

/** How a decision came about. */
export interface Hand {
  /** A shortcut, Enter or Space asked, not a pointer. */
  readonly byKey?: boolean;
  /** It was written out in a form, so it is no accident. */
  readonly fromForm?: boolean;
}

const NO_NOTE: Note = Object.freeze({});

/** The cards of one conversation. */
export class Tray {
  /** Told after each decision, for the focus. */
  decided: (hand: Hand) => void = () => undefined;
  readonly #notes = new Map<string, Note>();
  readonly #listeners = new Set<() => void>();
  readonly #faces = new Map<string, { readonly face: Face; readonly digest: string; readonly model: Model }>();
  readonly #appearedAt = new Map<string, number>();
  #focused: { readonly id: string; readonly at: number } | undefined;
  #movedAt = Number.NEGATIVE_INFINITY;
  #seen: SessionView | undefined;

  constructor(
    private readonly session: () => Session | undefined,
    private readonly registry: () => ToolRegistry,
  ) {}

  /** Tells `fn` that a note changed; returns how to stop. */
  readonly subscribe = (fn: () => void): (() => void) => {
    this.#listeners.add(fn);
    return () => this.#listeners.delete(fn);
  };

  /** What a card says beside its call: the same object while nothing changed. */
  note(callId: string): Note {
    return this.#notes.get(callId) ?? NO_NOTE;
  }

  /** A card's words. A decided card keeps the names it was decided under, whatever happens to them later. */
  face(call: CallRecord, model: Model): Face {
    const kept = this.#faces.get(call.id);
    // an edited input is another change: its names and lines are told anew
    if (kept !== undefined && kept.digest === call.inputDigest && (call.status !== "pending" || kept.model === model)) return kept.face;
    const face: Face = { title: heading(call, model), lines: lines(call, model), loss: lossLines(call, model) };
    this.#faces.set(call.id, { face, digest: call.inputDigest, model });
    return face;
  }

  /** This view is on screen now. */
  shown(view: SessionView): void {
    this.#seen = view;
    for (const call of view.calls) if (call.status !== "pending" && call.status !== "approved") this.#set(call.id, {});
  }

  /** The document changed by something else than the turn: what waits has to be looked at again. */
  documentChanged(what: string): void {
    for (const call of this.#seen?.calls ?? []) if (call.status === "pending" || call.status === "approved") this.#set(call.id, { ...this.note(call.id), stale: what });
  }

  /** A card appeared, or says something new. */
  appeared(callId: string): void {
    this.#appearedAt.set(callId, performance.now());
  }

  /** A card has the focus, or none has. */
  focused(callId: string | undefined): void {
    if (callId === this.#focused?.id) return;
    this.#focused = callId === undefined ? undefined : { id: callId, at: performance.now() };
  }

  /** What a tool says against an input; empty when it may be used. */
  issues(toolName: string, input: Json): readonly string[] {
    const prepared = this.registry().prepare(toolName, input);
    return prepared.ok ? [] : prepared.issues;
  }

  /** Approves exactly this call, as it is on screen or with another input. */
  approve(callId: string, hand: Hand = {}, editedInput?: Json): void {
    this.#decide(callId, hand, (session) => session.approve(callId, editedInput === undefined ? {} : { editedInput }));
  }

  /** Denies exactly this call. */
  deny(callId: string, hand: Hand = {}, reason?: string): void {
    this.#decide(callId, hand, (session) => session.deny(callId, reason === "" ? undefined : reason));
  }

  /** Approves exactly these calls; says why not where it was refused. */
  approveAll(callIds: readonly string[], hand: Hand = {}): string | undefined {
    const session = this.session();
    if (session === undefined) return undefined;
    const problem = refusal(session.approveAll(callIds));
    if (problem === undefined) this.decided(hand);
    return problem;
  }

  #decide(callId: string, hand: Hand, ask: (session: Session) => Answer): void {
    const session = this.session();
    const waits = this.#seen?.calls.find((call) => call.id === callId)?.status === "pending";
    if (session === undefined || !waits || (hand.fromForm !== true && !this.#settled(callId, hand.byKey === true))) return;
    const problem = refusal(ask(session));
    if (problem !== undefined) {
      this.appeared(callId);
      this.#set(callId, { ...this.note(callId), problem });
      return;
    }
    this.#movedAt = performance.now();
    this.decided(hand);
  }

  // a click counts once the card has been there for a moment; a key also needs the focus for that long
  #settled(callId: string, byKey: boolean): boolean {
    const now = performance.now();
    if (now - (this.#appearedAt.get(callId) ?? now) < SETTLE_MS) return false;
    return byKey ? this.#focused?.id === callId && now - this.#focused.at >= SETTLE_MS : now - this.#movedAt >= MOVED_MS;
  }

  #set(callId: string, note: Note): void {
    const before = this.note(callId);
    if (before.stale === note.stale && before.problem === note.problem) return;
    if (note.stale === undefined && note.problem === undefined) this.#notes.delete(callId);
    else this.#notes.set(callId, Object.freeze(note));
    for (const listener of [...this.#listeners]) listener();
  }
}

interface Answer {
  readonly ok: boolean;
  readonly reason?: string;
  readonly detail?: string;
}

function refusal(answer: Answer): string | undefined {
  if (answer.ok) return undefined;
  const words = strings.card.refused;
  if (answer.reason === "stale_document" || answer.reason === "stale_effect") return words.stale;
  if (answer.reason === "not_pending" || answer.reason === "settled") return words.not_pending;
  return answer.detail === undefined ? words.other : say(words.told, { why: clip(answer.detail, 200) });
}
