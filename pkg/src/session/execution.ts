/** Answers one `execute` effect: runs the host's own function and turns whatever it does into one outcome. */

import type { Timers } from "../clock.js";
import { CountersignError } from "../error.js";
import { isPlainObject, toJson } from "../json.js";
import { redact } from "../redact.js";
import { ToolError, type Tool, type ToolReturn } from "../tool.js";
import type { Effect, Json, JsonPatch, ToolOutcome } from "../types.js";

/** An `execute` effect. */
export type ExecuteEffect = Extract<Effect, { type: "execute" }>;

/** What a run needs of its session. */
export interface ExecutionHost {
  readonly timers: Timers;
  now(): number;
  document(): Json | undefined;
  progress(effect: ExecuteEffect, label: string, fraction: number | undefined): void;
}

// people see no more than ten changes a second
const PROGRESS_EVERY_MS = 100;

/** Runs one call to its outcome; never rejects. */
export async function execute(host: ExecutionHost, effect: ExecuteEffect, tool: Tool | undefined, signal: AbortSignal): Promise<ToolOutcome> {
  if (tool === undefined) {
    return { status: "error", code: "execution_failed", result: `this editor has nothing that runs the tool \`${effect.toolName}\`` };
  }
  const progress = paced(host, effect, signal);
  try {
    const returned = await tool.execute(effect.input, {
      signal,
      document: host.document(),
      callId: effect.callId,
      idempotencyKey: effect.idempotencyKey,
      progress: progress.tell,
    });
    return outcomeOf(returned);
  } catch (thrown) {
    return failedOutcome(thrown);
  } finally {
    progress.end();
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

function failedOutcome(thrown: unknown): ToolOutcome {
  if (thrown instanceof ToolError) {
    const detail = thrown.detail === undefined ? {} : { detail: thrown.detail };
    return thrown.unknown ? { status: "unknown", detail: thrown.detail ?? thrown.message } : { status: "error", code: thrown.code, result: thrown.message, ...detail };
  }
  const said = thrown instanceof CountersignError ? `${thrown.code}: ${thrown.message}` : thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  const detail = redact(wellFormed(said));
  return { status: "error", code: "execution_failed", result: "the tool failed; nothing was changed", ...(detail === undefined ? {} : { detail }) };
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

function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}
