// Finds the wasm and starts the engine, once. The engine's own loader never guesses an address.
import initEngine from "#engine";
import { loadWasmBase64, wasmUrl } from "#engine/files";
import { CountersignError } from "./error.js";

/** Where the wasm may come from; left out, the file beside this module or the shipped bytes. */
export type InitSource = URL | Response | BufferSource | WebAssembly.Module;

let started: Promise<void> | undefined;
let ready = false;

/** Loads the engine, once: later calls answer with the first one's promise; after a failure the next call tries again. */
export function init(source?: InitSource): Promise<void> {
  started ??= start(source).then(
    () => {
      ready = true;
    },
    (error: unknown) => {
      started = undefined;
      throw error;
    },
  );
  return started;
}

/** Throws `not_initialized` until `init()` has finished. */
export function assertInitialized(): void {
  if (!ready) throw new CountersignError("not_initialized", "the engine is not loaded: call and await `init()` first");
}

async function start(source: InitSource | undefined): Promise<void> {
  await initEngine({ module_or_path: source ?? (await fetched(wasmUrl())) ?? (await shippedBytes()) });
}

// A development server that does not know the file answers with its index page, and Node fetches no files at all:
// only bytes that begin as wasm does are taken.
async function fetched(url: URL): Promise<ArrayBuffer | undefined> {
  try {
    const response = await fetch(url);
    const bytes = response.ok ? await response.arrayBuffer() : new ArrayBuffer(0);
    return new DataView(bytes).getUint32(0) === 0x0061736d ? bytes : undefined;
  } catch {
    return undefined;
  }
}

async function shippedBytes(): Promise<Uint8Array<ArrayBuffer>> {
  const text = atob(await loadWasmBase64());
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
