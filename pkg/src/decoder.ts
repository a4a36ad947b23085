/// <reference lib="esnext.disposable" preserve="true" />
/** The stream decoder as users see it: bytes in, events out. */

import { guarded } from "./error.js";
import { disposable, Handle } from "./handle.js";
import { fromJson, toJson } from "./json.js";
import { engine } from "./load.js";
import type { ProviderFormat, StreamEvent, StreamLimits } from "./types.js";

/** Turns the bytes of one provider response into stream events; any cut of the same bytes gives the same events. */
export class StreamDecoder {
  readonly #handle;

  /** A decoder for one response. */
  constructor(format: ProviderFormat, limits?: Partial<StreamLimits>) {
    const { Decoder } = engine();
    this.#handle = new Handle(
      "StreamDecoder",
      guarded(() => new Decoder(format, limits === undefined ? undefined : toJson(limits, "limits"))),
    );
  }

  /** The events that `chunk` completes. */
  push(chunk: Uint8Array): StreamEvent[] {
    const raw = this.#handle.raw;
    return events(guarded(() => raw.push(chunk)));
  }

  /** The transport closed: `truncated_stream` if no message ended. */
  end(): StreamEvent[] {
    const raw = this.#handle.raw;
    return events(guarded(() => raw.end()));
  }

  /** Gives the memory back; the decoder is of no use after it. */
  free(): void {
    this.#handle.free();
  }

  /** The same as `free`, for `using`. */
  declare readonly [Symbol.dispose]: () => void;
}
disposable(StreamDecoder.prototype);

function events(text: string): StreamEvent[] {
  return text === "" ? [] : fromJson<StreamEvent[]>(text);
}
