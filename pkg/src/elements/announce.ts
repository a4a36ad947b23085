/** New cards and outcomes for screen readers, politely and each once. Enters: views. Leaves: sentences in one live region. */

import type { CallRecord } from "#engine/types";
import type { SessionView } from "../session/view.js";
import { h } from "./dom.js";
import { isWaiting, outcomeOf, receiptOf, titleOf } from "./facts.js";
import type { Turn } from "./turns.js";
import { count, say, wordFor, type ElementWords } from "./words.js";

const TOGETHER_MS = 120;

/** Speaks. */
export class Announcer {
  /** The live region. */
  readonly node = h("div", { class: "sr", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  readonly #told = new Map<string, string>();
  #queue: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended: unknown;
  #calls: readonly CallRecord[] | undefined;
  #phase: SessionView["phase"] | undefined;
  #isFirst = true;

  /** Says a sentence; several in one moment are said together. */
  say(sentence: string): void {
    this.#queue.push(sentence);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.node.textContent = this.#queue.join(". ");
      this.#queue = [];
    }, TOGETHER_MS);
  }

  /** Says what is new in a view. What stood there when the conversation was first shown is not news, but for what waits. */
  look(view: SessionView, last: Turn | undefined, words: ElementWords): void {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    this.#tellCalls(view, isFirst, words);
    const end = last?.end;
    if (end === this.#ended) return;
    this.#ended = end;
    if (end === undefined || isFirst || last === undefined) return;
    if (end.outcome === "failed" && end.error !== null) this.say(wordFor(words.errors, end.error.code) ?? end.error.message);
    else if (end.outcome === "cancelled") this.say(words.announce.stopped);
    else this.say(`${words.announce.finished} ${receiptOf(last.calls, words).text}`.trim());
  }

  #tellCalls(view: SessionView, isFirst: boolean, words: ElementWords): void {
    // text that streams changes no call
    if (view.calls === this.#calls && view.phase === this.#phase) return;
    this.#calls = view.calls;
    this.#phase = view.phase;
    const isReviewed = view.phase === "awaiting_approval";
    let fresh = 0;
    for (const call of view.calls) {
      if (isWaiting(call) && (!isReviewed || call.awaiting !== "user")) continue;
      const key = isWaiting(call) ? `pending ${call.preview?.effectDigest ?? ""}` : call.status;
      const before = this.#told.get(call.id);
      if (before === key) continue;
      this.#told.set(call.id, key);
      if (isWaiting(call)) {
        if (before?.startsWith("pending") === true) this.say(say(words.announce.changed, { title: titleOf(call) }));
        else fresh += 1;
      } else if (!isFirst && call.status !== "approved" && call.status !== "running" && call.effect !== "read") this.say(say(words.announce.outcome, { title: titleOf(call), outcome: outcomeOf(call, words) }));
    }
    if (fresh > 0) this.say(count(fresh, words.announce.waiting));
  }

  /** Forgets the conversation. */
  reset(): void {
    this.#told.clear();
    this.#ended = this.#calls = this.#phase = undefined;
    this.#isFirst = true;
  }

  /** Says nothing more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#queue = [];
  }
}
