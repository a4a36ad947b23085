// The conversation as turns: what was asked, what was said and proposed, how it ended. Enters: the session's
// view after each change. Leaves: turns for the transcript. Keeps what a later turn's view no longer holds.

import type { CallRecord, Message, ProtocolError, SessionView } from "countersign/threat-model";

/** How a turn ended. */
export interface TurnEnd {
  readonly outcome: "completed" | "cancelled" | "bounded" | "failed";
  readonly notice: string | null;
  readonly error: ProtocolError | null;
  /** A new message came before the person had decided. */
  readonly superseded: boolean;
}

/** One assistant message: what it says, then what it proposes. */
export interface Said {
  readonly index: number;
  readonly texts: readonly string[];
  readonly calls: readonly CallRecord[];
}

/** One turn. */
export interface Turn {
  readonly number: number;
  readonly asked: string;
  readonly said: readonly Said[];
  readonly calls: readonly CallRecord[];
  readonly end: TurnEnd | undefined;
  readonly isLast: boolean;
}

/** Follows one session. */
export class Conversation {
  readonly #calls = new Map<string, CallRecord>();
  readonly #ends = new Map<number, TurnEnd>();

  /** The turns as they are now, oldest first. */
  turns(view: SessionView): Turn[] {
    for (const call of view.calls) this.#calls.set(call.id, call);
    const starts = view.messages.flatMap((message, index) => (asks(message) ? [index] : []));
    return starts.map((start, number) => {
      const isLast = number === starts.length - 1;
      const stop = starts[number + 1] ?? view.messages.length;
      const said = view.messages.slice(start + 1, stop).flatMap((message, offset) => this.#said(message, start + 1 + offset, isLast));
      const calls = said.flatMap((one) => one.calls);
      return { number, asked: textOf(view.messages[start]), said, calls, end: this.#end(view, number, isLast), isLast };
    });
  }

  #said(message: Message, index: number, isLast: boolean): Said[] {
    if (message.role !== "assistant") return [];
    const texts = message.content.flatMap((block) => (block.type === "text" && block.text !== "" ? [block.text] : []));
    const calls = message.content.flatMap((block) => (block.type === "tool_call" ? (this.#record(block.id, isLast) ?? []) : []));
    return [{ index, texts, calls }];
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
      if (!this.#ends.has(number)) this.#ends.set(number, { outcome: "cancelled", notice: null, error: null, superseded: true });
    } else if (view.phase === "settled" && view.outcome !== null) {
      const known = this.#ends.get(number);
      if (known === undefined || known.outcome !== view.outcome || known.error !== view.error || known.notice !== view.notice)
        this.#ends.set(number, { outcome: view.outcome, notice: view.notice, error: view.error, superseded: false });
    }
    return this.#ends.get(number);
  }
}

function asks(message: Message): boolean {
  return message.role === "user" && message.content.some((block) => block.type === "text");
}

function textOf(message: Message | undefined): string {
  return message?.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n") ?? "";
}
