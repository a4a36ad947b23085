/** The cards of one message, a few for each frame so that none of them is long. Enters: records. Leaves: cards that show them, those in sight first. Decides nothing. */
import type { CallRecord } from "../engine/countersign.js";
import type { CardElement } from "./card.js";
/** A list of cards. */
export declare class CardList {
    #private;
    /** Makes a card; it is given its record here. */
    private readonly make;
    /** What is put in the group. */
    readonly node: HTMLUListElement;
    constructor(
    /** Makes a card; it is given its record here. */
    make: () => CardElement);
    /** Since when every card stands there as its record says, by the page's clock; endless while one does not. */
    get drawnAt(): number;
    /** Draws what changed: as much as a frame can bear now, the rest in the next ones. Every card knows its record at once. */
    update(calls: readonly CallRecord[]): void;
}
