/**
 * What became of an act.
 */
export interface ActRecord {
    /**
     * Its place among those of its message, from 0.
     */
    index: number;
    /**
     * What became of it.
     */
    result: ActResult;
    /**
     * Why, in one sentence.
     */
    reason?: string;
    /**
     * What can be meant, in the order of the document.
     */
    candidates?: Candidate[];
}

/**
 * The one result of an act.
 */
export type ActResult = "ready" | "awaiting_confirmation" | "needs_selection" | "rejected" | "superseded" | "withdrawn" | "no_change";

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
export type Awaiting = "preview" | "user";

/**
 * The bound that ended a turn, in the order in which bounds are asked.
 */
export type Bound = "iterations" | "tool_calls" | "retries" | "deadline" | "tokens" | "cost" | "repeats" | "messages";

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
     * Who wrote the result; `null` where the core did.
     */
    resultFrom: RunsOn | null;
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
     * What it would do to the document, where that was worked out; stays as what was shown once the call is decided.
     */
    preview: Preview | null;
    /**
     * Why the card shows another effect than before; nothing while it stands as it was first shown.
     */
    stale: Stale | null;
    /**
     * What its words for its target came to, where its tool has one.
     */
    act: ActRecord | null;
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
    /**
     * The step of the store's history that holds the change.
     */
    historyStep: number | null;
}

/**
 * Where a call is in its life; it only ever moves forward, but for `approved` and `succeeded`.
 */
export type CallStatus = "pending" | "approved" | "running" | "succeeded" | "failed" | "undone" | "denied" | "unknown";

/**
 * One thing that can be meant.
 */
export interface Candidate {
    /**
     * Its id.
     */
    id: string;
    /**
     * Its title; its id where it has none. Plain text.
     */
    title: string;
    /**
     * The section it stands in.
     */
    section: string;
}

/**
 * Who made a change.
 */
export type ChangeSource = "user" | "turn";

/**
 * What became of a proposed change of the document.
 */
export type CommitOutcome = { status: "committed"; revision: number; patch: JsonPatch } | { status: "unchanged" } | { status: "refused"; refusal: CommitRefusal; result: string };

/**
 * Why a proposed change was refused.
 */
export type CommitRefusal = "tool_error" | "read_tool_mutated" | "document_changed" | "invalid_document";

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

/** A document whose parts carry ids, as its host defines it. */
export interface DocumentDefinition {
    /** What such a document is called. */
    kind: string;
    /** What the whole document must be (JSON Schema 2020-12). */
    schema?: JsonSchema;
    /** Where the entities are, in order. */
    sections: DocumentSection[];
    /** The host's own validator, a pure function called at commit: one line for each fault. It may not call back in. */
    rules?: (document: Json) => string[];
}

/** One list of entities. */
export interface DocumentSection {
    /** Its name, for people and models. */
    name: string;
    /** JSON pointer to an array of objects. */
    path: string;
    /** The member that holds the id; `id` where nothing is said. */
    idKey?: string;
    /** The member that holds the title. */
    titleKey?: string;
    /** The references that name an entity without a title: `["from", "to"]` reads `Web app → Orders`. */
    titleFrom?: string[];
    /** What ids made by the core begin with; the section's name where nothing is said. */
    idPrefix?: string;
    /** Members that name other entities. */
    references?: {
        /** JSON pointer inside the entity; an array value holds a reference per item. */
        path: string;
        /** The section or sections it may point into. */
        section: string | string[];
        /** What becomes of it when its target is deleted. */
        onDelete?: "refuse" | "cascade" | "clear";
    }[];
    /** JSON pointers to the members a search for `text` looks at beside id and title; they are shown with the whole entity. */
    text?: string[];
    /** What a search can ask for, by the name of the filter. */
    filters?: Record<string, {
        /** JSON pointer inside the entity. */
        path: string;
        /**
         * When an entity passes: the value is the one asked for, also without regard to case; a list holds it or a text has it in it; or it is the
         * one asked for, `none` standing for an entity without a value.
         */
        match: "equal" | "ignore_case" | "includes" | "equal_or_none";
    }>;
    /** JSON pointers to what a page shows beside id and title; references and the places of the filters where nothing is said. */
    compact?: string[];
    /** JSON pointers to what is shown of one whole entity beside that and `text`; every text, number, boolean and list of them where nothing is said. */
    full?: string[];
    /** JSON pointers to members whose values the schema lists (`enum`): the summary counts how often each stands. */
    counts?: string[];
    /** Ids shown with a whole entity: of the entities of another section that name it. */
    backReferences?: {
        /** What the list is called. */
        name: string;
        /** The section whose entities are listed. */
        section: string;
        /** JSON pointer to the member that names this entity, alone or in a list. */
        path: string;
    }[];
    /** Ids are unique across the sections of one namespace. */
    namespace?: string;
    /** JSON pointer to the member that names the parent; following it never comes back. */
    acyclic?: string;
}

/**
 * One thing the host is asked to do.
 */
export type Effect = { type: "request"; id: EffectId; iteration: number; attempt: number; notBeforeMs?: number; tools: OfferedTools } | { type: "execute"; id: EffectId; callId: CallId; toolName: string; input: Json; runsOn: RunsOn; idempotencyKey: string; timeoutMs: number; documentRevision: number } | { type: "preview"; id: EffectId; callId: CallId; toolName: string; input: Json; document: Json; timeoutMs: number } | { type: "abort"; ids: EffectId[] };

/**
 * Names one thing the host was asked to do; never used again, not even after a restore.
 */
export type EffectId = string;

/**
 * How an approval was given.
 */
export type GrantScope = "call" | "batch" | "auto";

/**
 * One step that can be undone.
 */
export interface HistoryEntry {
    /**
     * Never used again in this store, so that an old step is never taken for a new one.
     */
    id: number;
    /**
     * What the step is called.
     */
    label: string;
    /**
     * Who made it.
     */
    source: ChangeSource;
    /**
     * The turn that made it.
     */
    turnId?: string;
    /**
     * The revision it led to.
     */
    revision: number;
}

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** RFC 6902: add, remove, replace; `test` too in a host's. */
export type JsonPatch = PatchOperation[];

/** A JSON Schema (2020-12), as an object or `true` or `false`. */
export type JsonSchema = boolean | { [keyword: string]: unknown };

/**
 * What a line tells of.
 */
export type LineKind = "added" | "removed" | "changed";

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
 * How much the model may do by itself.
 */
export type OrchestrationMode = "reviewed";

/**
 * Everything one call caused.
 */
export interface Outcome {
    /**
     * What to show, in order.
     */
    updates: Update[];
    /**
     * What to do; each is answered by its id.
     */
    effects: Effect[];
    /**
     * When to come back with a `tick`, epoch milliseconds.
     */
    nextDeadlineMs: number | null;
}

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

/** What a prepared call is: what was validated is what runs. */
export type PreparedCall = { summary: string; input: Json; inputDigest: string };

/**
 * What a call would do to the document, after the calls of its message that stand before it.
 */
export interface Preview {
    /**
     * Heads the card: what the call does, things named by their titles. Plain text.
     */
    title: string;
    /**
     * The change, for drawing it; empty where it is too large to hand out or where there is none.
     */
    patch: JsonPatch;
    /**
     * SHA-256 of the canonical JSON of the ordered `{kind, section, id, field, before, after}`, values whole, what is absent left
     * out, no positions (what passed others: `after` is the id of what it stands behind); what goes is told whole in `before`. Of
     * `null` where there is an `error`.
     */
    effectDigest: string;
    /**
     * The change line by line, bounded: what is left out is counted in `hiddenLines`.
     */
    lines: PreviewLine[];
    /**
     * All entities of the change, those of the hidden lines too, by section and kind, in the order of the document.
     */
    counts: PreviewCount[];
    /**
     * How many lines are left out.
     */
    hiddenLines: number;
    /**
     * Why the call would change nothing, or why this could not be worked out.
     */
    error?: string;
}

/**
 * How many entities of one section come, go or are changed.
 */
export interface PreviewCount {
    /**
     * What happens to them.
     */
    kind: LineKind;
    /**
     * The section.
     */
    section: string;
    /**
     * How many.
     */
    count: number;
}

/**
 * One line of a difference: an entity that comes or goes, one field of an entity, or (`changed` without a field) an entity that
 * passed others of its section and now stands behind what `after` names, first where there is no `after`. Plain text in which every control,
 * bidi and invisible code point is a visible escape; a long value holds its head, its tail and how much is between.
 */
export interface PreviewLine {
    /**
     * What happens.
     */
    kind: LineKind;
    /**
     * The section; empty for what stands beside all sections.
     */
    section: string;
    /**
     * The entity's id.
     */
    id: string;
    /**
     * The entity's title; its id where it has none.
     */
    title: string;
    /**
     * The field; absent where the line tells of the whole entity.
     */
    field?: string;
    /**
     * The field's value before; absent where there was none.
     */
    before?: string;
    /**
     * The field's value after; absent where there is none.
     */
    after?: string;
}

/**
 * What tokens cost, in millionths of the host's currency.
 */
export interface Prices {
    /**
     * One token read.
     */
    inputMicrosPerToken: number;
    /**
     * One token written.
     */
    outputMicrosPerToken: number;
}

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
 * A history in which calls and results pair.
 */
export interface Repaired {
    /**
     * The history.
     */
    messages: Message[];
    /**
     * What was wrong before; the places are those of the history that was given.
     */
    repairs: PairingViolation[];
}

/**
 * Who speaks.
 */
export type Role = "user" | "assistant";

/**
 * Who runs a tool.
 */
export type RunsOn = "core" | "client" | "server";

/**
 * Why a card shows another effect than the one it showed before.
 */
export interface Stale {
    /**
     * Why.
     */
    because: StaleCause;
    /**
     * What changed in the document meanwhile, at most 6 lines; empty where it was not the document, or where nobody knows.
     */
    lines: PreviewLine[];
}

/**
 * Why a card shows something else than it did.
 */
export type StaleCause = "document" | "calls";

/**
 * Why a message ended.
 */
export type StopReason = "end_turn" | "tool_use" | "max_tokens" | "stop_sequence" | "refusal" | "unknown";

/**
 * One thing a stream said. Exactly one terminal event (`message_stop`, a terminal `error`, `aborted`) leaves a decoder.
 */
export type StreamEvent = { type: "message_start"; model: string } | { type: "text_delta"; text: string } | { type: "reasoning_delta"; text: string } | { type: "tool_call_start"; id: string; name: string } | { type: "tool_call_input_delta"; id: string; partialJson: string } | { type: "tool_call_complete"; id: string; name: string; input: Json; invalid?: string; providerId?: string } | { type: "provider_state"; provider: ProviderFormat; value: Json; callId?: string } | { type: "usage"; usage: Usage } | { type: "message_stop"; stopReason: StopReason } | { type: "error"; error: ProtocolError } | { type: "aborted" };

/**
 * What one stream may cost. JSON keys are the camelCase of the field names.
 */
export interface StreamLimits {
    /**
     * The longest line, without its end.
     */
    maxLineBytes: number;
    /**
     * The longest stream.
     */
    maxStreamBytes: number;
    /**
     * The longest argument text of one call.
     */
    maxArgumentBytes: number;
    /**
     * How deep the arguments of a call may nest.
     */
    maxArgumentDepth: number;
}

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
     * Whether it can be run on a draft: its card then shows what it would change, and exactly that is approved. For tools of the
     * host's page that change something and do not reach outside the document.
     */
    preview?: boolean;
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
     * Where the input names the entity it acts on, so that the person can choose where the model gave a title in place of an id.
     */
    target?: ToolTarget;
    /**
     * Scopes the trusted context must hold.
     */
    requires?: string[];
    /**
     * The definition of the documents a core tool is for, where it was made from one: that tool is for no other.
     */
    definition?: DocumentDefinition;
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
 * Where an input names the entity the tool acts on.
 */
export interface ToolTarget {
    /**
     * The section of the document that the entity stands in.
     */
    section: string;
    /**
     * JSON pointer into the input, to a text: an id.
     */
    path: string;
}

/**
 * What a turn has spent. A bound is reached when its counter is at or above the limit.
 */
export interface TurnBudget {
    /**
     * When the turn began, epoch milliseconds.
     */
    startedAtMs: number;
    /**
     * How long it waited for the person.
     */
    pausedMs: number;
    /**
     * Since when it waits for the person.
     */
    pausedSinceMs: number | null;
    /**
     * Requests, retries counted.
     */
    requestsStarted: number;
    /**
     * Requests, retries aside.
     */
    iterationsStarted: number;
    /**
     * Calls the model opened.
     */
    callsOpened: number;
    /**
     * Calls its current message opened.
     */
    callsThisIteration: number;
    /**
     * Retries.
     */
    retriesUsed: number;
    /**
     * Tokens read.
     */
    inputTokens: number;
    /**
     * Tokens written.
     */
    outputTokens: number;
    /**
     * What they cost.
     */
    costMicros: number;
    /**
     * How often a call was asked again although it had given the same result each time.
     */
    highestRepeat: number;
}

/**
 * What a host, a person or the loop itself tells a turn. Time never moves backwards: an older `nowMs` counts as the latest.
 */
export type TurnCommand = { type: "submit"; text: string; nowMs: number; context?: TurnContext } | { type: "approveCall"; callId: CallId; editedInput?: Json; seen?: string; nowMs?: number; documentRevision?: number } | { type: "approveBatch"; callIds: CallId[]; seen?: string[]; nowMs?: number; documentRevision?: number } | { type: "denyCall"; callId: CallId; reason?: string; nowMs?: number } | { type: "documentEdited"; documentRevision: number } | { type: "toolsChanged"; toolNames: string[] } | { type: "selectTarget"; callId: CallId; targetId: string; nowMs?: number } | { type: "previewed"; callId: CallId; outcome: ToolOutcome; nowMs?: number } | { type: "startCall"; callId: CallId; nowMs: number; documentRevision?: number } | { type: "callSettled"; callId: CallId; outcome: ToolOutcome; historyStep?: number; nowMs?: number } | { type: "callProgress"; callId: CallId; label: string; fraction?: number } | { type: "advance"; nowMs: number } | { type: "retry"; nowMs?: number } | { type: "resume"; nowMs: number } | { type: "tick"; nowMs: number } | { type: "cancel"; nowMs?: number } | { type: "undoTurn"; steps?: number[] } | { type: "redoTurn"; steps?: number[] };

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

/** Everything a turn can be told; the time may go with every input. */
export type TurnInput = (StreamEvent & { nowMs?: number }) | TurnCommand;

/**
 * The ceilings of one turn, frozen at submit.
 */
export interface TurnLimits {
    /**
     * Requests one message of the person may cost, retries aside. Default 8.
     */
    maxIterations: number;
    /**
     * Calls one turn may open. Default 32.
     */
    maxToolCallsPerTurn: number;
    /**
     * Calls one message of the model may open: what a person can review in one go. Default 12.
     */
    maxToolCallsPerIteration: number;
    /**
     * Requests asked again after a passing failure; 0 for none. Default 3.
     */
    maxRetriesPerTurn: number;
    /**
     * How long a turn may take, the person's thinking time aside. Default 300 000 ms.
     */
    turnDeadlineMs: number;
    /**
     * Output tokens kept free when a history is cut to the window. Default 4096.
     */
    reserveOutputTokens: number;
    /**
     * How long a card, and then its approval, is good for; `null` for ever, the default.
     */
    approvalTtlMs: number | null;
    /**
     * Tokens of one turn; `null` for no bound, the default.
     */
    maxTotalTokens: number | null;
    /**
     * Cost of one turn in millionths; `null` for no bound, the default.
     */
    maxCostMicros: number | null;
    /**
     * How often the same call may give the same result. Default 3.
     */
    maxRepeatsPerCall: number;
    /**
     * Calls that may run at a time. Default 1.
     */
    maxConcurrentCalls: number;
    /**
     * Argument text of one call, in bytes. Default 256 KiB.
     */
    maxArgumentBytes: number;
    /**
     * Nesting of one call's arguments. Default 64.
     */
    maxArgumentDepth: number;
    /**
     * Result text of one call, in bytes. Default 64 KiB.
     */
    maxResultBytes: number;
    /**
     * One answer of the provider, in bytes. Default 50 MiB.
     */
    maxStreamBytes: number;
    /**
     * Messages of one conversation. Default 2000.
     */
    maxMessages: number;
    /**
     * How long the host may take to authorize a call. Default 30 000 ms.
     */
    authorizeTimeoutMs: number;
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
 * Whether what a turn changed can be taken back as one step.
 */
export type TurnStanding = "undoable" | "already_undone" | "superseded";

/**
 * One turn, from `idle` to `settled`.
 */
export interface TurnState {
    /**
     * Names the turn inside its conversation.
     */
    turnId: string;
    /**
     * Where it is.
     */
    phase: TurnPhase;
    /**
     * Which request it is at, from 1; 0 before submit.
     */
    iteration: number;
    /**
     * How much the model may do by itself.
     */
    mode: OrchestrationMode;
    /**
     * Names the tools it was begun with; another registry is refused.
     */
    toolsDigest: string;
    /**
     * What it has spent.
     */
    budget: TurnBudget;
    /**
     * What it may spend.
     */
    limits: TurnLimits;
    /**
     * Who asks.
     */
    context: TurnContext | null;
    /**
     * The whole conversation, this turn's part last.
     */
    messages: Message[];
    /**
     * The calls of this turn, in the order in which they were opened.
     */
    calls: CallRecord[];
    /**
     * Every grant of this turn, spent ones too.
     */
    grants: ApprovalGrant[];
    /**
     * What the person declined in this turn.
     */
    denials: Denial[];
    /**
     * The last 32 violations.
     */
    violations: ViolationEntry[];
    /**
     * All violations, counted by kind.
     */
    violationCounts: Record<TurnViolation, number>;
    /**
     * How it ended.
     */
    outcome: TurnOutcome | null;
    /**
     * The bound that ended it.
     */
    bound: Bound | null;
    /**
     * What the person should know.
     */
    notice: string | null;
    /**
     * What failed.
     */
    error: ProtocolError | null;
    /**
     * The latest time it was told, epoch milliseconds.
     */
    clockMs: number;
    /**
     * The revision of the last change of the document that this turn did not make, as far as it was told.
     */
    documentRevision: number;
    /**
     * Why the current message ended.
     */
    stopReason: StopReason | null;
    /**
     * Where in `messages` this turn begins.
     */
    firstMessage: number;
    /**
     * How many of `calls` have their result in `messages`.
     */
    answeredCalls: number;
    /**
     * What the current request cost so far; the last report of a request replaces the one before.
     */
    requestUsage: Usage;
    /**
     * What tokens cost.
     */
    prices: Prices | null;
}

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
