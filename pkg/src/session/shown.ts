/** What there is to show where there is no session yet, and what a page that has none can hand to the same components. */

import type { CallRecord } from "../types.js";
import type { Session } from "./session.js";
import type { SessionView } from "./view.js";

const NONE: readonly never[] = Object.freeze([]);

/** What is needed of a session to show it: its view, by `peek` or by `view`. With `saw` it is told which calls were shown. */
export type ShownSession = Pick<Session, "subscribe"> & Partial<Pick<Session, "peek" | "view" | "saw">> & (Pick<Session, "peek"> | Pick<Session, "view">);

/** The view of no session. */
export const IDLE: SessionView = Object.freeze<SessionView>({
  phase: "idle",
  messages: NONE,
  calls: NONE,
  pending: NONE,
  outcome: null,
  notice: null,
  error: null,
  usage: Object.freeze({ inputTokens: 0, outputTokens: 0, costMicros: 0 }),
  progress: null,
  undo: "superseded",
  receipts: NONE,
  documentRevision: 0,
  reasoning: "",
});

/** What is shown now; reading it approves nothing. */
export function viewOf(session: ShownSession | null | undefined): SessionView {
  return session?.peek?.() ?? session?.view ?? IDLE;
}

/** Tells the session that `value` was shown: a record of a call, a list of them, or a view with those that wait. Of anything else nothing is told. */
export function showed(session: ShownSession | null | undefined, value: unknown): void {
  const calls = callsOf(value);
  if (calls.length > 0) session?.saw?.(calls);
}

function callsOf(value: unknown): readonly CallRecord[] {
  if (typeof value !== "object" || value === null) return NONE;
  if (Array.isArray(value)) return (value as unknown[]).filter(isCall);
  if (isCall(value)) return [value];
  const { pending } = value as Partial<SessionView>;
  return "phase" in value && Array.isArray(pending) ? pending : NONE;
}

// which are the session's own it knows itself
function isCall(value: unknown): value is CallRecord {
  return typeof value === "object" && value !== null && "inputDigest" in value && "id" in value;
}

/** The list as it was where it holds the very same items. */
export function sameItems<T>(before: readonly T[], after: readonly T[]): readonly T[] {
  return before.length === after.length && before.every((item, at) => item === after[at]) ? before : Object.freeze(after);
}

/** Whether two values are the same, or lists of the same items. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  return Array.isArray(left) && Array.isArray(right) && left.length === right.length && left.every((item, at) => Object.is(item, right[at]));
}
