/** The core's memory as the hot path uses it: bytes are put in without a call, short text is read without a decoder. */

// below this a decoder costs more to call than the text to put together
const SHORT_BYTES = 24;
const ASCII: readonly string[] = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** A view of the core's memory that stands while the memory does not grow. */
export class CoreMemory {
  readonly #memory: WebAssembly.Memory;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #bytes = new Uint8Array(0);

  /** `memory` is the instance's own. */
  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
  }

  /** All of it, as it is now. */
  get bytes(): Uint8Array {
    // a view whose memory has grown has no length any more
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(this.#memory.buffer);
    return this.#bytes;
  }

  /** The text of so many bytes of UTF-8. */
  text(at: number, length: number): string {
    const { bytes } = this;
    const end = at + length;
    if (length > SHORT_BYTES) return this.#decoder.decode(bytes.subarray(at, end));
    let text = "";
    let place = at;
    let seen = 0;
    for (; place + 4 <= end; place += 4) {
      const a = bytes[place] as number;
      const b = bytes[place + 1] as number;
      const c = bytes[place + 2] as number;
      const d = bytes[place + 3] as number;
      seen |= a | b | c | d;
      text += String.fromCharCode(a, b, c, d);
    }
    for (; place < end; place += 1) {
      const byte = bytes[place] as number;
      seen |= byte;
      text += ASCII[byte] ?? "";
    }
    return seen < 128 ? text : this.#decoder.decode(bytes.subarray(at, end));
  }
}
