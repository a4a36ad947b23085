// What a person does to the document by hand: each function makes one edit, and so one undo step.
// Enters: the store and what was asked. Leaves: the edit in the store, or words that say why not.

import type { DocumentStore, Json } from "countersign/threat-model";

import { CATEGORIES, asModel, find, flowName, freePlace, freshId, lossOf, lossWords, nameOf, type Model, type Point, type Section } from "../model.ts";
import { strings } from "../strings.ts";
import { clip, list, say } from "../text.ts";

/** Told what became of an edit that a person should hear about. */
export interface Reports {
  refused(why: string): void;
  removed(what: string): void;
}

/** The hand edits of the page. */
export class Edits {
  constructor(
    private readonly store: DocumentStore,
    private readonly reports: Reports,
  ) {}

  /** Sets fields of one entity; a field given as `undefined` is taken away. */
  set(section: Section, id: string, fields: Record<string, unknown>): boolean {
    const model = this.#model();
    const before = find(model, section, id);
    if (before === undefined) return false;
    const changed = Object.entries(fields).filter(([key, value]) => JSON.stringify(before[key]) !== JSON.stringify(value));
    if (changed.length === 0) return true;
    const after: Record<string, unknown> = { ...before };
    for (const [key, value] of changed) {
      if (value === undefined) delete after[key];
      else after[key] = value;
    }
    const keys = changed.map(([key]) => key);
    const verb = keys.includes("position") ? strings.edits.move : keys.includes("name") || keys.includes("title") ? strings.edits.rename : strings.edits.change;
    const label = say(verb, { name: clip(nameOf(model, section, id), 40) });
    const entities = (model[section] as readonly { id: string }[]).map((entity) => (entity.id === id ? after : entity));
    return this.#edit({ ...model, [section]: entities }, label);
  }

  /** Appends a new entity and returns its id. */
  add(section: Section): string | undefined {
    const model = this.#model();
    const id = freshId(model, section);
    const entity = fresh(model, section, id);
    if (entity === undefined) {
      this.reports.refused(strings.lists.needTwo);
      return undefined;
    }
    const name = String(entity["name"] ?? entity["title"] ?? "");
    const label = say(strings.edits.add, { name: name || strings.lists.newFlow });
    return this.#edit({ ...model, [section]: [...model[section], entity] }, label) ? id : undefined;
  }

  /** Deletes an entity with what cannot stand without it, as one step. */
  remove(section: Section, id: string): boolean {
    const model = this.#model();
    if (find(model, section, id) === undefined) return false;
    const name = clip(nameOf(model, section, id), 60);
    const loss = lossOf(model, section, id);
    const goneFlows = new Set(loss.flows.map((flow) => flow.id));
    const goneThreats = new Set(loss.threats.map((threat) => threat.id));
    const goneEdges = new Set(loss.relationships.map((edge) => edge.id));
    const keeps = new Set(loss.keptThreats.map((threat) => threat.id));
    const isTarget = (section === "elements" && "element") || "flow";
    const next: Record<string, unknown> = {
      ...model,
      elements: section === "elements" ? model.elements.filter((element) => element.id !== id) : model.elements,
      data_flows: model.data_flows.filter((flow) => !goneFlows.has(flow.id) && !(section === "data_flows" && flow.id === id)),
      trust_boundaries: model.trust_boundaries
        .filter((boundary) => !(section === "trust_boundaries" && boundary.id === id))
        .map((boundary) => (section === "elements" && boundary.contains.includes(id) ? { ...boundary, contains: boundary.contains.filter((member) => member !== id) } : boundary)),
      threats: model.threats
        .filter((threat) => !goneThreats.has(threat.id) && !(section === "threats" && threat.id === id))
        .map((threat) => {
          if (!keeps.has(threat.id)) return threat;
          const kept: Record<string, unknown> = { ...threat };
          if (kept[isTarget] === id) delete kept[isTarget];
          if (typeof kept["flow"] === "string" && goneFlows.has(kept["flow"])) delete kept["flow"];
          return kept;
        }),
    };
    if (model.relationships !== undefined) next["relationships"] = model.relationships.filter((edge) => !goneEdges.has(edge.id));
    const done = this.#edit(next, say(strings.edits.remove, { name }));
    if (done) {
      const more = list(lossWords({ ...loss, memberships: [] }));
      this.reports.removed(more === "" ? say(strings.edits.removed, { name }) : say(strings.edits.removedMore, { name, more }));
    }
    return done;
  }

  /** Moves an element; only a real move is a step. */
  move(id: string, to: Point): void {
    this.set("elements", id, { position: { x: Math.round(to.x), y: Math.round(to.y) } });
  }

  #model(): Model {
    return asModel(this.store.read());
  }

  #edit(next: unknown, label: string): boolean {
    const outcome = this.store.edit(next as Json, label);
    if (outcome.status !== "refused") return true;
    this.reports.refused(say(strings.edits.refused, { why: clip(outcome.result, 200) }));
    return false;
  }
}

function fresh(model: Model, section: Section, id: string): Record<string, unknown> | undefined {
  switch (section) {
    case "elements":
      return { id, type: "microservice", name: strings.lists.newElement, trust_zone: "", description: "", technologies: [], position: freePlace(model) };
    case "data_flows": {
      const [from, to] = model.elements;
      if (from === undefined) return undefined;
      const number = Math.max(0, ...model.data_flows.map((flow) => flow.flow_number ?? 0)) + 1;
      return { id, flow_number: number, name: strings.lists.newFlow, from: from.id, to: (to ?? from).id, protocol: "", data: [], authenticated: false };
    }
    case "trust_boundaries":
      return { id, name: strings.lists.newBoundary, contains: [] };
    case "threats":
      return { id, title: strings.lists.newThreat, category: CATEGORIES[0], severity: "medium", description: "" };
  }
}

/** What a threat concerns, in words. */
export function targetName(model: Model, target: { element?: string; flow?: string }): string {
  const flow = target.flow === undefined ? undefined : find(model, "data_flows", target.flow);
  if (flow !== undefined) return flowName(model, flow);
  return target.element === undefined ? strings.lists.noTarget : nameOf(model, "elements", target.element);
}
