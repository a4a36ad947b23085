/** Answers one `request` effect: waits where it must, sends once, feeds the bytes or events, and tells every failure as one event. */

import { wait, Watch, within, type Timers } from "../clock.js";
import { CountersignError, report } from "../error.js";
import type { ToolLoop } from "../loop.js";
import { isProviderFailure, type EventsProvider, type HttpProvider, type Provider } from "../provider.js";
import type { AdvertisedTool, Effect, Outcome, ProtocolError, StreamEvent } from "../types.js";
import { EventReader, NoEvent } from "./events.js";
import { broken, Silence } from "./http_body.js";
import { Lingering } from "./lingering.js";
import { answerOf, failureOfThrown, tellable } from "./http_failure.js";
import { piecesOf, type Pace } from "./pace.js";
import { preflight } from "./preflight.js";
import { NotSaved } from "./saving.js";

/** A `request` effect. */
export type RequestEffect = Extract<Effect, { type: "request" }>;

/** What a request needs of its session. */
export interface RequestHost {
  readonly loop: ToolLoop;
  readonly provider: Provider;
  readonly timers: Timers;
  readonly pace: Pace;
  readonly fetch: typeof fetch;
  readonly silenceTimeoutMs: number;
  /** The window that the host names, whatever is known of the model. */
  readonly maxInputTokens: number | undefined;
  now(): number;
  system(): string | undefined;
  advertised(): readonly AdvertisedTool[];
  /** Resolves once what is sent is on record. */
  saved(): Promise<void>;
  /** Runs one call of the loop and does what it caused. */
  step(call: (loop: ToolLoop) => Outcome): Outcome;
}

// thrown where a function of the host's own failed; its message is for everybody
class HostMistake extends Error {}

const UNTELLABLE: ProtocolError = { code: "transport", message: "the connection to the provider failed" };

/** Runs one request to its end; never rejects. Aborting `controller` ends it in silence. */
export async function answerRequest(host: RequestHost, effect: RequestEffect, controller: AbortController): Promise<void> {
  const { signal } = controller;
  try {
    if (effect.notBeforeMs !== undefined) await wait(host.timers, effect.notBeforeMs - host.now(), signal);
    await host.saved();
    if (signal.aborted) return;
    const { provider } = host;
    const system = systemOf(host);
    if ("events" in provider) await answerWithEvents(host, provider, effect, system, signal);
    else await answerOverHttp(host, provider, effect, system, signal);
  } catch (thrown) {
    if (!signal.aborted) tell(host, effect, () => errorOf(thrown, host.provider));
  } finally {
    // closes a connection that is still open; nothing of it is wanted any more
    controller.abort();
  }
}

async function answerOverHttp(host: RequestHost, provider: HttpProvider, effect: RequestEffect, system: string | undefined, signal: AbortSignal): Promise<void> {
  const { loop, timers, silenceTimeoutMs } = host;
  const params = preflight(provider, effect.tools === "all" && host.advertised().length > 0, host.maxInputTokens);
  const request = loop.request(effect.id, provider.format, {
    ...params,
    ...(system === undefined ? {} : { system }),
  });
  const silence = (): Silence => new Silence(spoken(silenceTimeoutMs));
  const asked = {
    path: request.path,
    text: request.text,
    get body() {
      return request.body;
    },
    signal,
    fetch: host.fetch,
  };
  const response = await within(timers, silenceTimeoutMs, signal, Promise.resolve(provider.open(asked)), silence);
  const { failure, body } = await answerOf(response, provider, { timers, silenceTimeoutMs, signal, nowMs: host.now(), silence });
  if (failure !== undefined) {
    if (!signal.aborted) tell(host, effect, () => failure);
    return;
  }
  const { reader, begun } = body;
  const watch = new Watch(timers, silenceTimeoutMs, signal, silence);
  const mayEnd = (): boolean => !signal.aborted && loop.mayEndStream(effect.id);
  // a read that is called off comes to its end as one of a connection that closed
  const lingering = new Lingering(timers, silenceTimeoutMs, () => host.now(), mayEnd, () => void reader.cancel().catch(() => undefined));
  let reading = false;
  const isOverAfter = async (chunk: Uint8Array): Promise<boolean> => {
    for (const piece of piecesOf(chunk)) {
      await host.pace.pause();
      if (signal.aborted) return true;
      const nowMs = host.now();
      const outcome = host.step((running) => running.feed(effect.id, piece, nowMs));
      if (outcome.updates.length > 0) lingering.moved(nowMs);
      if (isOver(outcome)) return true;
    }
    return false;
  };
  try {
    for (const chunk of begun) if (await isOverAfter(chunk)) return;
    for (;;) {
      reading = true;
      const { done, value } = await watch.over(reader.read());
      reading = false;
      if (done) {
        host.step((running) => running.endStream(effect.id, host.now()));
        return;
      }
      if (await isOverAfter(value)) return;
    }
  } catch (thrown) {
    // what was whole stays whole, however its connection ends
    if (reading && mayEnd()) host.step((running) => running.endStream(effect.id, host.now()));
    else throw reading ? broken(thrown) : thrown;
  } finally {
    watch.end();
    lingering.end();
    void reader.cancel().catch(() => undefined);
  }
}

async function answerWithEvents(host: RequestHost, provider: EventsProvider, effect: RequestEffect, system: string | undefined, signal: AbortSignal): Promise<void> {
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
  const reader = new EventReader((text) => provider.mask?.(text) ?? text);
  try {
    for (;;) {
      // what is read counts as work, whatever comes of it: a provider may never stop
      const asked = host.pace.work(() => within(host.timers, host.silenceTimeoutMs, signal, Promise.resolve(iterator.next()), () => new Silence(spoken(host.silenceTimeoutMs))));
      const next = await asked;
      if (next.done === true) {
        tell(host, effect, () => ({ code: "truncated_stream", message: "the answer ended before its message was complete" }));
        return;
      }
      const event = host.pace.work(() => reader.read(next.value));
      await host.pace.pause();
      if (signal.aborted) return;
      if (event === undefined) continue;
      const outcome = host.step((loop) => dispatched(loop, event, effect.id, host.now()));
      if (isTerminal(event) || isOver(outcome)) return;
    }
  } finally {
    void Promise.resolve()
      .then(() => iterator.return?.())
      .catch(() => undefined);
  }
}

function dispatched(loop: ToolLoop, event: StreamEvent, effectId: string, nowMs: number): Outcome {
  try {
    return loop.dispatch({ ...event, nowMs }, effectId);
  } catch (thrown) {
    throw thrown instanceof CountersignError ? new NoEvent(`\`${event.type}\`: ${thrown.message}`) : thrown;
  }
}

// Whatever was thrown, however odd: the turn hears of one error, and none is left waiting.
function tell(host: RequestHost, effect: RequestEffect, failure: () => ProtocolError): void {
  const say = (error: ProtocolError): Outcome => host.step((loop) => loop.dispatch({ type: "error", error, nowMs: host.now() }, effect.id));
  try {
    say(tellable(failure(), (text) => host.provider.mask?.(text) ?? text));
  } catch {
    say(UNTELLABLE);
  }
}

function systemOf(host: RequestHost): string | undefined {
  let system: unknown;
  try {
    system = host.system();
  } catch (thrown) {
    report(new CountersignError("host_failed", "the `system` function of the session failed", { cause: thrown }));
    throw new HostMistake("this page's own `system` function failed, so nothing was sent");
  }
  if (system === undefined || typeof system === "string") return system;
  throw new HostMistake("this page's own `system` is no text, so nothing was sent");
}

function errorOf(thrown: unknown, provider: Provider): ProtocolError {
  if (thrown instanceof NotSaved) return { code: "cancelled", message: "the conversation could not be saved, so nothing was sent" };
  if (thrown instanceof HostMistake) return { code: "unsupported_capability", message: thrown.message };
  if (thrown instanceof NoEvent) return { code: "protocol_violation", message: `${provider.name ?? "the provider"} gave what is no stream event: ${thrown.message}` };
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
