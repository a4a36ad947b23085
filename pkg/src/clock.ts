/** The host's time: now, and one way to be called later. A fake clock brings timers of its own with its `now`. */

/** What can be done with time. */
export interface Timers {
  /** Calls `fn` once, not before `ms` have passed; returns how to call it off. */
  later(fn: () => void, ms: number): () => void;
  /** Lets the page do something else and resolves at once after it; a clock that stands still does not. */
  breathe?(): Promise<void>;
}

/** Where a `now` keeps timers of its own. */
export const TIMERS: unique symbol = Symbol.for("countersign.timers") as typeof TIMERS;

// the longest wait a timer takes: 2^31-1 ms
const LONGEST_MS = 2_147_483_647;

/** The timers that belong to a `now`: its own, or the engine's. */
export function timersOf(now: () => number): Timers {
  const own = (now as { [TIMERS]?: Timers })[TIMERS];
  if (own !== undefined) return own;
  return {
    later(fn, ms) {
      const timer = setTimeout(fn, Math.min(Math.max(0, ms), LONGEST_MS));
      return () => clearTimeout(timer);
    },
    breathe,
  };
}

// a channel that nothing refers to may be collected before its message is heard
const breathing = new Set<MessageChannel>();

// a message, because timers of a page that is out of sight come a second later
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    // some engines, and pages made for tests, have none
    if (typeof MessageChannel === "undefined") return void setTimeout(resolve, 0);
    const channel = new MessageChannel();
    const { port1, port2 } = channel;
    breathing.add(channel);
    port1.onmessage = () => {
      port1.close();
      breathing.delete(channel);
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Resolves after `ms`, or rejects with the signal's reason. */
export function wait(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = (): void => {
      callOff();
      reject(signal.reason);
    };
    const callOff = timers.later(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** The outcome of `work`, unless `ms` pass first or the signal is aborted. */
export async function within<T>(timers: Timers, ms: number, signal: AbortSignal, work: Promise<T>, late: () => Error): Promise<T> {
  const watch = new Watch(timers, ms, signal, late);
  try {
    return await watch.over(work);
  } finally {
    watch.end();
  }
}

/** The same as `within` for one piece of work after another: a signal is costly to listen to, so that it is listened to once. */
export class Watch {
  readonly #timers: Timers;
  readonly #ms: number;
  readonly #signal: AbortSignal;
  readonly #late: () => Error;
  #fail: ((reason: unknown) => void) | undefined;

  /** Each piece of work may take `ms`; `late` makes the error of one that took longer. */
  constructor(timers: Timers, ms: number, signal: AbortSignal, late: () => Error) {
    this.#timers = timers;
    this.#ms = ms;
    this.#signal = signal;
    this.#late = late;
    signal.addEventListener("abort", this.#stop, { once: true });
  }

  /** The outcome of `work`, unless the time passes first or the signal is aborted. */
  over<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const fail = (reason: unknown): void => {
        done();
        reject(reason);
      };
      const callOff = this.#timers.later(() => fail(this.#late()), this.#ms);
      // work that comes to its end late must not end the watch over what followed it
      const done = (): void => {
        callOff();
        if (this.#fail === fail) this.#fail = undefined;
      };
      this.#fail = fail;
      // whoever stopped waiting no longer hears of it, and what `work` still comes to is handled all the same
      work.then(
        (value) => {
          done();
          resolve(value);
        },
        (error: unknown) => {
          done();
          reject(error);
        },
      );
      if (this.#signal.aborted) this.#stop();
    });
  }

  /** Listens no longer. */
  end(): void {
    this.#signal.removeEventListener("abort", this.#stop);
  }

  readonly #stop = (): void => this.#fail?.(this.#signal.reason);
}
