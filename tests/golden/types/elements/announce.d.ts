/** New cards and outcomes for screen readers, politely and each once. Enters: views. Leaves: sentences in one live region. */
import type { SessionView } from "../session/view.js";
import type { Turn } from "./turns.js";
import { type ElementWords } from "./words.js";
/** Speaks. */
export declare class Announcer {
    #private;
    /** The live region. */
    readonly node: HTMLDivElement;
    /** Says a sentence; several in one moment are said together. */
    say(sentence: string): void;
    /** Says what is new in a view. What stood there when the conversation was first shown is not news, but for what waits. */
    look(view: SessionView, last: Turn | undefined, words: ElementWords): void;
    /** Forgets the conversation. */
    reset(): void;
    /** Says nothing more. */
    stop(): void;
}
