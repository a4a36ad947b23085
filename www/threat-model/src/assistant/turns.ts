// The conversation as turns: what was asked, what was said, looked at and proposed, how it ended. Enters: the session's
// view after each change. Leaves: turns whose unchanged parts keep their identity, so that only what grew is drawn anew.

import type { CallRecord, Message, ProtocolError, SessionView } from "countersign/threat-model";

import type { Settings } from "./settings/settings.ts";

/** How a turn ended. */
export interface TurnEnd {
  readonly outcome: "completed" | "cancelled" | "bounded" | "failed";
  readonly notice: string | null;
  readonly error: ProtocolError | null;
  /** A new message came before the person had decided. */
  readonly superseded: boolean;
  /** Who answered. */
  readonly by: Settings;
}

/** One thing on screen: a text, calls that only read, or calls that ask. */
export type Piece =
  | { readonly kind: "said"; readonly key: string; readonly text: string }
  | { readonly kind: "reads"; readonly key: string; readonly calls: readonly CallRecord[] }
  | { readonly kind: "group"; readonly key: string; readonly calls: readonly CallRecord[] };

/** One turn. */
export interface Turn {
  readonly number: number;
  readonly asked: string;
  readonly pieces: readonly Piece[];
  readonly calls: readonly CallRecord[];
  readonly end: TurnEnd | undefined;
  readonly isLast: boolean;
}

/** Follows one conversation, over all sessions that carry it on. */
export class Turns {
  readonly #calls = new Map<string, CallRecord>();
  readonly #ends = new Map<number, TurnEnd>();
  #view: SessionView | undefined;
  #turns: readonly Turn[] = [];

  /** `by` is who answers. */
  constructor(public by: Settings) {}

  /** The turns as they are now, oldest first: the same objects where nothing changed. */
  of(view: SessionView): readonly Turn[] {
    if (view === this.#view) return this.#turns;
    this.#view = view;
    for (const call of view.calls) this.#calls.set(call.id, call);
    const starts = view.messages.flatMap((message, index) => (asks(message) ? [index] : []));
    const made = starts.map((start, number) => {
      const isLast = number === starts.length - 1;
      const stop = starts[number + 1] ?? view.messages.length;
      const before = this.#turns[number];
      const pieces = this.#pieces(view.messages, start + 1, stop, isLast, before?.pieces ?? []);
      const turn: Turn = { number, asked: textOf(view.messages[start]), pieces, calls: pieces.flatMap((piece) => (piece.kind === "said" ? [] : piece.calls)), end: this.#end(view, number, isLast), isLast };
      return before !== undefined && sameTurn(before, turn) ? before : turn;
    });
    this.#turns = same(this.#turns, made) ? this.#turns : made;
    return this.#turns;
  }

  /** The newest turn that changed the document. */
  newest(): Turn | undefined {
    return this.#turns.findLast((turn) => turn.calls.some((call) => call.committed || call.status === "undone"));
  }

  #pieces(messages: readonly Message[], from: number, to: number, isLast: boolean, before: readonly Piece[]): readonly Piece[] {
    const made: Piece[] = [];
    for (let index = from; index < to; index += 1) {
      const message = messages[index];
      if (message?.role !== "assistant") continue;
      message.content.forEach((block, at) => {
        if (block.type === "text" && block.text !== "") made.push({ kind: "said", key: `said-${index}-${at}`, text: block.text });
      });
      const calls = message.content.flatMap((block) => (block.type === "tool_call" ? (this.#record(block.id, isLast) ?? []) : []));
      const reads = calls.filter((call) => call.effect === "read" && call.status !== "pending");
      const asking = calls.filter((call) => !reads.includes(call));
      const last = made.at(-1);
      // what was looked at in several steps without a word between is one line
      if (reads.length > 0 && last?.kind === "reads") made[made.length - 1] = { ...last, calls: [...last.calls, ...reads] };
      else if (reads.length > 0) made.push({ kind: "reads", key: `reads-${index}`, calls: reads });
      if (asking.length > 0) made.push({ kind: "group", key: `group-${index}`, calls: asking });
    }
    const known = new Map(before.map((piece) => [piece.key, piece]));
    const pieces = made.map((piece) => {
      const old = known.get(piece.key);
      return old !== undefined && samePiece(old, piece) ? old : piece;
    });
    return same(before, pieces) ? before : pieces;
  }

  // a turn that a new message replaced is over, whether or not anyone saw its last view
  #record(id: string, isLast: boolean): CallRecord | undefined {
    const call = this.#calls.get(id);
    if (call === undefined || isLast || (call.status !== "pending" && call.status !== "approved")) return call;
    const settled: CallRecord = { ...call, status: "denied", denialReason: "superseded", awaiting: null };
    this.#calls.set(id, settled);
    return settled;
  }

  #end(view: SessionView, number: number, isLast: boolean): TurnEnd | undefined {
    if (!isLast) {
      if (!this.#ends.has(number)) this.#ends.set(number, { outcome: "cancelled", notice: null, error: null, superseded: true, by: this.by });
    } else if (view.phase === "settled" && view.outcome !== null) {
      const { outcome, notice, error } = view;
      const known = this.#ends.get(number);
      const stands = known !== undefined && known.outcome === outcome && known.notice === notice && known.error?.message === error?.message;
      if (!stands) this.#ends.set(number, { outcome, notice, error, superseded: false, by: this.by });
    } else this.#ends.delete(number);
    return this.#ends.get(number);
  }
}

function same<T>(before: readonly T[], after: readonly T[]): boolean {
  return before.length === after.length && before.every((item, at) => item === after[at]);
}

function samePiece(before: Piece, after: Piece): boolean {
  if (before.kind === "said") return after.kind === "said" && before.text === after.text;
  return after.kind === before.kind && same(before.calls, after.calls);
}

function sameTurn(before: Turn, after: Turn): boolean {
  return before.asked === after.asked && before.pieces === after.pieces && before.end === after.end && before.isLast === after.isLast;
}

function asks(message: Message): boolean {
  return message.role === "user" && message.content.some((block) => block.type === "text");
}

function textOf(message: Message | undefined): string {
  return message?.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n") ?? "";
}
