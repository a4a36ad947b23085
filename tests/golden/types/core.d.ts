/** Everything both entry points export. Compiled once for each engine; the data types and the session are shared. */
import type { SessionOptions } from "./session/options.js";
import type { Session } from "./session/session.js";
export { StreamDecoder } from "./decoder.js";
export { entityTools, readTools } from "./definitions.js";
export { CountersignError } from "./error.js";
export { authorizeStart, budgetExhaustion, budgetMessages, buildRequest, canonicalJson, idleTurn, inputDigest, pairingViolations, reduceTurn, repairHistory, resolveLimits, type ProviderRequest, type RequestParams, } from "./functions.js";
export { init, type WasmSource } from "./load.js";
export { ToolLoop, type LoopRequest, type LoopRequestParams, type ProposedInput, type RestoreOptions, type ToolLoopOptions, type UndoAvailability } from "./loop.js";
export type { TurnOptions } from "./options.js";
export type { EventsProvider, EventsRequest, HttpProvider, ModelCapabilities, OpenRequest, Provider, ProviderParams } from "./provider.js";
export { anthropic, type AnthropicOptions } from "./providers/anthropic.js";
export { gemini, type GeminiOptions } from "./providers/gemini.js";
export type { HttpOptions } from "./providers/http.js";
export { openai, type OpenAIOptions } from "./providers/openai.js";
export { openaiCompatible, type OpenAICompatibleOptions } from "./providers/openai_compatible.js";
export { replay, type ReplayOptions } from "./replay.js";
export { ToolRegistry, type Prepared } from "./registry.js";
export type { BatchDecision, Decision, SessionOptions, SessionStorage, SessionTool, UndoResult } from "./session/options.js";
export type { Session } from "./session/session.js";
export type { SessionTools } from "./session/tools.js";
export type { Receipt, SessionView, ViewProgress, ViewUsage } from "./session/view.js";
export { DocumentStore, type DocumentChange, type DocumentStoreOptions } from "./store.js";
export { tool, ToolError, type InputOf, type StandardJsonSchema, type StandardResult, type Tool, type ToolOptions, type ToolReturn, type ToolRun } from "./tool.js";
export type * from "./types.js";
/** Opens a conversation: loads the core where it is not loaded yet, and drives provider, tools and document from then on. */
export declare function createSession(options: SessionOptions): Promise<Session>;
