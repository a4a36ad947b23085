/** What the inspector shows, worked out of plain data. Enters: a turn's state, the text of a recording. Leaves: rows. Knows no DOM. */
import type { TurnState } from "../engine/countersign.js";
import type { InspectorWords } from "./words.js";
/** The phases in the order in which a turn passes them. */
export declare const PHASES: readonly ["idle", "requesting", "streaming", "awaiting_approval", "executing", "settled"];
/** One line of the budget: what is used, and the most that may be. */
export interface BudgetRow {
    /** Its name in the words. */
    readonly name: Exclude<keyof InspectorWords["budget"], "title" | "used">;
    /** What is used. */
    readonly used: number;
    /** The most that may be used, or no limit. */
    readonly most: number | null;
}
/** What a turn used of what it may use, at a moment. */
export declare function budgetRows({ budget, limits, clockMs, phase }: TurnState, nowMs: number): BudgetRow[];
/** One input of a recording, as it is listed. */
export interface InputRow {
    /** Its place, from 1. */
    readonly place: number;
    /** Since the first input that told a time, milliseconds; nothing before it. */
    readonly sinceMs: number | undefined;
    /** What it is. */
    readonly kind: "event" | "command" | "feed" | "endStream" | "request" | "setTools" | "document";
    /** Which one. */
    readonly what: string;
    /** The call it is about, or "". */
    readonly call: string;
    /** How much it holds: bytes of an answer, or of its own text. */
    readonly size: number;
}
/** A recording that was read once; rows are made when they are looked at. */
export declare class Inputs {
    #private;
    /** How many there are. */
    readonly count: number;
    /** Throws where the text is no recording. */
    constructor(text: string);
    /** The input at this place, from 0. */
    row(at: number, words: InspectorWords["log"]): InputRow;
    /** The time of the input at this place, from 0, or of the last before it that told one. */
    timeMs(at: number): number | undefined;
}
