/** Reads what a provider of events gives: the events of a stream and nothing else, with whole characters. */

import { isPlainObject, wellFormed } from "../json.js";
import type { ProtocolError, StreamEvent } from "../types.js";
import { tellable } from "./http_failure.js";

/** Thrown for anything that is no stream event. */
export class NoEvent extends Error {}

const TYPES: ReadonlySet<unknown> = new Set<StreamEvent["type"]>([
  "message_start", "text_delta", "reasoning_delta", "tool_call_start", "tool_call_input_delta", "tool_call_complete", "provider_state", "usage",
  "message_stop", "error", "aborted",
]);

/** The reader of one request. */
export class EventReader {
  readonly #mask: (text: string) => string;
  // half a surrogate pair at the end of one delta belongs to the next of its kind
  readonly #halves = new Map<string, string>();

  /** `mask` is the provider's own. */
  constructor(mask: (text: string) => string) {
    this.#mask = mask;
  }

  /** The event, or undefined while its text is half a character. */
  read(given: unknown): StreamEvent | undefined {
    // a command of the host, `cancel` for example, is not a provider's to give
    if (!isPlainObject(given) || !TYPES.has(given["type"])) throw new NoEvent(kindOf(given));
    const event = given as StreamEvent;
    switch (event.type) {
      case "text_delta":
      case "reasoning_delta": {
        const text = this.#whole(event.type, event.text);
        return text === "" ? undefined : { ...event, text };
      }
      case "tool_call_input_delta": {
        const partialJson = this.#whole(`${event.type} ${event.id}`, event.partialJson);
        return partialJson === "" ? undefined : { ...event, partialJson };
      }
      case "error":
        return isError(event.error) ? { ...event, error: tellable(event.error, this.#mask) } : event;
      default:
        return event;
    }
  }

  #whole(kind: string, delta: unknown): string {
    if (typeof delta !== "string") throw new NoEvent("a delta without text");
    const text = (this.#halves.get(kind) ?? "") + delta;
    const half = /[\ud800-\udbff]$/.test(text);
    this.#halves.set(kind, half ? text.slice(-1) : "");
    return wellFormed(half ? text.slice(0, -1) : text);
  }
}

function isError(error: unknown): error is ProtocolError {
  return isPlainObject(error) && typeof error["message"] === "string";
}

function kindOf(given: unknown): string {
  if (!isPlainObject(given)) return given === null ? "null" : `a ${typeof given}`;
  const type = given["type"];
  return typeof type === "string" && /^\w{1,40}$/.test(type) ? `\`${type}\`` : "an object without a type";
}
