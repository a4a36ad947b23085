/** `<countersign-inspector>`: what the machine of a session holds, and how it came to hold it. It decides nothing and changes nothing. */
import type { InspectedSession, Travel } from "./session.js";
import { type InspectorWords, type PartialInspectorWords } from "./words.js";
declare const Base: typeof HTMLElement;
/** The inspector. */
export declare class InspectorElement extends Base {
    #private;
    /** The session that is inspected, or none. */
    get session(): InspectedSession | null;
    set session(session: InspectedSession | null | undefined);
    /** Rebuilds the session as it stood after some of its inputs; without it the log is for reading alone. */
    get travel(): Travel | undefined;
    set travel(travel: Travel | undefined);
    /** The words; some of them can be replaced. */
    get words(): InspectorWords;
    set words(words: PartialInspectorWords | undefined);
    /** How many inputs the moment that is shown stands after; nothing while it is now. */
    get inputs(): number | undefined;
    /** Reads and draws now, before the next frame. */
    flush(): void;
    /** Shows the session as it stood after so many inputs; nothing for now. */
    goTo(inputs: number | undefined): void;
}
export {};
