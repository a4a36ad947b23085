/** What the elements ask of a session: the one of `createSession`, or anything shaped like it. Knows no core. */
import type { AdvertisedTool, Json, Preview, TurnOutcome } from "../engine/countersign.js";
import type { SessionView } from "../session/view.js";
/** Whether a decision was taken, and why not. */
export interface ElementDecision {
    /** Whether it was. */
    readonly ok: boolean;
    /** Why not, as a stable word. */
    readonly reason?: string;
    /** Why not, in a sentence. */
    readonly detail?: string;
}
/** What became of a decision about several calls. */
export interface ElementBatch extends ElementDecision {
    /** The calls that were approved. */
    readonly approved: readonly string[];
    /** The calls that were not, and why. */
    readonly refused: readonly {
        readonly callId: string;
        readonly reason: string;
    }[];
}
/** What a call would do with another input, or what is wrong with that input. */
export type ElementPreview = {
    readonly ok: true;
    readonly input: Json;
    readonly preview: Preview | null;
} | {
    readonly ok: false;
    readonly issues: readonly string[];
};
/** A session as the elements see it. What may be missing is done without: no choice of targets, no form, the page's clock. */
export interface ElementSession {
    /** Everything there is to show now. */
    readonly view: SessionView;
    /** Tells `fn` that the view changed; returns how to stop. */
    subscribe(fn: () => void): () => void;
    /** Sends a message. */
    send(text: string): Promise<TurnOutcome>;
    /** Approves one call, as it was shown or with another input. */
    approve(callId: string, options?: {
        readonly editedInput?: Json;
    }): ElementDecision;
    /** Approves exactly these calls. */
    approveAll(callIds?: readonly string[]): ElementBatch;
    /** Declines one call. */
    deny(callId: string, reason?: string): ElementDecision;
    /** Stops the turn. */
    cancel(): void;
    /** Takes back the newest turn that changed something. */
    undo(): ElementDecision;
    /** Says which of several things was meant. */
    select?(callId: string, targetId: string): ElementDecision;
    /** What a call would do with this input; nothing is decided. */
    preview?(callId: string, input?: Json): ElementPreview | Promise<ElementPreview>;
    /** A tool as the model was told of it. */
    tool?(name: string): AdvertisedTool | undefined;
    /** The session's clock, epoch milliseconds. */
    now?(): number;
}
/** What `countersign-decision` tells. */
export interface DecisionDetail {
    /** The call. */
    readonly callId: string;
    /** What was decided; `edit` is an approval of another input. */
    readonly decision: "approve" | "edit" | "deny" | "select";
    /** Whether it was taken. */
    readonly ok: boolean;
    /** Why not, as a stable word. */
    readonly reason?: string;
}
