// The assistant at the side: title, status, transcript, composer. Enters: the session's view and the document. Leaves:
// the person's decisions to the session. Decides nothing the session decides.

import type { CallRecord, Session, SessionView } from "countersign/threat-model";
import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore, type Ref } from "react";
import { flushSync } from "react-dom";

import { strings } from "../strings/assistant.ts";
import { clip, say } from "../text.ts";
import { useAnnouncements } from "./announcements.ts";
import type { AssistantHandle } from "./Assistant.tsx";
import { Composer, type ComposerHandle, type ComposerState } from "./Composer.tsx";
import { Icon } from "../Icon.tsx";
import { useCardKeys } from "./keys.ts";
import { Around, useModel, type Announcer, type Surroundings } from "./surroundings.ts";
import type { Talk, TalkState } from "./talk.ts";
import { Transcript, type TranscriptHandle } from "./Transcript.tsx";
import { Welcome } from "./Welcome.tsx";

const STATUS = { idle: "ready", requesting: "thinking", streaming: "writing", awaiting_approval: "waiting", executing: "applying", settled: "ready" } as const;

/** What the panel is given. */
export interface PanelProps {
  readonly talk: Talk;
  readonly state: TalkState;
  readonly session: Session;
  readonly announcer: Announcer;
  readonly look: (calls: readonly CallRecord[]) => void;
  readonly hide: () => void;
  /** The person wants a new conversation. */
  readonly begin: () => void;
  readonly openSettings: () => void;
  readonly handle: Ref<AssistantHandle>;
}

/** The assistant panel over one session. */
export function Panel({ talk, state, session, announcer, look, hide, begin, openSettings, handle }: PanelProps) {
  const { tray, turns: folded, settings, marks } = state;
  const view = useSyncExternalStore(
    useCallback((told) => session.subscribe(told), [session]),
    () => session.view,
  );
  const model = useModel(talk.document);
  const turns = folded.of(view);
  const root = useRef<HTMLElement>(null);
  const transcript = useRef<TranscriptHandle>(null);
  const composer = useRef<ComposerHandle>(null);
  const [looked, setLooked] = useState<string>();

  useLayoutEffect(() => tray.shown(view), [tray, view]);
  useAnnouncements(announcer, view, turns.at(-1), tray, model);
  useLook(look, looked, view);

  const send = useCallback((text: string): void => {
    session.send(text).catch((error: unknown) => announcer.note(say(strings.errors["send"] ?? "", { why: clip(error instanceof Error ? error.message : String(error), 160) })));
    flushSync(() => undefined);
    transcript.current?.toEnd();
    composer.current?.focus();
  }, [announcer, session]);
  const undoTurn = useCallback((): void => {
    const { undo, phase } = session.view;
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
      // what was decided folds first, so that the focus goes on from how things are now
      flushSync(() => undefined);
      focus();
    };
  }, [tray, focus]);

  const around = useMemo((): Surroundings => ({ tray, settings, look: setLooked, undoTurn, send, openSettings }), [tray, openSettings, send, settings, undoTurn]);
  const suggestions = useMemo(() => strings.suggestions.filter((one) => settings.kind === "scripted" || !one.scriptedOnly), [settings.kind]);
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
        <Transcript handle={transcript} turns={turns} marks={marks} model={model} thinking={view.phase === "requesting"} undo={view.undo} newest={folded.newest()} welcome={<Welcome suggestions={suggestions} choose={send} />} />
        <Composer handle={composer} state={composerState(view)} suggestions={suggestions} send={send} stop={stop} />
      </aside>
    </Around>
  );
}

function HeadButton({ icon, label, run }: { readonly icon: "fresh" | "settings" | "cross"; readonly label: string; readonly run: () => void }) {
  return <button type="button" className="icon-button" aria-label={label} data-tip={label} onClick={run}><Icon name={icon} /></button>;
}

/** Tells the canvas what the card that is looked at would do, for as long as it may still happen. */
function useLook(look: (calls: readonly CallRecord[]) => void, looked: string | undefined, view: SessionView): void {
  const call = looked === undefined ? undefined : view.calls.find((one) => one.id === looked);
  const open = call !== undefined && (call.status === "pending" || call.status === "approved") ? call : undefined;
  useEffect(() => {
    if (open === undefined) return undefined;
    look([open]);
    return () => look([]);
  }, [look, open]);
}

function composerState(view: SessionView): ComposerState {
  if (view.phase === "awaiting_approval") return "waiting";
  return view.phase === "idle" || view.phase === "settled" ? "ready" : "running";
}
