/** Opens a session over the parts an entry point brings: the shared half of `createSession`, which imports no wasm. */
import type { ToolLoop, ToolLoopOptions, RestoreOptions } from "../loop.js";
import type { ToolRegistry } from "../registry.js";
import type { ToolDeclaration } from "../types.js";
import { type SessionOptions } from "./options.js";
import { Session } from "./session.js";
/** What an entry point brings. */
export interface SessionEngine {
    init(): Promise<void>;
    registry(tools: readonly ToolDeclaration[]): ToolRegistry;
    loop(options: ToolLoopOptions): ToolLoop;
    restore(snapshot: string, options: RestoreOptions): ToolLoop;
}
/** Loads the core where it is not loaded yet, and opens a session. */
export declare function openSession(engine: SessionEngine, options: SessionOptions): Promise<Session>;
