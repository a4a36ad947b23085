/** The body of an answer over HTTP: whether it is a stream at all, and the beginning of one that is not. Knows no wire format. */

import { Watch, within, type Timers } from "../clock.js";

const ERROR_BODY_BYTES = 16 * 1024;
// who waits for an error to be told waits no longer than this, however long an answer may take
const ERROR_BODY_MS = 10_000;
// as many blanks as a stream may begin with and still be looked at
const BLANKS = 1024;

/** Thrown inside a request when the provider stays silent for too long. */
export class Silence extends Error {}

/** Thrown inside a request when the connection breaks after the answer began. */
export class Broken extends Error {}

/** What failed while an answer was read: its silence, or its connection. */
export function broken(thrown: unknown): Error {
  return thrown instanceof Silence ? thrown : new Broken("the connection broke", { cause: thrown });
}

/** How long an answer is listened to. */
export interface Patience {
  readonly timers: Timers;
  readonly silenceTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly nowMs: number;
  /** The error of a silence that was too long. */
  silence(): Silence;
}

/** A body as it is read: what was taken out of it already, and the rest. */
export interface Body {
  readonly begun: Uint8Array<ArrayBuffer>[];
  readonly reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
}

/** What a body is by its first character: no event stream begins with one of these, whatever its content type says. */
export type BodyKind = "json" | "page" | "stream" | "nothing";

/** Looks at the first character that is no blank; what was read for it stays in `begun`. */
export async function kindOf({ begun, reader }: Body, { timers, silenceTimeoutMs, signal, silence }: Patience): Promise<BodyKind> {
  const watch = new Watch(timers, silenceTimeoutMs, signal, silence);
  try {
    for (let blanks = 0; blanks < BLANKS; ) {
      const { done, value } = await watch.over(reader.read());
      if (done) return "nothing";
      begun.push(value);
      const first = value.find((byte) => !isBlank(byte));
      if (first === undefined) blanks += value.byteLength;
      else return first === 0x7b || first === 0x5b ? "json" : first === 0x3c ? "page" : "stream";
    }
    return "stream";
  } catch (thrown) {
    throw broken(thrown);
  } finally {
    watch.end();
  }
}

/** As much of the body as an error is told from; a body that hangs is told as far as it came. */
export async function beginningOf({ begun, reader }: Body, { timers, silenceTimeoutMs, signal, silence }: Patience): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let left = ERROR_BODY_BYTES;
  const take = (value: Uint8Array): void => {
    text += decoder.decode(value.subarray(0, Math.max(0, left)), { stream: true });
    left -= value.byteLength;
  };
  const read = async (): Promise<void> => {
    for (const value of begun) take(value);
    while (left > 0) {
      const { done, value } = await reader.read();
      if (done) return;
      take(value);
    }
  };
  try {
    // one time for all of it: a body that trickles is given no more than one that hangs
    await within(timers, Math.min(silenceTimeoutMs, ERROR_BODY_MS), signal, read(), silence);
  } catch {
    // what arrived is enough for a detail
  }
  void reader.cancel().catch(() => undefined);
  return text;
}

// tab, line feed, carriage return, space, and the three bytes of a byte order mark
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0xef || byte === 0xbb || byte === 0xbf;
}
