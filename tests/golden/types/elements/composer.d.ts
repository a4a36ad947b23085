/** Where the person writes. Enters: the phase. Leaves: a message, or a stop; one main button at a time. */
import type { SessionView } from "../session/view.js";
import { SessionElement } from "./base.js";
/** `<countersign-composer>`. */
export declare class ComposerElement extends SessionElement {
    #private;
    constructor();
    /** What is written. */
    get value(): string;
    set value(text: string);
    /** Whether nothing can be sent; the attribute's text, where it has one, says why. */
    get disabled(): boolean;
    set disabled(isDisabled: boolean | string);
    /** Puts the cursor where the person writes. */
    focus(options?: FocusOptions): void;
    /** Sends what is written, where that can be done now. */
    submit(): void;
    protected properties(): readonly string[];
    protected draw(view: SessionView | undefined): void;
}
