/** What an error body says, read from the places in which providers put it. Enters: text. Leaves: words to go by, and a detail that is shown. */

/** The words of an error body. */
export interface Said {
  /** Whether it is an error at all, and not an answer. */
  readonly isError: boolean;
  /** Types, codes and reasons, as the provider spells them. */
  readonly words: ReadonlySet<string>;
  /** The status it names itself; gateways put it there beside a 200. */
  readonly status?: number;
  /** What is told to people. */
  readonly message: string;
  /** All of it in one line. */
  readonly detail: string;
  /** How long to wait, where the body says so. */
  readonly retryAfterMs?: number;
}

/** Reads a body; one that is no JSON is told as it is, without tags. */
export function saidIn(text: string): Said {
  try {
    const said = errorIn(JSON.parse(text));
    if (said !== undefined) return said;
  } catch {
    // a gateway's page, or JSON that was cut off
  }
  const detail = text.replace(/<[^<>]*>/g, " ").replace(/\s+/g, " ");
  return { isError: false, words: new Set(), message: detail, detail };
}

function errorIn(body: unknown): Said | undefined {
  const whole = membersOf(Array.isArray(body) ? body[0] : body);
  const { error = whole["object"] === "error" || whole["detail"] !== undefined ? { ...whole, message: whole["message"] ?? whole["detail"] } : undefined } = whole;
  const { type, code, status, message, details } = typeof error === "string" ? { message: error } as Record<string, unknown> : membersOf(error);
  const parts = [...new Set([type, code, status, message].filter((part): part is string => typeof part === "string" && part !== ""))];
  const more = (Array.isArray(details) ? details : []).map(membersOf);
  const reasons = more.map(({ reason }) => reason).filter((reason): reason is string => typeof reason === "string");
  const named = Number(typeof code === "number" || typeof code === "string" ? code : Number.NaN);
  if (parts.length === 0 && !Number.isInteger(named)) return undefined;
  const delay = more.map(({ retryDelay }) => /^(\d+(?:\.\d+)?)s$/.exec(String(retryDelay))?.[1]).find((seconds) => seconds !== undefined);
  return {
    isError: true,
    words: new Set([type, code, status, ...reasons].filter((word): word is string => typeof word === "string")),
    message: typeof message === "string" ? message : "",
    detail: parts.join(": "),
    ...(named >= 400 && named < 600 ? { status: named } : {}),
    ...(delay === undefined ? {} : { retryAfterMs: Number(delay) * 1000 }),
  };
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
