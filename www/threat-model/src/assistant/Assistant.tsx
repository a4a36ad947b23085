// The assistant's side of the page. Enters: a document and what the page offers. Leaves: what a card would do, for the
// canvas. Makes the session and owns it: another document is another conversation.

import type { DocumentStore, Session } from "countersign/threat-model";
import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState, useSyncExternalStore, type Ref } from "react";

import type { Looked } from "../editor/proposal.ts";
import { strings } from "../strings/assistant.ts";
import { Panel } from "./Panel.tsx";
import { UNSET, kept, type Settings } from "./settings/settings.ts";
import { SettingsDialog } from "./settings/SettingsDialog.tsx";
import type { Announcer } from "./surroundings.ts";
import { Talk } from "./talk.ts";

/** What the page asks of the assistant. */
export interface AssistantHandle {
  /** Puts the focus where the work is: on the next change that waits, or where the person writes. */
  focus(): void;
}

/** What the page gives the assistant. */
export interface AssistantProps {
  readonly document: DocumentStore;
  readonly announcer: Announcer;
  /** Told which effect is looked at; nothing when none is. */
  readonly look: (looked: Looked | undefined) => void;
  /** The person wants the panel out of sight. */
  readonly hide: () => void;
  /** Told which session the conversation is carried by; nothing while there is none. */
  readonly opened: (session: Session | undefined) => void;
  readonly handle?: Ref<AssistantHandle>;
}

/** The assistant over one document. */
export function Assistant({ document, announcer, look, hide, opened, handle }: AssistantProps) {
  const [settings, setSettings] = useState<Settings>(() => kept() ?? UNSET);
  const [isSetting, setIsSetting] = useState(false);
  const talk = useMemo(() => new Talk(document, UNSET), [document]);
  const state = useSyncExternalStore(talk.subscribe, talk.state);
  useEffect(() => {
    void talk.begin(settings);
    return () => talk.close();
    // the settings of a running conversation change through `use` alone
  }, [talk]);
  const openSettings = useCallback(() => setIsSetting(true), []);
  const { session } = state;
  useEffect(() => {
    opened(session);
    return () => opened(undefined);
  }, [opened, session]);
  const panel = useRef<AssistantHandle>(null);
  const isWanted = useRef(false);
  useImperativeHandle(handle, () => ({
    focus: () => {
      // asked for before the conversation is open, the focus comes with it
      if (panel.current === null) isWanted.current = true;
      else panel.current.focus();
    },
  }), []);
  useEffect(() => {
    if (session === undefined || !isWanted.current) return;
    isWanted.current = false;
    panel.current?.focus();
  }, [session, state.settings]);
  const begin = useCallback((): void => {
    isWanted.current = true;
    void talk.begin(talk.state().settings);
  }, [talk]);
  const use = (wanted: Settings): void => {
    setSettings(wanted);
    isWanted.current = true;
    void talk.goOn(wanted);
  };
  return (
    <>
      {session === undefined
        ? <Opening problem={state.problem} openSettings={openSettings} />
        : <Panel key={state.number} talk={talk} state={state} session={session} announcer={announcer} look={look} hide={hide} begin={begin} openSettings={openSettings} handle={panel} />}
      {isSetting && <SettingsDialog settings={settings} isRunning={session !== undefined && isRunning(session.peek().phase)} announcer={announcer} use={use} close={() => setIsSetting(false)} />}
    </>
  );
}

function Opening({ problem, openSettings }: { readonly problem: string | undefined; readonly openSettings: () => void }) {
  return (
    <aside className="panel" id="assistant" aria-label={strings.panel.title} data-region="assistant" tabIndex={-1}>
      <div className="panel-opening">
        <p role={problem === undefined ? "status" : "alert"}>{problem ?? strings.panel.opening}</p>
        {problem !== undefined && <button type="button" className="button" onClick={openSettings}>{strings.panel.settings}</button>}
      </div>
    </aside>
  );
}

function isRunning(phase: string): boolean {
  return phase === "requesting" || phase === "streaming" || phase === "executing";
}
