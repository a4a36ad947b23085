// The details of an element, a flow, a boundary or the document. Enters: the entity. Leaves: edits, one per field.

import type { ReactNode } from "react";

import { shapeOf, typesByCategory } from "../../catalog.ts";
import { useCell, useCellPart } from "../../cell.ts";
import { Icon } from "../../Icon.tsx";
import { elementName, flowName, type Boundary, type Element_, type Flow, type Model, type Section, type Threat } from "../../model.ts";
import { appStrings } from "../../strings/app.ts";
import { editorStrings } from "../../strings/editor.ts";
import { clip, say, shorten } from "../../text.ts";
import { keyOf, refOf, type Key } from "../key.ts";
import { useWorkspace } from "../workspace.tsx";
import { CheckField, ListField, SelectField, TextField, ThingField } from "./fields.tsx";
import { Severity } from "./Severity.tsx";

const words = editorStrings.fields;
const MOST_LINKS = 30;

/** An element's details. */
export function ElementForm({ element }: { readonly element: Element_ }): ReactNode {
  const workspace = useWorkspace();
  const model = useCell(workspace.model);
  const set = (fields: Record<string, unknown>) => workspace.edits.set("elements", element.id, fields);
  const zones = [...new Set(model.elements.map(({ trust_zone }) => trust_zone))].filter((zone) => zone !== "").slice(0, 50);
  const flows = model.data_flows.filter((flow) => flow.from === element.id || flow.to === element.id);
  return (
    <div className="form">
      <TextField label={words.name} value={element.name} commit={(name) => set({ name })} isRequired />
      <SelectField label={words.type} value={element.type} commit={(type) => set({ type })} groups={typeGroups()} />
      <TextField label={words.zone} value={element.trust_zone} commit={(trust_zone) => set({ trust_zone })} options={zones} />
      <ListField label={words.technologies} value={element.technologies ?? []} commit={(technologies) => set({ technologies })} />
      <TextField label={words.description} value={element.description ?? ""} commit={(description) => set({ description })} lines={3} isWide />
      <Threats target="element" id={element.id} />
      <ListField label={words.tags} value={texts(element["tags"])} commit={(tags) => set({ tags })} />
      {shapeOf(element.type) === "database" && (
        <>
          <ListField label={words.stores} value={texts(element["stores"])} commit={(stores) => set({ stores: stores.length === 0 ? undefined : stores })} />
          <TextField label={words.encryption} value={text(element["encryption"])} commit={(encryption) => set({ encryption: encryption === "" ? undefined : encryption })} />
        </>
      )}
      {flows.length > 0 && <Links label={words.flows} links={flows.slice(0, MOST_LINKS).map((flow) => ({ key: keyOf("data_flows", flow.id), name: flowName(model, flow) }))} />}
    </div>
  );
}

/** A flow's details. */
export function FlowForm({ flow }: { readonly flow: Flow }): ReactNode {
  const workspace = useWorkspace();
  const model = useCell(workspace.model);
  const set = (fields: Record<string, unknown>) => workspace.edits.set("data_flows", flow.id, fields);
  const end = (which: "from" | "to") => () =>
    workspace.choice.set({
      title: appStrings.picker.endTitle,
      label: appStrings.picker.find,
      keys: model.elements.map(({ id }) => keyOf("elements", id)),
      choose: (key) => {
        if (key !== undefined) workspace.edits.reconnect(flow.id, which, refOf(key).id, undefined);
      },
    });
  const number = (written: string) => {
    const value = Number(written);
    set({ flow_number: written.trim() === "" || !Number.isInteger(value) || value < 0 ? undefined : value });
  };
  return (
    <div className="form">
      <TextField label={words.name} value={flow.name} commit={(name) => set({ name })} />
      <TextField label={words.protocol} value={flow.protocol} commit={(protocol) => set({ protocol })} />
      <ThingField label={words.from} name={elementName(model, flow.from)} open={end("from")} />
      <ThingField label={words.to} name={elementName(model, flow.to)} open={end("to")} />
      <ListField label={words.data} value={flow.data ?? []} commit={(data) => set({ data })} isWide />
      <TextField label={words.number} value={flow.flow_number === undefined ? "" : String(flow.flow_number)} commit={number} />
      <CheckField label={words.authenticated} value={flow.authenticated} commit={(authenticated) => set({ authenticated })} />
      {flow.label_offset !== undefined && (
        <button className="button" type="button" onClick={() => set({ label_offset: undefined })}>{words.reset}</button>
      )}
      <Threats target="flow" id={flow.id} />
    </div>
  );
}

/** A boundary's details. */
export function BoundaryForm({ boundary }: { readonly boundary: Boundary }): ReactNode {
  const workspace = useWorkspace();
  const model = useCell(workspace.model);
  const set = (fields: Record<string, unknown>) => workspace.edits.set("trust_boundaries", boundary.id, fields);
  const members = [...new Set(boundary.contains)];
  const add = () =>
    workspace.choice.set({
      title: say(appStrings.picker.memberTitle, { name: clip(boundary.name, 40) }),
      label: appStrings.picker.find,
      keys: model.elements.filter(({ id }) => !members.includes(id)).map(({ id }) => keyOf("elements", id)),
      choose: (key) => {
        if (key !== undefined) set({ contains: [...members, refOf(key).id] });
      },
    });
  return (
    <div className="form">
      <TextField label={words.name} value={boundary.name} commit={(name) => set({ name })} isRequired />
      <section className="part wide" aria-label={words.members}>
        <PartHead title={words.members} add={add} addLabel={words.addMember} />
        {members.length === 0 && <p className="hint">{words.noMembers}</p>}
        <ul className="members">
          {members.map((id) => (
            <li key={id} className="member">
              <button className="link-chip" type="button" onClick={() => workspace.go(keyOf("elements", id))} dir="auto">{shorten(elementName(model, id), 40)}</button>
              <button className="icon-button" type="button" aria-label={say(words.takeOut, { name: clip(elementName(model, id), 60) })} data-tip={say(words.takeOut, { name: shorten(elementName(model, id), 40) })} onClick={() => set({ contains: members.filter((member) => member !== id) })}>
                <Icon name="cross" />
              </button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** The document's own head. */
export function DocumentForm(): ReactNode {
  const workspace = useWorkspace();
  const metadata = useCellPart(workspace.model, (model: Model) => model.metadata);
  const set = (fields: Record<string, unknown>) => workspace.edits.setDocument(fields);
  return (
    <div className="form">
      <TextField label={words.title} value={metadata.title} commit={(title) => set({ title })} isRequired />
      <TextField label={words.author} value={metadata.author ?? ""} commit={(author) => set({ author })} />
      <p className="labelled"><span className="label">{words.created}</span><span className="plain">{shorten(metadata.created ?? "", 20)}</span></p>
      <p className="labelled"><span className="label">{words.modified}</span><span className="plain">{shorten(metadata.modified ?? "", 20)}</span></p>
      <TextField label={words.description} value={metadata.description ?? ""} commit={(description) => set({ description })} lines={3} isWide />
    </div>
  );
}

function Threats({ target, id }: { readonly target: "element" | "flow"; readonly id: string }): ReactNode {
  const workspace = useWorkspace();
  const all = useCellPart(workspace.model, (model) => model.threats);
  const own: readonly Threat[] = all.filter((threat) => threat[target] === id);
  const section: Section = target === "element" ? "elements" : "data_flows";
  return (
    <section className="part wide" aria-label={words.threats}>
      <PartHead title={words.threats} add={() => workspace.addThreat(new Set([keyOf(section, id)]))} addLabel={words.addThreat} />
      {own.length === 0 && <p className="hint">{words.noThreats}</p>}
      <ul className="own-threats">
        {own.slice(0, MOST_LINKS).map((threat) => (
          <li key={threat.id}>
            <button className="own-threat" type="button" onClick={() => workspace.go(keyOf("threats", threat.id))}>
              <Severity severity={threat.severity} />
              <span dir="auto">{shorten(threat.title, 90)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function PartHead({ title, add, addLabel }: { readonly title: string; readonly add: () => void; readonly addLabel: string }): ReactNode {
  return (
    <div className="part-head">
      <h2>{title}</h2>
      <button className="button quiet" type="button" onClick={add}>
        <Icon name="add" />
        {addLabel}
      </button>
    </div>
  );
}

function Links({ label, links }: { readonly label: string; readonly links: readonly { readonly key: Key; readonly name: string }[] }): ReactNode {
  const workspace = useWorkspace();
  return (
    <section className="part wide" aria-label={label}>
      <h2>{label}</h2>
      <ul className="members">
        {links.map(({ key, name }) => (
          <li key={key}>
            <button className="link-chip" type="button" dir="auto" onClick={() => workspace.go(key)}>{shorten(name, 40)}</button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function typeGroups() {
  return typesByCategory().map(({ category, types }) => ({
    label: editorStrings.categories[category] ?? category,
    options: types.map((type) => ({ value: type, label: editorStrings.types[type] ?? type })),
  }));
}
