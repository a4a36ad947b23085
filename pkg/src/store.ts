/// <reference lib="esnext.disposable" preserve="true" />
/** The document store as users see it: the document is read as one frozen value, changes are told to listeners once the core is done. */

import type { Store } from "#engine";

import { withoutRules } from "./definitions.js";
import { CountersignError, guarded, reportLater } from "./error.js";
import { follow } from "./follow.js";
import { disposable, Handle, ID_KEYS, KIND, refuseForeign, RULES } from "./handle.js";
import { deepFreeze, fromJson, toJson } from "./json.js";
import { engine } from "./load.js";
import type { CommitOutcome, DocumentDefinition, HistoryEntry, Json, JsonPatch } from "./types.js";

/** One change of a document, as a listener is told of it. */
export interface DocumentChange {
  /** The revision after it. */
  readonly revision: number;
  /** What changed; frozen. */
  readonly patch: JsonPatch;
  /** Who changed it. */
  readonly source: "user" | "turn" | "undo" | "redo";
  /** The turn that made the change, or whose step was taken back or made again. */
  readonly turnId?: string;
}

/** How a store is kept. */
export interface DocumentStoreOptions {
  /** How many undo steps are kept; 20 where nothing is said. */
  history?: number;
  /** Marks a document that nobody minds losing. */
  sandbox?: boolean;
}

const RAW = Symbol("raw store");
const TELL = Symbol("tell");
const HOLD = Symbol("hold");
const LAST_TURN = Symbol("last turn");

/** A document with revisions, one undo step per change, and rules that every change must keep. */
export class DocumentStore {
  readonly #handle: Handle<Store>;
  readonly #idKeys: readonly string[];
  readonly #listeners = new Set<(change: DocumentChange) => void>();
  readonly #untold: DocumentChange[] = [];
  #telling = false;
  #inRules = false;
  #document: { revision: number; value: Json } | undefined;

  /**
   * Throws when the shape of `initial` cannot be read; a readable document with broken references is held and told by `issues()`.
   * A definition's `rules` is called at commits with the proposed document and may not call back in.
   */
  constructor(definition: "threat-model" | DocumentDefinition, initial: Json, options?: DocumentStoreOptions) {
    const { Store } = engine();
    const { rules, ...plain } = typeof definition === "string" ? { rules: undefined, definition } : { definition: withoutRules(definition), rules: definition.rules };
    const definitionJson = toJson(plain.definition, "definition");
    const initialJson = toJson(initial, "initial");
    const optionsJson = options === undefined ? undefined : toJson(options, "options");
    const bridge = rules === undefined ? undefined : (document: string): string => this.#askRules(rules, document);
    this.#handle = new Handle("DocumentStore", guarded(() => new Store(definitionJson, initialJson, optionsJson, bridge)));
    this.#idKeys = typeof definition === "string" ? ["id"] : idKeysOf(definition);
  }

  /** What is wrong with the document as it is, one line each. */
  issues(): string[] {
    const raw = this[RAW];
    return fromJson<string[]>(guarded(() => raw.issues()));
  }

  /**
   * The document, defaults filled in: the same deeply frozen value while the revision stands. After a change of single
   * entities everything else in it is what it was, value for value.
   */
  read(): Json {
    const raw = this[RAW];
    const revision = raw.revision;
    const known = this.#document;
    if (known?.revision === revision) return known.value;
    const changes = known === undefined ? undefined : guarded(() => raw.changes(known.revision));
    const value =
      known === undefined || changes === undefined
        ? deepFreeze(fromJson<Json>(guarded(() => raw.read())))
        : follow(known.value, fromJson<JsonPatch>(changes));
    this.#document = { revision, value };
    return value;
  }

  /** Grows with every change, also with undo and redo. */
  get revision(): number {
    return this[RAW].revision;
  }

  /** SHA-256 of the document's canonical JSON, computed when it is asked for. */
  get digest(): string {
    const raw = this[RAW];
    return guarded(() => raw.digest());
  }

  /**
   * The document's part of a system prompt as it is now: `"summary"` alone, or an `"excerpt"` with the first entities of every section. It is
   * bounded (8192 bytes where nothing is said, at least 1024), cleaned, between the untrusted-data markers, and says what it leaves out.
   */
  prompt(part: "summary" | "excerpt", maxBytes?: number): string {
    const raw = this[RAW];
    return guarded(() => raw.prompt(part, maxBytes));
  }

  /** A user's own edit, the whole next document or a patch: its own undo step. */
  edit(next: Json | JsonPatch, label: string): CommitOutcome {
    const raw = this[RAW];
    const text = toJson(next, "next");
    return this.#committed("user", undefined, guarded(() => raw.edit(text, label)));
  }

  /** Takes the newest step back. */
  undo(): CommitOutcome {
    const raw = this[RAW];
    const turnId = this[LAST_TURN]();
    return this.#committed("undo", turnId, guarded(() => raw.undo()));
  }

  /** Brings the step taken back last back again. */
  redo(): CommitOutcome {
    const raw = this[RAW];
    const text = guarded(() => raw.redo());
    return this.#committed("redo", this[LAST_TURN](), text);
  }

  /** The steps that can be taken back, oldest first. */
  history(): HistoryEntry[] {
    const raw = this[RAW];
    return fromJson<HistoryEntry[]>(guarded(() => raw.history()));
  }

  /** Tells `fn` of every change, once the call that made it is through the core; returns how to stop. */
  onChange(fn: (change: DocumentChange) => void): () => void {
    const listener = (change: DocumentChange): void => fn(change);
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Gives the memory back; loops that use the document keep their own hold on it. */
  free(): void {
    this.#handle.free();
  }

  /** @internal */
  get [KIND](): string {
    return "DocumentStore";
  }

  /** @internal A store that was freed has listeners still, and no history. */
  [LAST_TURN](): string | undefined {
    const raw = this.#handle.live;
    return raw === undefined || this.#listeners.size === 0 ? undefined : guarded(() => raw.lastTurn());
  }

  /** @internal The members that hold the ids of its entities. */
  get [ID_KEYS](): readonly string[] {
    return this.#idKeys;
  }

  /** @internal What a model must know of the markers, of the read tools and of its proposals. */
  get [RULES](): readonly string[] {
    const { documentRules } = engine();
    return fromJson<string[]>(guarded(() => documentRules()));
  }

  /** @internal */
  get [RAW](): Store {
    this[HOLD]();
    return this.#handle.raw;
  }

  /** @internal The core is busy while it asks `rules`: nothing may call back in. */
  [HOLD](): void {
    if (this.#inRules) {
      throw new CountersignError("reentrant_call", "a definition's `rules` may not call back into the document it checks");
    }
  }

  /** @internal */
  [TELL](change: DocumentChange): void {
    this.#untold.push(change);
    if (this.#telling) return;
    // changes made by a listener are told after the one it is being told of, so that all listeners see one order
    this.#telling = true;
    try {
      for (let next = this.#untold.shift(); next !== undefined; next = this.#untold.shift()) {
        for (const listener of [...this.#listeners]) {
          try {
            listener(next);
          } catch (error) {
            reportLater(error);
          }
        }
      }
    } finally {
      this.#telling = false;
    }
  }

  /** The same as `free`, for `using`. */
  declare readonly [Symbol.dispose]: () => void;

  #committed(source: DocumentChange["source"], turnId: string | undefined, text: string): CommitOutcome {
    const outcome = deepFreeze(fromJson<CommitOutcome>(text));
    if (outcome.status === "committed") {
      this[TELL](Object.freeze({ revision: outcome.revision, patch: outcome.patch, source, ...(turnId === undefined ? {} : { turnId }) }));
    }
    return outcome;
  }

  #askRules(rules: (document: Json) => string[], document: string): string {
    this.#inRules = true;
    try {
      return toJson(rules(deepFreeze(fromJson<Json>(document))), "rules");
    } finally {
      this.#inRules = false;
    }
  }
}
disposable(DocumentStore.prototype);

/** @internal The core's store behind a wrapper of this entry point. */
export function rawStore(store: DocumentStore, path = "document"): Store {
  return store instanceof DocumentStore ? store[RAW] : refuseForeign(store, "DocumentStore", path);
}

/** @internal Tells a store's listeners of a change that a loop made; `undone` is the turn that was taken back. */
export function tellChange(store: DocumentStore, { revision, patch, source }: DocumentChange, undone?: string): void {
  const turnId = undone ?? store[LAST_TURN]();
  store[TELL](Object.freeze({ revision, patch: deepFreeze(patch), source, ...(turnId === undefined ? {} : { turnId }) }));
}

/** @internal The turn that made the newest step of a store that can be taken back. */
export function lastTurnOf(store: DocumentStore | undefined): string | undefined {
  return store?.[LAST_TURN]();
}

/** @internal Refuses a call that comes from inside the store's own `rules`. */
export function refuseInsideRules(store: DocumentStore | undefined): void {
  store?.[HOLD]();
}

function idKeysOf({ sections }: DocumentDefinition): readonly string[] {
  return [...new Set(sections.map(({ idKey }) => idKey ?? "id"))];
}
