/** Text that somebody else wrote, made safe to read. Enters: foreign strings and JSON. Leaves: plain strings for text nodes. Knows no DOM. */
import type { Json } from "../engine/countersign.js";
/** The text with every invisible character as an escape, never dropping one: the same escapes as the core's. */
export declare function visible(text: string): string;
/** Text to read, nothing to approve: line ends, tabs and joiners stay, everything else invisible is shown. */
export declare function prose(text: string): string;
/** Whether a person cannot see all of the text. */
export declare function hidesSomething(text: string): boolean;
/** At most about `max` characters, made visible: head, tail and how much is between. */
export declare function clip(text: string, max: number, hidden?: (n: number) => string): string;
/** A value as JSON to read, over several lines; where not all of it stands there, `cut` says so. */
export declare function exactJson(value: Json, whole: boolean, hidden: (n: number) => string): {
    readonly text: string;
    readonly cut: boolean;
};
/** The name of a field or a section as words (`trust_zone`, `dueDate`); a name that is no plain identifier stays as it is. */
export declare function spaced(name: string): string;
/** The same with a capital. */
export declare function capital(text: string): string;
/** A notice of the core as a sentence: with a capital and a stop. */
export declare function sentence(text: string): string;
