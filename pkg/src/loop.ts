/// <reference lib="esnext.disposable" preserve="true" />
/** The loop machine as users see it: one conversation of many turns, sans-IO; every call returns what it caused. */

import type { Loop } from "#engine";

import { asCountersignError, guarded } from "./error.js";
import { disposable, Handle } from "./handle.js";
import { fromJson, toJson } from "./json.js";
import { engine } from "./load.js";
import type { RequestParams } from "./functions.js";
import type { TurnOptions } from "./options.js";
import { type ToolRegistry, withRegistry } from "./registry.js";
import { type DocumentChange, type DocumentStore, rawStore, refuseInsideRules, tellChange } from "./store.js";
import type { Effect, Json, Message, Outcome, Prices, ProviderFormat, ToolDeclaration, TurnContext, TurnInput, TurnStanding, TurnState } from "./types.js";

/** What a loop is made of. */
export interface ToolLoopOptions extends TurnOptions {
  /** The tools, from the first submit on. */
  tools: readonly ToolDeclaration[] | ToolRegistry;
  /** The document that tools read and change; shared, not copied. */
  document?: DocumentStore;
  /** Part of every id that leaves the loop; required when a tool is external or runs on a server. */
  conversationId?: string;
  /** For `maxCostMicros`. */
  prices?: Prices;
  /** The model's window: older groups of messages are left out of requests that would not fit. */
  maxInputTokens?: number;
}

/** What a restored loop is given anew: nothing of it is taken from the snapshot. */
export interface RestoreOptions {
  /** The tools. */
  tools: readonly ToolDeclaration[] | ToolRegistry;
  /** The document. */
  document?: DocumentStore;
  /** Who asks now. */
  context?: TurnContext;
}

/** What a request of a loop says beside conversation and tools; `maxOutputTokens` is the turn's `reserveOutputTokens` where nothing is said. */
export type LoopRequestParams = Omit<RequestParams, "maxOutputTokens"> & { maxOutputTokens?: number };

/** Whether the newest turn that changed something can be taken back. */
export type UndoAvailability = TurnStanding;

const NO_EFFECTS: Effect[] = [];
Object.freeze(NO_EFFECTS);
const NO_UPDATES: Outcome["updates"] = [];
Object.freeze(NO_UPDATES);
const ADOPT = Symbol("adopt");

/** One conversation: events and commands in, updates and effects out. */
export class ToolLoop {
  readonly #handle: Handle<Loop>;
  readonly #document: DocumentStore | undefined;

  /** Starts a conversation. */
  constructor(options: ToolLoopOptions) {
    const { Loop } = engine();
    const { tools, document, ...plain } = options;
    this.#document = document;
    const adopted = (options as { [ADOPT]?: Loop })[ADOPT];
    if (adopted !== undefined) {
      this.#handle = new Handle("ToolLoop", adopted);
      return;
    }
    const store = document === undefined ? undefined : rawStore(document);
    const text = toJson(plain, "options");
    this.#handle = new Handle("ToolLoop", withRegistry(tools, (registry) => guarded(() => new Loop(text, registry, store?.handle()))));
  }

  /** Goes on from a snapshot: tools, document and trusted context are given anew, and no grant survives. */
  static restore(snapshot: string, options: RestoreOptions): ToolLoop {
    const { Loop } = engine();
    const { tools, document, ...plain } = options;
    const store = document === undefined ? undefined : rawStore(document);
    const text = toJson(plain, "options");
    const raw = withRegistry(tools, (registry) => guarded(() => Loop.restore(snapshot, text, registry, store?.handle())));
    return new ToolLoop({ tools: [], ...(document === undefined ? {} : { document }), [ADOPT]: raw } as ToolLoopOptions);
  }

  /** Tells the loop one thing; `effectId` names the effect it answers. */
  dispatch(input: TurnInput, effectId?: string): Outcome {
    const raw = this.#raw;
    const text = toJson(input, "input");
    const source = input.type === "undoTurn" ? "undo" : input.type === "redoTurn" ? "redo" : "turn";
    return this.#told(guarded(() => raw.dispatch(text, effectId)), source);
  }

  /** Other tools from the next submit on; what was removed or changed loses its grants now. */
  setTools(tools: readonly ToolDeclaration[] | ToolRegistry): Outcome {
    const raw = this.#raw;
    return this.#told(withRegistry(tools, (registry) => guarded(() => raw.setTools(registry))));
  }

  /** The path and body for an open `request` effect; binds its decoder. */
  request(requestId: string, format: ProviderFormat, params: LoopRequestParams): { path: string; body: Json } {
    const raw = this.#raw;
    const text = toJson(params, "params");
    return fromJson(guarded(() => raw.request(requestId, format, text)));
  }

  /** Bytes of the answer, straight to the reducer. */
  feed(requestId: string, chunk: Uint8Array, nowMs?: number): Outcome {
    const raw = this.#raw;
    // the hot path: no closure, no JSON, no event objects
    let kind: number;
    try {
      kind = raw.feed(requestId, chunk, nowMs);
    } catch (thrown) {
      throw asCountersignError(thrown);
    }
    if (kind === 2) return this.#told(raw.takeOutcome());
    const updates = kind === 1 ? [{ type: "text" as const, messageIndex: raw.textIndex(), delta: raw.takeText() }] : NO_UPDATES;
    return { updates, effects: NO_EFFECTS, nextDeadlineMs: raw.nextDeadline() ?? null };
  }

  /** The answer's bytes are over. */
  endStream(requestId: string, nowMs?: number): Outcome {
    const raw = this.#raw;
    return this.#told(guarded(() => raw.endStream(requestId, nowMs)));
  }

  /** The effects that were not answered yet. */
  pending(): Effect[] {
    const raw = this.#raw;
    return fromJson<Effect[]>(guarded(() => raw.pending()));
  }

  /** The current turn. */
  state(): TurnState {
    const raw = this.#raw;
    return fromJson<TurnState>(guarded(() => raw.state()));
  }

  /** The whole conversation. */
  messages(): Message[] {
    const raw = this.#raw;
    return fromJson<Message[]>(guarded(() => raw.messages()));
  }

  /** Whether the newest turn that changed something can be taken back. */
  undoAvailability(): UndoAvailability {
    const raw = this.#raw;
    return guarded(() => raw.undoAvailability()) as UndoAvailability;
  }

  /** The conversation as text that `restore` understands; the loop goes on untouched. */
  snapshot(): string {
    const raw = this.#raw;
    return guarded(() => raw.snapshot());
  }

  /** Gives this handle's memory back; store and registry live on. */
  free(): void {
    this.#handle.free();
  }

  /** The same as `free`, for `using`. */
  declare readonly [Symbol.dispose]: () => void;

  get #raw(): Loop {
    refuseInsideRules(this.#document);
    return this.#handle.raw;
  }

  #told(text: string, source: DocumentChange["source"] = "turn"): Outcome {
    const outcome = fromJson<Outcome>(text);
    if (this.#document !== undefined) {
      for (const update of outcome.updates) {
        if (update.type === "document") tellChange(this.#document, { revision: update.revision, patch: update.patch, source });
      }
    }
    return outcome;
  }
}
disposable(ToolLoop.prototype);
