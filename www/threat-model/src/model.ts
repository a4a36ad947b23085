// The threat model as the page reads it, and questions about it. Enters: the store's frozen document.
// Leaves: names, what a deletion takes along, fresh ids. Changes nothing and knows no DOM.

import { byId } from "./by-id.ts";
import { appStrings } from "./strings/app.ts";
import { editorStrings } from "./strings/editor.ts";
import { count, say, wordFor } from "./text.ts";

/** A point of the canvas. */
export interface Point { readonly x: number; readonly y: number }
/** An extent of the canvas. */
export interface Extent { readonly width: number; readonly height: number }
/** An element, as far as the page draws it. */
export interface Element_ { readonly id: string; readonly type: string; readonly name: string; readonly trust_zone: string; readonly description?: string; readonly technologies?: readonly string[]; readonly position?: Point; readonly [key: string]: unknown }
/** A data flow. */
export interface Flow { readonly id: string; readonly name: string; readonly from: string; readonly to: string; readonly protocol: string; readonly authenticated: boolean; readonly flow_number?: number; readonly data?: readonly string[]; readonly label_offset?: Point; readonly source_handle?: string; readonly target_handle?: string; readonly [key: string]: unknown }
/** A trust boundary. */
export interface Boundary { readonly id: string; readonly name: string; readonly contains: readonly string[]; readonly position?: Point; readonly size?: Extent; readonly [key: string]: unknown }
/** A threat. */
export interface Threat { readonly id: string; readonly title: string; readonly category: string; readonly severity: string; readonly description?: string; readonly element?: string; readonly flow?: string; readonly mitigation?: { readonly status: string; readonly description: string }; readonly [key: string]: unknown }
/** A relationship, which the page keeps whole but does not draw. */
export interface Relationship { readonly id: string; readonly from: string; readonly to: string; readonly [key: string]: unknown }
/** The document. */
export interface Model {
  readonly metadata: { readonly title: string; readonly author?: string; readonly description?: string; readonly created?: string; readonly modified?: string; readonly [key: string]: unknown };
  readonly elements: readonly Element_[];
  readonly data_flows: readonly Flow[];
  readonly trust_boundaries: readonly Boundary[];
  readonly threats: readonly Threat[];
  readonly relationships?: readonly Relationship[];
  readonly groups?: readonly { readonly id: string }[];
  readonly diagrams?: readonly { readonly id: string; readonly viewport?: { readonly x: number; readonly y: number; readonly zoom: number } }[];
  readonly [key: string]: unknown;
}

/** The sections that can be edited here. */
export type Section = "elements" | "data_flows" | "trust_boundaries" | "threats";

/** Reads what the store holds: a threat-model store only ever hands out a threat model with its defaults filled in. */
export function asModel(document: unknown): Model {
  return document as Model;
}

/** The entity with this id. */
export function find<S extends Section>(model: Model, section: S, id: string): Model[S][number] | undefined {
  return byId<Model[S][number]>(model[section], id);
}

/** An element's name, or its id with a word that it is not there. */
export function elementName(model: Model, id: string): string {
  const element = find(model, "elements", id);
  return element === undefined ? say(appStrings.missing, { id }) : element.name || id;
}

/** A flow's name: its own, or its two ends. */
export function flowName(model: Model, flow: Flow): string {
  return flow.name || say(appStrings.unnamedFlow, { from: elementName(model, flow.from), to: elementName(model, flow.to) });
}

/** The name a person knows an entity by. */
export function nameOf(model: Model, section: Section, id: string): string {
  if (section === "elements") return elementName(model, id);
  if (section === "data_flows") {
    const flow = find(model, "data_flows", id);
    return flow === undefined ? say(appStrings.missing, { id }) : flowName(model, flow);
  }
  if (section === "trust_boundaries") return find(model, "trust_boundaries", id)?.name ?? say(appStrings.missing, { id });
  return find(model, "threats", id)?.title ?? say(appStrings.missing, { id });
}

/** A type as a person reads it; an unknown one as it is written. */
export function typeName(type: string): string {
  return wordFor(editorStrings.types, type) ?? type;
}

/** What a deletion takes along: whole entities, and what only loses a link. */
export interface Loss {
  readonly flows: readonly Flow[];
  readonly threats: readonly Threat[];
  readonly keptThreats: readonly Threat[];
  readonly relationships: readonly Relationship[];
  readonly memberships: readonly Boundary[];
}

/** What goes with elements and flows, by the rule the core's delete tools follow. */
export function lossOfAll(model: Model, elements: ReadonlySet<string>, named: ReadonlySet<string>): Loss {
  const flows = model.data_flows.filter((flow) => !named.has(flow.id) && (elements.has(flow.from) || elements.has(flow.to)));
  const goneFlows = new Set([...named, ...flows.map((flow) => flow.id)]);
  const losesElement = (threat: Threat) => threat.element !== undefined && elements.has(threat.element);
  const losesFlow = (threat: Threat) => threat.flow !== undefined && goneFlows.has(threat.flow);
  const hit = model.threats.filter((threat) => losesElement(threat) || losesFlow(threat));
  const survives = (threat: Threat) =>
    (threat.element !== undefined && !losesElement(threat)) || (threat.flow !== undefined && !losesFlow(threat));
  return {
    flows,
    threats: hit.filter((threat) => !survives(threat)),
    keptThreats: hit.filter(survives),
    relationships: (model.relationships ?? []).filter((edge) => elements.has(edge.from) || elements.has(edge.to)),
    memberships: model.trust_boundaries.filter((boundary) => boundary.contains.some((member) => elements.has(member))),
  };
}

/** The entities that are lost, in words, one entry a kind: "3 data flows", "1 threat". */
export function lossWords(loss: Loss): string[] {
  const entries: [readonly unknown[], readonly [string, string]][] = [
    [loss.flows, appStrings.sections.data_flows],
    [loss.threats, appStrings.sections.threats],
    [loss.relationships, appStrings.sections.relationships],
  ];
  return entries.filter(([things]) => things.length > 0).map(([things, forms]) => count(things.length, forms));
}

/** The next ids of a section, by the core's own rule: from one past the largest number with this prefix on, and free. */
export function freshIds(model: Model, section: Section, wanted: number): string[] {
  const [prefix, spaces] = ({
    elements: ["comp-", [model.elements, model.groups ?? [], model.trust_boundaries]],
    data_flows: ["flow-", [model.data_flows, model.relationships ?? []]],
    trust_boundaries: ["boundary-", [model.elements, model.groups ?? [], model.trust_boundaries]],
    threats: ["threat-", [model.threats]],
  } as const)[section];
  const taken = new Set(spaces.flatMap((space) => space.map((entity) => entity.id)));
  let largest = 0;
  for (const id of taken) {
    const digits = id.startsWith(prefix) ? id.slice(prefix.length) : "";
    if (/^\d{1,9}$/.test(digits)) largest = Math.max(largest, Number(digits));
  }
  const ids: string[] = [];
  for (let n = largest + 1; ids.length < wanted; n += 1) if (!taken.has(`${prefix}${n}`)) ids.push(`${prefix}${n}`);
  return ids;
}

/** The six categories, as they are written in a document. */
export const CATEGORIES = ["Spoofing", "Tampering", "Repudiation", "Information Disclosure", "Denial of Service", "Elevation of Privilege"] as const;
/** The five severities, worst first. */
export const SEVERITIES = ["critical", "high", "medium", "low", "info"] as const;
/** What can be said of a threat's mitigation. */
export const STATUSES = ["not_started", "in_progress", "mitigated", "accepted", "transferred"] as const;

const HANDLED: ReadonlySet<string> = new Set(["mitigated", "accepted", "transferred"]);

/** Whether nothing is left to do about a threat. */
export function isHandled(threat: Threat): boolean {
  return threat.mitigation !== undefined && HANDLED.has(threat.mitigation.status);
}
