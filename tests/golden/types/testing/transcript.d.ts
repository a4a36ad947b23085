/** Writes down what a session showed, as it showed it. */
import type { Session } from "../session/session.js";
import type { CallStatus, TurnOutcome, TurnPhase } from "../types.js";
/** One thing that was shown. */
export type TranscriptEntry = {
    readonly type: "phase";
    readonly phase: TurnPhase;
} | {
    readonly type: "call";
    readonly callId: string;
    readonly toolName: string;
    readonly status: CallStatus;
} | {
    readonly type: "text";
    readonly role: "user" | "assistant";
    readonly text: string;
} | {
    readonly type: "settled";
    readonly outcome: TurnOutcome;
};
/** The record of a session. */
export interface Transcript {
    /** What was shown so far; a text that grows is one entry. */
    readonly entries: readonly TranscriptEntry[];
    /** The same as lines, for comparing and for reading. */
    text(): string;
    /** Ends the record. */
    stop(): void;
}
/** Records what `session` shows from now on. */
export declare function recordTranscript(session: Session): Transcript;
