/** The pure functions of the core, with plain values in and out. */
import { type ToolRegistry } from "./registry.js";
import type { TurnOptions } from "./options.js";
import type { AdvertisedTool, Bound, Json, Message, PairingViolation, ProtocolError, ProviderFormat, Repaired, TurnBudget, TurnInput, TurnLimits, TurnState, TurnViolation } from "./types.js";
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
    toolChoice?: "auto" | "none" | {
        tool: string;
    };
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
export declare function canonicalJson(value: Json): string;
/** Lower-case hex SHA-256 of the canonical JSON of tool and input: what an approval binds. */
export declare function inputDigest(tool: string, input: Json): string;
/** All limits, defaults filled in; zero, negative, fractional and infinite values are refused. */
export declare function resolveLimits(overrides?: Partial<TurnLimits>): TurnLimits;
/** The first exhausted bound in the fixed order, or null. */
export declare function budgetExhaustion(budget: TurnBudget, limits: TurnLimits, nowMs: number): Bound | null;
/** The state of a turn in which nothing was asked yet. */
export declare function idleTurn(options: TurnOptions & {
    tools: ToolRegistry;
}): TurnState;
/** The turn after one input: total and pure, the same function the loop runs. */
export declare function reduceTurn(state: TurnState, input: TurnInput, tools: ToolRegistry): TurnState;
/** Whether a call may start now; the only predicate that lets one. */
export declare function authorizeStart(state: TurnState, callId: string, now: {
    nowMs: number;
    documentRevision?: number;
}, tools: ToolRegistry): {
    ok: true;
} | {
    ok: false;
    violation: TurnViolation;
};
/** What is wrong with the pairing of calls and results. */
export declare function pairingViolations(messages: Message[]): PairingViolation[];
/** Answers what a history left open; never runs anything. */
export declare function repairHistory(messages: Message[]): Repaired;
/** The part of a history that fits a model's window, whole groups only, the current user message always kept. */
export declare function budgetMessages(messages: Message[], window: {
    maxInputTokens: number;
    reserveOutputTokens: number;
}): {
    ok: true;
    messages: Message[];
    dropped: number;
} | {
    ok: false;
    error: ProtocolError;
};
/** The path and body of a provider request. */
export declare function buildRequest(format: ProviderFormat, request: ProviderRequest): {
    path: string;
    body: Json;
};
