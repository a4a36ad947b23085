// What must compile for a user, and what must not: React hooks and Svelte stores over a session.
import { createSession, type CallRecord, type Decision, type Session, type SessionOptions, type SessionView, type TurnPhase } from "countersign";
import { useCall, useCalls, useCreateSession, useSession, type CallFilter, type Created, type ShownSession } from "countersign/react";
import { createSessionState, sessionStore, type SessionState, type SessionStore } from "countersign/svelte";
import * as threatModel from "countersign/threat-model";
import { readable, type Readable } from "svelte/store";

declare const session: Session;
declare const options: SessionOptions;

export function Component(): string {
  const view: SessionView = useSession(session);
  const phase: TurnPhase = useSession(session, (shown) => shown.phase);
  const titles: string[] = useSession(session, ({ pending }) => pending.map(({ summary }) => summary), (a, b) => a.join() === b.join());
  const calls: readonly CallRecord[] = useCalls(null, "pending");
  useCalls(undefined, (call) => call.destructive);
  // @ts-expect-error no such status
  useCalls(session, "waiting");
  // @ts-expect-error a list that is shown is nobody's to change
  calls.push();
  const call = useCall(session, "c1");
  // @ts-expect-error there may be none
  call.id;
  // @ts-expect-error a component does not decide what the session is
  useSession({});
  const { session: made, error, pending }: Created<Session> = useCreateSession(() => createSession(options), [options]);
  const other = useCreateSession(() => threatModel.createSession(options), []);
  // @ts-expect-error what it depends on has to be said
  useCreateSession(() => createSession(options));
  useCall(other.session, made?.view.calls[0]?.id);
  return `${view.phase} ${phase} ${titles.length} ${String(error)} ${pending}`;
}

export function decided(call: CallRecord): Decision {
  session.approveAll([call, "c1"]);
  session.saw([call]);
  // @ts-expect-error an id says nothing of what was drawn
  session.saw(["c1"]);
  // @ts-expect-error a record, or an id
  session.approve({ id: "c1" });
  return session.approve(call, { editedInput: { a: 1 } });
}

// a component is tested with what it is shown, without the core
export const fake = (view: SessionView): ShownSession => ({ peek: () => view, subscribe: () => () => undefined });
export const plain = (view: SessionView): ShownSession => ({ view, subscribe: () => () => undefined });
// @ts-expect-error what shows nothing is no session
export const empty: ShownSession = { subscribe: () => () => undefined };
export const filter: CallFilter = "pending";

export const store: SessionStore = sessionStore(session);
export const asReadable: Readable<SessionView> = store;
export const count: Readable<number> = sessionStore(session, (view) => view.pending.length);
export const same: typeof asReadable = readable(session.peek());
export function state(): string {
  const shown: SessionState = createSessionState(session);
  const first: CallRecord | undefined = shown.call("c1");
  const length: { readonly current: number } = shown.select(({ messages }) => messages.length);
  // @ts-expect-error it is read, not written
  shown.phase = "idle";
  return `${shown.view.phase === shown.phase} ${first?.summary} ${length.current}`;
}
