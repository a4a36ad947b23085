"use client";
/**
 * `countersign/react`: a session as React hooks. Enters: a session, or none while it is being made. Leaves: parts of its view, the same objects
 * while nothing in them changed. Imports no wasm; what React put on screen counts as shown, a render that it throws away shows nothing.
 */

import { useCallback, useDebugValue, useEffect, useMemo, useRef, useState, useSyncExternalStore, type DependencyList } from "react";

import { IDLE, sameValue, showed, viewOf, type ShownSession } from "./session/shown.js";
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

const BEING_MADE: Created<never> = Object.freeze({ session: undefined, error: undefined, pending: true });

/** Everything there is to show; the component renders again for each change, that is for each piece of text. */
export function useSession(session: ShownSession | null | undefined): SessionView;
/** What `select` takes of the view; the component renders again when that is another value, or another list of items, or what `same` calls another. */
export function useSession<T>(session: ShownSession | null | undefined, select: (view: SessionView) => T, same?: (before: T, after: T) => boolean): T;
export function useSession<T>(session: ShownSession | null | undefined, select?: (view: SessionView) => T, same?: (before: T, after: T) => boolean): T | SessionView {
  return useSelected<T | SessionView>(session, select ?? whole, (same as ((before: T | SessionView, after: T | SessionView) => boolean) | undefined) ?? sameValue);
}

/** The calls of the session, or those that `filter` lets through: the same list while it holds the same records. */
export function useCalls(session: ShownSession | null | undefined, filter?: CallFilter): readonly CallRecord[] {
  const select = useCallback((view: SessionView) => chosen(view, filter), [filter]);
  return useSelected(session, select, sameValue);
}

/** One call as it is now: the same record while nothing of it changed, nothing where there is no such call. */
export function useCall(session: ShownSession | null | undefined, callId: string | null | undefined): CallRecord | undefined {
  const select = useCallback((view: SessionView) => view.calls.find((call) => call.id === callId), [callId]);
  return useSelected(session, select, Object.is);
}

/**
 * Makes a session when the component is mounted, and again when one of `deps` changes; disposes of it then and when the component goes. Mounting twice,
 * as StrictMode does, makes one; what is ready too late is disposed of. On the server nothing is made.
 */
export function useCreateSession<S extends { dispose(): void }>(create: () => S | Promise<S>, deps: DependencyList): Created<S> {
  const [last, setLast] = useState<{ readonly of: DependencyList; readonly made: Created<S> } | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    let session: S | undefined;
    const tell = (made: Created<S>): void => setLast({ of: deps, made });
    tell(BEING_MADE);
    // a mount that is taken back at once, as StrictMode does, has made nothing yet
    void Promise.resolve()
      .then(async () => {
        if (!isWanted) return;
        const ready = await create();
        if (!isWanted) return ready.dispose();
        session = ready;
        tell({ session, error: undefined, pending: false });
      })
      .catch((error: unknown) => {
        if (isWanted) tell({ session: undefined, error, pending: false });
      });
    return () => {
      isWanted = false;
      session?.dispose();
    };
  }, deps);
  // what was made for other `deps` is about to be disposed of
  return last !== undefined && sameValue(last.of, deps) ? last.made : BEING_MADE;
}

function useSelected<T>(session: ShownSession | null | undefined, select: (view: SessionView) => T, same: (before: T, after: T) => boolean): T {
  const committed = useRef<Selection<T> | undefined>(undefined);
  const subscribe = useCallback((told: () => void) => session?.subscribe(told) ?? nothing, [session]);
  // a selector written in place is another one at each render: what was committed is kept where it says the same
  const [onClient, onServer] = useMemo(() => {
    const [client, server] = [remembered(select, same, committed), remembered(select, same, committed)];
    return [() => client(viewOf(session)), () => server(IDLE)];
  }, [session, select, same]);
  const value = useSyncExternalStore(subscribe, onClient, onServer);
  useEffect(() => {
    committed.current = { value };
    // an effect is of what was put on screen
    showed(session, value);
  }, [session, value]);
  useDebugValue(value);
  return value;
}

interface Selection<T> {
  readonly value: T;
}

// One view gives one value, however often React asks: that is what keeps it from tearing and from rendering for ever.
function remembered<T>(select: (view: SessionView) => T, same: (before: T, after: T) => boolean, committed: { readonly current: Selection<T> | undefined }): (view: SessionView) => T {
  let last: (Selection<T> & { readonly view: SessionView }) | undefined;
  return (view) => {
    if (last?.view === view) return last.value;
    const value = select(view);
    const before = last ?? committed.current;
    last = { view, value: before !== undefined && same(before.value, value) ? before.value : value };
    return last.value;
  };
}

function chosen(view: SessionView, filter: CallFilter | undefined): readonly CallRecord[] {
  if (filter === undefined) return view.calls;
  if (filter === "pending") return view.pending;
  return view.calls.filter(typeof filter === "function" ? filter : ({ status }) => status === filter);
}

function whole(view: SessionView): SessionView {
  return view;
}

function nothing(): void {
  // there was nothing to end
}
