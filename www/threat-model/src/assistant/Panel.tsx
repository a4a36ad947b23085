// The assistant at the side: title, status, transcript, composer. Enters: the session's view and the document. Leaves:
// the person's decisions to the session. Decides nothing the session decides.

import { useSession } from "countersign/react";
import type { CallRecord, Session, SessionView } from "countersign/threat-model";
import { useCallback, useDeferredValue, useEffect, useImperativeHandle, useMemo, useRef, useState, type Ref } from "react";
import { flushSync } from "react-dom";

import type { Looked } from "../editor/proposal.ts";
import { strings } from "../strings/assistant.ts";
import { clip, say } from "../text.ts";
import { useAnnouncements } from "./announcements.ts";
import type { AssistantHandle } from "./Assistant.tsx";
import { Composer, type ComposerHandle, type ComposerState } from "./Composer.tsx";
import { Icon } from "../Icon.tsx";
import { reach, useCardKeys } from "./keys.ts";
import { Around, useNote, type Announcer, type Surroundings } from "./surroundings.ts";
import type { Talk, TalkState } from "./talk.ts";
import { Transcript, type Talked, type TranscriptHandle } from "./Transcript.tsx";
import type { Turn } from "./turns.ts";
import { Welcome } from "./Welcome.tsx";

const NOTHING: readonly CallRecord[] = [];
/** From this many calls on, the page answers between them while they are drawn. */
const MANY = 24;
const STATUS = { idle: "ready", requesting: "thinking", streaming: "writing", awaiting_approval: "waiting", executing: "applying", settled: "ready" } as const;

/** What the panel is given. */
export interface PanelProps {
  readonly talk: Talk;
  readonly state: TalkState;
  readonly session: Session;
  readonly announcer: Announcer;
  readonly look: (looked: Looked | undefined) => void;
  readonly hide: () => void;
  /** The person wants a new conversation. */
  readonly begin: () => void;
  readonly openSettings: () => void;
  readonly handle: Ref<AssistantHandle>;
}

/** The assistant panel over one session. */
export function Panel({ talk, state, session, announcer, look, hide, begin, openSettings, handle }: PanelProps) {
  const { tray, turns: folded, settings, marks } = state;
  const view = useSession(session);
  const turns = folded.of(view);
  const [thinking, undo] = [view.phase === "requesting", view.undo];
  const talked = useUnhurried(useMemo((): Talked => ({ turns, marks, thinking, undo, newest: turns.findLast(changed) }), [turns, marks, thinking, undo]));
  const root = useRef<HTMLElement>(null);
  const transcript = useRef<TranscriptHandle>(null);
  const composer = useRef<ComposerHandle>(null);
  const [looked, setLooked] = useState<Partial<Record<"hover" | "focus", string | undefined>>>({});
  useAnnouncements(announcer, view, turns.at(-1), folded);

  const send = useCallback((text: string): void => {
    session.send(text).catch((error: unknown) => announcer.note(say(strings.errors["send"] ?? "", { why: clip(error instanceof Error ? error.message : String(error), 160) })));
    flushSync(() => undefined);
    transcript.current?.toEnd();
    composer.current?.focus();
  }, [announcer, session]);
  const undoTurn = useCallback((): void => {
    const { undo, phase } = session.peek();
    if (undo !== "undoable" || (phase !== "settled" && phase !== "idle")) return;
    if (session.undo().ok) announcer.say(strings.receipt.undoneNow);
  }, [announcer, session]);
  const stop = useCallback((): void => {
    session.cancel();
    composer.current?.focus();
    announcer.say(strings.announce.stopped);
  }, [announcer, session]);
  const next = useCardKeys(root, tray, undoTurn);
  const focus = useCallback((): void => {
    if (!next(1)) composer.current?.focus();
  }, [next]);
  useImperativeHandle(handle, () => ({ focus }), [focus]);
  useEffect(() => {
    tray.decided = ({ byKey = false, fromForm = false }) => {
      // whoever works elsewhere on the page keeps the focus there
      if ((!byKey && !fromForm) || root.current?.contains(document.activeElement) !== true) return;
      const before = [...root.current.querySelectorAll<HTMLElement>(".card[data-waiting]")];
      const at = before.findIndex((card) => card.contains(document.activeElement));
      // what was decided folds first, so that the focus goes on from how things are now: to the cards below, then to those above
      flushSync(() => undefined);
      if (!reach([...before.slice(at + 1), ...before.slice(0, Math.max(0, at))].find(tray.waits))) focus();
    };
  }, [tray, focus]);

  const around = useMemo((): Surroundings => ({ tray, document: talk.document, settings, answered: (end) => folded.answered(end), look: (by, callId) => setLooked((before) => ({ ...before, [by]: callId })), undoTurn, send, openSettings }), [tray, talk, folded, openSettings, send, settings, undoTurn]);
  const suggestions = useMemo(() => strings.suggestions.filter((one) => settings.kind === "scripted" || !one.scriptedOnly), [settings.kind]);
  const welcome = useMemo(() => <Welcome suggestions={suggestions} choose={send} />, [suggestions, send]);
  const status = view.phase === "settled" && view.outcome === "cancelled" ? "stopped" : STATUS[view.phase];
  return (
    <Around value={around}>
      <aside className="panel" id="assistant" aria-label={strings.panel.title} data-region="assistant" data-status={status} tabIndex={-1} ref={root}>
        <header className="panel-head">
          <h2>{strings.panel.title}</h2>
          <span className="status"><span className="status-dot" /><span className="status-word">{strings.status[status]}</span></span>
          {turns.length > 0 && <HeadButton icon="fresh" label={strings.panel.fresh} run={begin} />}
          <HeadButton icon="settings" label={strings.panel.settings} run={openSettings} />
          <HeadButton icon="cross" label={strings.panel.hide} run={hide} />
        </header>
        <Transcript handle={transcript} talked={talked} welcome={welcome} />
        <Look look={look} callId={[looked.hover, looked.focus].find((id) => view.calls.some((call) => call.id === id && isOpen(call)))} view={view} />
        <Composer handle={composer} state={composerState(view)} suggestions={suggestions} send={send} stop={stop} />
      </aside>
    </Around>
  );
}

// a long list of cards is drawn a little later and in several tasks, all of it at once
function useUnhurried(talked: Talked): Talked {
  const later = useDeferredValue(talked);
  return (talked.turns.at(-1)?.calls.length ?? 0) > MANY ? later : talked;
}

function HeadButton({ icon, label, run }: { readonly icon: "fresh" | "settings" | "cross"; readonly label: string; readonly run: () => void }) {
  return <button type="button" className="icon-button" aria-label={label} data-tip={label} onClick={run}><Icon name={icon} /></button>;
}

/** Tells the canvas what the card that is looked at would do, for as long as it may still happen. */
function Look({ look, callId = "", view }: { readonly look: (looked: Looked | undefined) => void; readonly callId: string | undefined; readonly view: SessionView }) {
  const { edited } = useNote(callId);
  const at = view.calls.findIndex((call) => call.id === callId);
  const call = view.calls[at];
  const preview = call === undefined || !isOpen(call) ? null : edited === undefined ? call.preview : edited;
  // what it stands on: what the calls of its message before it would do
  const earlier = call === undefined || preview === null ? NOTHING : view.calls.slice(0, at).filter((other) => other.iteration === call.iteration && (isOpen(other) || other.status === "running"));
  const patches = useSame(earlier.flatMap((other) => other.preview?.patch ?? []));
  useEffect(() => {
    if (preview === null) return undefined;
    look({ preview, earlier: patches });
    return () => look(undefined);
  }, [look, preview, patches]);
  return null;
}

// the list as it was while it holds the same
function useSame<T>(list: T[]): T[] {
  const kept = useRef(list);
  if (kept.current.length !== list.length || list.some((item, at) => item !== kept.current[at])) kept.current = list;
  return kept.current;
}

// whether it is a turn that the document shows, or showed
function changed({ calls }: Turn): boolean {
  return calls.some((call) => call.committed || call.status === "undone");
}

function isOpen({ status }: CallRecord): boolean {
  return status === "pending" || status === "approved";
}

function composerState(view: SessionView): ComposerState {
  if (view.phase === "awaiting_approval") return "waiting";
  return view.phase === "idle" || view.phase === "settled" ? "ready" : "running";
}
