/**
 * A tool as a model is told of it.
 */
export interface AdvertisedTool {
    /**
     * The exact name.
     */
    name: string;
    /**
     * For the model.
     */
    description: string;
    /**
     * What the input must be.
     */
    inputSchema: JsonSchema;
    /**
     * Whether it may change something.
     */
    effect: ToolEffect;
    /**
     * Whether it destroys something.
     */
    destructive: boolean;
}

/**
 * Leave to run one call once. `binding` is a SHA-256 over every other member and the trusted context.
 */
export interface ApprovalGrant {
    /**
     * The call.
     */
    callId: CallId;
    /**
     * The tool.
     */
    toolName: string;
    /**
     * The input.
     */
    inputDigest: string;
    /**
     * The effect that was on the card, where one was computed.
     */
    effectDigest: string | null;
    /**
     * The request the call belongs to.
     */
    iteration: number;
    /**
     * How it was given.
     */
    scope: GrantScope;
    /**
     * The last change of the document that this turn did not make; 0 and unchecked for `auto`.
     */
    documentRevision: number;
    /**
     * When it lapses, epoch milliseconds.
     */
    expiresAtMs: number | null;
    /**
     * Whether it was spent.
     */
    consumed: boolean;
    /**
     * The seal over all of it.
     */
    binding: string;
}

/**
 * What a pending call waits for.
 */
export type Awaiting = "user";

/**
 * The bound that ended a turn, in the order in which bounds are asked.
 */
export type Bound = "iterations" | "tool_calls" | "retries" | "deadline" | "tokens" | "cost" | "repeats";

/**
 * The stable code of a call that did not succeed.
 */
export type CallErrorCode = "unknown_tool" | "invalid_arguments" | "unauthorized" | "denied" | "approval_expired" | "timeout" | "cancelled" | "execution_failed" | "invalid_output" | "output_too_large" | "budget_exhausted" | "read_tool_mutated" | "document_changed" | "invalid_document" | "outcome_unknown";

/**
 * Names one tool call inside a conversation.
 */
export type CallId = string;

/**
 * How far a running call is: for people only, never for the model.
 */
export interface CallProgress {
    /**
     * Plain text, at most 200 code points.
     */
    label: string;
    /**
     * 0 to 1, never falling.
     */
    fraction?: number;
}

/**
 * One call of a turn.
 */
export interface CallRecord {
    /**
     * The call's id in this conversation.
     */
    id: CallId;
    /**
     * The provider's own id, where the call was given a fresh one.
     */
    providerId?: string;
    /**
     * The tool's name as the model wrote it.
     */
    toolName: string;
    /**
     * The validated input; what the model sent where it was refused.
     */
    input: Json;
    /**
     * SHA-256 over tool and input.
     */
    inputDigest: string;
    /**
     * One line for the card; plain text.
     */
    summary: string;
    /**
     * The tool's effect.
     */
    effect: ToolEffect;
    /**
     * Whether the tool destroys something.
     */
    destructive: boolean;
    /**
     * Whether the tool reaches outside the document.
     */
    external: boolean;
    /**
     * The request that opened it, from 1.
     */
    iteration: number;
    /**
     * Where it is.
     */
    status: CallStatus;
    /**
     * What the model is told, once it is known.
     */
    result: string | null;
    /**
     * Whether that is an error.
     */
    isError: boolean;
    /**
     * Why it was denied.
     */
    denialReason: DenialReason | null;
    /**
     * The person's own words about the denial.
     */
    denialNote: string | null;
    /**
     * Why it did not succeed.
     */
    errorCode: CallErrorCode | null;
    /**
     * Whether the person changed the input before approving.
     */
    edited: boolean;
    /**
     * How far it is.
     */
    progress: CallProgress | null;
    /**
     * When the card expires, epoch milliseconds.
     */
    expiresAtMs: number | null;
    /**
     * What a pending call waits for.
     */
    awaiting: Awaiting | null;
    /**
     * When it was started, epoch milliseconds.
     */
    startedAtMs: number | null;
    /**
     * Whether its success changed the document.
     */
    committed: boolean;
}

/**
 * Where a call is in its life; it only ever moves forward, but for `approved` and `succeeded`.
 */
export type CallStatus = "pending" | "approved" | "running" | "succeeded" | "failed" | "undone" | "denied" | "unknown";

/**
 * One part of a message.
 */
export type ContentBlock = { type: "text"; text: string } | { type: "tool_call"; id: string; name: string; input: Json } | { type: "tool_result"; toolCallId: string; content: string; isError?: boolean } | { type: "provider_state"; provider: ProviderFormat; value: Json; callId?: string };

/**
 * The person's no to one tool with one input; an identical request of the same turn is denied without asking.
 */
export interface Denial {
    /**
     * The call that was declined.
     */
    callId: CallId;
    /**
     * Its tool.
     */
    toolName: string;
    /**
     * Its input.
     */
    inputDigest: string;
    /**
     * Always `user_declined`: nothing else is sticky.
     */
    reason: DenialReason;
    /**
     * The person's own words.
     */
    note: string | null;
}

/**
 * Why a call was denied.
 */
export type DenialReason = "user_declined" | "turn_cancelled" | "limit_exceeded" | "unauthorized" | "approval_expired" | "superseded" | "batch_refused";

/**
 * One thing the host is asked to do.
 */
export type Effect = { type: "request"; id: EffectId; iteration: number; attempt: number; notBeforeMs?: number; tools: OfferedTools } | { type: "execute"; id: EffectId; callId: CallId; toolName: string; input: Json; runsOn: RunsOn; idempotencyKey: string; timeoutMs: number; documentRevision: number } | { type: "abort"; ids: EffectId[] };

/**
 * Names one thing the host was asked to do; never used again, not even after a restore.
 */
export type EffectId = string;

/**
 * How an approval was given.
 */
export type GrantScope = "call" | "batch" | "auto";

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A patch (RFC 6902): add, remove and replace; `test` too in a host's. */
export type JsonPatch = (
| { op: "add" | "replace" | "test"; path: string; value: Json }
| { op: "remove"; path: string }
)[];

/** A JSON Schema (2020-12). */
export type JsonSchema = boolean | { [keyword: string]: Json };

/**
 * One message.
 */
export interface Message {
    /**
     * Who speaks.
     */
    role: Role;
    /**
     * What is said, in order.
     */
    content: ContentBlock[];
}

/**
 * Which tools a request offers.
 */
export type OfferedTools = "all" | "none";

/**
 * One fault in the pairing of a history.
 */
export interface PairingViolation {
    /**
     * What is wrong.
     */
    kind: PairingViolationKind;
    /**
     * The id it is about.
     */
    toolCallId: string;
    /**
     * The message it stands in.
     */
    messageIndex: number;
}

/**
 * What is wrong with the pairing of calls and results in a history.
 */
export type PairingViolationKind = "orphan_tool_result" | "unanswered_tool_call" | "duplicate_tool_call_id";

/**
 * One operation; `path` is a JSON pointer.
 */
export type PatchOperation = { op: "add"; path: string; value: Json } | { op: "remove"; path: string } | { op: "replace"; path: string; value: Json } | { op: "test"; path: string; value: Json };

/**
 * A failure of the conversation with a provider: one authored sentence, safe to show, log and keep.
 */
export interface ProtocolError {
    /**
     * The stable code.
     */
    code: ProtocolErrorCode;
    /**
     * One authored sentence, safe to show.
     */
    message: string;
    /**
     * The provider's own words: redacted, then capped at 200 code points.
     */
    providerDetail?: string;
    /**
     * How long the provider asks to wait, in milliseconds.
     */
    retryAfterMs?: number;
    /**
     * The HTTP status, where there was one.
     */
    status?: number;
}

/**
 * What went wrong between the host and a provider; the codes are stable.
 */
export type ProtocolErrorCode = "unsupported_capability" | "no_api_key" | "http_status" | "rate_limited" | "overloaded" | "transport" | "malformed_stream" | "truncated_stream" | "protocol_violation" | "context_overflow" | "limit_exceeded" | "cancelled";

/**
 * The wire formats of providers.
 */
export type ProviderFormat = "anthropic" | "openai-chat" | "openai-responses" | "gemini";

/**
 * Why an input changed nothing.
 */
export type RefusalReason = "wrong_phase" | "unknown_call" | "not_pending" | "destructive_in_batch" | "stale_effect" | "turn_live" | "settled" | "invalid_input";

/**
 * Who speaks.
 */
export type Role = "user" | "assistant";

/**
 * Who runs a tool.
 */
export type RunsOn = "core" | "client" | "server";

/**
 * Why a message ended.
 */
export type StopReason = "end_turn" | "tool_use" | "max_tokens" | "stop_sequence" | "refusal" | "unknown";

/**
 * One thing a stream said. Exactly one terminal event (`message_stop`, a terminal `error`, `aborted`) leaves a decoder.
 */
export type StreamEvent = { type: "message_start"; model: string } | { type: "text_delta"; text: string } | { type: "reasoning_delta"; text: string } | { type: "tool_call_start"; id: string; name: string } | { type: "tool_call_input_delta"; id: string; partialJson: string } | { type: "tool_call_complete"; id: string; name: string; input: Json; invalid?: string } | { type: "provider_state"; provider: ProviderFormat; value: Json; callId?: string } | { type: "usage"; usage: Usage } | { type: "message_stop"; stopReason: StopReason } | { type: "error"; error: ProtocolError } | { type: "aborted" };

/**
 * One declared tool. JSON keys are the camelCase of the field names.
 */
export interface ToolDeclaration {
    /**
     * 1 to 64 of `A-Z a-z 0-9 _ -`, matched exactly.
     */
    name: string;
    /**
     * For the model.
     */
    description: string;
    /**
     * JSON Schema 2020-12 of an object.
     */
    inputSchema: JsonSchema;
    /**
     * JSON Schema of the result.
     */
    outputSchema?: JsonSchema;
    /**
     * Whether it may change something; `mutate` where nothing is said.
     */
    effect?: ToolEffect;
    /**
     * Whether it destroys something: such a call is always approved alone.
     */
    destructive?: boolean;
    /**
     * The card's line, a template over the input: `Connect {from} to {to}`.
     */
    summary?: string;
    /**
     * `true` on a read tool makes it ask; `false` on a tool that changes something is refused.
     */
    needsApproval?: boolean;
    /**
     * Who runs it; `client` where nothing is said.
     */
    runsOn?: RunsOn;
    /**
     * Whether it reaches outside the document: undo cannot take that back.
     */
    external?: boolean;
    /**
     * Whether running it twice is the same as once.
     */
    idempotent?: boolean;
    /**
     * Whether it may run beside others.
     */
    parallelSafe?: boolean;
    /**
     * Whether its success ends the turn.
     */
    terminal?: boolean;
    /**
     * How long one run may take, in milliseconds; 30 000 where nothing is said.
     */
    timeoutMs?: number;
    /**
     * The largest input, in bytes of its canonical JSON.
     */
    maxInputBytes?: number;
    /**
     * The largest result, in bytes; never more than the turn's own limit.
     */
    maxOutputBytes?: number;
    /**
     * How often one turn may call it.
     */
    maxCallsPerTurn?: number;
    /**
     * Scopes the trusted context must hold.
     */
    requires?: string[];
}

/**
 * Whether a tool may change something.
 */
export type ToolEffect = "read" | "mutate";

/**
 * What became of one run of a tool.
 */
export type ToolOutcome = { status: "ok"; result: string | Json; document?: Json; patch?: JsonPatch } | { status: "error"; result: string; code?: CallErrorCode; detail?: string } | { status: "unknown"; detail?: string };

/**
 * What a host, a person or the loop itself tells a turn. Time never moves backwards: an older `nowMs` counts as the latest.
 */
export type TurnCommand = { type: "submit"; text: string; nowMs: number; context?: TurnContext } | { type: "approveCall"; callId: CallId; editedInput?: Json; seen?: string; nowMs?: number; documentRevision?: number } | { type: "approveBatch"; callIds: CallId[]; seen?: string[]; nowMs?: number; documentRevision?: number } | { type: "denyCall"; callId: CallId; reason?: string; nowMs?: number } | { type: "documentEdited"; documentRevision: number } | { type: "startCall"; callId: CallId; nowMs: number; documentRevision?: number } | { type: "callSettled"; callId: CallId; outcome: ToolOutcome; nowMs?: number } | { type: "callProgress"; callId: CallId; label: string; fraction?: number } | { type: "advance"; nowMs: number } | { type: "retry"; nowMs?: number } | { type: "tick"; nowMs: number } | { type: "cancel"; nowMs?: number } | { type: "undoTurn" } | { type: "redoTurn" };

/**
 * Who asks, told by the authenticated host at submit; nothing a model says can change it.
 */
export interface TurnContext {
    /**
     * The host's own id for the request.
     */
    requestId?: string;
    /**
     * The person.
     */
    principal?: string;
    /**
     * The customer the person belongs to.
     */
    tenant?: string;
    /**
     * What the person may do.
     */
    scopes?: string[];
}

/**
 * How a turn ended.
 */
export type TurnOutcome = "completed" | "cancelled" | "bounded" | "failed";

/**
 * Where a turn is.
 */
export type TurnPhase = "idle" | "requesting" | "streaming" | "awaiting_approval" | "executing" | "settled";

/**
 * What a model, a tool or a host tried that the turn does not allow.
 */
export type TurnViolation = "no_grant" | "digest_mismatch" | "foreign_iteration" | "grant_already_consumed" | "unknown_tool" | "denied_replay" | "limit_exceeded" | "duplicate_call_id" | "post_settlement_event" | "grant_expired" | "unauthorized" | "stale_document" | "unmatched_result";

/**
 * One change to show.
 */
export type Update = { type: "phase"; phase: TurnPhase; iteration: number } | { type: "text"; messageIndex: number; delta: string } | { type: "reasoning"; delta: string } | { type: "call"; call: CallRecord } | { type: "document"; revision: number; patch: JsonPatch } | { type: "usage"; inputTokens: number; outputTokens: number; costMicros: number } | { type: "violation"; violation: TurnViolation; callId: CallId | null; detail: string } | { type: "notice"; message: string } | { type: "refused"; input: string; callId?: CallId; reason: RefusalReason; detail?: string } | { type: "settled"; outcome: TurnOutcome; notice: string | null; error: ProtocolError | null };

/**
 * What one request cost, in tokens. Cached tokens are part of the input, reasoning tokens of the output.
 */
export interface Usage {
    /**
     * Tokens read.
     */
    inputTokens: number;
    /**
     * Tokens written.
     */
    outputTokens: number;
    /**
     * Tokens read from the provider's cache.
     */
    cachedInputTokens?: number;
    /**
     * Tokens spent on reasoning.
     */
    reasoningTokens?: number;
}

/**
 * One recorded violation.
 */
export interface ViolationEntry {
    /**
     * What was tried.
     */
    violation: TurnViolation;
    /**
     * The call it concerns.
     */
    callId: CallId | null;
    /**
     * One authored sentence.
     */
    detail: string;
}
