/** Keeps a session's snapshots in the host's storage: one write after the other, each of the moment it was asked for. */
import type { SessionStorage } from "./options.js";
/** Thrown where something had to be on record first and the host's storage failed. */
export declare class NotSaved extends Error {
}
/** The writes of one session. */
export declare class Saving {
    #private;
    /** Without a storage nothing is ever written. */
    constructor(storage: SessionStorage | undefined, snapshot: () => string);
    /** Resolves once the present state is kept; rejects with `NotSaved`. */
    done(): Promise<void>;
    /** Keeps the present state; nothing waits for it, so a failure of the host's storage is the host's to hear of. */
    begin(): void;
}
