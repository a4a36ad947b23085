/** How a turn ended: a notice, an error with what to do next, and the receipt with its undo. The receipt is counted, never quoted from the model. */
import type { SessionView } from "../session/view.js";
import { type Turn, type TurnEnd } from "./turns.js";
import { type ElementWords } from "./words.js";
/** Whether a turn can be taken back, and why not. */
export type UndoState = SessionView["undo"] | "older";
/** What an ending can ask for. */
export interface EndingHost {
    readonly undo: () => void;
    readonly retry: (text: string) => void;
}
/** The last lines of one turn; nothing where there is nothing to say. */
export declare function endingOf(turn: Turn, end: TurnEnd, undo: UndoState, words: ElementWords, host: EndingHost): Node[];
