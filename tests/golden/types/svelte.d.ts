/**
 * `countersign/svelte`: a session as a Svelte store (4 and 5) and as state for runes (5). Enters: a session, or none while it is being made. Leaves: parts
 * of its view, told of only when they changed. Imports no wasm, and of Svelte only `svelte/store`, which both have. What a subscriber was given counts as shown.
 */
import { type ShownSession } from "./session/shown.js";
import type { SessionView } from "./session/view.js";
import type { CallRecord } from "./types.js";
export type { ShownSession } from "./session/shown.js";
/** A store as Svelte reads it: `$store` in a component. */
export interface SessionStore<T = SessionView> {
    /** Gives the value at once and after each change; returns how to stop. */
    subscribe(run: (value: T) => void): () => void;
}
/** The view for runes: each member is read where it is shown, and what read it runs again when that member changed, not when another did. */
export interface SessionState extends SessionView {
    /** The whole view. */
    readonly view: SessionView;
    /** One call, by its id. */
    call(callId: string): CallRecord | undefined;
    /** What `select` takes of the view, as a member of its own; make it once, not where it is read. */
    select<T>(select: (view: SessionView) => T, same?: (before: T, after: T) => boolean): {
        readonly current: T;
    };
}
/** The session as a store; the view of nothing while there is none. */
export declare function sessionStore(session: ShownSession | null | undefined): SessionStore;
/** What `select` takes of the view as a store, told of when that is another value, or another list of items, or what `same` calls another. */
export declare function sessionStore<T>(session: ShownSession | null | undefined, select: (view: SessionView) => T, same?: (before: T, after: T) => boolean): SessionStore<T>;
/** The session as state for runes, with Svelte 5 alone. For another session it is made again: `$derived(createSessionState(session))`. */
export declare function createSessionState(session: ShownSession | null | undefined): SessionState;
