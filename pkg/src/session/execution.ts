/** Answers one `execute` effect: runs the host's own function and turns whatever it does into one outcome. */

import type { Timers } from "../clock.js";
import { CountersignError, report, reportLater } from "../error.js";
import { deepFreeze, isPlainObject, toJson, wellFormed } from "../json.js";
import { ToolError, type Tool, type ToolReturn } from "../tool.js";
import type { Effect, Json, JsonPatch, ToolOutcome } from "../types.js";

/** An `execute` effect. */
export type ExecuteEffect = Extract<Effect, { type: "execute" }>;

/** A `preview` effect. */
export type PreviewEffect = Extract<Effect, { type: "preview" }>;

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

// people see no more than ten changes a second
const PROGRESS_EVERY_MS = 100;

/** Runs one call to its outcome; never rejects. */
export async function execute(host: ExecutionHost, effect: ExecuteEffect, tool: Tool | undefined, signal: AbortSignal): Promise<ToolOutcome> {
  if (tool === undefined) {
    return nothingRuns(effect.toolName);
  }
  if (tool.external === true || effect.runsOn === "server") {
    // after a crash it must be known that this may have happened
    try {
      await host.saved();
    } catch {
      return { status: "error", code: "execution_failed", result: "the conversation could not be saved, so the tool was not run" };
    }
    if (signal.aborted) return { status: "error", code: "cancelled", result: "the tool was not run" };
  }
  const progress = paced(host, effect, signal);
  try {
    const returned = await tool.execute(effect.input, {
      signal,
      document: host.document(),
      preview: false,
      callId: effect.callId,
      idempotencyKey: effect.idempotencyKey,
      progress: progress.tell,
    });
    return outcomeOf(returned);
  } catch (thrown) {
    // what a stopped tool throws is the stop
    if (!signal.aborted) host.toolFailed(effect, thrown);
    return failedOutcome(thrown);
  } finally {
    progress.end();
  }
}

/** Runs one call on a draft, to see what it would do; never rejects. How long it may take is the core's to say. */
export async function runOnDraft(host: ExecutionHost, effect: PreviewEffect, tool: Tool | undefined, signal: AbortSignal): Promise<ToolOutcome> {
  if (tool === undefined) return nothingRuns(effect.toolName);
  try {
    const returned = await tool.execute(effect.input, {
      signal,
      document: effect.document === null ? undefined : deepFreeze(effect.document),
      preview: true,
      callId: effect.callId,
      idempotencyKey: effect.id,
      progress: () => undefined,
    });
    return outcomeOf(returned);
  } catch (thrown) {
    if (!signal.aborted) host.toolFailed(effect, thrown);
    return failedOutcome(thrown);
  }
}

function nothingRuns(toolName: string): ToolOutcome {
  return { status: "error", code: "execution_failed", result: `this editor has nothing that runs the tool \`${toolName}\`` };
}

/** Tells the operator what a tool threw: by the host's own function, or by the page's error reporting. */
export function tellOperator(onToolError: ((callId: string, error: unknown) => void) | undefined, { callId, toolName }: ExecuteEffect | PreviewEffect, thrown: unknown): void {
  try {
    if (onToolError !== undefined) return onToolError(callId, thrown);
    // whose message is all there is to say has said it
    if (isToolError(thrown) && thrown.detail === undefined && thrown.cause === undefined) return;
    report(new CountersignError("tool_failed", `the tool \`${toolName}\` failed in the call ${JSON.stringify(callId)}`, { cause: thrown }));
  } catch (error) {
    reportLater(error);
  }
}

function outcomeOf(returned: ToolReturn): ToolOutcome {
  const outcome: ToolOutcome =
    returned === undefined ? { status: "ok", result: "done" } : isChange(returned) ? { status: "ok", ...returned } : { status: "ok", result: returned as Json };
  // what cannot cross is the tool's failure, not the session's
  toJson(outcome, "returned");
  return outcome;
}

type Change = { result: string | Json; document: Json } | { result: string | Json; patch: JsonPatch };

function isChange(returned: unknown): returned is Change {
  if (!isPlainObject(returned) || !("result" in returned)) return false;
  const keys = Object.keys(returned);
  return keys.every((key) => key === "result" || key === "document" || key === "patch");
}

// only an authored line goes in: what else was thrown is the operator's alone
function failedOutcome(thrown: unknown): ToolOutcome {
  if (!isToolError(thrown)) return { status: "error", code: "execution_failed", result: "the tool failed; nothing was changed" };
  return thrown.unknown ? { status: "unknown" } : { status: "error", code: thrown.code, result: wellFormed(thrown.message) };
}

// total, whatever was thrown
function isToolError(thrown: unknown): thrown is ToolError {
  try {
    return thrown instanceof ToolError;
  } catch {
    return false;
  }
}

function paced(host: ExecutionHost, effect: ExecuteEffect, signal: AbortSignal): { tell(label: string, fraction?: number): void; end(): void } {
  let last = Number.NEGATIVE_INFINITY;
  let waiting: { label: string; fraction: number | undefined } | undefined;
  let callOff: (() => void) | undefined;
  let ended = false;
  const send = (label: string, fraction: number | undefined): void => {
    last = host.now();
    host.progress(effect, wellFormed(label), fraction);
  };
  return {
    tell(label, fraction) {
      if (ended || signal.aborted) return;
      const left = last + PROGRESS_EVERY_MS - host.now();
      if (left <= 0 && waiting === undefined) return send(String(label), fraction);
      waiting = { label: String(label), fraction };
      callOff ??= host.timers.later(() => {
        callOff = undefined;
        const next = waiting;
        waiting = undefined;
        if (next !== undefined && !ended && !signal.aborted) send(next.label, next.fraction);
      }, left);
    },
    end() {
      ended = true;
      callOff?.();
    },
  };
}
