/** Owns one object in wasm memory: hands it out while it lives, says so when it does not, frees it once. */
/** What every object in wasm memory can do. */
export interface Freeable {
    /** Gives the memory back. */
    free(): void;
}
/** A handle to one object of the core. */
export declare class Handle<T extends Freeable> {
    #private;
    /** Takes over `raw`; `kind` is the class name users know. */
    constructor(kind: string, raw: T);
    /** The object; throws `use_after_free` once it was freed. */
    get raw(): T;
    /** Frees the object; a second time does nothing. */
    free(): void;
}
/** Names the kind of a public object across the two entry points, so that an object of the other one is recognized. */
export declare const KIND: unique symbol;
/** Refuses what is not an object of this entry point, and says whether it is one of the other. */
export declare function refuseForeign(value: unknown, kind: string, path: string): never;
/** Gives a class `[Symbol.dispose]` where the engine knows it, so that `using` frees. */
export declare function disposable(prototype: {
    free(): void;
}): void;
