/** The host of one conversation in a page: does what the loop asks (requests, executions, timers) and shows where it is. */
import { type Provider } from "../provider.js";
import type { CallRecord, Json, TurnOutcome } from "../types.js";
import type { BatchDecision, Decision, UndoResult } from "./options.js";
import { SessionTools } from "./tools.js";
import { type SessionView } from "./view.js";
/** One conversation. Made by `createSession`. */
export declare class Session {
    #private;
    /** The tools; a change counts from the next message on. */
    readonly tools: SessionTools;
    /** Everything there is to show now: the same object while nothing changed. */
    get view(): SessionView;
    /** The same without counting as shown: for what decides later, or not at all, what comes on screen. Its calls are approved by `approve(call)`. */
    peek(): SessionView;
    /** Tells `fn` that the view changed, once for each step of the loop; returns how to stop. */
    subscribe(fn: () => void): () => void;
    /**
     * Sends a message and resolves with how its turn ended. While calls wait for approval it supersedes them;
     * while a turn runs it rejects with `turn_live`.
     */
    send(text: string): Promise<TurnOutcome>;
    /**
     * Approves one call, or the same with another input. Given the call itself, a record of `view` or `peek()`, it approves what that record shows; given
     * its id, what the view read last shows. Where that is not its card by now, or nothing was shown, `stale_effect`.
     */
    approve(call: string | CallRecord, { editedInput }?: {
        editedInput?: Json;
    }): Decision;
    /** Approves exactly these calls, named as in `approve`; without a list those that the view read last shows as pending, destructive ones left out. */
    approveAll(calls?: readonly (string | CallRecord)[]): BatchDecision;
    /** Declines one call; the reason reaches the model, marked as the person's words. */
    deny(callId: string, reason?: string): Decision;
    /** Stops the turn at once; what arrived stays. Without a running turn nothing happens. */
    cancel(): void;
    /** Takes back the newest turn that changed something, as one step. */
    undo(): UndoResult;
    /**
     * Another provider or model, from the next message on; the conversation stays. What the provider before it issued for
     * itself alone (signed thinking, say) is not sent to the new one. While a turn runs it throws `turn_live`.
     */
    use(provider: Provider): void;
    /** The conversation as text, for `createSession({ snapshot })`. */
    save(): string;
    /** Stops the turn, forgets every listener and gives the memory back. The last view stays readable. */
    dispose(): void;
}
