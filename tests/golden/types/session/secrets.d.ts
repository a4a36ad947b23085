/** Keeps a provider's own secrets out of what the core tells of an error: updates, views and snapshots. */
import type { Provider } from "../provider.js";
import type { Outcome, ProtocolError } from "../types.js";
/** Masks by the word of every provider that answered; those that mask nothing cost nothing. */
export declare class Secrets {
    #private;
    /** Asks `provider.mask` about each error from now on. */
    add(provider: Provider): void;
    /** The outcome with its errors masked. */
    outcome(outcome: Outcome): Outcome;
    /** The error with the provider's words masked. */
    error(error: ProtocolError): ProtocolError;
    /** A snapshot with the same done to it. */
    snapshot(text: string): string;
    /** A recording with the secrets masked wherever they stand: in what a server sent, and in what a person wrote. */
    recording(text: string): string;
}
