/** What there is to show where there is no session yet, and what a page that has none can hand to the same components. */
import type { Session } from "./session.js";
import type { SessionView } from "./view.js";
/** What is needed of a session to show it: its view, by `peek` or by `view`. With `saw` it is told which calls were shown. */
export type ShownSession = Pick<Session, "subscribe"> & Partial<Pick<Session, "peek" | "view" | "saw">> & (Pick<Session, "peek"> | Pick<Session, "view">);
/** The view of no session. */
export declare const IDLE: SessionView;
/** What is shown now; reading it approves nothing. */
export declare function viewOf(session: ShownSession | null | undefined): SessionView;
/** Tells the session that `value` was shown: a record of a call, a list of them, or a view with those that wait. Of anything else nothing is told. */
export declare function showed(session: ShownSession | null | undefined, value: unknown): void;
/** The list as it was where it holds the very same items. */
export declare function sameItems<T>(before: readonly T[], after: readonly T[]): readonly T[];
/** Whether two values are the same, or lists of the same items. */
export declare function sameValue(left: unknown, right: unknown): boolean;
