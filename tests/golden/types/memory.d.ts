/** The core's memory as the hot path uses it: bytes are put in without a call, short text is read without a decoder. */
/** A view of the core's memory that stands while the memory does not grow. */
export declare class CoreMemory {
    #private;
    /** `memory` is the instance's own. */
    constructor(memory: WebAssembly.Memory);
    /** All of it, as it is now. */
    get bytes(): Uint8Array;
    /** The text of so many bytes of UTF-8. */
    text(at: number, length: number): string;
}
