/** Misuse by the host: `code` is stable, `path` says where, `expected` what would have been right. */
export declare class CountersignError extends Error {
    readonly name = "CountersignError";
    readonly code: string;
    readonly path?: string;
    readonly expected?: string;
    constructor(code: string, message: string, detail?: {
        path?: string;
        expected?: string;
    });
}
