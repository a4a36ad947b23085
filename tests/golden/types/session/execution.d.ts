/** Answers one `execute` effect: runs the host's own function and turns whatever it does into one outcome. */
import type { Timers } from "../clock.js";
import { type Tool } from "../tool.js";
import type { Effect, Json, ToolOutcome } from "../types.js";
/** An `execute` effect. */
export type ExecuteEffect = Extract<Effect, {
    type: "execute";
}>;
/** What a run needs of its session. */
export interface ExecutionHost {
    readonly timers: Timers;
    now(): number;
    document(): Json | undefined;
    progress(effect: ExecuteEffect, label: string, fraction: number | undefined): void;
}
/** Runs one call to its outcome; never rejects. */
export declare function execute(host: ExecutionHost, effect: ExecuteEffect, tool: Tool | undefined, signal: AbortSignal): Promise<ToolOutcome>;
