/// <reference lib="esnext.disposable" preserve="true" />
/** The registry of tools as users see it. */

import type { Registry } from "#engine";

import { guarded } from "./error.js";
import { disposable, Handle, KIND, refuseForeign } from "./handle.js";
import { fromJson, toJson } from "./json.js";
import { engine } from "./load.js";
import { declarationsOf } from "./tool.js";
import type { AdvertisedTool, Json, PreparedCall, ToolDeclaration } from "./types.js";

/** What `prepare` says: what would run, or what is wrong with the input, one line each. */
export type Prepared =
  | { ok: true; call: PreparedCall }
  | { ok: false; issues: string[] };

const RAW = Symbol("raw registry");

/** The tools of a turn, checked and compiled once; names are matched exactly. */
export class ToolRegistry {
  readonly #handle: Handle<Registry>;
  #listed: readonly AdvertisedTool[] | undefined;

  /** Throws on duplicate names, schemas that cannot be compiled and contradictions. */
  constructor(tools: readonly ToolDeclaration[]) {
    const { Registry } = engine();
    const text = toJson(declarationsOf(tools), "tools");
    this.#handle = new Handle("ToolRegistry", guarded(() => new Registry(text)));
  }

  /** The tools as a model is told of them. */
  list(): AdvertisedTool[] {
    return [...this.#advertised()];
  }

  /** The tool of exactly this name. */
  get(name: string): AdvertisedTool | undefined {
    return this.#advertised().find((tool) => tool.name === name);
  }

  /** Validates an input: the only way to something runnable. */
  prepare(name: string, raw: Json): Prepared {
    const registry = this.#handle.raw;
    const text = toJson(raw, "raw");
    return fromJson<Prepared>(guarded(() => registry.prepare(name, text)));
  }

  /** Gives the memory back; loops that use the registry keep their own hold on it. */
  free(): void {
    this.#handle.free();
  }

  /** @internal */
  get [KIND](): string {
    return "ToolRegistry";
  }

  /** @internal */
  get [RAW](): Registry {
    return this.#handle.raw;
  }

  /** The same as `free`, for `using`. */
  declare readonly [Symbol.dispose]: () => void;

  #advertised(): readonly AdvertisedTool[] {
    const raw = this.#handle.raw;
    this.#listed ??= fromJson<AdvertisedTool[]>(guarded(() => raw.list()));
    return this.#listed;
  }
}
disposable(ToolRegistry.prototype);

/** @internal The core's registry behind a wrapper of this entry point. */
export function rawRegistry(registry: ToolRegistry, path = "tools"): Registry {
  return registry instanceof ToolRegistry ? registry[RAW] : refuseForeign(registry, "ToolRegistry", path);
}

/** @internal Runs `use` with the core's registry for a list or a registry; one made here for a list is freed after it. */
export function withRegistry<T>(tools: readonly ToolDeclaration[] | ToolRegistry, use: (registry: Registry) => T): T {
  if (!Array.isArray(tools)) return use(rawRegistry(tools as ToolRegistry));
  const own = new ToolRegistry(tools as readonly ToolDeclaration[]);
  try {
    return use(own[RAW]);
  } finally {
    own.free();
  }
}
