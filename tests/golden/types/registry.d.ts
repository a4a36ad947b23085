/** The registry of tools as users see it. */
/// <reference lib="esnext.disposable" preserve="true" />
import type { AdvertisedTool, Json, PreparedCall, ToolDeclaration } from "./types.js";
/** What `prepare` says: what would run, or what is wrong with the input, one line each. */
export type Prepared = {
    ok: true;
    call: PreparedCall;
} | {
    ok: false;
    issues: string[];
};
/** The tools of a turn, checked and compiled once; names are matched exactly. */
export declare class ToolRegistry {
    #private;
    /** Throws on duplicate names, schemas that cannot be compiled and contradictions. */
    constructor(tools: readonly ToolDeclaration[]);
    /** The tools as a model is told of them. */
    list(): AdvertisedTool[];
    /** The tool of exactly this name. */
    get(name: string): AdvertisedTool | undefined;
    /** Validates an input: the only way to something runnable. */
    prepare(name: string, raw: Json): Prepared;
    /** Gives the memory back; loops that use the registry keep their own hold on it. */
    free(): void;
    /** The same as `free`, for `using`. */
    readonly [Symbol.dispose]: () => void;
}
