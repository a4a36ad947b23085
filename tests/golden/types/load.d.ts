/** Where the wasm may come from; left out, the file beside this module or the shipped bytes. */
export type InitSource = URL | Response | BufferSource | WebAssembly.Module;
/** Loads the engine, once: later calls answer with the first one's promise; after a failure the next call tries again. */
export declare function init(source?: InitSource): Promise<void>;
/** Throws `not_initialized` until `init()` has finished. */
export declare function assertInitialized(): void;
