/** Opens a session over the parts an entry point brings: the shared half of `createSession`, which imports no wasm. */

import type { ToolLoop, ToolLoopOptions, RestoreOptions } from "../loop.js";
import { requireProvider } from "../provider.js";
import type { ToolRegistry } from "../registry.js";
import type { ToolDeclaration } from "../types.js";
import { requireKnownOptions, type SessionOptions, type SessionTool } from "./options.js";
import { requirePromptOptions } from "./prompt.js";
import { Session, type SessionParts } from "./session.js";

/** What an entry point brings. */
export interface SessionEngine {
  init(): Promise<void>;
  registry(tools: readonly ToolDeclaration[]): ToolRegistry;
  loop(options: ToolLoopOptions): ToolLoop;
  restore(snapshot: string, options: RestoreOptions): ToolLoop;
}

/** Loads the core where it is not loaded yet, and opens a session. */
export async function openSession(engine: SessionEngine, options: SessionOptions): Promise<Session> {
  requireProvider(options?.provider);
  requireKnownOptions(options);
  requirePromptOptions(options);
  await engine.init();
  const tools = (typeof options.tools === "function" ? await options.tools() : options.tools) ?? [];
  const advertise: SessionParts["advertise"] = (list, use) => {
    const registry = engine.registry(list);
    try {
      const advertised = registry.list();
      use?.(registry, advertised);
      return advertised;
    } finally {
      registry.free();
    }
  };
  const snapshot = options.snapshot ?? (await options.storage?.load?.()) ?? undefined;
  const loop = startLoop(engine, options, tools, snapshot);
  try {
    return new Session(options, { loop, tools, advertise });
  } catch (thrown) {
    loop.free();
    throw thrown;
  }
}

function startLoop(engine: SessionEngine, options: SessionOptions, tools: readonly SessionTool[], snapshot: string | undefined): ToolLoop {
  const { document, context, mode, limits, history, prices, maxInputTokens } = options;
  const registry = engine.registry(tools);
  const given = {
    tools: registry,
    ...(document === undefined ? {} : { document }),
    ...(options.recordInputs === undefined ? {} : { recordInputs: options.recordInputs }),
    ...(context === undefined ? {} : { context: typeof context === "function" ? context() : context }),
  };
  try {
    if (snapshot !== undefined) return engine.restore(snapshot, given);
    return engine.loop({
      ...given,
      conversationId: options.conversationId ?? freshName(),
      ...(mode === undefined ? {} : { mode }),
      ...(limits === undefined ? {} : { limits }),
      ...(history === undefined ? {} : { history }),
      ...(prices === undefined ? {} : { prices }),
      ...(maxInputTokens === undefined ? {} : { maxInputTokens }),
    });
  } finally {
    registry.free();
  }
}

// `randomUUID` is missing on pages that came over plain http
function freshName(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
