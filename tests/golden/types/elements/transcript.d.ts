/** The conversation: what was asked, said, looked at and proposed, how each turn ended. Moves the focus on after decisions, and listens to the keys. */
import type { SessionView } from "../session/view.js";
import { SessionElement } from "./base.js";
/** `<countersign-transcript>`. */
export declare class TranscriptElement extends SessionElement {
    #private;
    /** The element to go to when no card waits any more; the `<countersign-composer>` beside this element where nothing is said. */
    composer: HTMLElement | null;
    constructor();
    /** Goes to the end, and follows from there. */
    toEnd(): void;
    /** Puts the focus on the next card that waits, or the one before; says whether there is one. */
    focusNext(step?: 1 | -1): boolean;
    /** Takes the newest turn back, where that is possible. */
    undo(): void;
    protected properties(): readonly string[];
    protected swapped(): void;
    protected reworded(): void;
    protected draw(view: SessionView | undefined): void;
}
