/** Loads the wasm: a source in, a ready core out. The promise of it is the only state of the package. */
/** Where the wasm may come from. */
export type WasmSource = URL | Response | BufferSource | WebAssembly.Module;
/**
 * Loads the core, once: later calls return the same promise, whatever source they name. A load that failed may be tried again.
 *
 * Without a source the file beside the module is fetched; where that does not answer with wasm (a development server that answers with a
 * page, a bundler that did not copy the file) the bytes come from a chunk of the package by dynamic import. Give a source to decide
 * yourself: a `URL`, a `Response`, the bytes, a compiled module, or a promise of one of them.
 */
export declare function init(source?: WasmSource | Promise<WasmSource>): Promise<void>;
