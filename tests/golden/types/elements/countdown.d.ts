/** How long a card can still be decided, told in its last minute alone. Enters: a time and a clock. Leaves: words. */
import { type ElementWords } from "./words.js";
/** Counts down beside the buttons of a card. */
export declare class Countdown {
    #private;
    /** Where it is told. */
    readonly node: HTMLSpanElement;
    /** Counts towards `at`, by this clock. */
    start(at: number | null, now: () => number, words: ElementWords): void;
    /** Counts no longer. */
    stop(): void;
}
