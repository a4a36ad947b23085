/** One proposed change: what it would do, the person's decision, and what became of it. What is approved is what was on screen. */
import type { CallRecord } from "../engine/countersign.js";
import type { SessionView } from "../session/view.js";
import { SessionElement } from "./base.js";
/** `<countersign-card>`. */
export declare class CardElement extends SessionElement {
    #private;
    constructor();
    /** The call that is shown, where its record is not given. */
    get callId(): string;
    set callId(id: string | null | undefined);
    /** The record that is shown; without one the session's call of `callId` is. */
    get call(): CallRecord | null;
    set call(call: CallRecord | null | undefined);
    /** Whether the call waits for the person. */
    get waiting(): boolean;
    /** Puts the focus on the card, not on a button of it. */
    focus(options?: FocusOptions): void;
    protected properties(): readonly string[];
    protected follows(): boolean;
    protected swapped(): void;
    protected reworded(): void;
    protected draw(view: SessionView | undefined): void;
}
