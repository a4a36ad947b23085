/** The stream decoder as users see it: bytes in, events out. */
/// <reference lib="esnext.disposable" preserve="true" />
import type { ProviderFormat, StreamEvent, StreamLimits } from "./types.js";
/** Turns the bytes of one provider response into stream events; any cut of the same bytes gives the same events. */
export declare class StreamDecoder {
    #private;
    /** A decoder for one response. */
    constructor(format: ProviderFormat, limits?: Partial<StreamLimits>);
    /** The events that `chunk` completes. */
    push(chunk: Uint8Array): StreamEvent[];
    /** The transport closed: `truncated_stream` if no message ended. */
    end(): StreamEvent[];
    /** Gives the memory back; the decoder is of no use after it. */
    free(): void;
    /** The same as `free`, for `using`. */
    readonly [Symbol.dispose]: () => void;
}
