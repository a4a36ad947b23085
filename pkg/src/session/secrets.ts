/** Keeps a provider's own secrets out of what the core tells of an error: updates, views and snapshots. */

import type { Provider } from "../provider.js";
import type { Outcome, ProtocolError, Update } from "../types.js";

const NAMES = new Set(["type", "op", "status", "format", "role", "path"]);

/** Masks by the word of every provider that answered; those that mask nothing cost nothing. */
export class Secrets {
  readonly #providers: Provider[] = [];
  // what stands in the core's state, and what is told in its place
  #replaced: { told: string; masked: string } | undefined;

  /** Asks `provider.mask` about each error from now on. */
  add(provider: Provider): void {
    if (provider.mask !== undefined && !this.#providers.includes(provider)) this.#providers.push(provider);
  }

  /** The outcome with its errors masked. */
  outcome(outcome: Outcome): Outcome {
    if (this.#providers.length === 0 || !outcome.updates.some((update) => update.type === "settled" && update.error !== null)) return outcome;
    const updates = outcome.updates.map((update): Update => (update.type === "settled" && update.error !== null ? { ...update, error: this.error(update.error) } : update));
    return { ...outcome, updates };
  }

  /** The error with the provider's words masked. */
  error(error: ProtocolError): ProtocolError {
    const { providerDetail: told, ...rest } = error;
    if (this.#providers.length === 0 || told === undefined) return error;
    const masked = this.#masked(told);
    if (masked === told) return error;
    this.#replaced = { told, masked };
    return { ...rest, providerDetail: masked };
  }

  /** A snapshot with the same done to it. */
  snapshot(text: string): string {
    if (this.#replaced === undefined) return text;
    // a quote inside any text of a snapshot is escaped, so this is found as a member and nowhere else
    const member = (value: string): string => `"providerDetail":${JSON.stringify(value)}`;
    const { told, masked } = this.#replaced;
    return text.replaceAll(member(told), () => member(masked));
  }

  /** A recording with the secrets masked wherever they stand: in what a server sent, and in what a person wrote. */
  recording(text: string): string {
    if (this.#providers.length === 0) return text;
    // what an input is called is no secret, and replaced it would be no input
    return JSON.stringify(JSON.parse(text, (key, value: unknown) => (typeof value === "string" && !NAMES.has(key) ? this.#masked(value) : value)));
  }

  #masked(text: string): string {
    try {
      return this.#providers.reduce((masked, provider) => provider.mask?.(masked) ?? masked, text);
    } catch {
      // what cannot be masked is not told
      return "[redacted]";
    }
  }
}
