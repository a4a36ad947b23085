/** What opens on a card on demand: the exact input, the form for another input, the form for a reason. What is typed stays until the call is decided. */
import type { CallRecord, Json, Preview } from "../engine/countersign.js";
import type { MenuItem } from "./menu.js";
import type { ElementSession } from "./session.js";
import type { ElementWords } from "./words.js";
/** What the panel asks of its card. */
export interface PanelHost {
    /** The call on the card, while it waits. */
    readonly call: () => CallRecord | undefined;
    readonly session: () => ElementSession | null;
    readonly words: () => ElementWords;
    /** Something was opened or put away. */
    readonly redraw: () => void;
    /** What the card shows would do something else now. */
    readonly look: () => void;
    /** Put the focus back where the panel was opened. */
    readonly back: () => void;
    readonly approve: (input: Json, isOld: boolean) => void;
    readonly deny: (reason: string) => void;
}
/** The panel of one card. */
export declare class CardPanel {
    #private;
    private readonly host;
    /** What is put on the card. */
    readonly node: HTMLDivElement;
    constructor(host: PanelHost);
    /** Whether a form is open. */
    get isForm(): boolean;
    /** Whether the input is edited. */
    get isEdit(): boolean;
    /** What the card would do: the edited input while there is one. */
    preview(call: CallRecord | undefined): Preview | null;
    /** What the menu of the card offers. */
    items(): MenuItem[];
    /** Draws what is open; what stands there already is not touched. */
    draw(call: CallRecord): void;
    /** The view changed: what an edited input would do may be another. */
    refresh(call: CallRecord): void;
    /** Says in an open form why an approval was not taken. */
    complain(problem: string): void;
    /** Puts the forms away with what was typed. */
    closeForms(): void;
    /** Another call: nothing is open. */
    clear(): void;
}
