/** The conversation as turns. Enters: the session's view after each change. Leaves: turns whose unchanged parts keep their identity, so that only what grew is drawn anew. */
import type { CallRecord, ProtocolError, TurnOutcome } from "../engine/countersign.js";
import type { SessionView } from "../session/view.js";
/** How a turn ended. */
export interface TurnEnd {
    /** Its outcome. */
    readonly outcome: TurnOutcome;
    /** What the person should know. */
    readonly notice: string | null;
    /** What failed. */
    readonly error: ProtocolError | null;
}
/** One thing on screen: a text, calls that only read, or calls that ask. */
export type Piece = {
    readonly kind: "said";
    readonly key: string;
    readonly text: string;
} | {
    readonly kind: "reads";
    readonly key: string;
    readonly calls: readonly CallRecord[];
} | {
    readonly kind: "group";
    readonly key: string;
    readonly calls: readonly CallRecord[];
};
/** One turn. */
export interface Turn {
    /** Another for each turn of the conversation. */
    readonly key: string;
    /** What the person wrote. */
    readonly asked: string;
    /** What came of it, in order. */
    readonly pieces: readonly Piece[];
    /** All of its calls that are on screen. */
    readonly calls: readonly CallRecord[];
    /** How it ended, once it did. */
    readonly end: TurnEnd | undefined;
    /** Whether it is the newest. */
    readonly isLast: boolean;
}
/** Follows one conversation, over all sessions that carry it on. */
export declare class Turns {
    #private;
    /** The turns as they are now, oldest first: the same objects where nothing changed. */
    of(view: SessionView): readonly Turn[];
}
/** Whether a turn was set aside by a new message. */
export declare function isSuperseded(turn: Turn): boolean;
