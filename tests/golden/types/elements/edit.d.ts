/** The form of a card: another input, what is wrong with it, and what it would do. Leaves: exactly the input whose effect stands below it. */
import type { CallRecord, Json, Preview } from "../engine/countersign.js";
import type { ElementSession } from "./session.js";
import { type ElementWords } from "./words.js";
/** What the panel tells its card. */
export interface EditHost {
    /** Approve this input; `isOld` where it is the proposed one. */
    readonly approve: (input: Json, isOld: boolean) => void;
    /** Put the form away; what was typed stays. */
    readonly close: () => void;
    /** The effect on screen is another. */
    readonly look: () => void;
}
/** The form of one call. */
export declare class EditPanel {
    #private;
    private readonly session;
    private readonly words;
    private readonly host;
    /** What is put on the card. */
    readonly node: HTMLElement;
    constructor(session: ElementSession, call: CallRecord, words: ElementWords, host: EditHost);
    /** What the input in the form would do. */
    get preview(): Preview | null;
    /** Puts the cursor into the first field. */
    focus(): void;
    /** The view changed: what the form would do may be another. */
    refresh(call: CallRecord): void;
    /** Says why an approval was not taken. */
    complain(problem: string): void;
    /** Stops working. */
    remove(): void;
}
