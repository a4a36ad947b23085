/**
 * `countersign/svelte`: a session as a Svelte store (4 and 5) and as state for runes (5). Enters: a session, or none while it is being made. Leaves: parts
 * of its view, told of only when they changed. Imports no wasm, and of Svelte only `svelte/store`, which both have. What a subscriber was given counts as shown.
 */

import * as stores from "svelte/store";

import { CountersignError } from "./error.js";
import { IDLE, sameValue, showed, viewOf, type ShownSession } from "./session/shown.js";
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
  select<T>(select: (view: SessionView) => T, same?: (before: T, after: T) => boolean): { readonly current: T };
}

/** The session as a store; the view of nothing while there is none. */
export function sessionStore(session: ShownSession | null | undefined): SessionStore;
/** What `select` takes of the view as a store, told of when that is another value, or another list of items, or what `same` calls another. */
export function sessionStore<T>(session: ShownSession | null | undefined, select: (view: SessionView) => T, same?: (before: T, after: T) => boolean): SessionStore<T>;
export function sessionStore<T>(session: ShownSession | null | undefined, select?: (view: SessionView) => T, same?: (before: T, after: T) => boolean): SessionStore<T> | SessionStore {
  return select === undefined ? storeOf(session, (view) => view, Object.is) : storeOf(session, select, same ?? sameValue);
}

/** The session as state for runes, with Svelte 5 alone. For another session it is made again: `$derived(createSessionState(session))`. */
export function createSessionState(session: ShownSession | null | undefined): SessionState {
  const { fromStore }: Partial<typeof stores> = stores;
  if (fromStore === undefined) throw new CountersignError("unsupported_capability", "this Svelte has no runes", { expected: "Svelte 5, or `sessionStore`" });
  const select = <T>(take: (view: SessionView) => T, same: (before: T, after: T) => boolean = sameValue): { readonly current: T } => fromStore(storeOf(session, take, same));
  const calls = new Map<string, { readonly current: CallRecord | undefined }>();
  const whole = select((view) => view);
  const members: PropertyDescriptorMap = { view: { enumerable: true, get: () => whole.current } };
  for (const name of Object.keys(IDLE) as (keyof SessionView)[]) {
    const member = select((view) => view[name], Object.is);
    members[name] = { enumerable: true, get: () => member.current };
  }
  const call = (callId: string): CallRecord | undefined => {
    const one = calls.get(callId) ?? select((view) => view.calls.find(({ id }) => id === callId));
    calls.set(callId, one);
    return one.current;
  };
  return Object.defineProperties({ call, select }, members) as SessionState;
}

// Where nothing is subscribed nothing is kept: a store that is read for a moment leaves no listener behind.
function storeOf<T>(session: ShownSession | null | undefined, select: (view: SessionView) => T, same: (before: T, after: T) => boolean): SessionStore<T> {
  return {
    subscribe(run) {
      let value = select(viewOf(session));
      let isOver = false;
      // Svelte draws a moment after it was told, and what is left by then, as by `get`, draws nothing
      const give = (next: T): void => {
        run(next);
        queueMicrotask(() => void (isOver || showed(session, next)));
      };
      const unsubscribe = session?.subscribe(() => {
        const next = select(viewOf(session));
        if (same(value, next)) return;
        value = next;
        give(next);
      });
      const end = (): void => {
        isOver = true;
        unsubscribe?.();
      };
      try {
        give(value);
      } catch (error) {
        end();
        throw error;
      }
      return end;
    },
  };
}
