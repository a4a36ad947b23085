/** What there is to show where there is no session yet, and what a page that has none can hand to the same components. */

import type { Session } from "./session.js";
import type { SessionView } from "./view.js";

const NONE: readonly never[] = Object.freeze([]);

/** What is needed of a session to show it. */
export type ShownSession = Pick<Session, "peek" | "subscribe">;

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
  return session?.peek() ?? IDLE;
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
