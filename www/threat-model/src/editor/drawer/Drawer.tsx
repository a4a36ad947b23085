// Below the drawing: the details of what is selected, and the threats. Enters: the selection. Leaves: edits.

import { useRef, type KeyboardEvent, type ReactNode } from "react";

import { ToolButton } from "../../app/ToolButton.tsx";
import { useCell, useCellPart } from "../../cell.ts";
import type { Boundary, Element_, Flow } from "../../model.ts";
import { appStrings } from "../../strings/app.ts";
import { editorStrings } from "../../strings/editor.ts";
import { count, say } from "../../text.ts";
import { sectionOf, type Key } from "../key.ts";
import { entityOf } from "../lookup.ts";
import { useWorkspace, type Tab } from "../workspace.tsx";
import { BoundaryForm, DocumentForm, ElementForm, FlowForm } from "./forms.tsx";
import { Threats } from "./Threats.tsx";

const words = editorStrings.drawer;
const TABS: readonly Tab[] = ["details", "threats"];

/** The drawer below the drawing. */
export function Drawer({ isOpen, show }: { readonly isOpen: boolean; readonly show: (open: boolean) => void }): ReactNode {
  const workspace = useWorkspace();
  const tab = useCell(workspace.tab);
  const threats = useCellPart(workspace.model, (model) => model.threats.length);
  const tabs = useRef<HTMLDivElement>(null);
  const choose = (next: Tab) => {
    workspace.tab.set(next);
    show(true);
  };
  const move = (event: KeyboardEvent) => {
    if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    event.preventDefault();
    const next = TABS[(TABS.indexOf(tab) + 1) % TABS.length] ?? "details";
    workspace.tab.set(next);
    tabs.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  return (
    <section className="drawer" aria-label={words.label} data-region="drawer" tabIndex={-1}>
      <div className="drawer-head">
        <div className="tabs" role="tablist" ref={tabs} onKeyDown={move}>
          {TABS.map((one) => (
            <button key={one} className="tab" type="button" role="tab" id={`tab-${one}`} data-tab={one} aria-controls="drawer-body" aria-selected={one === tab} tabIndex={one === tab ? 0 : -1} onClick={() => choose(one)}>
              {words[one]}
              {one === "threats" && " "}
              {one === "threats" && <span className="tally">{threats}</span>}
            </button>
          ))}
        </div>
        <Counts />
        <ToolButton icon={isOpen ? "down" : "chevron"} label={isOpen ? words.hide : words.show} run={() => show(!isOpen)} />
      </div>
      {isOpen && (
        <div className="drawer-body" id="drawer-body" role="tabpanel" aria-labelledby={`tab-${tab}`}>
          {tab === "threats" ? <Threats /> : <Details />}
        </div>
      )}
    </section>
  );
}

function Details(): ReactNode {
  const workspace = useWorkspace();
  const selection = useCell(workspace.selection);
  const model = useCell(workspace.model);
  const [key] = selection;
  if (selection.size > 1) return <p className="hint">{say(words.several, { n: selection.size })}</p>;
  const entity = key === undefined ? undefined : entityOf(model, key);
  if (key === undefined || entity === undefined) return <DocumentForm />;
  return <Form key={key} of={key} entity={entity} />;
}

function Form({ of, entity }: { readonly of: Key; readonly entity: unknown }): ReactNode {
  switch (sectionOf(of)) {
    case "elements":
      return <ElementForm element={entity as Element_} />;
    case "data_flows":
      return <FlowForm flow={entity as Flow} />;
    case "trust_boundaries":
      return <BoundaryForm boundary={entity as Boundary} />;
    case "threats":
      return null; // never selected on the canvas
  }
}

function Counts(): ReactNode {
  const model = useCell(useWorkspace().model);
  const counts = {
    elements: [model.elements.length, appStrings.sections.elements],
    flows: [model.data_flows.length, appStrings.sections.data_flows],
    boundaries: [model.trust_boundaries.length, appStrings.sections.trust_boundaries],
    threats: [model.threats.length, appStrings.sections.threats],
  } as const;
  return (
    <p className="counts">
      {Object.entries(counts).map(([name, [n, forms]]) => (
        <span key={name} data-count={name} data-n={n}>{count(n, forms)}</span>
      ))}
    </p>
  );
}
