/** Reads what a provider of events gives: the events of a stream and nothing else, with whole characters. */
import type { StreamEvent } from "../types.js";
/** Thrown for anything that is no stream event. */
export declare class NoEvent extends Error {
}
/** The reader of one request. */
export declare class EventReader {
    #private;
    /** `mask` is the provider's own. */
    constructor(mask: (text: string) => string);
    /** The event, or undefined while its text is half a character. */
    read(given: unknown): StreamEvent | undefined;
}
