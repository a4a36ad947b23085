// What a proposed call would do to the drawing, read from its validated input. Enters: a call and the
// document. Leaves: ghosts and marks for the canvas. A drawing only: what runs is decided elsewhere.

import type { CallRecord } from "countersign/threat-model";

import { lossOf, type Model, type Point, type Section } from "../model.ts";

/** What the canvas draws over the document while a card is looked at. */
export interface Proposal {
  readonly elements: readonly { id: string; name: string; type: string; position?: Point }[];
  readonly flows: readonly { from: string; to: string; name: string }[];
  readonly removed: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
}

/** The section a tool acts on, by the tool's exact name. */
export const SECTION_OF: ReadonlyMap<string, Section> = new Map([
  ["add_element", "elements"],
  ["update_element", "elements"],
  ["delete_element", "elements"],
  ["add_data_flow", "data_flows"],
  ["update_data_flow", "data_flows"],
  ["delete_data_flow", "data_flows"],
  ["add_trust_boundary", "trust_boundaries"],
  ["update_trust_boundary", "trust_boundaries"],
  ["delete_trust_boundary", "trust_boundaries"],
  ["add_threat", "threats"],
  ["update_threat", "threats"],
  ["delete_threat", "threats"],
]);

/** What a tool does, by the first word of its name. */
export type Verb = "add" | "update" | "delete" | "other";

/** The verb of a known graph tool. */
export function verbOf(toolName: string): Verb {
  if (!SECTION_OF.has(toolName)) return "other";
  return toolName.startsWith("add_") ? "add" : toolName.startsWith("update_") ? "update" : "delete";
}

/** An object's field, where the value is an object at all. */
export function field(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

/** A field's text, where it is text. */
export function textField(value: unknown, key: string): string | undefined {
  const found = field(value, key);
  return typeof found === "string" ? found : undefined;
}

/** The input's own part: `element` of add_element, `updates` of update_element. */
export function bodyOf(call: Pick<CallRecord, "toolName" | "input">): unknown {
  const verb = verbOf(call.toolName);
  if (verb === "add") return field(call.input, call.toolName.slice("add_".length));
  return verb === "update" ? field(call.input, "updates") : undefined;
}

/** What these calls would do to the drawing. */
export function proposalOf(calls: readonly CallRecord[], model: Model): Proposal {
  const elements: Proposal["elements"][number][] = [];
  const flows: Proposal["flows"][number][] = [];
  const removed = new Set<string>();
  const changed = new Set<string>();
  for (const call of calls) {
    const section = SECTION_OF.get(call.toolName);
    const id = textField(call.input, "id");
    const body = bodyOf(call);
    if (section === undefined) continue;
    if (verbOf(call.toolName) === "add") {
      if (section === "elements") elements.push(ghost(call.id, body));
      if (section === "data_flows") flows.push({ from: textField(body, "from") ?? "", to: textField(body, "to") ?? "", name: textField(body, "name") ?? "" });
      if (section === "threats") for (const key of ["element", "flow"]) mark(changed, textField(body, key));
      if (section === "trust_boundaries") for (const member of members(body)) mark(changed, member);
    } else if (id !== undefined && verbOf(call.toolName) === "delete") {
      removed.add(id);
      for (const flow of lossOf(model, section, id).flows) removed.add(flow.id);
    } else {
      mark(changed, id);
    }
  }
  return { elements, flows, removed, changed };
}

function ghost(callId: string, body: unknown): Proposal["elements"][number] {
  const position = field(body, "position");
  const [x, y] = [field(position, "x"), field(position, "y")];
  const place = typeof x === "number" && typeof y === "number" ? { position: { x, y } } : {};
  return { id: `proposed:${callId}`, name: textField(body, "name") ?? "", type: textField(body, "type") ?? "", ...place };
}

function members(body: unknown): string[] {
  const contains = field(body, "contains");
  return Array.isArray(contains) ? contains.filter((member): member is string => typeof member === "string") : [];
}

function mark(set: Set<string>, id: string | undefined): void {
  if (id !== undefined) set.add(id);
}
