// What proposed calls would do to the drawing, read from their validated inputs. Enters: calls and the document.
// Leaves: outlines and marks for the canvas. A drawing only: what runs is decided elsewhere.

import type { CallRecord } from "countersign/threat-model";

import { byId } from "../by-id.ts";
import { lossOf, type Boundary, type Element_, type Flow, type Model, type Point, type Section } from "../model.ts";
import { editorStrings } from "../strings/editor.ts";
import { clip, list, say, wordFor } from "../text.ts";
import { keyOf, type Key } from "./key.ts";


/** A mark at something that is in the document. */
export interface Mark {
  readonly kind: "changed" | "removed";
  readonly words: string;
}

/** What the canvas draws over the document while a card is looked at. */
export interface Proposal {
  /** Elements that would be added, in the order they would get. */
  readonly elements: readonly { readonly key: Key; readonly element: Element_ }[];
  /** Flows that would be added, or would lead somewhere else. */
  readonly flows: readonly { readonly key: Key; readonly flow: Pick<Flow, "from" | "to" | "name"> }[];
  /** Boundaries that would be added, or would stand somewhere else. */
  readonly boundaries: readonly { readonly key: Key; readonly boundary: Pick<Boundary, "name" | "contains" | "position" | "size"> }[];
  /** Elements that would stand somewhere else. */
  readonly moves: readonly { readonly key: Key; readonly element: Element_ }[];
  readonly marks: ReadonlyMap<Key, Mark>;
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
export function proposalOf(calls: readonly CallRecord[], model: Model): Proposal | undefined {
  if (calls.length === 0) return undefined;
  const draft: Draft = { elements: [], flows: [], boundaries: [], moves: [], marks: new Map() };
  for (const call of calls) {
    const section = SECTION_OF.get(call.toolName);
    if (section === undefined) continue;
    const verb = verbOf(call.toolName);
    const id = textField(call.input, "id");
    if (verb === "add") added(draft, section, `proposed:${call.id}`, bodyOf(call));
    else if (id !== undefined && verb === "update") updated(draft, section, id, bodyOf(call), model, clearedBy(call));
    else if (id !== undefined) removed(draft, section, id, model);
  }
  return draft;
}

interface Draft {
  readonly elements: { key: Key; element: Element_ }[];
  readonly flows: { key: Key; flow: Pick<Flow, "from" | "to" | "name"> }[];
  readonly boundaries: { key: Key; boundary: Pick<Boundary, "name" | "contains" | "position" | "size"> }[];
  readonly moves: { key: Key; element: Element_ }[];
  readonly marks: Map<Key, Mark>;
}

const words = editorStrings.canvas;

function added(draft: Draft, section: Section, id: string, body: unknown): void {
  const key = keyOf(section, id);
  if (section === "elements") {
    const type = textField(body, "type") ?? "";
    draft.elements.push({ key, element: { id, type, name: textField(body, "name") ?? "", trust_zone: textField(body, "trust_zone") ?? "", ...placed(body) } });
  } else if (section === "data_flows") {
    draft.flows.push({ key, flow: { from: textField(body, "from") ?? "", to: textField(body, "to") ?? "", name: textField(body, "name") ?? "" } });
  } else if (section === "trust_boundaries") {
    draft.boundaries.push({ key, boundary: { name: textField(body, "name") ?? "", contains: textList(body, "contains") ?? [], ...placed(body) } });
  } else {
    markTargets(draft, body, words.proposedThreat, "changed");
  }
}

function updated(draft: Draft, section: Section, id: string, body: unknown, model: Model, cleared: readonly string[]): void {
  const key = keyOf(section, id);
  const fields = typeof body === "object" && body !== null ? Object.keys(body) : [];
  const names = [...new Set([...fields, ...cleared].map((name) => wordFor(editorStrings.fieldNames, name) ?? clip(name, 40)))];
  mark(draft, key, "changed", say(words.proposedChange, { fields: list(names) }));
  if (section === "elements") {
    const element = byId(model.elements, id);
    const { position } = placed(body);
    if (element !== undefined && position !== undefined) draft.moves.push({ key: `${key}?`, element: { ...element, position, name: textField(body, "name") ?? element.name } });
  } else if (section === "data_flows") {
    const flow = byId(model.data_flows, id);
    const [from, to] = [textField(body, "from"), textField(body, "to")];
    if (flow !== undefined && (from ?? to) !== undefined) draft.flows.push({ key: `${key}?`, flow: { from: from ?? flow.from, to: to ?? flow.to, name: textField(body, "name") ?? flow.name } });
  } else if (section === "trust_boundaries") {
    const boundary = byId(model.trust_boundaries, id);
    const next = { ...placed(body), ...sized(body), ...(textList(body, "contains") === undefined ? {} : { contains: textList(body, "contains") ?? [] }) };
    if (boundary !== undefined && Object.keys(next).length > 0) draft.boundaries.push({ key: `${key}?`, boundary: { ...boundary, ...next } });
  } else {
    const threat = byId(model.threats, id);
    markTargets(draft, threat, words.proposedThreatChange, "changed");
    markTargets(draft, body, words.proposedThreat, "changed");
  }
}

function removed(draft: Draft, section: Section, id: string, model: Model): void {
  const key = keyOf(section, id);
  mark(draft, key, "removed", words.proposedRemove);
  // a flow that goes with its element is struck out; the words stand at the element alone
  const loss = lossOf(model, section, id);
  for (const flow of loss.flows) mark(draft, keyOf("data_flows", flow.id), "removed", "");
  for (const threat of loss.threats) mark(draft, keyOf("threats", threat.id), "removed", words.proposedRemove);
  if (section === "threats") markTargets(draft, byId(model.threats, id), words.proposedThreatRemove, "changed");
}

function markTargets(draft: Draft, threat: unknown, sentence: string, kind: Mark["kind"]): void {
  const [element, flow] = [textField(threat, "element"), textField(threat, "flow")];
  if (element !== undefined) mark(draft, keyOf("elements", element), kind, sentence);
  if (flow !== undefined) mark(draft, keyOf("data_flows", flow), kind, sentence);
}

// several calls may touch one thing: what is deleted stays so, and every sentence is kept once
function mark(draft: Draft, key: Key, kind: Mark["kind"], sentence: string): void {
  const before = draft.marks.get(key);
  const sentences = new Set([...(before?.words.split("; ") ?? []), sentence].filter((one) => one !== ""));
  draft.marks.set(key, { kind: before?.kind === "removed" ? "removed" : kind, words: [...sentences].join("; ") });
}

function clearedBy(call: Pick<CallRecord, "input">): readonly string[] {
  return textList(call.input, "clear") ?? textList(field(call.input, "updates"), "clear") ?? [];
}

function placed(body: unknown): { position?: Point } {
  const position = field(body, "position");
  const [x, y] = [field(position, "x"), field(position, "y")];
  return typeof x === "number" && typeof y === "number" ? { position: { x, y } } : {};
}

function sized(body: unknown): { size?: { width: number; height: number } } {
  const size = field(body, "size");
  const [width, height] = [field(size, "width"), field(size, "height")];
  return typeof width === "number" && typeof height === "number" ? { size: { width, height } } : {};
}

function textList(body: unknown, key: string): string[] | undefined {
  const found = field(body, key);
  return Array.isArray(found) ? found.filter((item): item is string => typeof item === "string") : undefined;
}
