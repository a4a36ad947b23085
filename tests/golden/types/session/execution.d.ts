/** Answers one `execute` effect: runs the host's own function and turns whatever it does into one outcome. */
import type { Timers } from "../clock.js";
import { type Tool } from "../tool.js";
import type { Effect, Json, ToolOutcome } from "../types.js";
/** An `execute` effect. */
export type ExecuteEffect = Extract<Effect, {
    type: "execute";
}>;
/** A `preview` effect. */
export type PreviewEffect = Extract<Effect, {
    type: "preview";
}>;
/** What a run needs of its session. */
export interface ExecutionHost {
    readonly timers: Timers;
    now(): number;
    document(): Json | undefined;
    progress(effect: ExecuteEffect, label: string, fraction: number | undefined): void;
    /** Resolves once it is on record that the call runs. */
    saved(): Promise<void>;
    /** Tells the operator what a tool threw: nobody else hears of it. */
    toolFailed(effect: ExecuteEffect | PreviewEffect, thrown: unknown): void;
}
/** Runs one call to its outcome; never rejects. */
export declare function execute(host: ExecutionHost, effect: ExecuteEffect, tool: Tool | undefined, signal: AbortSignal): Promise<ToolOutcome>;
/** Runs one call on a draft, to see what it would do; never rejects. How long it may take is the core's to say. */
export declare function runOnDraft(host: ExecutionHost, effect: PreviewEffect, tool: Tool | undefined, signal: AbortSignal): Promise<ToolOutcome>;
/** Tells the operator what a tool threw: by the host's own function, or by the page's error reporting. */
export declare function tellOperator(onToolError: ((callId: string, error: unknown) => void) | undefined, { callId, toolName }: ExecuteEffect | PreviewEffect, thrown: unknown): void;
