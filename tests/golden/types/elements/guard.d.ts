/**
 * No decision by accident: what has just appeared, changed or moved under a hand is only there to be read. Knows times alone:
 * when a card was drawn, and when a hand moved, which on a busy page is long before anybody hears of it.
 */
/** What decided: a key, a pointer, or something written out in a form, which is no accident. */
export type Hand = "key" | "pointer" | "form";
/** A hand, and when it moved, by the page's clock: the time of the event. */
export interface Gesture {
    readonly hand: Hand;
    readonly at: number;
}
/** Watches over one card. */
export declare class Guard {
    #private;
    /** A card folded or grew: those below it stand elsewhere now. */
    static moved(): void;
    /** The card says something else than before. */
    changed(): void;
    /** The focus came in, or left. */
    focus(isIn: boolean): void;
    /** Whether a decision counts. */
    allows({ hand, at }: Gesture): boolean;
}
