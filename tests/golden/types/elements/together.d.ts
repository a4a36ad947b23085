/** What is approved together, and why something is not. Enters: the records that wait. Leaves: a verdict on each, and a sentence. */
import type { CallRecord } from "../engine/countersign.js";
import { type ElementWords } from "./words.js";
/** Whether "Approve all" may cover a call: nothing that deletes, that a person has to choose for, or that would not work. */
export declare function isApprovedTogether(call: CallRecord): boolean;
/** What "Approve all" leaves out and why; why there is none, where there are not two to approve together. */
export declare function whyNotTogether(waiting: readonly CallRecord[], words?: ElementWords): string;
