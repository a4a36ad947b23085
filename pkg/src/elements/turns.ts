/** The conversation as turns. Enters: the session's view after each change. Leaves: turns whose unchanged parts keep their identity, so that only what grew is drawn anew. */

import type { CallRecord, Message, ProtocolError, TurnOutcome } from "#engine/types";
import type { SessionView } from "../session/view.js";

/** How a turn ended. */
export interface TurnEnd {
  /** Its outcome. */
  readonly outcome: TurnOutcome;
  /** What the person should know. */
  readonly notice: string | null;
  /** What failed. */
  readonly error: ProtocolError | null;
}

/** One thing on screen: a text, calls that only read, or calls that ask. */
export type Piece =
  | { readonly kind: "said"; readonly key: string; readonly text: string }
  | { readonly kind: "reads"; readonly key: string; readonly calls: readonly CallRecord[] }
  | { readonly kind: "group"; readonly key: string; readonly calls: readonly CallRecord[] };

/** One turn. */
export interface Turn {
  /** Another for each turn of the conversation. */
  readonly key: string;
  /** What the person wrote. */
  readonly asked: string;
  /** What came of it, in order. */
  readonly pieces: readonly Piece[];
  /** All of its calls that are on screen. */
  readonly calls: readonly CallRecord[];
  /** How it ended, once it did. */
  readonly end: TurnEnd | undefined;
  /** Whether it is the newest. */
  readonly isLast: boolean;
}

// the one tool whose name no other can have
const PLAN = "submit_turn_plan";

interface Made {
  readonly turn: Turn;
  readonly messages: readonly Message[];
}

/** Follows one conversation, over all sessions that carry it on. */
export class Turns {
  // a session that goes on from a snapshot no longer knows the calls of earlier turns
  readonly #calls = new Map<string, CallRecord>();
  #made: readonly Made[] = [];
  #turns: readonly Turn[] = [];
  #view: SessionView | undefined;
  readonly #ends = new Map<number, TurnEnd>();

  /** The turns as they are now, oldest first: the same objects where nothing changed. */
  of(view: SessionView): readonly Turn[] {
    const before = this.#view;
    if (view === before) return this.#turns;
    this.#view = view;
    const { messages } = view;
    if (view.calls !== before?.calls) for (const call of view.calls) this.#calls.set(call.id, call);
    const starts = messages.flatMap((message, at) => (asks(message) ? [at] : []));
    // what was said before anything was asked belongs to a turn of its own
    if (starts[0] !== 0 && messages.length > 0) starts.unshift(0);
    const isSameCalls = before?.calls === view.calls && before.phase === view.phase && before.outcome === view.outcome && before.notice === view.notice && before.error === view.error;
    let byBlock: ReadonlyMap<string, readonly CallRecord[]> | undefined;
    const made = starts.map((start, number): Made => {
      const own = messages.slice(start, starts[number + 1] ?? messages.length);
      const isLast = number === starts.length - 1;
      const old = this.#made[number];
      if (old !== undefined && isSameCalls && old.turn.isLast === isLast && isSame(old.messages, own)) return old;
      byBlock ??= byBlockOf([...this.#calls.values()], messages);
      return { turn: this.#turn(view, number, own, start, isLast, byBlock, old?.turn), messages: own };
    });
    this.#made = made;
    const turns = made.map(({ turn }) => turn);
    if (!isSame(this.#turns, turns)) this.#turns = turns;
    return this.#turns;
  }

  #turn(view: SessionView, number: number, messages: readonly Message[], start: number, isLast: boolean, byBlock: ReadonlyMap<string, readonly CallRecord[]>, before: Turn | undefined): Turn {
    const [first] = messages;
    const isAsked = first !== undefined && asks(first);
    const made = piecesOf(messages, start, (block) => {
      const calls = byBlock.get(block) ?? [];
      return isLast ? calls : calls.map((call) => this.#over(call));
    });
    // a card is never left out because its message is not there (yet)
    if (isLast) {
      const placed = new Set(made.flatMap((piece) => (piece.kind === "said" ? [] : piece.calls.map(({ id }) => id))));
      const left = view.pending.filter(({ id }) => !placed.has(id));
      if (left.length > 0) made.push({ kind: "group", key: "group-left", calls: left });
    }
    const known = new Map(before?.pieces.map((piece) => [piece.key, piece]));
    const pieces = made.map((piece) => {
      const old = known.get(piece.key);
      return old !== undefined && samePiece(old, piece) ? old : piece;
    });
    const turn: Turn = { key: `turn-${number}`, asked: isAsked ? textOf(first) : "", pieces, calls: pieces.flatMap((piece) => (piece.kind === "said" ? [] : piece.calls)), end: this.#end(view, number, isLast), isLast };
    return before !== undefined && before.asked === turn.asked && isSame(before.pieces, turn.pieces) && before.end === turn.end && before.isLast === isLast ? before : turn;
  }

  // a turn that a new message replaced is over, whether or not anyone saw its last view
  #over(call: CallRecord): CallRecord {
    if (call.status !== "pending" && call.status !== "approved") return call;
    const over: CallRecord = { ...call, status: "denied", denialReason: "superseded", awaiting: null };
    this.#calls.set(call.id, over);
    return over;
  }

  #end(view: SessionView, number: number, isLast: boolean): TurnEnd | undefined {
    const known = this.#ends.get(number);
    if (!isLast) {
      if (known !== undefined) return known;
      const end: TurnEnd = { outcome: "completed", notice: null, error: null };
      this.#ends.set(number, end);
      return end;
    }
    if (view.phase !== "settled" || view.outcome === null) {
      this.#ends.delete(number);
      return undefined;
    }
    const { outcome, notice, error } = view;
    if (known !== undefined && known.outcome === outcome && known.notice === notice && known.error === error) return known;
    const end: TurnEnd = { outcome, notice, error };
    this.#ends.set(number, end);
    return end;
  }
}

/** Whether a turn was set aside by a new message. */
export function isSuperseded(turn: Turn): boolean {
  return turn.calls.some((call) => call.denialReason === "superseded");
}

function piecesOf(messages: readonly Message[], start: number, callsOf: (block: string) => readonly CallRecord[]): Piece[] {
  const made: Piece[] = [];
  messages.forEach((message, index) => {
    if (message.role !== "assistant") return;
    const at = start + index;
    message.content.forEach((block, place) => {
      if (block.type === "text" && block.text !== "") made.push({ kind: "said", key: `said-${at}-${place}`, text: block.text });
    });
    const calls = message.content.flatMap((block) => (block.type === "tool_call" ? callsOf(block.id) : []));
    const reads = calls.filter((call) => call.effect === "read" && call.status !== "pending");
    const asking = calls.filter((call) => !reads.includes(call));
    const last = made.at(-1);
    // what was looked at in several steps without a word between is one line
    if (reads.length > 0 && last?.kind === "reads") made[made.length - 1] = { ...last, calls: [...last.calls, ...reads] };
    else if (reads.length > 0) made.push({ kind: "reads", key: `reads-${at}`, calls: reads });
    if (asking.length > 0) made.push({ kind: "group", key: `group-${at}`, calls: asking });
  });
  return made;
}

// The acts of a plan are calls of their own, named after the call that holds them, which has nothing to show beside them. A
// call with a block of its own is none, whatever it is called.
function byBlockOf(calls: readonly CallRecord[], messages: readonly Message[]): ReadonlyMap<string, readonly CallRecord[]> {
  const found = new Map(calls.map((call) => [call.id, [call]]));
  const named = calls.filter(({ id }) => blockOf(id) !== id);
  const blocks = new Set(named.length === 0 ? [] : messages.flatMap(({ content }) => content.flatMap((block) => (block.type === "tool_call" ? [block.id] : []))));
  for (const act of named.filter(({ id }) => !blocks.has(id))) {
    const block = blockOf(act.id);
    const list = found.get(block);
    if (list === undefined || list[0]?.toolName === PLAN) found.set(block, [act]);
    else list.push(act);
  }
  return found;
}

function blockOf(id: string): string {
  return id.replace(/#\d+$/, "");
}

function isSame<T>(before: readonly T[], after: readonly T[]): boolean {
  return before.length === after.length && before.every((item, at) => item === after[at]);
}

function samePiece(before: Piece, after: Piece): boolean {
  if (before.kind === "said" || after.kind === "said") return before.kind === "said" && after.kind === "said" && before.text === after.text;
  return before.kind === after.kind && isSame(before.calls, after.calls);
}

function asks(message: Message): boolean {
  return message.role === "user" && message.content.some((block) => block.type === "text");
}

function textOf(message: Message): string {
  return message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
