/**
 * `countersign/react`: a session as React hooks. Enters: a session, or none while it is being made. Leaves: parts of its view, the same objects
 * while nothing in them changed. Imports no wasm; what React put on screen counts as shown, a render that it throws away shows nothing.
 */
import { type DependencyList } from "react";
import { type ShownSession } from "./session/shown.js";
import type { SessionView } from "./session/view.js";
import type { CallRecord, CallStatus } from "./types.js";
export type { ShownSession } from "./session/shown.js";
/** Which calls: those of one status, or those a function says yes to. */
export type CallFilter = CallStatus | ((call: CallRecord) => boolean);
/** What became of making a session. */
export interface Created<S> {
    /** The session, once it is there. */
    readonly session: S | undefined;
    /** Why there is none. */
    readonly error: unknown;
    /** Whether it is still being made. */
    readonly pending: boolean;
}
/** Everything there is to show; the component renders again for each change, that is for each piece of text. */
export declare function useSession(session: ShownSession | null | undefined): SessionView;
/** What `select` takes of the view; the component renders again when that is another value, or another list of items, or what `same` calls another. */
export declare function useSession<T>(session: ShownSession | null | undefined, select: (view: SessionView) => T, same?: (before: T, after: T) => boolean): T;
/** The calls of the session, or those that `filter` lets through: the same list while it holds the same records. */
export declare function useCalls(session: ShownSession | null | undefined, filter?: CallFilter): readonly CallRecord[];
/** One call as it is now: the same record while nothing of it changed, nothing where there is no such call. */
export declare function useCall(session: ShownSession | null | undefined, callId: string | null | undefined): CallRecord | undefined;
/**
 * Makes a session when the component is mounted, and again when one of `deps` changes; disposes of it then and when the component goes. Mounting twice,
 * as StrictMode does, makes one; what is ready too late is disposed of. On the server nothing is made.
 */
export declare function useCreateSession<S extends {
    dispose(): void;
}>(create: () => S | Promise<S>, deps: DependencyList): Created<S>;
