// What happened, step by step: the package's own inspector below the drawing. Enters: the session. Leaves: which moment is
// looked at. The inspector only looks; what it shows of the past is played from the recording.

import { defineInspector, type InspectorElement, type TravelDetail } from "countersign/inspector";
import type { Session } from "countersign/threat-model";
import { useEffect, useRef, type ReactNode } from "react";

import { ToolButton } from "../app/ToolButton.tsx";
import { appStrings } from "../strings/app.ts";
import { stepsOf, travel, type Moment } from "./past.ts";

/** What the inspector is given. */
export interface InspectorProps {
  readonly session: Session | undefined;
  /** Whether the past is on the drawing. */
  readonly isPast: boolean;
  /** Told which moment is looked at; nothing when it is now. */
  readonly look: (moment: Moment | undefined) => void;
  readonly hide: () => void;
}

/** The inspector below the drawing. */
export function Inspector({ session, isPast, look, hide }: InspectorProps): ReactNode {
  const root = useRef<HTMLElement>(null);
  const element = useRef<InspectorElement>(null);
  useEffect(() => {
    defineInspector();
    const node = document.createElement("countersign-inspector");
    let of = 0;
    const told = ({ detail }: CustomEvent<TravelDetail>): void => look(detail?.document === undefined ? undefined : { document: detail.document, step: detail.inputs, of });
    node.travel = (recording, step) => {
      of = stepsOf(recording);
      return travel(recording, step);
    };
    node.session = session;
    node.addEventListener("countersign-travel", told);
    root.current?.append(node);
    element.current = node;
    return () => {
      node.removeEventListener("countersign-travel", told);
      node.session = null;
      node.remove();
    };
  }, [session, look]);
  useEffect(() => {
    if (!isPast) element.current?.goTo(undefined);
  }, [isPast]);
  return (
    <section className="inspector" aria-label={appStrings.top.inspector} data-region="inspector" tabIndex={-1} ref={root}>
      <div className="inspector-hide"><ToolButton icon="cross" label={appStrings.past.hide} shortcut={appStrings.keys.inspector} run={hide} /></div>
    </section>
  );
}
