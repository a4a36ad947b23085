/** What stands on a card. Enters: records and words. Leaves: nodes. Holds nothing and decides nothing. */
import type { CallRecord, Preview, Stale } from "../engine/countersign.js";
import { type IconName } from "./dom.js";
import { type Row } from "./facts.js";
import { type ElementWords } from "./words.js";
/** What a preview shows: what is lost, the rows, what goes along, or why nothing can be shown. */
export declare function effectOf(call: CallRecord, preview: Preview | null, words: ElementWords): Node[];
/** Rows, six of them first and all on demand. */
export declare function rowList(rows: readonly Row[], hidden: number, words: ElementWords): HTMLElement;
/** A line with an icon. */
export declare function note(sign: IconName, kind: string, children: readonly (Node | string)[]): HTMLElement;
/** What changed since the card was shown first. */
export declare function staleNote(stale: Stale, words: ElementWords): HTMLElement;
/** The exact input of a call and, once there is one, its answer. */
export declare function exactOf(call: CallRecord, words: ElementWords): HTMLElement;
/** What is lost, as one plain line for the button. */
export declare function lossLine(call: CallRecord, words: ElementWords): string | undefined;
/** What a section holds one of, for a candidate. */
export declare function candidateHint(section: string, id: string, words: ElementWords): Node[];
