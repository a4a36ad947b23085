/** A button with a small menu in the top layer. Enters: entries. Leaves: one choice or none; the focus returns to the button. */
/** One entry. */
export interface MenuItem {
    /** What it says. */
    readonly label: string;
    /** What it does. */
    readonly run: () => void;
}
/** A menu button; `items` is asked each time the menu opens. The menu itself is made when it opens first. */
export declare function menuButton(label: string, items: () => readonly MenuItem[]): HTMLElement;
