/** The pure functions of the core, with plain values in and out. */

import { guarded } from "./error.js";
import { fromJson, toJson } from "./json.js";
import { engine } from "./load.js";
import { rawRegistry, type ToolRegistry } from "./registry.js";
import type { TurnOptions } from "./options.js";
import type {
  AdvertisedTool, Bound, Json, Message, PairingViolation, ProtocolError, ProviderFormat, Repaired, TurnBudget, TurnInput, TurnLimits, TurnState,
  TurnViolation,
} from "./types.js";

/** What `buildRequest` is given. */
export interface ProviderRequest extends RequestParams {
  /** The conversation. */
  messages: Message[];
  /** The tools that are offered. */
  tools: AdvertisedTool[];
}

/** What a request says beside the conversation and the tools. */
export interface RequestParams {
  /** The model's name. */
  model: string;
  /** The system prompt. */
  system?: string;
  /** How much the model may write. */
  maxOutputTokens: number;
  /** Whether a tool must, may or must not be called; `auto` where nothing is said. */
  toolChoice?: "auto" | "none" | { tool: string };
  /** Whether one message may hold several calls. */
  parallelToolCalls?: boolean;
  /** More members of the body (temperature, thinking …); reserved keys are refused. */
  extraBody?: Json;
  /** How the server calls the limit of output tokens. */
  maxTokensField?: "max_completion_tokens" | "max_tokens";
  /** Whether to mark what the provider may cache. */
  cache?: boolean;
  /** For servers that speak Chat Completions and take only call ids of nine letters and digits: others are sent as such. */
  shortCallIds?: boolean;
}

/** The RFC 8785 text of a value. */
export function canonicalJson(value: Json): string {
  const core = engine();
  const text = toJson(value, "value");
  return guarded(() => core.canonicalJson(text));
}

/** Lower-case hex SHA-256 of the canonical JSON of tool and input: what an approval binds. */
export function inputDigest(tool: string, input: Json): string {
  const core = engine();
  const text = toJson(input, "input");
  return guarded(() => core.inputDigest(tool, text));
}

/** All limits, defaults filled in; zero, negative, fractional and infinite values are refused. */
export function resolveLimits(overrides: Partial<TurnLimits> = {}): TurnLimits {
  const core = engine();
  const text = toJson(overrides, "overrides");
  return fromJson<TurnLimits>(guarded(() => core.resolveLimits(text)));
}

/** The first exhausted bound in the fixed order, or null. */
export function budgetExhaustion(budget: TurnBudget, limits: TurnLimits, nowMs: number): Bound | null {
  const core = engine();
  const [budgetText, limitsText] = [toJson(budget, "budget"), toJson(limits, "limits")];
  return (guarded(() => core.budgetExhaustion(budgetText, limitsText, nowMs)) ?? null) as Bound | null;
}

/** The state of a turn in which nothing was asked yet. */
export function idleTurn(options: TurnOptions & { tools: ToolRegistry }): TurnState {
  const core = engine();
  const { tools, ...plain } = options;
  const registry = rawRegistry(tools);
  const text = toJson(plain, "options");
  return fromJson<TurnState>(guarded(() => core.idleTurn(text, registry)));
}

/** The turn after one input: total and pure, the same function the loop runs. */
export function reduceTurn(state: TurnState, input: TurnInput, tools: ToolRegistry): TurnState {
  const core = engine();
  const registry = rawRegistry(tools);
  const [stateText, inputText] = [toJson(state, "state"), toJson(input, "input")];
  return fromJson<TurnState>(guarded(() => core.reduceTurn(stateText, inputText, registry)));
}

/** Whether a call may start now; the only predicate that lets one. */
export function authorizeStart(
  state: TurnState, callId: string, now: { nowMs: number; documentRevision?: number }, tools: ToolRegistry,
): { ok: true } | { ok: false; violation: TurnViolation } {
  const core = engine();
  const registry = rawRegistry(tools);
  const [stateText, nowText] = [toJson(state, "state"), toJson(now, "now")];
  return fromJson(guarded(() => core.authorizeStart(stateText, callId, nowText, registry)));
}

/** What is wrong with the pairing of calls and results. */
export function pairingViolations(messages: Message[]): PairingViolation[] {
  const core = engine();
  const text = toJson(messages, "messages");
  return fromJson<PairingViolation[]>(guarded(() => core.pairingViolations(text)));
}

/** Answers what a history left open; never runs anything. */
export function repairHistory(messages: Message[]): Repaired {
  const core = engine();
  const text = toJson(messages, "messages");
  return fromJson(guarded(() => core.repairHistory(text)));
}

/** The part of a history that fits a model's window, whole groups only, the current user message always kept. */
export function budgetMessages(
  messages: Message[], window: { maxInputTokens: number; reserveOutputTokens: number },
): { ok: true; messages: Message[]; dropped: number } | { ok: false; error: ProtocolError } {
  const core = engine();
  const [text, windowText] = [toJson(messages, "messages"), toJson(window, "window")];
  return fromJson(guarded(() => core.budgetMessages(text, windowText)));
}

/** The path and body of a provider request. */
export function buildRequest(format: ProviderFormat, request: ProviderRequest): { path: string; body: Json } {
  const core = engine();
  const text = toJson(request, "request");
  return fromJson(guarded(() => core.buildRequest(format, text)));
}
