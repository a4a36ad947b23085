// The assistant at the side of the document. Enters: the document. Leaves: a conversation about it; a new document
// starts a new one. Holds the session.

import { useEffect, useImperativeHandle, useRef, type ReactNode, type Ref } from "react";

import { ToolRegistry, anthropic, createSession, graphActionTools, type CallRecord, type DocumentStore } from "countersign/threat-model";

import type { Announcer } from "../announce.tsx";
import { isTyping } from "../app/keys.ts";
import { asModel } from "../model.ts";
import { Panel } from "../panel/panel.ts";
import { strings, systemPrompt } from "../strings/assistant.ts";
import { say } from "../text.ts";

/** What the page can ask of the assistant. */
export interface AssistantHandle {
  /** Puts the focus where the person is needed. */
  focus(): void;
}

/** What the assistant is told. */
export interface AssistantProps {
  readonly document: DocumentStore;
  readonly announcer: Announcer;
  /** The calls that are looked at, for the canvas. */
  readonly look: (calls: readonly CallRecord[]) => void;
  readonly hide: () => void;
  readonly handle?: Ref<AssistantHandle>;
}

/** The assistant. */
export function Assistant({ document: store, announcer, look, hide, handle }: AssistantProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const panel = useRef<Panel | undefined>(undefined);
  useImperativeHandle(handle, () => ({
    focus: () => {
      if (panel.current?.next(1) === false) panel.current.focus();
    },
  }));
  useEffect(() => {
    let stop = (): void => undefined;
    let isOver = false;
    const tools = graphActionTools();
    void createSession({ provider: anthropic({ model: "scripted", apiKey: "not-needed", baseURL: `${location.origin}/scripted` }), tools, document: store, system: systemPrompt }).then((session) => {
      if (isOver) return;
      const made = new Panel({ session, registry: new ToolRegistry(tools), announcer, model: () => asModel(store.read()), look, hide });
      const untell = store.onChange((change) => {
        if (change.source !== "turn") made.documentChanged(say(strings.card.stale, { what: (change.source === "user" ? store.history().at(-1)?.label : undefined) ?? strings.card.someUndo }));
        made.refresh();
      });
      const keys = (event: KeyboardEvent) => plainKey(event, made);
      document.addEventListener("keydown", keys);
      panel.current = made;
      place.current?.replaceChildren(made.root);
      stop = () => {
        untell();
        document.removeEventListener("keydown", keys);
        look([]);
      };
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [store, announcer, look, hide]);
  return <div className="panel-place" ref={place} />;
}

function plainKey(event: KeyboardEvent, panel: Panel): void {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const card = panel.focusedCard();
  const key = event.key.toLowerCase();
  if (key === "j") panel.next(1);
  else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && card !== undefined) panel.next(event.key === "ArrowDown" ? 1 : -1);
  else if (event.repeat) return;
  else if (key === "a") card?.approve({ byKey: true });
  else if (key === "d") card?.deny({ byKey: true });
  else if (key === "u") panel.undoTurn();
  else return;
  event.preventDefault();
}
