/** Whole values for lines that show head and tail. Enters: a line and the patch it tells of. Leaves: the one value in it that reads just so, or nothing. */
import type { JsonPatch, PreviewLine } from "../engine/countersign.js";
/** Finds what a line's new value is as a whole, where it was shortened and one value alone of the patch can be meant. */
export declare function wholes(patch: JsonPatch): (line: PreviewLine) => string | undefined;
