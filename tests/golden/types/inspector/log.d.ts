/** The inputs of a recording as a list, and the way through them: only what is seen is drawn, so that ten thousand cost what ten do. */
import type { Inputs } from "./model.js";
import { type InspectorWords } from "./words.js";
/** What the list asks of the element: to show the state after so many inputs, or now. */
export type GoTo = (inputs: number | undefined) => void;
/** The list and the controls. */
export declare class Log {
    #private;
    /** The list, below its heading. */
    readonly node: HTMLElement;
    /** The controls, which stand where they are always seen. */
    readonly travel: HTMLElement;
    constructor(words: InspectorWords, goTo: GoTo);
    /** Puts a recording on screen, at a moment of it or now; without one the note says why. */
    draw(inputs: Inputs | undefined, at: number | undefined, canTravel: boolean, note: string): void;
}
