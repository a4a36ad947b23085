/** The one error class of the package, and how a thrown fault of the core becomes one. Knows no wasm. */

/** Thrown where a call cannot be understood at all; `code` is stable, `path` says where in the given value. */
export class CountersignError extends Error {
  /** Always "CountersignError". */
  override readonly name = "CountersignError";
  /** The stable code, `not_initialized` for example. */
  readonly code: string;
  /** Where in the given value, `tools[2].inputSchema` for example. */
  declare readonly path?: string;
  /** What would have been right, in a few words. */
  declare readonly expected?: string;

  /** Makes an error; the message says where before it says what. */
  constructor(code: string, message: string, where: { path?: string | undefined; expected?: string | undefined; cause?: unknown } = {}) {
    const place = where.path !== undefined && where.path !== "" ? `${where.path}: ` : "";
    super(place + message, where.cause === undefined ? undefined : { cause: where.cause });
    this.code = code;
    if (where.path !== undefined && where.path !== "") this.path = where.path;
    if (where.expected !== undefined) this.expected = where.expected;
  }
}

interface Fault {
  readonly code: string;
  readonly message: string;
  readonly path?: string | null;
  readonly expected?: string | null;
}

function faultOf(text: string): Fault | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const value = JSON.parse(text) as Partial<Fault>;
    return typeof value.code === "string" && typeof value.message === "string" ? (value as Fault) : undefined;
  } catch {
    return undefined;
  }
}

/** What the core threw, as a `CountersignError`: its own faults by their code, everything else as `internal`. */
export function asCountersignError(thrown: unknown): CountersignError {
  if (thrown instanceof CountersignError) return thrown;
  if (typeof thrown === "string") {
    const fault = faultOf(thrown);
    if (fault === undefined) return new CountersignError("internal", thrown);
    return new CountersignError(fault.code, fault.message, { path: fault.path ?? undefined, expected: fault.expected ?? undefined });
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new CountersignError("internal", `the core failed: ${message}`, { cause: thrown });
}

/** Runs one call of the core and hands its faults on as `CountersignError`. */
export function guarded<T>(call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw asCountersignError(thrown);
  }
}

/** Tells the operator of a failure that everybody else hears less of; unlike a throw it never ends a server's process. */
export function report(error: Error): void {
  const { reportError } = globalThis as { reportError?: (error: Error) => void };
  if (typeof reportError === "function") reportError(error);
  else console.error(error);
}

/** Hands an error of a host's listener to the host's own reporting, so that it breaks nothing here and is not lost. */
export function reportLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
