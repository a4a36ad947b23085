/** No decision by accident: what has just appeared, changed or moved under a hand is only there to be read. Knows times alone. */
/** What decided: a key, a pointer, or something written out in a form, which is no accident. */
export type Hand = "key" | "pointer" | "form";
/** Watches over one card. */
export declare class Guard {
    #private;
    /** A card folded or grew: those below it stand elsewhere now. */
    static moved(): void;
    /** The card says something else than before. */
    changed(): void;
    /** The focus came in, or left. */
    focus(isIn: boolean): void;
    /** Whether a decision may count now. */
    allows(hand: Hand): boolean;
}
