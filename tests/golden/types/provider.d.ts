/** What a session needs of a provider. Providers hold keys; nothing here ever sees one. */
import { CountersignError } from "./error.js";
import type { AdvertisedTool, Json, Message, ProtocolErrorCode, ProviderFormat, StreamEvent } from "./types.js";
/** What a request says beside conversation, tools and system prompt. */
export interface ProviderParams {
    /** The model's name. */
    model: string;
    /** How much the model may write; the turn's `reserveOutputTokens` where nothing is said. */
    maxOutputTokens?: number;
    /** Whether a tool must, may or must not be called. */
    toolChoice?: "auto" | "none" | {
        tool: string;
    };
    /** Whether one message may hold several calls. */
    parallelToolCalls?: boolean;
    /** More members of the body. */
    extraBody?: Json;
    /** How a server that speaks Chat Completions calls the limit of output tokens. */
    maxTokensField?: "max_completion_tokens" | "max_tokens";
    /** Whether to mark what the provider may cache. */
    cache?: boolean;
    /** For servers that speak Chat Completions and take only call ids of nine letters and digits: others are sent as such. */
    shortCallIds?: boolean;
}
/** What a model can do. Only what is said to be impossible is refused: a model nothing is said of is sent everything. */
export interface ModelCapabilities {
    /** Whether it can be offered tools. */
    tools?: boolean;
    /** Whether one message may hold several calls; `false` is told to the provider where its format has a word for it. */
    parallelToolCalls?: boolean;
    /** Whether its answers can be streamed. */
    streaming?: boolean;
    /** Whether it reasons before it answers. */
    reasoning?: boolean;
    /** Its window: older groups of messages are left out of requests that would not fit. */
    maxInputTokens?: number;
}
/** One HTTP request to make. */
export interface OpenRequest {
    /** The path after the base URL. */
    path: string;
    /** The body; read out of the text when it is asked for. */
    readonly body: Json;
    /** The body as JSON text, ready to send. */
    readonly text: string;
    /** Aborted when the turn no longer wants the answer. */
    signal: AbortSignal;
    /** The host's fetch. */
    fetch: typeof fetch;
}
/** A provider that is reached over HTTP: one attempt per call, the answer's bytes are decoded by the core. */
export interface HttpProvider {
    /** How it is shown to a person, "Anthropic" for example; "the provider" where nothing is said. */
    readonly name?: string;
    /** Where it is reached, `http://localhost:11434` for example: told where nothing answers there. */
    readonly address?: string;
    /** The wire format of its answers. */
    readonly format: ProviderFormat;
    /** What its requests say; a model "" where nothing is said. */
    readonly params?: ProviderParams;
    /** What its model can do; what it cannot is refused before anything is sent. */
    readonly capabilities?: ModelCapabilities;
    /** Sends one request; rejects where nothing could be sent. */
    open(request: OpenRequest): Promise<Response>;
    /** Masks the provider's own secrets in a text; asked about every error before anybody is told of it. */
    mask?(text: string): string;
}
/** One request as a provider of events is told of it. */
export interface EventsRequest {
    /** The system prompt. */
    readonly system?: string;
    /** The conversation to answer. */
    readonly messages: readonly Message[];
    /** The tools that are offered. */
    readonly tools: readonly AdvertisedTool[];
    /** Which request of the turn it is, from 1. */
    readonly iteration: number;
    /** Which attempt of it, from 1. */
    readonly attempt: number;
    /** Aborted when the turn no longer wants the answer. */
    readonly signal: AbortSignal;
}
/** A provider that gives events itself: a script, a model in the page, a gateway of the host's own. */
export interface EventsProvider {
    /** How it is shown to a person. */
    readonly name?: string;
    /** Answers one request. */
    events(request: EventsRequest): AsyncIterable<StreamEvent>;
    /** Masks the provider's own secrets in a text; asked about every error before anybody is told of it. */
    mask?(text: string): string;
}
/** Where a session's answers come from. */
export type Provider = HttpProvider | EventsProvider;
/** Refuses what cannot answer. */
export declare function requireProvider(provider: unknown): void;
/** Whether what a provider threw says by itself which failure it is. */
export declare function isProviderFailure(thrown: unknown): thrown is CountersignError & {
    code: ProtocolErrorCode;
};
