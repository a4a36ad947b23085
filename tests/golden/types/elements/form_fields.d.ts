/** The form on screen. Enters: the form's model. Leaves: nodes that write into it. What is typed lives in the model; nodes may be made anew at any time. */
import type { Field, FormModel } from "./form_model.js";
import { type ElementWords } from "./words.js";
/** A drawn form. */
export interface DrawnForm {
    /** The form. */
    readonly node: HTMLElement;
    /** Shows what is wrong beside the fields. */
    mark(problems: readonly {
        readonly field: Field;
        readonly text: string;
    }[]): void;
}
/** Draws the form of a model; `changed` is told of every change. */
export declare function drawForm(model: FormModel, words: ElementWords, ids: string, changed: () => void): DrawnForm;
