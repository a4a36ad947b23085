// What a person does to the document by hand: each function makes one edit, and so one undo step.
// Enters: the store, the model, what was asked. Leaves: the edit in the store, or words that say why not.

import type { DocumentStore, JsonPatch } from "countersign/threat-model";

import { byId } from "../by-id.ts";
import type { Announcer } from "../announce.tsx";
import type { Cell } from "../cell.ts";
import { CATEGORIES, elementName, freshIds, lossWords, nameOf, type Model, type Point, type Section } from "../model.ts";
import { appStrings } from "../strings/app.ts";
import { editorStrings } from "../strings/editor.ts";
import { clip, count, list, say } from "../text.ts";
import { centre, holds, type Box, type Side } from "./geometry.ts";
import { idsOf, keyOf, refOf, type Key } from "./key.ts";
import { entityOf } from "./lookup.ts";
import { append, fieldPatch, removal, setFields } from "./patches.ts";
import { isPlaced, type Places } from "./places.ts";

const words = editorStrings.edits;
const FAR = 1_000_000; // no coordinate beyond this is drawn or accepted

/** The sides a flow is tied to; none means wherever the line meets the box. */
export interface Sides {
  readonly source_handle?: Side | undefined;
  readonly target_handle?: Side | undefined;
}

/** The hand edits of one open document. */
export class Edits {
  constructor(
    private readonly store: DocumentStore,
    private readonly model: Cell<Model>,
    private readonly places: Places,
    private readonly announcer: Announcer,
    private readonly undo: () => void,
    private readonly isPast: boolean,
  ) {}

  /** Sets fields of one entity; a field given as `undefined` is taken away. */
  set(section: Section, id: string, fields: Readonly<Record<string, unknown>>): boolean {
    const patch = setFields(this.model.value, section, id, fields);
    const isName = Object.keys(fields).some((key) => key === "name" || key === "title");
    return this.#edit(patch, say(isName ? words.rename : words.change, { name: this.#name(keyOf(section, id)) }));
  }

  /** Sets fields of the document's own head. */
  setDocument(fields: Readonly<Record<string, unknown>>): boolean {
    return this.#edit(fieldPatch(this.model.value.metadata, "/metadata", fields), words.document);
  }

  /** Adds an element and returns its key. */
  addElement(type: string, name: string, at: Point): Key | undefined {
    const model = this.model.value;
    const [id = ""] = freshIds(model, "elements", 1);
    const position = rounded(this.places.near(model, at));
    const patch = append("elements", [{ id, type, name, trust_zone: "", description: "", technologies: [], position }]);
    return this.#edit(patch, say(words.add, { name })) ? keyOf("elements", id) : undefined;
  }

  /** Adds a flow between two elements and returns its key. */
  connect(from: string, to: string, sides: Sides = {}): Key | undefined {
    const model = this.model.value;
    const [id = ""] = freshIds(model, "data_flows", 1);
    const number = model.data_flows.reduce((most, flow) => Math.max(most, flow.flow_number ?? 0), 0) + 1;
    const flow = { id, flow_number: number, name: "", from, to, protocol: "", data: [], authenticated: false, ...given(sides) };
    const label = say(words.connect, { from: clip(elementName(model, from), 40), to: clip(elementName(model, to), 40) });
    return this.#edit(append("data_flows", [flow]), label) ? keyOf("data_flows", id) : undefined;
  }

  /** Moves one end of a flow to another element, or to another side. */
  reconnect(id: string, end: "from" | "to", element: string, side: Side | undefined): boolean {
    const patch = setFields(this.model.value, "data_flows", id, { [end]: element, [end === "from" ? "source_handle" : "target_handle"]: side });
    return this.#edit(patch, say(words.reconnect, { name: this.#name(keyOf("data_flows", id)) }));
  }

  /** Adds a boundary with what stands in it and returns its key. */
  addBoundary(box: Box, members: readonly string[]): Key | undefined {
    const [id = ""] = freshIds(this.model.value, "trust_boundaries", 1);
    const name = editorStrings.fresh.boundary;
    const boundary = { id, name, contains: members, position: rounded(box), size: { width: Math.round(box.width), height: Math.round(box.height) } };
    return this.#edit(append("trust_boundaries", [boundary]), say(words.add, { name })) ? keyOf("trust_boundaries", id) : undefined;
  }

  /** Adds a threat on a target and returns its key. */
  addThreat(target: { readonly element?: string; readonly flow?: string }): Key | undefined {
    const [id = ""] = freshIds(this.model.value, "threats", 1);
    const title = editorStrings.fresh.threat;
    const threat = { id, title, category: CATEGORIES[0], ...target, severity: "medium", description: "" };
    return this.#edit(append("threats", [threat]), say(words.add, { name: title })) ? keyOf("threats", id) : undefined;
  }

  /** Deletes entities with what cannot stand without them, as one step; says what went along and offers to take it back. */
  remove(keys: ReadonlySet<Key>): boolean {
    if (keys.size === 0) return false;
    const { patch, loss } = removal(this.model.value, keys);
    const name = this.#names(keys);
    if (!this.#edit(patch, say(words.remove, { name }))) return false;
    const more = list(lossWords(loss));
    this.announcer.note(more === "" ? say(words.removed, { name }) : say(words.removedMore, { name, more }), { label: words.takeBack, run: this.undo });
    return true;
  }

  /** Puts elements and boundaries where they were dragged, as one step; what was dropped into a boundary is then in it. */
  place(boxes: ReadonlyMap<Key, Box>): boolean {
    const model = this.model.value;
    const resized = [...boxes].some(([key, box]) => hasNewSize(model, key, box, this.places));
    const patch = [...boxes].flatMap(([key, box]): JsonPatch => {
      const { section, id } = refOf(key);
      if (section === "data_flows") return setFields(model, section, id, { label_offset: box.x === 0 && box.y === 0 ? undefined : rounded(box) });
      const size = { width: Math.round(box.width), height: Math.round(box.height) };
      return setFields(model, section, id, { position: rounded(box), ...(section === "trust_boundaries" ? { size } : {}) });
    });
    const moves = this.#crossings(boxes);
    const contains = moves.flatMap(({ id, contains }) => setFields(model, "trust_boundaries", id, { contains }));
    if (!this.#edit([...patch, ...contains], say(resized ? words.resize : words.move, { name: this.#names(new Set(boxes.keys())) }))) return false;
    for (const { sentences } of moves) for (const sentence of sentences) this.announcer.say(sentence);
    return true;
  }

  /** Copies elements, the flows between them, and boundaries; returns the keys of the copies. */
  duplicate(keys: ReadonlySet<Key>): ReadonlySet<Key> {
    const model = this.model.value;
    const [boxes, frames] = [this.places.elements(model), this.places.boundaries(model)];
    const elements = [...idsOf(keys, "elements")].flatMap((id) => byId(model.elements, id) ?? []);
    const boundaries = [...idsOf(keys, "trust_boundaries")].flatMap((id) => byId(model.trust_boundaries, id) ?? []);
    const fresh = freshIds(model, "elements", elements.length);
    const twins = new Map(elements.map((element, index) => [element.id, fresh[index] ?? ""]));
    const flows = model.data_flows.filter((flow) => twins.has(flow.from) && twins.has(flow.to));
    const flowIds = freshIds(model, "data_flows", flows.length);
    const frameIds = freshIds(model, "trust_boundaries", boundaries.length);
    const patch: JsonPatch = [
      ...append("elements", elements.map((element, index) => ({ ...element, id: fresh[index], name: say(words.copy, { name: element.name }), position: beside(boxes.get(element.id)) }))),
      ...append("data_flows", flows.map((flow, index) => ({ ...flow, id: flowIds[index], from: twins.get(flow.from), to: twins.get(flow.to) }))),
      ...append(
        "trust_boundaries",
        boundaries.map((boundary, index) => {
          const box = frames.get(boundary.id) ?? { x: 0, y: 0, width: 400, height: 300 };
          return { ...boundary, id: frameIds[index], name: say(words.copy, { name: boundary.name }), contains: boundary.contains.flatMap((id) => twins.get(id) ?? []), position: beside(box), size: { width: box.width, height: box.height } };
        }),
      ),
    ];
    if (!this.#edit(patch, say(words.duplicate, { name: this.#names(keys) }))) return new Set();
    return new Set([...fresh.map((id) => keyOf("elements", id)), ...frameIds.map((id) => keyOf("trust_boundaries", id))]);
  }

  // who enters or leaves a boundary that stands where it was put; one that only surrounds its members lets nobody go
  #crossings(boxes: ReadonlyMap<Key, Box>): { id: string; contains: readonly string[]; sentences: string[] }[] {
    const model = this.model.value;
    const frames = this.places.boundaries(model);
    const moved = [...boxes].flatMap(([key, box]) => (refOf(key).section === "elements" ? [{ id: refOf(key).id, box }] : []));
    return model.trust_boundaries.flatMap((boundary) => {
      const frame = boxes.get(keyOf("trust_boundaries", boundary.id)) ?? frames.get(boundary.id);
      if (frame === undefined) return [];
      const inside = new Set(boundary.contains);
      const enter = moved.filter(({ id, box }) => !inside.has(id) && holds(frame, centre(box)));
      const leave = isPlaced(boundary) ? moved.filter(({ id, box }) => inside.has(id) && !holds(frame, centre(box))) : [];
      if (enter.length + leave.length === 0) return [];
      const gone = new Set(leave.map(({ id }) => id));
      const told = (template: string) => ({ id }: { id: string }) => say(template, { name: this.#name(keyOf("elements", id)), boundary: clip(boundary.name, 40) });
      return [{
        id: boundary.id,
        contains: [...boundary.contains.filter((id) => !gone.has(id)), ...enter.map(({ id }) => id)],
        sentences: [...enter.map(told(editorStrings.canvas.joined)), ...leave.map(told(editorStrings.canvas.left))],
      }];
    });
  }

  #name(key: Key): string {
    const { section, id } = refOf(key);
    return clip(nameOf(this.model.value, section, id), 40) || appStrings.untitled;
  }

  #names(keys: ReadonlySet<Key>): string {
    const [only] = keys;
    return only !== undefined && keys.size === 1 ? this.#name(only) : count(keys.size, words.several);
  }

  #edit(patch: JsonPatch, label: string): boolean {
    if (patch.length === 0) return true;
    if (this.isPast) return false;
    const outcome = this.store.edit(patch, label);
    if (outcome.status !== "refused") return true;
    this.announcer.note(say(words.refused, { why: clip(outcome.result, 200) }));
    return false;
  }
}

function hasNewSize(model: Model, key: Key, box: Box, places: Places): boolean {
  const { section, id } = refOf(key);
  if (section !== "trust_boundaries" || entityOf(model, key) === undefined) return false;
  const before = places.boundaries(model).get(id);
  return before !== undefined && (before.width !== box.width || before.height !== box.height);
}

function given(sides: Sides): Record<string, Side> {
  return Object.fromEntries(Object.entries(sides).filter((entry): entry is [string, Side] => entry[1] !== undefined));
}

function beside(box: Box | undefined): Point {
  return rounded({ x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 40 });
}

function rounded(point: Point): Point {
  const near = (value: number) => Math.round(Math.max(-FAR, Math.min(FAR, value)));
  return { x: near(point.x), y: near(point.y) };
}
