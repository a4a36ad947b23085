/** Plain documents compared, patched and brought together; what did not change stays the very same value. Knows no store. */
import type { JsonPatch } from "../types.js";
type Plain = Record<string, unknown>;
type Keys = readonly string[];
/** Whether two values say the same: the order of keys and members that are undefined aside. */
export declare function same(left: unknown, right: unknown): boolean;
/** The patch from one document to the other; lists of entities are compared by id. */
export declare function diff(before: unknown, after: unknown, keys: Keys): JsonPatch;
/** The document after the patch. What the patch does not name is shared with the document before, which stays as it was. */
export declare function patched(document: unknown, patch: JsonPatch, keys: Keys): unknown;
/** `after` with every part that says the same as before taken from `before`. */
export declare function kept(before: unknown, after: unknown, keys: Keys): unknown;
/**
 * `mine` with what changed from `base` to `theirs`, where `mine` changed something else. Where both changed the same place, `mine` stands; an
 * entity that one side changed and the other took out stays where that side is `mine`.
 */
export declare function merged(base: unknown, theirs: unknown, mine: unknown, keys: Keys): unknown;
/** The steps of a JSON pointer. */
export declare function segmentsOf(path: string): string[];
/** A member that an object has itself. */
export declare function own(object: Plain, name: string): unknown;
/** The names that either object has. */
export declare function namesOf(left: Plain, right: Plain): string[];
export {};
