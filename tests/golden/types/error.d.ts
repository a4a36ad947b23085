/** The one error class of the package, and how a thrown fault of the core becomes one. Knows no wasm. */
/** Thrown where a call cannot be understood at all; `code` is stable, `path` says where in the given value. */
export declare class CountersignError extends Error {
    /** Always "CountersignError". */
    readonly name = "CountersignError";
    /** The stable code, `not_initialized` for example. */
    readonly code: string;
    /** Where in the given value, `tools[2].inputSchema` for example. */
    readonly path?: string;
    /** What would have been right, in a few words. */
    readonly expected?: string;
    /** Makes an error; the message says where before it says what. */
    constructor(code: string, message: string, where?: {
        path?: string | undefined;
        expected?: string | undefined;
        cause?: unknown;
    });
}
/** What the core threw, as a `CountersignError`: its own faults by their code, everything else as `internal`. */
export declare function asCountersignError(thrown: unknown): CountersignError;
/** Runs one call of the core and hands its faults on as `CountersignError`. */
export declare function guarded<T>(call: () => T): T;
/** Hands an error of a host's listener to the host's own reporting, so that it breaks nothing here and is not lost. */
export declare function reportLater(error: unknown): void;
