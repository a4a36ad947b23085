/** The host of one conversation in a page: does what the loop asks (requests, executions, timers) and shows where it is. */

import { timersOf, type Timers } from "../clock.js";
import { CountersignError, reportLater } from "../error.js";
import { deepFreeze, sameJson } from "../json.js";
import type { ProposedInput, ToolLoop } from "../loop.js";
import { requireProvider, type Provider } from "../provider.js";
import type { DocumentChange, DocumentStore } from "../store.js";
import type { Tool } from "../tool.js";
import type { AdvertisedTool, Effect, Json, Outcome, RefusalReason, CallRecord, TurnCommand, TurnInput, TurnOutcome, TurnState, Update } from "../types.js";
import { execute, runOnDraft, tellOperator, type ExecuteEffect, type ExecutionHost, type PreviewEffect } from "./execution.js";
import type { BatchDecision, Decision, SessionOptions, SessionTool, UndoResult } from "./options.js";
import { Pace } from "./pace.js";
import { composed } from "./prompt.js";
import { answerRequest, type RequestEffect, type RequestHost } from "./request.js";
import { Saving } from "./saving.js";
import { Secrets } from "./secrets.js";
import { SessionTools } from "./tools.js";
import { ViewState, type SessionView } from "./view.js";

const SILENCE_TIMEOUT_MS = 300_000;
// a card that nobody was shown is named by a text that no card has
const NO_CARD = "";
const UNSEEN = "what the call is now was shown to nobody: read `session.view` when it is drawn, or approve the record that was drawn, `approve(call)`";
const UNSEEN_EDIT = "what the call would do with this input was shown to nobody: ask `session.preview` first";
const TURN_LIVE = "a turn is running: wait for it or cancel it";

/** @internal What the entry point hands a session beside its options. */
export interface SessionParts {
  readonly loop: ToolLoop;
  readonly tools: readonly SessionTool[];
  /** The tools as a model is told of them; throws where the core refuses them. */
  advertise(tools: readonly SessionTool[], use?: (registry: Parameters<ToolLoop["setTools"]>[0], advertised: readonly AdvertisedTool[]) => void): AdvertisedTool[];
}

/** One conversation. Made by `createSession`. */
export class Session {
  /** The tools; a change counts from the next message on. */
  readonly tools: SessionTools;
  readonly #options: SessionOptions;
  readonly #loop: ToolLoop;
  readonly #state: ViewState;
  readonly #secrets = new Secrets();
  readonly #saving: Saving;
  readonly #timers: Timers;
  readonly #host: RequestHost & ExecutionHost;
  readonly #listeners = new Set<() => void>();
  readonly #running = new Map<string, AbortController>();
  // one for each turn that is not settled, oldest first: a message that supersedes adds its own before the old one settles
  readonly #waiting: ((outcome: TurnOutcome) => void)[] = [];
  readonly #forgetDocument: () => void;
  // inputs that a person typed and was shown the effect of, by call
  readonly #proposed = new Map<string, { readonly inputs: readonly Json[]; readonly names: string }>();
  #provider: Provider;
  #advertised: readonly AdvertisedTool[];
  #offered: readonly AdvertisedTool[];
  #implementations: ReadonlyMap<string, Tool>;
  #alarm: { at: number; callOff: () => void } | undefined;
  #lastNow = 0;
  readonly #pace: Pace;
  #stepping = 0;
  readonly #outcomes: Outcome[] = [];
  #disposed = false;
  #closed = false;

  /** @internal */
  constructor(options: SessionOptions, parts: SessionParts) {
    this.#options = options;
    this.#loop = parts.loop;
    const now = options.now ?? Date.now;
    this.#timers = timersOf(now);
    this.#pace = new Pace(this.#timers);
    const { document } = options;
    this.tools = new SessionTools(parts.tools, (tools) => this.#setTools(tools, parts));
    this.#advertised = parts.advertise(parts.tools);
    this.#offered = this.#advertised;
    this.#implementations = this.tools.runnable();
    this.#provider = options.provider;
    this.#secrets.add(options.provider);
    this.#saving = new Saving(options.storage, () => this.#snapshot());
    this.#state = new ViewState(parts.loop, () => revisionOf(document), (error) => this.#secrets.error(error));
    this.#forgetDocument = document?.onChange((change) => this.#documentChanged(change)) ?? (() => undefined);
    const provider = (): Provider => this.#provider;
    this.#host = {
      loop: parts.loop,
      get provider() {
        return provider();
      },
      timers: this.#timers,
      pace: this.#pace,
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
      silenceTimeoutMs: options.silenceTimeoutMs ?? SILENCE_TIMEOUT_MS,
      maxInputTokens: options.maxInputTokens,
      now: () => this.#now(),
      system: () => composed(options, this.#offered),
      advertised: () => this.#offered,
      saved: () => this.#saving.done(),
      toolFailed: (effect, thrown) => tellOperator(options.onToolError, effect, thrown),
      step: (call) => this.#step(call),
      document: () => document?.read(),
      progress: (effect, label, fraction) => this.#progress(effect, label, fraction),
    };
    if (this.#isLive()) {
      this.#waiting.push(() => undefined);
      const asked = this.#loop.pending();
      this.#act(asked);
      // sets the alarm; a turn that only waits for the person, without a time, is left exactly as it was laid down
      const waitsOnly = this.#state.phase === "awaiting_approval" && asked.length === 0;
      const timeless = waitsOnly && this.#state.build().pending.every((call) => call.expiresAtMs === null);
      if (!timeless) this.#step((loop) => loop.dispatch({ type: "tick", nowMs: this.#now() }));
    }
  }

  /** Everything there is to show now: the same object while nothing changed. */
  get view(): SessionView {
    return this.#state.handOut();
  }

  /** The same without counting as shown: for what decides later, or not at all, what comes on screen. Its calls are approved by `approve(call)`. */
  peek(): SessionView {
    return this.#state.build();
  }

  /**
   * Says that these calls were drawn, each as its record shows it: from here on an approval by their ids means that. For a page that reads by `peek` and
   * draws some of it; the hooks say it of what they delivered. A copy of a record says nothing.
   */
  saw(calls: readonly CallRecord[]): void {
    this.#state.saw(calls);
  }

  /** Tells `fn` that the view changed, once for each step of the loop; returns how to stop. */
  subscribe(fn: () => void): () => void {
    const listener = (): void => fn();
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /**
   * Sends a message and resolves with how its turn ended. While calls wait for approval it supersedes them;
   * while a turn runs it rejects with `turn_live`.
   */
  send(text: string): Promise<TurnOutcome> {
    return new Promise((resolve, reject) => {
      this.#refuseDisposed();
      const { context } = this.#options;
      const submit: TurnCommand = { type: "submit", text, nowMs: this.#now(), ...(typeof context === "function" ? { context: context() } : {}) };
      // the context is the host's own function
      this.#refuseDisposed();
      const [offered, implementations] = [this.#offered, this.#implementations];
      this.#offered = this.#advertised;
      this.#implementations = this.tools.runnable();
      this.#waiting.push(resolve);
      const refused = (error: unknown): void => {
        this.#waiting.splice(this.#waiting.indexOf(resolve), 1);
        [this.#offered, this.#implementations] = [offered, implementations];
        reject(error);
      };
      try {
        this.#step((loop) => loop.dispatch(submit), (outcome) => {
          const refusal = refusalOf(outcome, "submit");
          if (refusal !== undefined) refused(notSent(refusal));
        });
      } catch (error) {
        refused(error);
      }
    });
  }

  /**
   * Approves one call, or the same with another input. Given the call itself, a record of `view` or `peek()`, it approves what that record shows; given
   * its id, what was shown last, by `view` or by a hook. Where that is not its card by now, or nothing was shown, `stale_effect`. Another input for a
   * call that destroys something is approved where `preview` has shown it; else it is a new proposal: the call waits again, with what it would do now.
   */
  approve(call: string | CallRecord, { editedInput }: { editedInput?: Json } = {}): Decision {
    this.#refuseDisposed();
    const [callId, shown, nowMs] = [idOf(call), this.#state.shown(call), this.#now()];
    const edit = editedInput === undefined ? {} : { editedInput };
    if (editedInput !== undefined && this.#isProposal(callId, editedInput, nowMs)) return this.#decide("approveCall", { type: "approveCall", callId, nowMs, ...edit });
    const seen = editedInput === undefined ? shown : this.#seenEdited(callId, editedInput, shown);
    const decision = this.#decide("approveCall", { type: "approveCall", callId, nowMs, seen: seen ?? NO_CARD, ...edit });
    return decision.ok || decision.reason !== "stale_effect" || seen !== undefined ? decision : { detail: shown === undefined ? UNSEEN : UNSEEN_EDIT, ...decision };
  }

  /**
   * What a call that waits would do, or what it would do with another input, checked as it would be when it is approved. What this
   * returned counts as shown. `preview` is null where nobody can tell before it runs.
   */
  preview(callId: string, editedInput?: Json): ProposedInput {
    this.#refuseDisposed();
    const call = this.#state.call(callId);
    if (call === undefined) return { ok: false, issues: ["no call has this id"] };
    if (editedInput === undefined) return { ok: true, input: call.input, preview: this.#loop.preview(callId) };
    const proposed = this.#loop.propose(callId, editedInput);
    if (proposed.ok && proposed.preview !== null) this.#proposed.set(callId, { inputs: [editedInput, proposed.input], names: proposed.preview.effectDigest });
    return proposed;
  }

  /** Says which of the candidates of its card a call means: it then shows what it would do, and asks. */
  select(callId: string, targetId: string): Decision {
    return this.#decide("selectTarget", { type: "selectTarget", callId, targetId, nowMs: this.#now() });
  }

  /**
   * Approves exactly these calls, named as in `approve`; without a list those that were shown last as pending, without those that are to be decided
   * alone or not yet.
   */
  approveAll(calls?: readonly (string | CallRecord)[]): BatchDecision {
    this.#refuseDisposed();
    const named = new Map<string, string | CallRecord>();
    for (const call of calls ?? this.#state.shownPending().filter(isPlain).map(({ id }) => id)) named.set(idOf(call), named.get(idOf(call)) ?? call);
    const ids = [...named.keys()];
    if (ids.length === 0) return { ok: false, reason: "not_pending", approved: [], refused: [] };
    const seen = [...named.values()].map((call) => this.#state.shown(call) ?? NO_CARD);
    const outcome = this.#step((loop) => loop.dispatch({ type: "approveBatch", callIds: ids, seen, nowMs: this.#now() }));
    const refusals = outcome.updates.filter(isRefusal);
    const whole = refusals.find((refusal) => refusal.callId === undefined);
    const refused = ids.flatMap((callId) => {
      const refusal = refusals.find((each) => each.callId === callId) ?? whole;
      return refusal === undefined ? [] : [{ callId, reason: refusal.reason }];
    });
    const approved = ids.filter((id) => !refused.some((each) => each.callId === id));
    const [first] = refused;
    return { ok: first === undefined, ...(first === undefined ? {} : { reason: first.reason }), approved, refused };
  }

  /** Declines one call; the reason reaches the model, marked as the person's words. */
  deny(callId: string, reason?: string): Decision {
    return this.#decide("denyCall", { type: "denyCall", callId, nowMs: this.#now(), ...(reason === undefined ? {} : { reason }) });
  }

  /** Stops the turn at once; what arrived stays. Without a running turn nothing happens. */
  cancel(): void {
    if (this.#disposed || !this.#isLive()) return;
    this.#step((loop) => loop.dispatch({ type: "cancel", nowMs: this.#now() }));
  }

  /** Takes back the newest turn that changed something, as one step. */
  undo(): UndoResult {
    this.#refuseDisposed();
    const availability = this.#loop.undoAvailability();
    if (availability !== "undoable") return { ok: false, reason: availability };
    const refusal = refusalOf(this.#step((loop) => loop.dispatch({ type: "undoTurn" })), "undoTurn");
    return refusal === undefined ? { ok: true } : { ok: false, reason: refusal.reason };
  }

  /**
   * Another provider or model, from the next message on; the conversation stays. What the provider before it issued for
   * itself alone (signed thinking, say) is not sent to the new one. While a turn runs it throws `turn_live`.
   */
  use(provider: Provider): void {
    this.#refuseDisposed();
    requireProvider(provider);
    if (this.#isLive()) throw new CountersignError("turn_live", TURN_LIVE);
    this.#secrets.add(provider);
    this.#provider = provider;
  }

  /** A tool of the turn as the model was told of it; undefined where it was told of none of this name. */
  tool(name: string): AdvertisedTool | undefined {
    return this.#offered.find((tool) => tool.name === name);
  }

  /** The session's time: what its cards are measured by. */
  now(): number {
    return this.#now();
  }

  /** The turn as the core holds it, for looking into it. */
  state(): TurnState {
    this.#refuseDisposed();
    const state = this.#loop.state();
    return deepFreeze(state.error === null ? state : { ...state, error: this.#secrets.error(state.error) });
  }

  /** The conversation as text, for `createSession({ snapshot })`. */
  save(): string {
    this.#refuseDisposed();
    return this.#snapshot();
  }

  /** Everything that went into the conversation, for `replay`; only with `recordInputs: true`. The provider's secrets are masked in it. */
  recording(): string {
    this.#refuseDisposed();
    return this.#secrets.recording(this.#loop.recording());
  }

  /** Stops the turn, forgets every listener and gives the memory back. The last view stays readable. */
  dispose(): void {
    if (this.#disposed) return;
    this.cancel();
    this.#disposed = true;
    // in the middle of a step (a listener of the document called this) what the step caused is taken in first
    if (this.#stepping > 0) return;
    this.#drain();
    this.#close();
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#state.build();
    this.#forgetDocument();
    this.#alarm?.callOff();
    this.#alarm = undefined;
    for (const controller of this.#running.values()) controller.abort();
    this.#running.clear();
    this.#listeners.clear();
    // nobody waits for a session that is gone
    for (const resolve of this.#waiting.splice(0)) resolve("cancelled");
    this.#loop.free();
  }

  // what was typed is shown by `preview` alone; a call that can be taken back may also be approved as it was typed
  #seenEdited(callId: string, editedInput: Json, shown: string | undefined): string | undefined {
    const proposed = this.#shownEdit(callId, editedInput);
    if (proposed !== undefined) return proposed;
    const call = this.#state.call(callId);
    const mustBeShown = call?.destructive === true && call.preview !== null && !this.#runsOnDraft(call.toolName);
    return mustBeShown && !sameJson(call.input, editedInput) ? undefined : shown;
  }

  #shownEdit(callId: string, editedInput: Json): string | undefined {
    const proposed = this.#proposed.get(callId);
    return proposed?.inputs.some((input) => sameJson(input, editedInput)) === true ? proposed.names : undefined;
  }

  // What was typed for a call that destroys something, and shown to nobody: told without a `seen` it is no approval, but laid before the person anew.
  // That holds where the core can tell what it would do, and where it is another input; in all other cases what was seen has to be named.
  #isProposal(callId: string, editedInput: Json, nowMs: number): boolean {
    if (this.#state.call(callId)?.destructive !== true || this.#shownEdit(callId, editedInput) !== undefined) return false;
    // what the time changes is done before the core is asked, not between question and answer
    this.#step((loop) => loop.dispatch({ type: "tick", nowMs }));
    this.#refuseDisposed();
    const call = this.#loop.state().calls.find(({ id }) => id === callId);
    if (call?.status !== "pending") return false;
    const proposed = this.#loop.propose(callId, editedInput);
    return proposed.ok && proposed.preview !== null && !sameJson(proposed.input, call.input);
  }

  // what the person typed is then shown by its card first
  #runsOnDraft(toolName: string): boolean {
    return this.#implementations.get(toolName)?.preview === true;
  }

  #decide(input: "approveCall" | "denyCall" | "selectTarget", command: TurnCommand): Decision {
    this.#refuseDisposed();
    const refusal = refusalOf(this.#step((loop) => loop.dispatch(command)), input);
    if (refusal === undefined) return { ok: true };
    return { ok: false, reason: refusal.reason, ...(refusal.detail === undefined ? {} : { detail: refusal.detail }) };
  }

  /** Runs one call of the loop and does what it caused: shows updates, starts effects, sets the alarm, tells subscribers. */
  #step(call: (loop: ToolLoop) => Outcome, first?: (outcome: Outcome) => void): Outcome {
    if (this.#disposed) return { updates: [], effects: [], nextDeadlineMs: null };
    return this.#stepping === 0 ? this.#pace.work(() => this.#stepped(call, first)) : this.#stepped(call, first);
  }

  #stepped(call: (loop: ToolLoop) => Outcome, first?: (outcome: Outcome) => void): Outcome {
    const place = this.#outcomes.length;
    this.#stepping += 1;
    try {
      const outcome = this.#secrets.outcome(call(this.#loop));
      first?.(outcome);
      // a listener of the document may have made steps of its own inside this one: they came after it
      this.#outcomes.splice(place, 0, outcome);
      return outcome;
    } finally {
      this.#stepping -= 1;
      if (this.#stepping === 0) {
        this.#drain();
        if (this.#disposed) this.#close();
      }
    }
  }

  #drain(): void {
    for (let outcome = this.#outcomes.shift(); outcome !== undefined; outcome = this.#outcomes.shift()) {
      for (const update of outcome.updates) this.#take(update);
      // before anybody is called, a listener of an abort for example: the steps they make set later ones
      this.#setAlarm(outcome.nextDeadlineMs);
      this.#act(outcome.effects);
      if (outcome.updates.length > 0) this.#tell(outcome.updates);
    }
  }

  #take(update: Update): void {
    this.#state.fold(update);
    if (update.type === "settled") {
      this.#waiting.shift()?.(update.outcome);
      this.#proposed.clear();
      this.#saving.begin();
    } else if (update.type === "phase" && update.phase === "awaiting_approval") {
      this.#saving.begin();
    }
  }

  #act(effects: readonly Effect[]): void {
    // what is started begins later, and can be stopped by whoever hears of an abort
    for (const effect of effects) {
      switch (effect.type) {
        case "abort":
          break;
        case "request":
          this.#start(effect.id, (controller) => answerRequest(this.#host, effect satisfies RequestEffect, controller));
          break;
        case "execute":
          this.#start(effect.id, (controller) => this.#execute(effect, controller.signal));
          break;
        case "preview":
          this.#start(effect.id, (controller) => this.#runOnDraft(effect, controller.signal));
          break;
      }
    }
    for (const effect of effects) {
      if (effect.type !== "abort") continue;
      for (const id of effect.ids) this.#running.get(id)?.abort();
    }
  }

  #start(id: string, work: (controller: AbortController) => Promise<void>): void {
    const controller = new AbortController();
    this.#running.set(id, controller);
    // begins after the present step is shown, and cannot dispatch inside it
    const begin = (): Promise<void> | undefined => (controller.signal.aborted ? undefined : work(controller));
    void Promise.resolve()
      // what one piece of work asks for next comes in a task of its own where the page was kept waiting for long enough
      .then(() => this.#pace.pause()?.then(begin) ?? begin())
      .catch(reportLater)
      .finally(() => this.#running.delete(id));
  }

  async #execute(effect: ExecuteEffect, signal: AbortSignal): Promise<void> {
    const outcome = await execute(this.#host, effect, this.#implementations.get(effect.toolName), signal);
    if (signal.aborted) return;
    const settle = (result: typeof outcome): TurnInput => ({ type: "callSettled", callId: effect.callId, outcome: result, nowMs: this.#now() });
    try {
      this.#step((loop) => loop.dispatch(settle(outcome), effect.id));
    } catch (error) {
      // an outcome the core cannot read (a patch that is none, say) is the tool's failure
      this.#host.toolFailed(effect, error);
      this.#step((loop) => loop.dispatch(settle({ status: "error", code: "execution_failed", result: "the tool gave a result that cannot be read; nothing was changed" }), effect.id));
    }
  }

  async #runOnDraft(effect: PreviewEffect, signal: AbortSignal): Promise<void> {
    const outcome = await runOnDraft(this.#host, effect, this.#implementations.get(effect.toolName), signal);
    if (signal.aborted) return;
    const previewed = (result: typeof outcome): TurnInput => ({ type: "previewed", callId: effect.callId, outcome: result, nowMs: this.#now() });
    try {
      this.#step((loop) => loop.dispatch(previewed(outcome), effect.id));
    } catch (error) {
      this.#host.toolFailed(effect, error);
      this.#step((loop) => loop.dispatch(previewed({ status: "error", code: "execution_failed", result: "the tool gave a result that cannot be read" }), effect.id));
    }
  }

  #progress(effect: ExecuteEffect, label: string, fraction: number | undefined): void {
    const told = fraction !== undefined && Number.isFinite(fraction) ? { fraction: Math.min(1, Math.max(0, fraction)) } : {};
    this.#step((loop) => loop.dispatch({ type: "callProgress", callId: effect.callId, label, ...told }));
  }

  #documentChanged(change: DocumentChange): void {
    if (this.#disposed) return;
    const { onCommit } = this.#options;
    if (onCommit !== undefined && change.source !== "user") this.#isolated(() => onCommit(change));
    // the loop knows what it did itself
    if (this.#stepping > 0 && change.source !== "user") return;
    this.#state.touch();
    // any call makes the loop look at its document; this one does nothing else
    this.#step((loop) => loop.dispatch({ type: "tick", nowMs: this.#now() }));
    this.#tell([]);
  }

  #setTools(tools: readonly SessionTool[], parts: SessionParts): void {
    this.#refuseDisposed();
    const before = this.#advertised;
    try {
      parts.advertise(tools, (registry, advertised) => {
        // a subscriber may send a message inside this step: its turn has the new tools
        this.#advertised = advertised;
        this.#step((loop) => loop.setTools(registry));
      });
    } catch (thrown) {
      this.#advertised = before;
      throw thrown;
    }
  }

  #setAlarm(at: number | null): void {
    if (this.#closed || at === (this.#alarm?.at ?? null)) return;
    this.#alarm?.callOff();
    this.#alarm = undefined;
    if (at === null) return;
    const callOff = this.#timers.later(() => {
      this.#alarm = undefined;
      this.#step((loop) => loop.dispatch({ type: "tick", nowMs: this.#now() }));
    }, Math.max(1, at - this.#now()));
    this.#alarm = { at, callOff };
  }

  #tell(updates: readonly Update[]): void {
    const { onUpdates } = this.#options;
    if (onUpdates !== undefined && updates.length > 0) this.#isolated(() => onUpdates(updates));
    for (const listener of [...this.#listeners]) this.#isolated(listener);
  }

  #isolated(call: () => void): void {
    try {
      call();
    } catch (error) {
      reportLater(error);
    }
  }

  #snapshot(): string {
    return this.#secrets.snapshot(this.#loop.snapshot());
  }

  // the core knows, where steps are not taken in yet: a listener of the document is called inside of one
  #isLive(): boolean {
    const { phase } = this.#stepping > 0 || this.#outcomes.length > 0 ? this.#loop.state() : this.#state;
    return phase !== "idle" && phase !== "settled";
  }

  #now(): number {
    this.#lastNow = Math.max(this.#lastNow, Math.floor((this.#options.now ?? Date.now)()));
    return this.#lastNow;
  }

  #refuseDisposed(): void {
    if (this.#disposed) throw new CountersignError("use_after_free", "this session was disposed of", { expected: "a new session" });
  }
}

function idOf(call: string | CallRecord): string {
  return typeof call === "string" ? call : call.id;
}

// what can be approved together with others, now
function isPlain(call: CallRecord): boolean {
  return !call.destructive && call.awaiting === "user" && call.act?.result !== "needs_selection";
}

type Refusal = Extract<Update, { type: "refused" }>;

function isRefusal(update: Update): update is Refusal {
  return update.type === "refused";
}

function refusalOf(outcome: Outcome, input: string): Refusal | undefined {
  return outcome.updates.filter(isRefusal).find((refusal) => refusal.input === input);
}

// a document that its host freed before the session stays at no revision, and the session can still be put away
function revisionOf(document: DocumentStore | undefined): number {
  try {
    return document?.revision ?? 0;
  } catch (error) {
    if (error instanceof CountersignError && error.code === "use_after_free") return 0;
    throw error;
  }
}

function notSent(refusal: Refusal): CountersignError {
  const reasons: Partial<Record<RefusalReason, string>> = { turn_live: TURN_LIVE };
  return new CountersignError(refusal.reason, refusal.detail ?? reasons[refusal.reason] ?? "the message was not taken");
}
