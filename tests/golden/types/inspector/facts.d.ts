/** The parts of a turn's state as they are shown: phase, budget, calls, grants, denials, violations. Foreign text enters text nodes alone. */
import type { TurnState } from "../engine/countersign.js";
import { type InspectorWords } from "./words.js";
/** Everything that is shown of one state. */
export declare class Facts {
    #private;
    readonly nodes: readonly HTMLElement[];
    constructor(words: InspectorWords);
    /** Puts a state on screen as it is at a moment. */
    draw(turn: TurnState, nowMs: number): void;
}
/** A length of time as seconds. */
export declare function since(ms: number): string;
