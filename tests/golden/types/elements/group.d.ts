/** The calls of one message: cards for what asks, one folded line for what only read. Enters: records. Leaves: an explicit list of ids for "Approve all". */
import type { CallRecord } from "../engine/countersign.js";
import type { CardElement } from "./card.js";
import type { ElementSession } from "./session.js";
import { type ElementWords } from "./words.js";
/** The parts of a card that a page may style from outside a transcript. */
export declare const CARD_PARTS = "card, line, mark, mark-read, mark-change, mark-delete, mark-good, mark-bad, mark-quiet, title, kind, outcome, body, changes, row, row-added, row-removed, row-changed, before, after, note, note-problem, note-quiet, note-cascade, note-stale, note-loss, actions, button, approve, deny, primary, danger, more, menu, menu-item, exact, input, form, field, issues, effect, candidates, candidate, expiry";
/** What a group needs of its transcript. */
export interface GroupHost {
    readonly session: ElementSession | null;
    readonly words: ElementWords;
    /** Makes a card of this page's kind. */
    readonly card: () => CardElement;
    /** Several calls were decided together; says why not. */
    readonly approveAll: (callIds: readonly string[]) => string | undefined;
}
/** The cards of one message. */
export declare class Group {
    #private;
    private readonly host;
    /** What is put in the conversation. */
    readonly node: HTMLElement;
    constructor(host: GroupHost);
    /** Whether a card of it waits. */
    get waits(): boolean;
    /** Draws what changed. */
    update(calls: readonly CallRecord[]): void;
}
/** What was only looked at: one line, and on demand each thing. */
export declare class Reads {
    #private;
    private readonly words;
    /** What is put in the conversation. */
    readonly node: HTMLElement;
    constructor(words: ElementWords);
    /** Draws what changed. */
    update(calls: readonly CallRecord[]): void;
}
