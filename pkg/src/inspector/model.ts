/** What the inspector shows, worked out of plain data. Enters: a turn's state, the text of a recording. Leaves: rows. Knows no DOM. */

import type { TurnState } from "#engine/types";
import type { InspectorWords } from "./words.js";
import { filled } from "./words.js";

/** The phases in the order in which a turn passes them. */
export const PHASES = ["idle", "requesting", "streaming", "awaiting_approval", "executing", "settled"] as const;

/** One line of the budget: what is used, and the most that may be. */
export interface BudgetRow {
  /** Its name in the words. */
  readonly name: Exclude<keyof InspectorWords["budget"], "title" | "used">;
  /** What is used. */
  readonly used: number;
  /** The most that may be used, or no limit. */
  readonly most: number | null;
}

/** What a turn used of what it may use, at a moment. */
export function budgetRows({ budget, limits, clockMs, phase }: TurnState, nowMs: number): BudgetRow[] {
  return [
    { name: "requests", used: budget.requestsStarted, most: null },
    { name: "iterations", used: budget.iterationsStarted, most: limits.maxIterations },
    { name: "calls", used: budget.callsOpened, most: limits.maxToolCallsPerTurn },
    { name: "callsThisIteration", used: budget.callsThisIteration, most: limits.maxToolCallsPerIteration },
    { name: "retries", used: budget.retriesUsed, most: limits.maxRetriesPerTurn },
    { name: "repeats", used: budget.highestRepeat, most: limits.maxRepeatsPerCall },
    { name: "tokens", used: budget.inputTokens + budget.outputTokens, most: limits.maxTotalTokens },
    { name: "cost", used: budget.costMicros, most: limits.maxCostMicros },
    { name: "deadline", used: spentMs(budget, phase === "settled" ? clockMs : Math.max(clockMs, nowMs), phase) / 1000, most: limits.turnDeadlineMs / 1000 },
  ];
}

/** The time that counts for the deadline: not what a person took to decide. */
function spentMs({ startedAtMs, pausedMs, pausedSinceMs }: TurnState["budget"], nowMs: number, phase: string): number {
  return phase === "idle" ? 0 : Math.max(0, (pausedSinceMs ?? nowMs) - startedAtMs - pausedMs);
}

/** One input of a recording, as it is listed. */
export interface InputRow {
  /** Its place, from 1. */
  readonly place: number;
  /** Since the first input that told a time, milliseconds; nothing before it. */
  readonly sinceMs: number | undefined;
  /** What it is. */
  readonly kind: "event" | "command" | "feed" | "endStream" | "request" | "setTools" | "document";
  /** Which one. */
  readonly what: string;
  /** The call it is about, or "". */
  readonly call: string;
  /** How much it holds: bytes of an answer, or of its own text. */
  readonly size: number;
}

type Entry = Readonly<Record<string, unknown>>;

const EVENT = /_|^(usage|error|aborted)$/;

/** A recording that was read once; rows are made when they are looked at. */
export class Inputs {
  /** How many there are. */
  readonly count: number;
  readonly #entries: readonly Entry[];
  readonly #times: Float64Array;

  /** Throws where the text is no recording. */
  constructor(text: string) {
    const { inputs } = JSON.parse(text) as { inputs?: unknown };
    if (!Array.isArray(inputs)) throw new TypeError("no inputs");
    this.#entries = inputs as Entry[];
    this.count = inputs.length;
    this.#times = new Float64Array(this.count);
    let first = Number.NaN;
    let last = Number.NaN;
    for (let at = 0; at < this.count; at += 1) {
      const time = timeOf(this.#entries[at]);
      if (time !== undefined) {
        if (Number.isNaN(first)) first = time;
        // time never moves backwards: an older one counts as the latest
        last = Number.isNaN(last) ? time : Math.max(last, time);
      }
      this.#times[at] = last - first;
    }
  }

  /** The input at this place, from 0. */
  row(at: number, words: InspectorWords["log"]): InputRow {
    const entry = this.#entries[at] ?? {};
    const since = this.#times[at] ?? Number.NaN;
    return { place: at + 1, sinceMs: Number.isNaN(since) ? undefined : since, ...told(entry, words) };
  }

  /** The time of the input at this place, from 0, or of the last before it that told one. */
  timeMs(at: number): number | undefined {
    for (let place = Math.min(at, this.count - 1); place >= 0; place -= 1) {
      const time = timeOf(this.#entries[place]);
      if (time !== undefined) return time;
    }
    return undefined;
  }
}

function timeOf(entry: Entry | undefined): number | undefined {
  const time = entry?.["nowMs"] ?? (entry?.["input"] as Entry | undefined)?.["nowMs"];
  return typeof time === "number" ? time : undefined;
}

function told(entry: Entry, words: InspectorWords["log"]): Pick<InputRow, "kind" | "what" | "call" | "size"> {
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  const size = (): number => JSON.stringify(entry).length;
  switch (entry["type"]) {
    case "feed": {
      const { text: fed, bytes, request } = entry;
      return { kind: "feed", what: `#${String(request)}`, call: "", size: typeof fed === "string" ? new TextEncoder().encode(fed).length : text(bytes).length / 2 };
    }
    case "endStream":
      return { kind: "endStream", what: `#${String(entry["request"])}`, call: "", size: 0 };
    case "request": {
      const model = text((entry["params"] as Entry | undefined)?.["model"]);
      return { kind: "request", what: model === "" ? text(entry["format"]) : `${text(entry["format"])} ${model}`, call: "", size: size() };
    }
    case "setTools":
      return { kind: "setTools", what: text(entry["tools"]).slice(0, 12), call: "", size: size() };
    case "document": {
      const changes = entry["changes"];
      return { kind: "document", what: filled(words.changes, { n: Array.isArray(changes) ? changes.length : 0, revision: String(entry["revision"]) }), call: "", size: size() };
    }
    default: {
      const input = (entry["input"] ?? {}) as Entry;
      const name = text(input["type"]);
      const isEvent = EVENT.test(name);
      const call = text(input["callId"]) || (name.startsWith("tool_call") ? text(input["id"]) : "") || (Array.isArray(input["callIds"]) ? input["callIds"].map(String).join(", ") : "");
      return { kind: isEvent ? "event" : "command", what: name, call, size: size() };
    }
  }
}
