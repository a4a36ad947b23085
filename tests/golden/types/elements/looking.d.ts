/** Which card a person looks at, so that a page can draw what it would change. Enters: hands, focus and what the card shows. Leaves: `countersign-preview`. */
import type { CallRecord, Preview } from "../engine/countersign.js";
/** What `countersign-preview` tells: the card that a person looks at, or that they look at none. */
export type PreviewDetail = {
    readonly callId: string;
    readonly preview: Preview | null;
    readonly call: CallRecord;
} | null;
/** Watches one card. */
export declare class Looking {
    #private;
    private readonly card;
    constructor(card: HTMLElement);
    /** The card came into a page. */
    connected(): void;
    /** The card left: what it proposed is no longer looked at. */
    end(): void;
    /** A hand or the focus came or went. */
    set(by: "focus" | "pointer", isIn: boolean): void;
    /** What the card shows now; only what is not decided or not done yet is a proposal. */
    at(call: CallRecord | undefined, preview: Preview | null): void;
}
