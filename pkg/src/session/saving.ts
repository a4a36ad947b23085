/** Keeps a session's snapshots in the host's storage: one write after the other, each of the moment it was asked for. */

import { reportLater } from "../error.js";
import type { SessionStorage } from "./options.js";

/** Thrown where something had to be on record first and the host's storage failed. */
export class NotSaved extends Error {}

/** The writes of one session. */
export class Saving {
  readonly #storage: SessionStorage | undefined;
  readonly #snapshot: () => string;
  #last: Promise<void> = Promise.resolve();

  /** Without a storage nothing is ever written. */
  constructor(storage: SessionStorage | undefined, snapshot: () => string) {
    this.#storage = storage;
    this.#snapshot = snapshot;
  }

  /** Resolves once the present state is kept; rejects with `NotSaved`. */
  async done(): Promise<void> {
    try {
      await this.#write();
    } catch {
      throw new NotSaved();
    }
  }

  /** Keeps the present state; nothing waits for it, so a failure of the host's storage is the host's to hear of. */
  begin(): void {
    this.#write().catch(reportLater);
  }

  // the snapshot is of now, also where the session is gone by the time it is written
  async #write(): Promise<void> {
    const storage = this.#storage;
    if (storage === undefined) return;
    const snapshot = this.#snapshot();
    const saved = this.#last.then(() => storage.save(snapshot));
    this.#last = saved.catch(() => undefined);
    await saved;
  }
}
