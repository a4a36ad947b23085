// The threat model as the page reads it, and questions about it. Enters: the store's frozen document.
// Leaves: names, what a deletion takes along, geometry, fresh ids. Changes nothing and knows no DOM.

import { strings } from "./strings.ts";
import { count, say } from "./text.ts";

/** A point of the canvas. */
export interface Point { readonly x: number; readonly y: number }
/** An extent of the canvas. */
export interface Extent { readonly width: number; readonly height: number }
/** An element, as far as the page draws it. */
export interface Element_ { readonly id: string; readonly type: string; readonly name: string; readonly trust_zone: string; readonly position?: Point; readonly [key: string]: unknown }
/** A data flow. */
export interface Flow { readonly id: string; readonly name: string; readonly from: string; readonly to: string; readonly protocol: string; readonly authenticated: boolean; readonly flow_number?: number; readonly [key: string]: unknown }
/** A trust boundary. */
export interface Boundary { readonly id: string; readonly name: string; readonly contains: readonly string[]; readonly position?: Point; readonly size?: Extent; readonly [key: string]: unknown }
/** A threat. */
export interface Threat { readonly id: string; readonly title: string; readonly category: string; readonly severity: string; readonly element?: string; readonly flow?: string; readonly mitigation?: { readonly status: string; readonly description: string }; readonly [key: string]: unknown }
/** A relationship, which the page keeps whole but does not draw. */
export interface Relationship { readonly id: string; readonly from: string; readonly to: string; readonly [key: string]: unknown }
/** The document. */
export interface Model {
  readonly metadata: { readonly title: string; readonly [key: string]: unknown };
  readonly elements: readonly Element_[];
  readonly data_flows: readonly Flow[];
  readonly trust_boundaries: readonly Boundary[];
  readonly threats: readonly Threat[];
  readonly relationships?: readonly Relationship[];
  readonly groups?: readonly { readonly id: string }[];
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
  return (model[section] as readonly Model[S][number][]).find((entity) => entity.id === id);
}

/** An element's name, or its id with a word that it is not there. */
export function elementName(model: Model, id: string): string {
  const element = find(model, "elements", id);
  return element === undefined ? say(strings.missing, { id }) : element.name || id;
}

/** A flow's name: its own, or its two ends. */
export function flowName(model: Model, flow: Flow): string {
  return flow.name || say(strings.lists.unnamedFlow, { from: elementName(model, flow.from), to: elementName(model, flow.to) });
}

/** The name a person knows an entity by. */
export function nameOf(model: Model, section: Section, id: string): string {
  if (section === "elements") return elementName(model, id);
  if (section === "data_flows") {
    const flow = find(model, "data_flows", id);
    return flow === undefined ? say(strings.missing, { id }) : flowName(model, flow);
  }
  if (section === "trust_boundaries") return find(model, "trust_boundaries", id)?.name ?? say(strings.missing, { id });
  return find(model, "threats", id)?.title ?? say(strings.missing, { id });
}

/** A type as a person reads it; an unknown one as it is written. */
export function typeName(type: string): string {
  return strings.types[type] ?? type;
}

/** What a deletion takes along: whole entities, and what only loses a link. */
export interface Loss {
  readonly flows: readonly Flow[];
  readonly threats: readonly Threat[];
  readonly keptThreats: readonly Threat[];
  readonly relationships: readonly Relationship[];
  readonly memberships: readonly Boundary[];
}

/** What goes with an entity, by the rule the core's delete tools follow. */
export function lossOf(model: Model, section: Section, id: string): Loss {
  const none: Loss = { flows: [], threats: [], keptThreats: [], relationships: [], memberships: [] };
  if (section !== "elements" && section !== "data_flows") return none;
  const isElement = section === "elements";
  const flows = isElement ? model.data_flows.filter((flow) => flow.from === id || flow.to === id) : [];
  const goneFlows = new Set(isElement ? flows.map((flow) => flow.id) : [id]);
  const losesElement = (threat: Threat) => isElement && threat.element === id;
  const losesFlow = (threat: Threat) => threat.flow !== undefined && goneFlows.has(threat.flow);
  const hit = model.threats.filter((threat) => losesElement(threat) || losesFlow(threat));
  const survives = (threat: Threat) =>
    (threat.element !== undefined && !losesElement(threat)) || (threat.flow !== undefined && !losesFlow(threat));
  return {
    flows,
    threats: hit.filter((threat) => !survives(threat)),
    keptThreats: hit.filter(survives),
    relationships: isElement ? (model.relationships ?? []).filter((edge) => edge.from === id || edge.to === id) : [],
    memberships: isElement ? model.trust_boundaries.filter((boundary) => boundary.contains.includes(id)) : [],
  };
}

/** The loss in words, one entry a kind: "3 data flows", "1 threat". */
export function lossWords(loss: Loss): string[] {
  const entries: [readonly unknown[], readonly [string, string]][] = [
    [loss.flows, strings.counts.flows],
    [loss.threats, strings.counts.threats],
    [loss.relationships, strings.counts.relationships],
    [loss.memberships, strings.counts.memberships],
  ];
  return entries.filter(([things]) => things.length > 0).map(([things, forms]) => count(things.length, forms));
}

/** A node's extent on the canvas. */
export const NODE: Extent = { width: 172, height: 64 };

/** Where an element stands: its own place, or the editor's default for its number. */
export function placeOf(element: { readonly position?: Point }, index: number): Point {
  return element.position ?? { x: 100 + 250 * (index % 4), y: 100 + 200 * Math.floor(index / 4) };
}

/** A place for a new element that covers no other. */
export function freePlace(model: Model): Point {
  const taken = model.elements.map(placeOf);
  for (let row = 0; ; row += 1) {
    for (let column = 0; column < 6; column += 1) {
      const spot = { x: 40 + 260 * column, y: 40 + 160 * row };
      const free = taken.every((other) => Math.abs(other.x - spot.x) >= NODE.width + 20 || Math.abs(other.y - spot.y) >= NODE.height + 24);
      if (free) return spot;
    }
  }
}

/** The next id of a section, by the core's own rule: one past the largest number with this prefix, and free. */
export function freshId(model: Model, section: Section): string {
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
  let n = largest + 1;
  while (taken.has(`${prefix}${n}`)) n += 1;
  return `${prefix}${n}`;
}

/** The six categories, as they are written in a document. */
export const CATEGORIES = ["Spoofing", "Tampering", "Repudiation", "Information Disclosure", "Denial of Service", "Elevation of Privilege"] as const;
