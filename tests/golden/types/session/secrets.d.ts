/** Keeps a provider's own secrets out of what the core tells of an error: updates, views and snapshots. */
import type { Provider } from "../provider.js";
import type { Outcome, ProtocolError } from "../types.js";
/** Masks by the provider's own word; a provider that masks nothing costs nothing. */
export declare class Secrets {
    #private;
    /** Asks `provider.mask` about each error. */
    constructor(provider: Provider);
    /** The outcome with its errors masked. */
    outcome(outcome: Outcome): Outcome;
    /** The error with the provider's words masked. */
    error(error: ProtocolError): ProtocolError;
    /** A snapshot with the same done to it. */
    snapshot(text: string): string;
}
