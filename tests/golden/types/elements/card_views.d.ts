/** The pieces of a card that a person works: its head, the choice, the buttons, the form for a reason. Leaves: what was pressed, and how. Decides nothing. */
import type { CallRecord } from "../engine/countersign.js";
import { type ElementWords } from "./words.js";
/** Line one of a card that waits. */
export declare function waitingLine(call: CallRecord, words: ElementWords): HTMLElement;
/** The one line of a decided card, which unfolds to what it was. */
export declare function decidedCard(call: CallRecord, words: ElementWords, isOpen: boolean, toggled: (isOpen: boolean) => void): Node[];
/** The things that can be meant. */
export declare function choiceOf(call: CallRecord, words: ElementWords, chosen: string | undefined, choose: (id: string) => void): HTMLElement;
/** What the buttons of a card do. */
export interface CardActions {
    readonly decide: (event: MouseEvent) => void;
    readonly deny: (event: MouseEvent) => void;
}
/** The two buttons of a card that waits. */
export declare function decisionButtons(call: CallRecord, words: ElementWords, isChosen: boolean, actions: CardActions): readonly [approve: HTMLElement, deny: HTMLElement];
/** Asks why not. */
export declare function reasonForm(call: CallRecord, words: ElementWords, deny: (reason: string) => void, close: () => void): HTMLElement;
/** A button's name: what it does, and to what. */
export declare function named(action: string, call: CallRecord, words: ElementWords): string;
