/** The host of one conversation in a page: does what the loop asks (requests, executions, timers) and shows where it is. */
import type { ProposedInput } from "../loop.js";
import { type Provider } from "../provider.js";
import type { AdvertisedTool, Json, CallRecord, TurnOutcome, TurnState } from "../types.js";
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
    /**
     * Says that these calls were drawn, each as its record shows it: from here on an approval by their ids means that. For a page that reads by `peek` and
     * draws some of it; the hooks say it of what they delivered. A copy of a record says nothing.
     */
    saw(calls: readonly CallRecord[]): void;
    /** Tells `fn` that the view changed, once for each step of the loop; returns how to stop. */
    subscribe(fn: () => void): () => void;
    /**
     * Sends a message and resolves with how its turn ended. While calls wait for approval it supersedes them;
     * while a turn runs it rejects with `turn_live`.
     */
    send(text: string): Promise<TurnOutcome>;
    /**
     * Approves one call, or the same with another input. Given the call itself, a record of `view` or `peek()`, it approves what that record shows; given
     * its id, what was shown last, by `view` or by a hook. Where that is not its card by now, or nothing was shown, `stale_effect`. Another input for a
     * call that destroys something is approved where `preview` has shown it; else it is a new proposal: the call waits again, with what it would do now.
     */
    approve(call: string | CallRecord, { editedInput }?: {
        editedInput?: Json;
    }): Decision;
    /**
     * What a call that waits would do, or what it would do with another input, checked as it would be when it is approved. What this
     * returned counts as shown. `preview` is null where nobody can tell before it runs.
     */
    preview(callId: string, editedInput?: Json): ProposedInput;
    /** Says which of the candidates of its card a call means: it then shows what it would do, and asks. */
    select(callId: string, targetId: string): Decision;
    /**
     * Approves exactly these calls, named as in `approve`; without a list those that were shown last as pending, without those that are to be decided
     * alone or not yet.
     */
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
    /** A tool of the turn as the model was told of it; undefined where it was told of none of this name. */
    tool(name: string): AdvertisedTool | undefined;
    /** The session's time: what its cards are measured by. */
    now(): number;
    /** The turn as the core holds it, for looking into it. */
    state(): TurnState;
    /** The conversation as text, for `createSession({ snapshot })`. */
    save(): string;
    /** Everything that went into the conversation, for `replay`; only with `recordInputs: true`. The provider's secrets are masked in it. */
    recording(): string;
    /** Stops the turn, forgets every listener and gives the memory back. The last view stays readable. */
    dispose(): void;
}
