/** Answers one `request` effect: waits where it must, sends once, feeds the bytes or events, and tells every failure as one event. */

import { wait, within, type Timers } from "../clock.js";
import { CountersignError } from "../error.js";
import type { ToolLoop } from "../loop.js";
import { isProviderFailure, type EventsProvider, type HttpProvider, type Provider } from "../provider.js";
import type { AdvertisedTool, Effect, Outcome, ProtocolError, StreamEvent } from "../types.js";
import { failureOf, failureOfThrown, Silence } from "./http_failure.js";

/** A `request` effect. */
export type RequestEffect = Extract<Effect, { type: "request" }>;

/** What a request needs of its session. */
export interface RequestHost {
  readonly loop: ToolLoop;
  readonly provider: Provider;
  readonly timers: Timers;
  readonly fetch: typeof fetch;
  readonly silenceTimeoutMs: number;
  now(): number;
  system(): string | undefined;
  advertised(): readonly AdvertisedTool[];
  /** Awaited before anything is sent. */
  beforeRequest(): Promise<void>;
  /** Runs one call of the loop and does what it caused. */
  step(call: (loop: ToolLoop) => Outcome): Outcome;
}

/** Thrown where the host's storage failed before a request. */
export class NotSaved extends Error {}

/** Runs one request to its end; never rejects. Aborting `controller` ends it in silence. */
export async function answerRequest(host: RequestHost, effect: RequestEffect, controller: AbortController): Promise<void> {
  const { signal } = controller;
  try {
    if (effect.notBeforeMs !== undefined) await wait(host.timers, effect.notBeforeMs - host.now(), signal);
    await host.beforeRequest();
    if (signal.aborted) return;
    const { provider } = host;
    if ("events" in provider) await answerWithEvents(host, provider, effect, signal);
    else await answerOverHttp(host, provider, effect, signal);
  } catch (thrown) {
    if (!signal.aborted) tell(host, effect, errorOf(thrown, host.provider));
  } finally {
    // closes a connection that is still open; nothing of it is wanted any more
    controller.abort();
  }
}

async function answerOverHttp(host: RequestHost, provider: HttpProvider, effect: RequestEffect, signal: AbortSignal): Promise<void> {
  const { loop, timers, silenceTimeoutMs } = host;
  const system = host.system();
  const { path, body } = loop.request(effect.id, provider.format, {
    model: "",
    ...provider.params,
    ...(system === undefined ? {} : { system }),
  });
  const silence = (): Silence => new Silence(spoken(silenceTimeoutMs));
  const opened = Promise.resolve(provider.open({ path, body, signal, fetch: host.fetch }));
  const response = await within(timers, silenceTimeoutMs, signal, opened, silence);
  const failure = await failureOf(response, provider, host.now());
  if (signal.aborted) return;
  if (failure !== undefined || response.body === null) {
    if (failure !== undefined) tell(host, effect, failure);
    return;
  }
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await within(timers, silenceTimeoutMs, signal, reader.read(), silence);
      if (done) {
        host.step((running) => running.endStream(effect.id, host.now()));
        return;
      }
      if (isOver(host.step((running) => running.feed(effect.id, value, host.now())))) return;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

async function answerWithEvents(host: RequestHost, provider: EventsProvider, effect: RequestEffect, signal: AbortSignal): Promise<void> {
  const system = host.system();
  const iterator = provider
    .events({
      ...(system === undefined ? {} : { system }),
      messages: host.loop.messages(),
      tools: effect.tools === "all" ? host.advertised() : [],
      iteration: effect.iteration,
      attempt: effect.attempt,
      signal,
    })
    [Symbol.asyncIterator]();
  // half a surrogate pair at the end of one delta belongs to the next
  let half = "";
  try {
    for (;;) {
      const next = await within(host.timers, host.silenceTimeoutMs, signal, iterator.next(), () => new Silence(spoken(host.silenceTimeoutMs)));
      if (next.done === true) {
        tell(host, effect, { code: "truncated_stream", message: "the answer ended before its message was complete" });
        return;
      }
      let event: StreamEvent = next.value;
      if (event.type === "text_delta") {
        const text = half + event.text;
        half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : "";
        event = { type: "text_delta", text: half === "" ? text : text.slice(0, -1) };
        if (event.text === "") continue;
      }
      const outcome = host.step((loop) => loop.dispatch({ ...event, nowMs: host.now() }, effect.id));
      if (isTerminal(event) || isOver(outcome)) return;
    }
  } finally {
    void iterator.return?.().catch(() => undefined);
  }
}

function tell(host: RequestHost, effect: RequestEffect, error: ProtocolError): void {
  host.step((loop) => loop.dispatch({ type: "error", error, nowMs: host.now() }, effect.id));
}

function errorOf(thrown: unknown, provider: Provider): ProtocolError {
  if (thrown instanceof NotSaved) return { code: "cancelled", message: "the conversation could not be saved, so nothing was sent" };
  // the host's own mistake (a reserved key in `extraBody`, a wrong event): told as it is, and never tried again
  if (thrown instanceof CountersignError && !isProviderFailure(thrown)) {
    return { code: "unsupported_capability", message: `the request could not be made: ${thrown.message}` };
  }
  return failureOfThrown(thrown, provider);
}

function isTerminal(event: StreamEvent): boolean {
  return event.type === "message_stop" || event.type === "aborted" || (event.type === "error" && event.error.code !== "malformed_stream");
}

// The turn moved past this request: whatever else its connection would bring is not wanted.
function isOver({ updates, effects }: Outcome): boolean {
  return (
    updates.some((update) => update.type === "settled" || (update.type === "phase" && update.phase !== "streaming")) ||
    effects.some((effect) => effect.type === "request")
  );
}

function spoken(ms: number): string {
  return ms >= 1000 ? `${Math.round(ms / 1000)} seconds` : `${ms} milliseconds`;
}
