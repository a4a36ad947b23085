/** The conversation as turns. Enters: the session's view after each change. Leaves: turns whose unchanged parts keep their identity, so that only what grew is drawn anew. */
import type { CallRecord, ProtocolError, TurnOutcome } from "../engine/countersign.js";
import type { SessionView } from "../session/view.js";
/** How a turn ended. */
export interface TurnEnd {
    readonly outcome: TurnOutcome;
    readonly notice: string | null;
    readonly error: ProtocolError | null;
    /** A new message came before the person had decided. */
    readonly superseded: boolean;
}
/** One thing on screen: a text, calls that only read, or calls that ask. */
export type Piece = {
    readonly kind: "said";
    readonly key: string;
    readonly text: string;
} | {
    readonly kind: "reads" | "group";
    readonly key: string;
    readonly calls: readonly CallRecord[];
};
/** One turn. */
export interface Turn {
    readonly key: string;
    readonly asked: string;
    readonly pieces: readonly Piece[];
    readonly calls: readonly CallRecord[];
    readonly end: TurnEnd | undefined;
    readonly isLast: boolean;
}
/** Follows one session. */
export declare class Turns {
    #private;
    /** The turns as they are now, oldest first: the same objects where nothing changed. */
    of(view: SessionView): readonly Turn[];
}
/** Whether a turn was set aside by a new message. */
export declare function isSuperseded(turn: Turn): boolean;
