// The threats of the model: a list with a filter at one side, the chosen threat's fields at the other.
// Enters: the threats. Leaves: edits, one per field.

import { useState, type KeyboardEvent, type ReactNode } from "react";

import { byId } from "../../by-id.ts";
import { useCell } from "../../cell.ts";
import { Icon } from "../../Icon.tsx";
import { CATEGORIES, SEVERITIES, STATUSES, flowName, isHandled, nameOf, type Model, type Threat } from "../../model.ts";
import { appStrings } from "../../strings/app.ts";
import { editorStrings } from "../../strings/editor.ts";
import { say, shorten, wordFor } from "../../text.ts";
import { keyOf, refOf } from "../key.ts";

import { useWorkspace, type Workspace } from "../workspace.tsx";
import { SelectField, TextField, ThingField } from "./fields.tsx";
import { Severity } from "./Severity.tsx";

const words = editorStrings.threats;
const PAGE = 200;
const named = (values: readonly string[], names: Record<string, string>) => [{ options: values.map((value) => ({ value, label: wordFor(names, value) ?? value })) }];

/** The list of threats and the one that is chosen. */
export function Threats(): ReactNode {
  const workspace = useWorkspace();
  const chosen = useCell(workspace.threat);
  const { threats } = useCell(workspace.model);
  const threat = chosen === undefined ? undefined : byId(threats, refOf(chosen).id);
  return (
    <div className="threats">
      <List workspace={workspace} chosen={threat?.id} />
      {threat === undefined ? threats.length > 0 && <p className="hint threat-none">{words.choose}</p> : <ThreatForm key={threat.id} threat={threat} />}
    </div>
  );
}

function List({ workspace, chosen }: { readonly workspace: Workspace; readonly chosen: string | undefined }): ReactNode {
  const model = useCell(workspace.model);
  const proposal = useCell(workspace.proposal);
  const [severity, setSeverity] = useState("");
  const [isOpenOnly, setOpenOnly] = useState(false);
  const [shown, setShown] = useState(PAGE);
  const fitting = model.threats.filter((threat) => (severity === "" || threat.severity === severity) && !(isOpenOnly && isHandled(threat)));
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(".threat-title")];
    const at = rows.findIndex((row) => row === document.activeElement);
    if (at === -1) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      rows[at + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
    }
    const threat = fitting[at];
    if ((event.key === "Delete" || event.key === "Backspace") && threat !== undefined) {
      event.preventDefault();
      workspace.remove(new Set([keyOf("threats", threat.id)]));
      (rows[at + 1] ?? rows[at - 1])?.focus();
    }
  };
  return (
    <div className="threat-list">
      <div className="threat-tools">
        <div className="filter">
          <label htmlFor="severity-filter">{words.filter}</label>
          <select id="severity-filter" className="field" value={severity} onChange={(event) => setSeverity(event.currentTarget.value)}>
            <option value="">{words.all}</option>
            {SEVERITIES.map((one) => <option key={one} value={one}>{appStrings.severities[one]}</option>)}
          </select>
        </div>
        <label className="check">
          <input type="checkbox" checked={isOpenOnly} onChange={(event) => setOpenOnly(event.currentTarget.checked)} />
          {words.openOnly}
        </label>
        <button className="button quiet" type="button" data-tip={words.add} data-key="T" onClick={() => workspace.addThreat(workspace.selection.value)}>
          <Icon name="add" />
          {words.add}
        </button>
      </div>
      {fitting.length === 0 ? (
        <p className="hint">{model.threats.length === 0 ? words.none : words.noneFiltered}</p>
      ) : (
        <ul className="threat-rows" aria-label={words.label} onKeyDown={move}>
          {fitting.slice(0, shown).map((threat) => (
            <li key={threat.id} className="threat-row" data-chosen={threat.id === chosen || undefined} data-mark={proposal?.marks.get(keyOf("threats", threat.id))?.kind}>
              <button className="threat-title" type="button" aria-current={threat.id === chosen || undefined} onClick={() => workspace.go(keyOf("threats", threat.id))}>
                <Severity severity={threat.severity} />
                <span className="threat-words">
                  <span className="threat-name" dir="auto">{shorten(threat.title, 120) || appStrings.untitled}</span>
                  <span className="threat-more">
                    {shorten(threat.category, 40)} · <span dir="auto">{shorten(targetName(model, threat), 60)}</span>
                  </span>
                </span>
                <span className="threat-status" data-handled={isHandled(threat) || undefined}>
                  {threat.mitigation === undefined ? editorStrings.fields.noStatus : (wordFor(appStrings.mitigations, threat.mitigation.status) ?? shorten(threat.mitigation.status, 30))}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {fitting.length > shown && <button className="button quiet" type="button" onClick={() => setShown(shown + PAGE)}>{say(words.more, { n: Math.min(PAGE, fitting.length - shown) })}</button>}
    </div>
  );
}

function ThreatForm({ threat }: { readonly threat: Threat }): ReactNode {
  const workspace = useWorkspace();
  const model = useCell(workspace.model);
  const isFresh = useCell(workspace.renaming) === keyOf("threats", threat.id);
  const set = (fields: Record<string, unknown>) => workspace.edits.set("threats", threat.id, fields);
  const fields = editorStrings.fields;
  const target = () =>
    workspace.choice.set({
      title: appStrings.picker.targetTitle,
      label: appStrings.picker.find,
      keys: [...model.elements.map(({ id }) => keyOf("elements", id)), ...model.data_flows.map(({ id }) => keyOf("data_flows", id))],
      nothing: appStrings.picker.noTarget,
      choose: (key) => {
        const { section, id } = key === undefined ? { section: undefined, id: undefined } : refOf(key);
        set({ element: section === "elements" ? id : undefined, flow: section === "data_flows" ? id : undefined });
      },
    });
  const status = (next: string) => set({ mitigation: next === "" ? undefined : { description: "", ...threat.mitigation, status: next } });
  const place = workspace.targetOf(threat);
  return (
    <section className="threat-form" aria-label={shorten(threat.title, 80)}>
      <div className="form">
        <div className="wide" onFocus={() => isFresh && workspace.renaming.set(undefined)}>
          <TextField label={fields.title} value={threat.title} commit={(title) => set({ title })} isRequired startsFocused={isFresh} />
        </div>
        <SelectField label={fields.severity} value={threat.severity} commit={(severity) => set({ severity })} groups={named(SEVERITIES, appStrings.severities)} />
        <SelectField label={fields.category} value={threat.category} commit={(category) => set({ category })} groups={named(CATEGORIES, {})} />
        <ThingField label={fields.target} name={targetName(model, threat)} open={target} />
        <SelectField label={fields.status} value={threat.mitigation?.status ?? ""} commit={status} groups={named(STATUSES, appStrings.mitigations)} nothing={fields.noStatus} />
        <TextField label={fields.description} value={threat.description ?? ""} commit={(description) => set({ description })} lines={3} isWide />
        <TextField label={fields.mitigation} value={threat.mitigation?.description ?? ""} commit={(description) => set({ mitigation: { status: "not_started", ...threat.mitigation, description } })} lines={3} isWide />
        <div className="form-end wide">
          {place !== undefined && <button className="button" type="button" onClick={() => workspace.go(place)}>{words.showTarget}</button>}
          <button className="button quiet" type="button" onClick={() => workspace.remove(new Set([keyOf("threats", threat.id)]))}>
            <Icon name="delete" />
            {words.remove}
          </button>
        </div>
      </div>
    </section>
  );
}

function targetName(model: Model, threat: Threat): string {
  const flow = threat.flow === undefined ? undefined : byId(model.data_flows, threat.flow);
  if (flow !== undefined) return flowName(model, flow);
  return threat.element === undefined ? editorStrings.fields.noTarget : nameOf(model, "elements", threat.element);
}
