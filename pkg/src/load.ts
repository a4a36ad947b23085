/** Loads the wasm: a source in, a ready core out. The promise of it is the only state of the package. */

import instantiate, * as core from "#engine";
import { loadWasmBase64, wasmUrl } from "#engine/files";

import { CountersignError } from "./error.js";
import { CoreMemory } from "./memory.js";

/** Where the wasm may come from. */
export type WasmSource = URL | Response | BufferSource | WebAssembly.Module;

const MAGIC = [0x00, 0x61, 0x73, 0x6d];

const loading: { promise: Promise<void> | undefined; memory: CoreMemory | undefined } = { promise: undefined, memory: undefined };

/**
 * Loads the core, once: later calls return the same promise, whatever source they name. A load that failed may be tried again.
 *
 * Without a source the file beside the module is fetched; where that does not answer with wasm (a development server that answers with a
 * page, a bundler that did not copy the file) the bytes come from a chunk of the package by dynamic import. Give a source to decide
 * yourself: a `URL`, a `Response`, the bytes, a compiled module, or a promise of one of them.
 */
export function init(source?: WasmSource | Promise<WasmSource>): Promise<void> {
  loading.promise ??= load(source).catch((thrown: unknown) => {
    loading.promise = undefined;
    throw thrown instanceof CountersignError
      ? thrown
      : new CountersignError("init_failed", `the wasm could not be loaded: ${messageOf(thrown)}`, { cause: thrown });
  });
  return loading.promise;
}

/** @internal The core's own functions and classes; throws `not_initialized` before `init()` is through. */
export function engine(): typeof core {
  if (loading.memory === undefined) {
    throw new CountersignError("not_initialized", "countersign is not loaded yet: call `await init()` once before using it", {
      expected: "`await init()` first",
    });
  }
  return core;
}

/** @internal The core's memory; there is one once the core is loaded. */
export function memory(): CoreMemory {
  engine();
  return loading.memory as CoreMemory;
}

async function load(source: WasmSource | Promise<WasmSource> | undefined): Promise<void> {
  const given = await source;
  const module = given === undefined ? await fromPackage() : await fromSource(given);
  const { memory } = await instantiate({ module_or_path: module });
  loading.memory = new CoreMemory(memory);
}

async function fromSource(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof URL) {
    const bytes = source.protocol === "file:" ? await readLocal(source) : undefined;
    return compiled(bytes ?? (await fetched(source)), `\`${source.href}\``);
  }
  if (typeof Response !== "undefined" && source instanceof Response) {
    if (!source.ok) throw new CountersignError("init_failed", `the wasm was not found: the server answered with status ${source.status}`);
    return compiled(await source.arrayBuffer(), "the response");
  }
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return compiled(source, "the given buffer");
  throw new CountersignError("init_failed", "this is no source of wasm", { path: "source", expected: "a URL, a Response, bytes or a WebAssembly.Module" });
}

async function fromPackage(): Promise<WebAssembly.Module> {
  const url = wasmUrl();
  // Node cannot fetch files: there the chunk is the ordinary way, and nothing is said
  if (url.protocol !== "file:") {
    const module = await answered(url);
    if (module !== undefined) return module;
    console.info(
      `countersign: ${url.href} did not answer with wasm, so the bytes were loaded from the package's own chunk. ` +
        "For a smaller download serve the file `countersign/countersign.wasm` and pass its URL to init().",
    );
  }
  return compiled(decoded(await loadWasmBase64()), "the package's own chunk");
}

/** The module behind a URL, or undefined where something else than wasm answers. */
async function answered(url: URL): Promise<WebAssembly.Module | undefined> {
  try {
    const response = await fetch(url);
    if (!response.ok) return undefined;
    if (response.headers.get("content-type")?.startsWith("application/wasm") === true) {
      const copy = response.clone();
      try {
        return await WebAssembly.compileStreaming(response);
      } catch {
        return await sniffed(copy);
      }
    }
    return await sniffed(response);
  } catch {
    return undefined;
  }
}

async function sniffed(response: Response): Promise<WebAssembly.Module | undefined> {
  const bytes = await response.arrayBuffer();
  return isWasm(bytes) ? WebAssembly.compile(bytes) : undefined;
}

async function fetched(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new CountersignError("init_failed", `\`${url.href}\` answered with status ${response.status}`);
  return response.arrayBuffer();
}

/** A file's bytes where this is Node, whose fetch does not read files. */
async function readLocal(url: URL): Promise<BufferSource | undefined> {
  interface Files {
    readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
  }
  const host = (globalThis as { process?: { getBuiltinModule?: (name: string) => Files | undefined } }).process;
  return host?.getBuiltinModule?.("node:fs/promises")?.readFile(url);
}

async function compiled(bytes: BufferSource, where: string): Promise<WebAssembly.Module> {
  if (!isWasm(bytes)) throw new CountersignError("init_failed", `${where} holds no wasm`, { expected: "the bytes of countersign.wasm" });
  return WebAssembly.compile(bytes);
}

function decoded(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

function isWasm(bytes: BufferSource): boolean {
  const view = ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
  return MAGIC.every((byte, at) => view[at] === byte);
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
