/** What the elements share: a session to show, words, one drawing for each frame, and no trace left behind. */
import type { ElementSession } from "./session.js";
import type { SessionView } from "../session/view.js";
import { type ElementWords, type PartialWords } from "./words.js";
declare const Base: typeof HTMLElement;
/** An element that shows a session. */
export declare abstract class SessionElement extends Base {
    #private;
    /** The words of elements that were given none. */
    static words: ElementWords;
    /** The session that is shown, or none. */
    get session(): ElementSession | null;
    set session(session: ElementSession | null | undefined);
    /** The words; some of them can be replaced. */
    get words(): ElementWords;
    set words(words: PartialWords | undefined);
    /** Draws what is to be drawn now, before the next frame. */
    flush(): void;
    /** Draws at the next frame; soon, where the page is not seen. */
    protected redraw(): void;
    /** The element's own tree, with the shared style sheet. */
    protected root(): ShadowRoot;
    /** The properties that may have been set too early. */
    protected properties(): readonly string[];
    /** Whether the session is listened to. */
    protected follows(): boolean;
    /** Listens anew, or no longer, after `follows` has another answer. */
    protected refollow(): void;
    /** Another session came. */
    protected swapped(): void;
    /** Other words came. */
    protected reworded(): void;
    /** Puts on screen what the view holds. */
    protected abstract draw(view: SessionView | undefined): void;
}
export {};
