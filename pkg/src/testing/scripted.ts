/** A provider that answers from a script, as events or as real Anthropic wire bytes over a real `Response`. */

import { timersOf, wait, type Timers } from "../clock.js";
import { CountersignError } from "../error.js";
import type { EventsProvider, EventsRequest, HttpProvider, OpenRequest } from "../provider.js";
import type { AdvertisedTool, Json, Message, ProtocolError, ProtocolErrorCode, StopReason, StreamEvent, Usage } from "../types.js";
import { answerBytes, statusOf } from "./wire.js";

/** A call that a scripted answer opens. */
export interface ScriptedCall {
  /** Its id; made where nothing is said. */
  id?: string;
  /** The tool. */
  name: string;
  /** The arguments. */
  input: Json;
}

/** One scripted answer. */
export interface ScriptedTurn {
  /** What it says first, whole or in the pieces it streams. */
  text?: string | readonly string[];
  /** What it calls then. */
  calls?: readonly ScriptedCall[];
  /** Why it stops; by its calls where nothing is said. */
  stop?: StopReason;
  /** What it costs. */
  usage?: Usage;
  /** How it fails: in place of an answer, or after what it says. */
  error?: { code: ProtocolErrorCode; message?: string; status?: number; retryAfterMs?: number };
  /** How long it waits before each piece. */
  delayMs?: number;
}

/** One answer: a turn, events as they are, or a function of the request. */
export type Step = ScriptedTurn | readonly StreamEvent[] | ((request: ScriptedRequest) => ScriptedTurn | readonly StreamEvent[]);

/** One request that the script was asked. */
export interface ScriptedRequest {
  /** The system prompt. */
  readonly system?: string;
  /** The conversation; over the wire it stands in `body`. */
  readonly messages: readonly Message[];
  /** The tools that were offered; over the wire they stand in `body`. */
  readonly tools: readonly AdvertisedTool[];
  /** The body, over the wire. */
  readonly body?: Json;
  /** Its place among the requests, from 0. */
  readonly index: number;
}

/** How a script is played. */
export interface ScriptedOptions {
  /** Answers with real bytes of this format. */
  wire?: "anthropic";
  /** How many bytes a chunk holds; a whole frame where nothing is said. */
  chunkBytes?: number;
  /** The clock that `delayMs` goes by. */
  now?: () => number;
  /** The model's name. */
  model?: string;
}

/** A provider that keeps what it was asked. */
export interface ScriptedRecord {
  /** What was asked, in order. */
  readonly requests: readonly ScriptedRequest[];
}

/** A scripted provider. */
export type ScriptedProvider = (EventsProvider | HttpProvider) & ScriptedRecord;

/** A provider that gives one step for each request, in order. */
export function scripted(steps: readonly Step[], options: ScriptedOptions & { wire: "anthropic" }): HttpProvider & ScriptedRecord;
export function scripted(steps: readonly Step[], options?: ScriptedOptions & { wire?: never }): EventsProvider & ScriptedRecord;
export function scripted(steps: readonly Step[], options: ScriptedOptions = {}): ScriptedProvider {
  const requests: ScriptedRequest[] = [];
  const model = options.model ?? "scripted";
  const timers = timersOf(options.now ?? Date.now);
  const answerTo = (request: Omit<ScriptedRequest, "index">): { step: ScriptedTurn | readonly StreamEvent[]; index: number } => {
    const index = requests.length;
    const asked: ScriptedRequest = { ...request, index };
    requests.push(asked);
    const step = steps[index];
    if (step === undefined) {
      throw new CountersignError("unsupported_capability", `the script has ${steps.length} ${steps.length === 1 ? "step" : "steps"}, and request ${index + 1} was made`);
    }
    return { step: typeof step === "function" ? step(asked) : step, index };
  };
  if (options.wire === "anthropic") {
    return {
      name: "The script",
      format: "anthropic",
      params: { model },
      requests,
      async open({ body, signal }: OpenRequest) {
        const { step, index } = answerTo({ messages: [], tools: [], body });
        if (isEvents(step)) return answerBytes(step, { signal, timers, chunkBytes: options.chunkBytes, delayMs: 0 });
        if (step.error !== undefined && step.text === undefined && step.calls === undefined) return refusal(step.error);
        return answerBytes(eventsOf(step, index, model), { signal, timers, chunkBytes: options.chunkBytes, delayMs: step.delayMs ?? 0 });
      },
    };
  }
  return {
    name: "The script",
    requests,
    async *events(request: EventsRequest) {
      const { step, index } = answerTo({
        ...(request.system === undefined ? {} : { system: request.system }),
        messages: structuredClone(request.messages),
        tools: request.tools,
      });
      if (isEvents(step)) yield* step;
      else yield* paced(eventsOf(step, index, model), step.delayMs ?? 0, timers, request.signal);
    },
  };
}

async function* paced(events: readonly StreamEvent[], delayMs: number, timers: Timers, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  for (const event of events) {
    if (delayMs > 0) await wait(timers, delayMs, signal);
    yield event;
  }
}

function isEvents(step: ScriptedTurn | readonly StreamEvent[]): step is readonly StreamEvent[] {
  return Array.isArray(step);
}

function eventsOf(turn: ScriptedTurn, index: number, model: string): StreamEvent[] {
  const pieces = typeof turn.text === "string" ? [turn.text] : (turn.text ?? []);
  const calls = turn.calls ?? [];
  const answered = pieces.length > 0 || calls.length > 0 || turn.error === undefined;
  const events: StreamEvent[] = answered ? [{ type: "message_start", model }] : [];
  for (const text of pieces) if (text !== "") events.push({ type: "text_delta", text });
  for (const [at, call] of calls.entries()) {
    const id = call.id ?? `call_${index + 1}_${at + 1}`;
    events.push({ type: "tool_call_start", id, name: call.name });
    events.push({ type: "tool_call_input_delta", id, partialJson: JSON.stringify(call.input) });
    events.push({ type: "tool_call_complete", id, name: call.name, input: call.input });
  }
  if (turn.error !== undefined) {
    events.push({ type: "error", error: errorOf(turn.error) });
    return events;
  }
  events.push({ type: "usage", usage: turn.usage ?? { inputTokens: 10, outputTokens: 5 } });
  events.push({ type: "message_stop", stopReason: turn.stop ?? (calls.length > 0 ? "tool_use" : "end_turn") });
  return events;
}

function errorOf(error: NonNullable<ScriptedTurn["error"]>): ProtocolError {
  return { message: `the script says \`${error.code}\``, ...error };
}

function refusal(error: NonNullable<ScriptedTurn["error"]>): Response {
  if (error.code === "transport") throw new TypeError("fetch failed");
  const headers = new Headers({ "content-type": "application/json" });
  if (error.retryAfterMs !== undefined) headers.set("retry-after", String(error.retryAfterMs / 1000));
  return new Response(JSON.stringify({ type: "error", error: { type: `${error.code}_error`, message: errorOf(error).message } }), { status: statusOf(error), headers });
}
