/// <reference lib="esnext.disposable" preserve="true" />
/** The loop machine as users see it: one conversation of many turns, sans-IO; every call returns what it caused. */

import type { Loop } from "#engine";

import { asCountersignError, guarded } from "./error.js";
import { disposable, Handle } from "./handle.js";
import { deepFreeze, fromJson, sameJson, toJson } from "./json.js";
import { engine, memory } from "./load.js";
import type { RequestParams } from "./functions.js";
import type { TurnOptions } from "./options.js";
import { type ToolRegistry, withRegistry } from "./registry.js";
import { type DocumentChange, type DocumentStore, lastTurnOf, rawStore, refuseInsideRules, tellChange } from "./store.js";
import type { ContentBlock, Effect, Json, Message, Outcome, Preview, Prices, ProviderFormat, ToolDeclaration, TurnContext, TurnInput, TurnStanding, TurnState } from "./types.js";

/** What a loop is made of. */
export interface ToolLoopOptions extends TurnOptions {
  /** The tools, from the first submit on. */
  tools: readonly ToolDeclaration[] | ToolRegistry;
  /** The document that tools read and change; shared, not copied. */
  document?: DocumentStore;
  /** Part of every id that leaves the loop; required when a tool is external or runs on a server. No two conversations may have the same. */
  conversationId?: string;
  /** For `maxCostMicros`. */
  prices?: Prices;
  /** The model's window: older groups of messages are left out of requests that would not fit. */
  maxInputTokens?: number;
  /** Keeps everything that goes into the loop, for `recording`. */
  recordInputs?: boolean;
}

/** What a restored loop is given anew: nothing of it is taken from the snapshot. */
export interface RestoreOptions {
  /** The tools. */
  tools: readonly ToolDeclaration[] | ToolRegistry;
  /** The document. */
  document?: DocumentStore;
  /** Who asks now. */
  context?: TurnContext;
  /** Keeps everything that goes into the loop from here on, for `recording`. */
  recordInputs?: boolean;
}

/**
 * What a request of a loop says beside conversation and tools: `maxOutputTokens` is the turn's `reserveOutputTokens` where nothing is said,
 * `maxInputTokens`, the window of the model this request goes to, is the loop's.
 */
export type LoopRequestParams = Omit<RequestParams, "maxOutputTokens"> & { maxOutputTokens?: number; maxInputTokens?: number };

/** A request as it is sent. */
export interface LoopRequest {
  /** The path after the base URL. */
  readonly path: string;
  /** The body as JSON text, ready to send. */
  readonly text: string;
  /** The body; read out of the text when it is asked for. */
  readonly body: Json;
}

/** An input that a person typed: as it would be approved, with what the call would then do where that can be told; or what is wrong with it. */
export type ProposedInput = { readonly ok: true; readonly input: Json; readonly preview: Preview | null } | { readonly ok: false; readonly issues: readonly string[] };

/** Whether the newest turn that changed something can be taken back. */
export type UndoAvailability = TurnStanding;

const NO_EFFECTS: Effect[] = [];
Object.freeze(NO_EFFECTS);
const NO_UPDATES: Outcome["updates"] = [];
Object.freeze(NO_UPDATES);
const ADOPT = Symbol("adopt");

// what the core's `feed` says in one number; the same names stand there
const KIND = 3;
const NOTHING = 0;
const TEXT = 1;
const OUTCOME = 3;
const OTHER_DEADLINE = 4;
const LENGTH_SHIFT = 3;
const INBOX_BYTES = 4096;

/** One conversation: events and commands in, updates and effects out. */
export class ToolLoop {
  readonly #handle: Handle<Loop>;
  readonly #document: DocumentStore | undefined;
  readonly #memory = memory();
  // where a chunk is put, and how much fits there
  #inbox = 0;
  #inboxBytes = -1;
  // the request that was fed last: its id, what the core knows it by, the place of its message
  #fedId: string | undefined;
  #fedNumber = 0;
  #textIndex: number | undefined;
  #deadline: number | null = null;
  // the conversation as it was read last, and the text that its last message got since
  #messages: readonly Message[] = [];
  #messagesStale = true;
  #grown = "";
  // the text of the newest message that has any, and its place; kept from the first time somebody asks
  #answer: string | undefined;
  #answerAt = -1;

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
    return adoptedLoop(raw, document);
  }

  /** Tells the loop one thing; `effectId` names the effect it answers. */
  dispatch(input: TurnInput, effectId?: string): Outcome {
    const raw = this.#raw;
    const text = toJson(input, "input");
    const source = input.type === "undoTurn" ? "undo" : input.type === "redoTurn" ? "redo" : "turn";
    // what is taken back is no step any more once it was
    const undone = source === "undo" ? lastTurnOf(this.#document) : undefined;
    return this.#told(guarded(() => raw.dispatch(text, effectId)), source, undone);
  }

  /** Other tools from the next submit on; what was removed or changed loses its grants now. */
  setTools(tools: readonly ToolDeclaration[] | ToolRegistry): Outcome {
    const raw = this.#raw;
    return this.#told(withRegistry(tools, (registry) => guarded(() => raw.setTools(registry))));
  }

  /** The path and body for an open `request` effect; binds its decoder. */
  request(requestId: string, format: ProviderFormat, params: LoopRequestParams): LoopRequest {
    const raw = this.#raw;
    const given = toJson(params, "params");
    const told = guarded(() => raw.request(requestId, format, given));
    const end = told.indexOf("\n");
    const text = told.slice(0, end);
    let body: Json | undefined;
    return {
      path: told.slice(end + 1),
      text,
      get body() {
        return (body ??= fromJson<Json>(text));
      },
    };
  }

  /** Bytes of the answer, straight to the reducer. */
  feed(requestId: string, chunk: Uint8Array, nowMs?: number): Outcome {
    const raw = this.#raw;
    // the hot path: no closure, no JSON, no id and no chunk as an argument of their own
    let told: number;
    try {
      if (requestId !== this.#fedId) this.#nameRequest(raw, requestId);
      const { length } = chunk;
      if (length > this.#inboxBytes) this.#enlarge(raw, length);
      this.#memory.bytes.set(chunk, this.#inbox);
      told = raw.feed(this.#fedNumber, length, nowMs ?? Number.NaN);
    } catch (thrown) {
      throw asCountersignError(thrown);
    }
    const kind = told & KIND;
    if (kind === OUTCOME) return this.#told(raw.takeOutcome());
    if ((told & OTHER_DEADLINE) !== 0) this.#deadline = raw.nextDeadline() ?? null;
    if (kind === NOTHING) return { updates: NO_UPDATES, effects: NO_EFFECTS, nextDeadlineMs: this.#deadline };
    const delta = kind === TEXT ? this.#memory.text(this.#inbox, told >>> LENGTH_SHIFT) : raw.takeText();
    // one request answers with one message
    this.#textIndex ??= raw.textIndex();
    const messageIndex = this.#textIndex;
    if (!this.#messagesStale) this.#grown += delta;
    this.#say(messageIndex, delta);
    return { updates: [{ type: "text", messageIndex, delta }], effects: NO_EFFECTS, nextDeadlineMs: this.#deadline };
  }

  /** Whether `endStream` would find the answer whole: its finish reason came, and the connection is still open. */
  mayEndStream(requestId: string): boolean {
    const raw = this.#raw;
    return guarded(() => raw.mayEndStream(requestId));
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

  /** @internal The `documentRevision` of the state, without the rest of it. */
  documentRevision(): number {
    const raw = this.#raw;
    return guarded(() => raw.documentRevision());
  }

  /** The whole conversation, frozen: the same list while nothing came, and the same message while it did not change. */
  messages(): Message[] {
    const raw = this.#raw;
    const before = this.#messages;
    if (!this.#messagesStale && this.#grown === "") return before as Message[];
    const place = Math.max(0, before.length - 1);
    const last = before[place];
    // what stands before the last message never changes
    const messages = before.slice(0, place);
    if (!this.#messagesStale && last !== undefined) {
      messages.push(grown(last, this.#grown));
    } else {
      for (const message of fromJson<Message[]>(guarded(() => raw.messages(place)))) {
        messages.push(last !== undefined && messages.length === place && sameJson(last, message) ? last : deepFreeze(message));
      }
    }
    this.#messagesStale = false;
    this.#grown = "";
    if (messages.length === before.length && messages[place] === last) return before as Message[];
    this.#messages = Object.freeze(messages);
    return messages;
  }

  /** All text of the newest message of the model that has any: what is shown while an answer comes, for little more than a delta costs. */
  answer(): string {
    const raw = this.#raw;
    if (this.#answer !== undefined) return this.#answer;
    const messages = this.#messagesStale ? fromJson<Message[]>(guarded(() => raw.messages(0))) : this.messages();
    for (let at = messages.length - 1; at >= 0 && this.#answer === undefined; at -= 1) {
      const texts = textsOf(messages[at]);
      if (texts.length > 0) [this.#answer, this.#answerAt] = [texts.join(""), at];
    }
    this.#answer ??= "";
    return this.#answer;
  }

  /** What a call that waits would do, or what it would do with another input; null where that is not known. Changes nothing. */
  preview(callId: string, editedInput?: Json): Preview | null {
    const raw = this.#raw;
    const edited = editedInput === undefined ? undefined : toJson(editedInput, "editedInput");
    return fromJson<Preview | null>(guarded(() => raw.preview(callId, edited)));
  }

  /** @internal Another input of a call as it would be approved, with what it would do; or what is wrong with it. */
  propose(callId: string, editedInput: Json): ProposedInput {
    const raw = this.#raw;
    const edited = toJson(editedInput, "editedInput");
    return fromJson<ProposedInput>(guarded(() => raw.propose(callId, edited)));
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

  /**
   * Everything that went into the loop so far, as JSON text for `replay`: `{ version, document, inputs, … }`. Only with `recordInputs`
   * (`not_recorded`), and only while it is not too large to be kept (`recording_full`).
   */
  recording(): string {
    const raw = this.#raw;
    return guarded(() => raw.recording());
  }

  /** SHA-256 over the state and the document's digest: two loops with equal digests are in the same state. */
  stateDigest(): string {
    const raw = this.#raw;
    return guarded(() => raw.stateDigest());
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

  #say(messageIndex: number, delta: string): void {
    if (this.#answer === undefined) return;
    this.#answer = messageIndex === this.#answerAt ? this.#answer + delta : delta;
    this.#answerAt = messageIndex;
  }

  #nameRequest(raw: Loop, requestId: string): void {
    const number = raw.requestNumber(requestId);
    this.#fedNumber = number;
    this.#textIndex = undefined;
    // an id that is not open may be opened later; one that was is known by its number for ever
    this.#fedId = number === 0 ? undefined : requestId;
  }

  #enlarge(raw: Loop, bytes: number): void {
    const room = Math.max(INBOX_BYTES, bytes);
    this.#inbox = raw.inbox(room);
    this.#inboxBytes = room;
  }

  #told(text: string, source: DocumentChange["source"] = "turn", undone?: string): Outcome {
    const outcome = fromJson<Outcome>(text);
    this.#deadline = outcome.nextDeadlineMs;
    if (outcome.updates.length > 0) this.#messagesStale = true;
    for (const update of outcome.updates) if (update.type === "text") this.#say(update.messageIndex, update.delta);
    if (this.#document !== undefined) {
      for (const update of outcome.updates) {
        if (update.type === "document") tellChange(this.#document, { revision: update.revision, patch: update.patch, source }, undone);
      }
    }
    return outcome;
  }
}
disposable(ToolLoop.prototype);

/** @internal A loop around one the core made. */
export function adoptedLoop(raw: Loop, document: DocumentStore | undefined): ToolLoop {
  return new ToolLoop({ tools: [], ...(document === undefined ? {} : { document }), [ADOPT]: raw } as ToolLoopOptions);
}

function textsOf(message: Message | undefined): string[] {
  if (message?.role !== "assistant") return [];
  return message.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
}

function grown(message: Message, delta: string): Message {
  const content = message.content.slice();
  const last = content.at(-1);
  const block = Object.freeze<ContentBlock>({ type: "text", text: last?.type === "text" ? last.text + delta : delta });
  if (last?.type === "text") content[content.length - 1] = block;
  else content.push(block);
  return Object.freeze({ role: message.role, content: Object.freeze(content) as ContentBlock[] });
}
