/** The session's state as it is shown: updates in, an immutable view out in which parts that did not change keep their identity. */

import { deepFreeze, sameJson } from "../json.js";
import type { ToolLoop, UndoAvailability } from "../loop.js";
import type { CallRecord, Message, ProtocolError, TurnOutcome, TurnPhase, Update } from "../types.js";
import { sameItems } from "./shown.js";

/** How far a running call is. */
export interface ViewProgress {
  /** The call. */
  readonly callId: string;
  /** What it is at. */
  readonly label: string;
  /** 0 to 1. */
  readonly fraction?: number;
}

/** One change that was committed: told from the document's history, never from the model's words. */
export interface Receipt {
  /** The call. */
  readonly callId: string;
  /** Its tool. */
  readonly toolName: string;
  /** What headed its card: the title of its preview, or the line of its input. */
  readonly summary: string;
  /** Whether it was taken back since. */
  readonly undone: boolean;
}

/** What the current turn cost. */
export interface ViewUsage {
  /** Tokens read. */
  readonly inputTokens: number;
  /** Tokens written. */
  readonly outputTokens: number;
  /** Millionths of the host's currency, where prices were given. */
  readonly costMicros: number;
}

/** Everything there is to show, at one moment. */
export interface SessionView {
  /** Where the turn is. */
  readonly phase: TurnPhase;
  /** The conversation. */
  readonly messages: readonly Message[];
  /** Every call of the session, in the order they were opened. */
  readonly calls: readonly CallRecord[];
  /** The calls that wait for the person. */
  readonly pending: readonly CallRecord[];
  /** How the turn ended, once it did. */
  readonly outcome: TurnOutcome | null;
  /** What the person should know. */
  readonly notice: string | null;
  /** What failed. */
  readonly error: ProtocolError | null;
  /** What the turn cost so far. */
  readonly usage: ViewUsage;
  /** How far the running call is. */
  readonly progress: ViewProgress | null;
  /** Whether the newest turn that changed something can be taken back. */
  readonly undo: UndoAvailability;
  /** What was committed. */
  readonly receipts: readonly Receipt[];
  /** The document's revision; 0 without a document. */
  readonly documentRevision: number;
  /** The model's reasoning of the current turn: shown, not kept. */
  readonly reasoning: string;
}

const NO_USAGE: ViewUsage = Object.freeze({ inputTokens: 0, outputTokens: 0, costMicros: 0 });

/** Folds updates and builds views; a view is built when it is read, so that a delta costs one entry. */
export class ViewState {
  readonly #loop: ToolLoop;
  readonly #revision: () => number;
  readonly #calls = new Map<string, CallRecord>();
  // what names the card of a record: whoever was handed the record can name it
  readonly #named = new WeakMap<CallRecord, string>();
  // the same for the present view, by call
  #cards: ReadonlyMap<string, string> = new Map();
  // the same of what somebody last looked at, a whole view or records of it: what an approval can name
  #shown: ReadonlyMap<string, string> = new Map();
  #view: SessionView;
  #textDirty = false;
  #restDirty = true;
  #phase: TurnPhase = "idle";
  #outcome: TurnOutcome | null = null;
  #notice: string | null = null;
  #error: ProtocolError | null = null;
  #usage = NO_USAGE;
  #reasoning = "";

  /** Takes the loop's present state as the beginning. */
  constructor(loop: ToolLoop, revision: () => number, clean: (error: ProtocolError) => ProtocolError) {
    this.#loop = loop;
    this.#revision = revision;
    const { phase, calls, outcome, notice, error: told, budget } = loop.state();
    const error = told === null ? null : deepFreeze(clean(told));
    for (const call of calls) this.#calls.set(call.id, deepFreeze(call));
    [this.#phase, this.#outcome, this.#notice, this.#error] = [phase, outcome, notice, error];
    this.#usage = Object.freeze({ inputTokens: budget.inputTokens, outputTokens: budget.outputTokens, costMicros: budget.costMicros });
    this.#view = Object.freeze({
      phase, messages: Object.freeze([]), calls: Object.freeze([]), pending: Object.freeze([]), outcome, notice, error, usage: this.#usage,
      progress: null, undo: "superseded", receipts: Object.freeze([]), documentRevision: 0, reasoning: "",
    });
  }

  /** Where the turn is. */
  get phase(): TurnPhase {
    return this.#phase;
  }

  /** The call as the core told it last. */
  call(callId: string): CallRecord | undefined {
    return this.#calls.get(callId);
  }

  /** A new turn begins: what belonged to the last one alone is dropped. */
  begin(): void {
    this.#outcome = null;
    this.#notice = null;
    this.#error = null;
    this.#usage = NO_USAGE;
    this.#reasoning = "";
    this.#restDirty = true;
  }

  /** Something outside the turn changed, the document for example. */
  touch(): void {
    this.#restDirty = true;
  }

  /** Takes one update. */
  fold(update: Update): void {
    if (update.type === "text") {
      this.#textDirty = true;
      return;
    }
    this.#restDirty = true;
    switch (update.type) {
      case "phase":
        // a new turn that took the place of a waiting one
        if (update.phase === "requesting" && update.iteration === 1 && this.#outcome !== null) this.begin();
        this.#phase = update.phase;
        return;
      case "call":
        this.#calls.set(update.call.id, deepFreeze(update.call));
        return;
      case "settled":
        this.#phase = "settled";
        this.#outcome = update.outcome;
        this.#notice = update.notice ?? this.#notice;
        this.#error = update.error === null ? null : deepFreeze(update.error);
        return;
      case "usage":
        this.#usage = Object.freeze({ inputTokens: update.inputTokens, outputTokens: update.outputTokens, costMicros: update.costMicros });
        return;
      case "notice":
        this.#notice = update.message;
        return;
      case "reasoning":
        this.#reasoning += update.delta;
        return;
      case "document":
      case "violation":
      case "refused":
        return;
    }
  }

  /** The view for somebody to look at: from here on its cards are what an approval can name. */
  handOut(): SessionView {
    const view = this.build();
    this.#shown = this.#cards;
    return view;
  }

  /** These records were drawn: their cards are what an approval by id can name. What is none of this session's records is passed over. */
  saw(records: readonly CallRecord[]): void {
    const fresh = records.flatMap((record): [string, string][] => {
      const names = this.#named.get(record);
      return names === undefined || this.#shown.get(record.id) === names ? [] : [[record.id, names]];
    });
    if (fresh.length > 0) this.#shown = new Map([...this.#shown, ...fresh]);
  }

  /** What names the card of a record; for an id, the one that was shown last. Nothing where it had none. */
  shown(call: string | CallRecord): string | undefined {
    return typeof call === "string" ? this.#shown.get(call) : this.#named.get(call);
  }

  /** The calls that had a card among what was shown and wait still. */
  shownPending(): CallRecord[] {
    return [...this.#shown.keys()].flatMap((id) => this.#calls.get(id) ?? []).filter((call) => call.status === "pending");
  }

  /** The view: the same object while nothing changed. */
  build(): SessionView {
    if (!this.#restDirty && !this.#textDirty) return this.#view;
    const messages: readonly Message[] = this.#loop.messages();
    if (!this.#restDirty) {
      this.#textDirty = false;
      this.#view = Object.freeze({ ...this.#view, messages });
      return this.#view;
    }
    this.#restDirty = false;
    this.#textDirty = false;
    const before = this.#view;
    const calls = sameItems(before.calls, this.#withCards(this.#keeping(before.calls)));
    const pending = sameItems(before.pending, calls.filter((call) => call.status === "pending"));
    this.#cards = new Map(pending.map((call) => [call.id, this.#named.get(call) as string]));
    this.#view = Object.freeze({
      phase: this.#phase,
      messages,
      calls,
      pending,
      outcome: this.#outcome,
      notice: this.#notice,
      error: this.#error,
      usage: this.#usage,
      progress: progressOf(calls, before.progress),
      undo: this.#loop.undoAvailability(),
      receipts: calls === before.calls ? before.receipts : receiptsOf(calls, before.receipts),
      documentRevision: this.#revision(),
      reasoning: this.#reasoning,
    });
    return this.#view;
  }

  // A call that is again what it was keeps its record, whatever it was in between: who compares records draws nothing anew. None is ever taken away.
  #keeping(before: readonly CallRecord[]): CallRecord[] {
    return [...this.#calls.values()].map((call, at) => {
      const known = before[at];
      if (known === undefined || known === call || !sameJson(known, call)) return call;
      this.#calls.set(call.id, known);
      return known;
    });
  }

  // A card shows an effect: that is what an approval names. Where there is none to show, it is one input over one document.
  #withCards(calls: CallRecord[]): CallRecord[] {
    if (!calls.some((call) => call.status === "pending")) return calls;
    const documentRevision = this.#loop.documentRevision();
    return calls.map((call) => (call.status === "pending" ? this.#withCard(call, call.preview?.effectDigest ?? `${call.inputDigest}@${documentRevision}`) : call));
  }

  // a record names one card for ever: the same call with another card is another record
  #withCard(call: CallRecord, names: string): CallRecord {
    const before = this.#named.get(call);
    if (before === names) return call;
    const record = before === undefined ? call : Object.freeze({ ...call });
    this.#named.set(record, names);
    this.#calls.set(record.id, record);
    return record;
  }
}

function progressOf(calls: readonly CallRecord[], before: ViewProgress | null): ViewProgress | null {
  const running = calls.filter((call) => call.status === "running" && call.progress !== null).at(-1);
  if (running?.progress == null) return null;
  const progress: ViewProgress = Object.freeze({ callId: running.id, ...running.progress });
  return sameJson(progress, before) ? before : progress;
}

function receiptsOf(calls: readonly CallRecord[], before: readonly Receipt[]): readonly Receipt[] {
  const receipts = calls
    .filter((call) => call.committed)
    .map((call): Receipt => ({ callId: call.id, toolName: call.toolName, summary: call.preview?.title ?? call.summary, undone: call.status === "undone" }));
  return sameItems(before, receipts.map((receipt, at) => (sameJson(receipt, before[at]) ? (before[at] as Receipt) : Object.freeze(receipt))));
}
