/** A call in a person's words: what it would do, what changes, what became of it. Enters: records. Leaves: strings and rows. Decides nothing. */
import type { CallRecord, Json, JsonPatch, Preview, PreviewLine } from "../engine/countersign.js";
import type { SessionView } from "../session/view.js";
import { type ElementWords } from "./words.js";
/** What the mark of a card says. */
export type Mark = "read" | "change" | "delete";
/** One row of what changes, ready to be drawn. */
export interface Row {
    /** What happens. */
    readonly kind: "added" | "removed" | "changed";
    /** The entity, where the row has to name it. */
    readonly title?: string;
    /** Its section in a word, where the row is about the whole entity. */
    readonly section?: string;
    /** The field in words. */
    readonly field?: string;
    /** The value before. */
    readonly before?: string;
    /** The value after. */
    readonly after?: string;
    /** The whole of it, where only its head and tail stand there. */
    readonly whole?: string;
    /** Where the entity comes to stand, where nothing else of it is another: behind what this names, or before all others. */
    readonly moved?: {
        readonly behind?: string;
    };
}
/** Line one. */
export declare function titleOf(call: CallRecord): string;
/** Line one in pieces: the names in it, which the preview tells of, apart from the words around them. The text is the same. */
export declare function headingOf(call: CallRecord): readonly {
    readonly text: string;
    readonly isName: boolean;
}[];
/** Why a call would not work, as its preview says, in a person's words; nothing where it would. */
export declare function problemOf({ toolName }: CallRecord, preview: Preview | null, words?: ElementWords): string | undefined;
/** The mark: declared facts alone. */
export declare function markOf(call: CallRecord): Mark;
/** All that a waiting card shows of a call: where it is another text, the card shows something else. */
export declare function signatureOf(call: CallRecord): string;
/** The same as it was for this very record: for what is drawn, never for what is decided. */
export declare function knownSignatureOf(call: CallRecord): string;
/** The lines of a difference as rows: an entity is named where that is not said already. `patch` is the same difference with its values whole. */
export declare function rowsOf(lines: readonly PreviewLine[], heading: string, words: ElementWords, patch?: JsonPatch): Row[];
/** What an input says, row by row, for a call of which no effect is known. */
export declare function inputRows(input: Json, words: ElementWords): Row[];
/** The entity that a call is about: the one its input names, the one its title names, or the first. */
export declare function subjectOf(call: CallRecord, preview: Preview): PreviewLine | undefined;
/** What goes, comes or changes beside the subject, in words: `removed` → ["3 flows", "1 threat"]. */
export declare function besides(call: CallRecord, preview: Preview, words: ElementWords): Record<PreviewLine["kind"], string[]>;
/** "Also removes 3 flows and 1 threat": one sentence for each kind. */
export declare function cascades(call: CallRecord, preview: Preview, words: ElementWords): string[];
/** Why a waiting call cannot be approved now. */
export declare function waitsFor(call: CallRecord, words: ElementWords): string | undefined;
/** Whether the person has to say first which thing is meant. */
export declare function needsChoice(call: CallRecord): boolean;
/** Whether a call waits for the person. */
export declare function isWaiting(call: CallRecord): boolean;
/** What became of a call, in words; a call that failed says why as far as it is known. */
export declare function outcomeOf(call: CallRecord, words?: ElementWords): string;
/** How an outcome is coloured, beside its words. */
export declare function toneOf(call: CallRecord): "good" | "bad" | "quiet";
/** The receipt of a turn: counted from the records, not from what anyone said. */
export declare function receiptOf(calls: readonly CallRecord[], words?: ElementWords): {
    readonly applied: number;
    readonly undone: number;
    readonly text: string;
};
/** Where the turn is, for a status word beside the conversation. */
export declare function statusOf(view: SessionView): keyof ElementWords["status"];
/** Why a decision was not taken, in a sentence. */
export declare function refusalOf(answer: {
    readonly reason?: string;
    readonly detail?: string;
}, words: ElementWords): string;
/** A section in a word, of one or of many. */
export declare function sectionWord(section: string, n: number, words: ElementWords): string;
/** A field in words, with a capital. */
export declare function fieldWord(field: string, words: ElementWords): string;
