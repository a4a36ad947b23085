// The patches that hand edits are made of: fields set, entities appended, entities taken out with what cannot stand
// without them. Enters: the model and what is wanted. Leaves: patch operations; changes nothing.

import type { Json, JsonPatch } from "countersign/threat-model";

import { indexOf } from "../by-id.ts";
import { lossOfAll, type Loss, type Model, type Section, type Threat } from "../model.ts";
import { idsOf, type Key } from "./key.ts";


const REPLACE_FROM = 200; // from this many removals on a section is written whole

/** Fields of one entity set; a field given as `undefined` is taken away. Fields that are so already are left out. */
export function setFields(model: Model, section: Section, id: string, fields: Readonly<Record<string, unknown>>): JsonPatch {
  const index = indexOf(model[section], id);
  const before = index === undefined ? undefined : (model[section][index] as Record<string, unknown>);
  if (before === undefined) return [];
  return fieldPatch(before, `/${section}/${index}`, fields);
}

/** The same for any object at a path. */
export function fieldPatch(before: Readonly<Record<string, unknown>>, path: string, fields: Readonly<Record<string, unknown>>): JsonPatch {
  return Object.entries(fields).flatMap(([key, value]): JsonPatch => {
    if (JSON.stringify(before[key]) === JSON.stringify(value)) return [];
    const at = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return [value === undefined ? { op: "remove", path: at } : { op: "add", path: at, value: value as Json }];
  });
}

/** Entities appended to a section. */
export function append(section: Section, entities: readonly Readonly<Record<string, unknown>>[]): JsonPatch {
  return entities.map((entity) => ({ op: "add", path: `/${section}/-`, value: entity as Json }));
}

/** Everything that goes when `keys` are deleted. */
export interface Removal {
  readonly patch: JsonPatch;
  /** What goes along, beyond what was named. */
  readonly loss: Loss;
}

/** Deletes entities with what cannot stand without them, as the core's delete tools do. */
export function removal(model: Model, keys: ReadonlySet<Key>): Removal {
  const [elements, flows, boundaries, threats] = (["elements", "data_flows", "trust_boundaries", "threats"] as const).map((section) => idsOf(keys, section));
  if (elements === undefined || flows === undefined || boundaries === undefined || threats === undefined) return { patch: [], loss: lossOfAll(model, new Set(), new Set()) };
  const loss = lossOfAll(model, elements, flows);
  const goneFlows = new Set([...flows, ...loss.flows.map((flow) => flow.id)]);
  const goneThreats = new Set([...threats, ...loss.threats.map((threat) => threat.id)]);
  const goneEdges = new Set(loss.relationships.map((edge) => edge.id));
  const kept = loss.keptThreats.filter((threat) => !goneThreats.has(threat.id));
  const patch: JsonPatch = [
    ...kept.flatMap((threat) => setFields(model, "threats", threat.id, detached(threat, elements, goneFlows))),
    ...loss.memberships
      .filter((boundary) => !boundaries.has(boundary.id))
      .flatMap((boundary) => setFields(model, "trust_boundaries", boundary.id, { contains: boundary.contains.filter((member) => !elements.has(member)) })),
    ...taken("elements", model.elements, elements),
    ...taken("data_flows", model.data_flows, goneFlows),
    ...taken("relationships", model.relationships ?? [], goneEdges),
    ...taken("trust_boundaries", model.trust_boundaries, boundaries),
    ...taken("threats", model.threats, goneThreats, kept.length > 0),
  ];
  return { patch, loss: { ...loss, flows: loss.flows, threats: loss.threats.filter((threat) => !threats.has(threat.id)), keptThreats: kept } };
}

function detached(threat: Threat, elements: ReadonlySet<string>, flows: ReadonlySet<string>): Record<string, undefined> {
  return {
    ...(threat.element !== undefined && elements.has(threat.element) ? { element: undefined } : {}),
    ...(threat.flow !== undefined && flows.has(threat.flow) ? { flow: undefined } : {}),
  };
}

// from the last to the first, so that the numbers before stay right
function taken(section: string, entities: readonly { readonly id: string }[], gone: ReadonlySet<string>, touched = false): JsonPatch {
  const at = entities.flatMap((entity, index) => (gone.has(entity.id) ? [index] : []));
  if (at.length > REPLACE_FROM && !touched) return [{ op: "add", path: `/${section}`, value: entities.filter((entity) => !gone.has(entity.id)) as unknown as Json }];
  return at.reverse().map((index) => ({ op: "remove", path: `/${section}/${index}` }));
}
