// The assistant at the side: title, status, transcript, composer. Enters: the session's view and the document.
// Leaves: the person's decisions to the session. Decides nothing the session decides.

import type { CallRecord, Session, SessionView, ToolRegistry } from "countersign/threat-model";

import type { Announcer } from "../announce.tsx";
import { attr, h, words } from "../dom.ts";
import { icon } from "../icons.ts";
import type { Model } from "../model.ts";
import { strings } from "../strings/assistant.ts";
import { clip, count, say } from "../text.ts";
import type { Card } from "./card.ts";
import { Composer, type ComposerState } from "./composer.ts";
import { Conversation, type Turn } from "./conversation.ts";
import { errorWords } from "./ending.ts";
import { Transcript } from "./transcript.ts";
import { outcome, receipt } from "./words.ts";

/** What the panel needs from the page. */
export interface PanelHost {
  readonly session: Session;
  readonly registry: ToolRegistry;
  readonly announcer: Announcer;
  model(): Model;
  /** The calls that are looked at, for the canvas. */
  look(calls: readonly CallRecord[]): void;
  hide(): void;
}

const STATUS = { idle: "ready", requesting: "thinking", streaming: "writing", awaiting_approval: "waiting", executing: "applying", settled: "ready" } as const;

/** The assistant panel. */
export class Panel {
  readonly root: HTMLElement;
  readonly #status = h("span", { class: "status-word" });
  readonly #conversation = new Conversation();
  readonly #transcript: Transcript;
  readonly #composer: Composer;
  readonly #stale = new Map<string, string>();
  readonly #announced = new Map<string, string>();
  #frame = 0;
  #looked: string | undefined;
  #lastEnd: unknown;

  constructor(private readonly host: PanelHost) {
    this.#transcript = new Transcript(host.model(), {
      approve: (call, input) => this.#approve(call, input),
      deny: (call, reason) => this.#refusal(host.session.deny(call.id, reason === "" ? undefined : reason)),
      approveAll: (calls) => this.#approveAll(calls),
      issues: (tool, input) => {
        const prepared = host.registry.prepare(tool, input as never);
        return prepared.ok ? [] : prepared.issues;
      },
      look: (id) => this.#look(id),
      stale: (call) => (call.status === "pending" ? this.#stale.get(call.id) : undefined),
      decided: (_, byKey) => {
        for (const card of this.#transcript.waiting()) card.moved();
        if (byKey) this.#afterDecision();
      },
      undo: () => this.undoTurn(),
      retry: (text) => this.#send(text),
    });
    this.#composer = new Composer({ send: (text) => this.#send(text), stop: () => this.#stop() });
    const hide = h("button", { class: "icon-button", type: "button", "aria-label": strings.top.hidePanel, "data-tip": strings.top.hidePanel, onclick: () => host.hide() }, icon("cross"));
    const head = h("header", { class: "panel-head" }, h("h2", {}, strings.panel.title), h("span", { class: "status", role: "presentation" }, h("span", { class: "status-dot" }), this.#status), hide);
    this.root = h("aside", { class: "panel", id: "assistant", "aria-label": strings.panel.title, "data-region": "assistant", tabindex: "-1" }, head, this.#transcript.root, this.#composer.root);
    host.session.subscribe(() => this.refresh());
    setInterval(() => this.#tick(), 1000);
    this.draw();
  }

  /** The document changed by something else than this turn: what waits has to be looked at again. */
  documentChanged(what: string): void {
    for (const call of this.#view.calls) if (call.status === "pending" || call.status === "approved") this.#stale.set(call.id, what);
    this.refresh();
  }

  /** Redraws with the next frame: a commit is told before its call is, and both belong on screen together. */
  refresh(): void {
    // a hidden tab gets no frames, but it does not need any either: the next visible frame draws everything
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.draw());
  }

  /** Redraws from the session's view. */
  draw(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const view = this.#view;
    const turns = this.#conversation.turns(view);
    const stopped = view.phase === "settled" && view.outcome === "cancelled";
    const status = stopped ? "stopped" : STATUS[view.phase];
    for (const call of view.calls) if (call.status !== "pending" && call.status !== "approved") this.#stale.delete(call.id);
    words(this.#status, strings.status[status]);
    attr(this.root, "data-status", status);
    this.#transcript.draw(turns, this.host.model(), { thinking: view.phase === "requesting", undo: view.undo });
    this.#composer.update(composerState(view));
    this.#announce(view, turns.at(-1));
    if (this.#looked !== undefined) this.#look(this.#looked);
  }

  /** Puts the focus on the next card that waits. */
  next(step: 1 | -1): boolean {
    const waiting = this.#transcript.waiting();
    const at = waiting.findIndex((card) => card.root.contains(document.activeElement));
    const card = waiting[at === -1 ? (step === 1 ? 0 : waiting.length - 1) : (at + step + waiting.length) % waiting.length];
    this.#focusCard(card);
    return card !== undefined;
  }

  /** The waiting card that has the focus. */
  focusedCard(): Card | undefined {
    return this.#transcript.waiting().find((card) => card.root.contains(document.activeElement));
  }

  /** Puts the cursor where the person writes. */
  focus(): void {
    this.#composer.focus();
  }

  /** Takes the newest turn that changed something back, where that is possible. */
  undoTurn(): void {
    if (this.#view.undo !== "undoable" || (this.#view.phase !== "settled" && this.#view.phase !== "idle")) return;
    this.host.session.undo();
    this.host.announcer.say(strings.receipt.undoneNow);
  }

  get #view(): SessionView {
    return this.host.session.view;
  }

  #send(text: string): void {
    this.#transcript.toEnd();
    this.host.session.send(text).catch((error: unknown) => {
      this.host.announcer.note(say(strings.errors["send"] ?? "", { why: clip(error instanceof Error ? error.message : String(error), 160) }));
    });
    this.draw();
  }

  #stop(): void {
    this.host.session.cancel();
    this.draw();
    this.#composer.focus();
    this.host.announcer.say(strings.announce.stopped);
  }

  #approve(call: CallRecord, input: unknown): string | undefined {
    return this.#refusal(input === undefined ? this.host.session.approve(call.id) : this.host.session.approve(call.id, { editedInput: input as never }));
  }

  #approveAll(calls: readonly CallRecord[]): string | undefined {
    return this.#refusal(this.host.session.approveAll(calls.map((call) => call.id)));
  }

  #refusal(answer: { readonly ok: boolean; readonly reason?: string; readonly detail?: string }): string | undefined {
    this.refresh();
    if (answer.ok) return undefined;
    const words = strings.card.refused;
    if (answer.reason === "stale_document" || answer.reason === "stale_effect") return words.stale;
    if (answer.reason === "not_pending" || answer.reason === "settled") return words.not_pending;
    return answer.detail === undefined ? words.other : say(words.told, { why: clip(answer.detail, 200) });
  }

  #look(id: string | undefined): void {
    this.#looked = id;
    const call = id === undefined ? undefined : this.#view.calls.find((one) => one.id === id);
    this.host.look(call !== undefined && (call.status === "pending" || call.status === "approved") ? [call] : []);
  }

  #afterDecision(): void {
    this.draw();
    const [next] = this.#transcript.waiting();
    if (next !== undefined) this.#focusCard(next);
    else this.#composer.focus();
  }

  #focusCard(card: Card | undefined): void {
    if (card === undefined) return;
    card.root.focus({ preventScroll: true });
    card.root.scrollIntoView({ block: "nearest" });
  }

  #tick(): void {
    for (const card of this.#transcript.waiting()) card.tick(Date.now());
  }

  // new cards and outcomes, each once
  #announce(view: SessionView, last: Turn | undefined): void {
    const say_ = (sentence: string) => this.host.announcer.say(sentence);
    const fresh = view.calls.filter((call) => call.status === "pending" && !this.#announced.has(call.id)).length;
    if (fresh > 0 && view.phase === "awaiting_approval") say_(count(fresh, strings.announce.waiting));
    const cards = new Map(this.#transcript.cards().map((card) => [card.call.id, card]));
    for (const call of view.calls) {
      if (call.status === "pending" && view.phase !== "awaiting_approval") continue;
      const before = this.#announced.get(call.id);
      if (before === call.status) continue;
      this.#announced.set(call.id, call.status);
      if (call.status === "pending" || call.status === "approved" || call.status === "running" || call.effect === "read") continue;
      say_(say(strings.announce.outcome, { heading: cards.get(call.id)?.title ?? call.summary, outcome: outcome(call) }));
    }
    if (last?.end === undefined || last.end === this.#lastEnd) return;
    this.#lastEnd = last.end;
    if (last.end.error !== null && last.end.outcome === "failed") say_(errorWords(last.end.error));
    else if (last.end.outcome !== "cancelled") say_(say(strings.announce.finished, { receipt: receipt(last.calls).text }));
  }
}

function composerState(view: SessionView): ComposerState {
  if (view.phase === "awaiting_approval") return "waiting";
  return view.phase === "idle" || view.phase === "settled" ? "ready" : "running";
}
