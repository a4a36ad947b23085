/** What a `.thf` file may hold at most, and the errors that say what is wrong with one and where. Knows no YAML. */
import { CountersignError } from "../error.js";
/** The longest file, in UTF-8 bytes. */
export declare const MAX_FILE_BYTES: number;
/** How deep mappings and lists may nest; the whole document is the first level. */
export declare const MAX_NESTING = 64;
/** The most members of one mapping or list: as many as a document has entries. */
export declare const MAX_MEMBERS = 50000;
/** The most values of a file, texts and numbers and collections alike, aliases counted as what they stand for. */
export declare const MAX_VALUES = 1000000;
/** The text is not one YAML document that this format takes; `offset` is where that shows. */
export declare function unreadable(sentence: string, text: string, offset: number): CountersignError;
/** A cap is passed, at `offset` where there is such a place. */
export declare function tooLarge(sentence: string, text?: string, offset?: number): CountersignError;
/** The refusal of a key that stands twice, which both readers find. */
export declare function twice(key: string, text: string, offset: number): CountersignError;
/** The refusal of what nests too deeply, where the text does. */
export declare function tooDeep(text?: string, offset?: number): CountersignError;
/** The refusal of a mapping or list that is too long, where the text is. */
export declare function tooMany(text?: string, offset?: number): CountersignError;
/** The refusal of a file that holds too much. */
export declare function tooMuch(text?: string, offset?: number): CountersignError;
/** A piece of the file as an error may show it: short, in backticks, nothing invisible left invisible. */
export declare function quoted(piece: string): string;
