/** Owns one object in wasm memory: hands it out while it lives, says so when it does not, frees it once. */

import { CountersignError } from "./error.js";

/** What every object in wasm memory can do. */
export interface Freeable {
  /** Gives the memory back. */
  free(): void;
}

/** A handle to one object of the core. */
export class Handle<T extends Freeable> {
  readonly #kind: string;
  #raw: T | undefined;

  /** Takes over `raw`; `kind` is the class name users know. */
  constructor(kind: string, raw: T) {
    this.#kind = kind;
    this.#raw = raw;
  }

  /** The object; throws `use_after_free` once it was freed. */
  get raw(): T {
    if (this.#raw === undefined) {
      throw new CountersignError("use_after_free", `this ${this.#kind} was freed`, { expected: `a new ${this.#kind}` });
    }
    return this.#raw;
  }

  /** @internal The object while it lives. */
  get live(): T | undefined {
    return this.#raw;
  }

  /** Frees the object; a second time does nothing. */
  free(): void {
    const raw = this.#raw;
    this.#raw = undefined;
    raw?.free();
  }
}

/** Names the kind of a public object across the two entry points, so that an object of the other one is recognized. */
export const KIND: unique symbol = Symbol.for("countersign.kind") as typeof KIND;

/** @internal Where a document store tells shared code which members hold the ids of its entities. */
export const ID_KEYS: unique symbol = Symbol("id keys");

/** @internal Where a document store tells shared code what a model must know of any document. */
export const RULES: unique symbol = Symbol("rules");

/** Refuses what is not an object of this entry point, and says whether it is one of the other. */
export function refuseForeign(value: unknown, kind: string, path: string): never {
  const foreign = typeof value === "object" && value !== null && (value as { [KIND]?: unknown })[KIND] === kind;
  if (foreign) {
    throw new CountersignError("foreign_instance", `this ${kind} was made by another entry point of the package`, {
      path,
      expected: `a ${kind} imported from the same entry point (\`countersign\` or \`countersign/threat-model\`)`,
    });
  }
  throw new CountersignError("invalid_options", `is not a ${kind}`, { path, expected: `a ${kind}` });
}

/** Gives a class `[Symbol.dispose]` where the engine knows it, so that `using` frees. */
export function disposable(prototype: { free(): void }): void {
  const symbol: unknown = (Symbol as { dispose?: unknown }).dispose;
  if (typeof symbol !== "symbol") return;
  Object.defineProperty(prototype, symbol, {
    configurable: true,
    writable: true,
    value(this: { free(): void }): void {
      this.free();
    },
  });
}
