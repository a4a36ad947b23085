/** One turn on screen. Enters: a turn. Leaves: nodes in which only what changed is touched; text that grows is one text node. */
import { type EndingHost, type UndoState } from "./ending.js";
import { type GroupHost } from "./group.js";
import type { Turn } from "./turns.js";
import type { ElementWords } from "./words.js";
/** A turn's nodes. */
export declare class TurnView {
    #private;
    private readonly words;
    private readonly groups;
    private readonly endings;
    /** What is put in the conversation. */
    readonly node: HTMLElement;
    constructor(words: ElementWords, groups: GroupHost, endings: EndingHost);
    /** Its first group in which a card waits. */
    waiting(): HTMLElement | undefined;
    /** Draws what changed. */
    update(turn: Turn, isThinking: boolean, undo: UndoState): void;
}
