/** The way of plain values into the core and back: a serializer that refuses, with the place, what JSON would lose in silence. */
/** A value as JSON text; what JSON cannot hold exactly (NaN, functions, cycles, dates …) is refused with its path. */
export declare function toJson(value: unknown, root?: string): string;
/** JSON text of the core as a value; `__proto__` stays an own key. */
export declare function fromJson<T>(text: string): T;
/** Freezes a value and everything in it. */
export declare function deepFreeze<T>(value: T): T;
/** Whether two plain values are equal: by content, the order of keys aside. */
export declare function sameJson(left: unknown, right: unknown): boolean;
/** Whether a value is an object literal, of this realm or another. */
export declare function isPlainObject(value: unknown): value is Record<string, unknown>;
