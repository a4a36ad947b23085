// The drawing's parts as React Flow wants them, made anew only where something about them changed: whatever stays the
// same object is not rendered again. Enters: the model and what is in hand. Leaves: nodes and edges.

import type { Edge, Node, NodeHandle } from "@xyflow/react";

import { byId } from "../by-id.ts";
import { shapeOf } from "../catalog.ts";
import { elementName, flowName, typeName, type Boundary, type Element_, type Flow, type Model } from "../model.ts";
import { appStrings } from "../strings/app.ts";
import { editorStrings } from "../strings/editor.ts";
import { clip, count, say, wordFor } from "../text.ts";
import type { Box } from "./geometry.ts";
import { keyOf, type Key } from "./key.ts";
import { badgeOf, bendOf, type Badge } from "./lookup.ts";
import { boundaryBox, extentOf, type Places } from "./places.ts";
import type { Proposal } from "./proposal.ts";

/** An element on the canvas; `ghost` says what a proposal would do with it. */
export type ElementNode = Node<{ readonly element: Element_; readonly badge: Badge | undefined; readonly ghost: string | undefined }, "element">;
/** A boundary on the canvas. */
export type BoundaryNode = Node<{ readonly name: string; readonly ghost: string | undefined }, "boundary">;
/** Anything that stands on the canvas. */
export type AnyNode = ElementNode | BoundaryNode;
/** A flow on the canvas. */
export type FlowEdge = Edge<{ readonly flow: Pick<Flow, "from" | "to" | "name"> & Partial<Flow>; readonly from: Box; readonly to: Box; readonly bend: number; readonly names: string; readonly badge: Badge | undefined; readonly ghost: boolean }, "flow">;

/** What a drawing is made of. */
export interface Scene {
  readonly model: Model;
  readonly places: Places;
  readonly selection: ReadonlySet<Key>;
  readonly held: ReadonlyMap<Key, Box>;
  readonly proposal: Proposal | undefined;
}

/** The nodes and edges of one canvas, remembered from one drawing to the next. */
export class Graph {
  #elements = new Map<Key, ElementNode>();
  #boundaries = new Map<Key, BoundaryNode>();
  #flows = new Map<Key, FlowEdge>();
  #nodes: AnyNode[] = [];
  #edges: FlowEdge[] = [];

  /** The nodes of a scene: elements, boundaries, then what is only proposed. */
  nodes(scene: Scene): AnyNode[] {
    const { model, places, selection, held } = scene;
    const boxes = places.elements(model);
    const elements = new Map<Key, ElementNode>();
    for (const element of model.elements) {
      const key = keyOf("elements", element.id);
      const box = held.get(key) ?? boxes.get(element.id);
      if (box !== undefined) elements.set(key, elementNode(key, element, box, selection.has(key), badgeOf(model, key), this.#elements.get(key)));
    }
    const frames = places.boundaries(model);
    const boundaries = new Map<Key, BoundaryNode>();
    for (const boundary of model.trust_boundaries) {
      const key = keyOf("trust_boundaries", boundary.id);
      const box = held.get(key) ?? frames.get(boundary.id);
      if (box !== undefined) boundaries.set(key, boundaryNode(key, boundary, box, selection.has(key), this.#boundaries.get(key)));
    }
    this.#elements = elements;
    this.#boundaries = boundaries;
    return (this.#nodes = kept(this.#nodes, [...elements.values(), ...boundaries.values(), ...ghostNodes(scene)]));
  }

  /** The edges of a scene; where their ends are while they are held, each reads by itself. */
  edges({ model, places, selection, proposal }: Omit<Scene, "held">): FlowEdge[] {
    const boxes = places.elements(model);
    const at = (id: string) => boxes.get(id);
    const flows = new Map<Key, FlowEdge>();
    for (const flow of model.data_flows) {
      const key = keyOf("data_flows", flow.id);
      const [from, to] = [at(flow.from), at(flow.to)];
      if (from === undefined || to === undefined) continue;
      const parts = { flow, from, to, bend: bendOf(model, flow), names: endNames(model, flow), badge: badgeOf(model, key), ghost: false };
      const before = this.#flows.get(key);
      const selected = selection.has(key);
      const isAbove = selected || proposal?.marks.has(key) === true;
      const isSame = before !== undefined && before.selected === selected && before.zIndex === depthOf(isAbove) && sameParts(before.data, parts);
      flows.set(key, isSame ? before : flowEdge(key, parts, selected, isAbove, flowLabel(model, flow, parts.badge)));
    }
    this.#flows = flows;
    const drawn = proposal === undefined || proposal.flows.length === 0 ? boxes : places.preview(model, proposal.elements.map(({ element }) => element));
    const ghosts = (proposal?.flows ?? []).flatMap(({ key, flow }): FlowEdge[] => {
      const [from, to] = [drawn.get(flow.from), drawn.get(flow.to)];
      if (from === undefined || to === undefined) return [];
      const beside = model.data_flows.some((other) => (other.from === flow.from && other.to === flow.to) || (other.from === flow.to && other.to === flow.from));
      return [{ ...flowEdge(key, { flow, from, to, bend: beside ? 48 : 0, names: "", badge: undefined, ghost: true }, false, false, ""), ...UNTOUCHABLE }];
    });
    return (this.#edges = kept(this.#edges, [...flows.values(), ...ghosts]));
  }
}

const UNTOUCHABLE = { selectable: false, focusable: false, draggable: false, deletable: false } as const;
const HANDLE = 12;
const ELEMENT_DEPTH = 1; // flows come after the elements on the page, and lie under them
const roles = editorStrings.canvas.roles;

function elementNode(key: Key, element: Element_, box: Box, selected: boolean, badge: Badge | undefined, before: ElementNode | undefined): ElementNode {
  if (before?.data.element === element && before.data.badge === badge && before.selected === selected && stands(before, box)) return before;
  return {
    ...placed(key, box),
    type: "element",
    handles: handlesOf(box),
    data: before?.data.element === element && before.data.badge === badge ? before.data : { element, badge, ghost: undefined },
    selected,
    zIndex: ELEMENT_DEPTH,
    ariaLabel: elementLabel(element, badge),
    domAttributes: { "aria-roledescription": roles.element },
  };
}

function boundaryNode(key: Key, boundary: Boundary, box: Box, selected: boolean, before: BoundaryNode | undefined): BoundaryNode {
  if (before?.data.name === boundary.name && before.selected === selected && stands(before, box)) return before;
  return {
    ...placed(key, box),
    type: "boundary",
    zIndex: -1,
    connectable: false,
    data: { name: boundary.name, ghost: undefined },
    selected,
    ariaLabel: say(editorStrings.canvas.boundary, { name: clip(boundary.name, 80) }),
    domAttributes: { "aria-roledescription": roles.boundary },
    style: { pointerEvents: "none" }, // its border and its name can be taken hold of; through its middle one reaches the canvas
  };
}

// React Flow need not measure what is as large as the model says
function placed(key: Key, { x, y, width, height }: Box) {
  return { id: key, position: { x, y }, width, height, measured: { width, height } };
}

function ghostNodes({ model, places, proposal }: Scene): AnyNode[] {
  if (proposal === undefined) return [];
  const words = editorStrings.canvas;
  const boxes = places.preview(model, proposal.elements.map(({ element }) => element));
  const elements = [
    ...proposal.elements.map(({ key, element, words: ghost }) => ({ key, element, ghost, box: boxes.get(element.id) })),
    ...proposal.moves.map(({ key, element }) => ({ key, element, ghost: words.proposedMove, box: { ...(element.position ?? { x: 0, y: 0 }), ...extentOf(element.type) } })),
  ];
  return [
    ...elements.flatMap(({ key, element, ghost, box }): AnyNode[] =>
      box === undefined ? [] : [{ ...elementNode(key, element, box, false, undefined, undefined), ...UNTOUCHABLE, connectable: false, data: { element, badge: undefined, ghost } }],
    ),
    ...proposal.boundaries.map(({ key, boundary, words: ghost }, index): AnyNode => {
      const box = boundaryBox(boundary, model.trust_boundaries.length + index, boxes);
      return { ...boundaryNode(key, boundary, box, false, undefined), ...UNTOUCHABLE, data: { name: boundary.name, ghost } };
    }),
  ];
}

function flowEdge(key: Key, data: NonNullable<FlowEdge["data"]>, selected: boolean, isAbove: boolean, label: string): FlowEdge {
  return {
    id: key,
    type: "flow",
    source: keyOf("elements", data.flow.from),
    target: keyOf("elements", data.flow.to),
    sourceHandle: "right",
    targetHandle: "left",
    data,
    selected,
    zIndex: depthOf(isAbove),
    domAttributes: { "aria-roledescription": roles.flow, "aria-describedby": undefined },
    ...(label === "" ? {} : { ariaLabel: label }),
  };
}

// what is selected lies over the handles of the elements it touches, and what is marked can be read
function depthOf(isAbove: boolean): number {
  return isAbove ? ELEMENT_DEPTH + 1 : 0;
}

// the list itself stays the same too where nothing in it changed
function kept<T>(before: T[], now: T[]): T[] {
  return before.length === now.length && before.every((one, index) => one === now[index]) ? before : now;
}

function sameParts(a: FlowEdge["data"], b: NonNullable<FlowEdge["data"]>): boolean {
  return a !== undefined && a.flow === b.flow && a.from === b.from && a.to === b.to && a.bend === b.bend && a.names === b.names && a.badge === b.badge;
}

function stands(node: AnyNode, box: Box): boolean {
  return node.position.x === box.x && node.position.y === box.y && node.width === box.width && node.height === box.height;
}

function elementLabel(element: Element_, badge: Badge | undefined): string {
  const names = { name: clip(element.name, 80) || appStrings.untitled, type: clip(typeName(element.type), 40) };
  return badge === undefined ? say(editorStrings.canvas.node, names) : say(editorStrings.canvas.nodeThreats, { ...names, threats: badgeWords(badge) });
}

// what of a flow's label comes from its ends
function endNames(model: Model, flow: Flow): string {
  return `${byId(model.elements, flow.from)?.name}\n${byId(model.elements, flow.to)?.name}`;
}

function flowLabel(model: Model, flow: Flow, badge: Badge | undefined): string {
  const names = { name: clip(flowName(model, flow), 80), from: clip(elementName(model, flow.from), 60), to: clip(elementName(model, flow.to), 60) };
  return badge === undefined ? say(editorStrings.canvas.flow, names) : say(editorStrings.canvas.flowThreats, { ...names, threats: badgeWords(badge) });
}

/** A badge in words. */
export function badgeWords(badge: Badge): string {
  const threats = count(badge.count, appStrings.sections.threats);
  if (badge.worst === undefined) return say(editorStrings.canvas.threatsHandled, { threats });
  return say(editorStrings.canvas.threatBadge, { threats, severity: (wordFor(appStrings.severities, badge.worst) ?? clip(badge.worst, 20)).toLowerCase() });
}

const handles = new Map<string, NodeHandle[]>();

// React Flow learns where the handles are without measuring, so that what is out of view need not be rendered
function handlesOf({ width, height }: Pick<Box, "width" | "height">): NodeHandle[] {
  const name = `${width} ${height}`;
  let known = handles.get(name);
  if (known === undefined) {
    const half = HANDLE / 2;
    const at = { top: [width / 2, 0], right: [width, height / 2], bottom: [width / 2, height], left: [0, height / 2] } as const;
    known = Object.entries(at).flatMap(([side, [x, y]]) =>
      (["source", "target"] as const).map((type) => ({ id: side, type, position: side as never, x: x - half, y: y - half, width: HANDLE, height: HANDLE })),
    );
    handles.set(name, known);
  }
  return known;
}

/** The shape an element is drawn in, as one word for the style sheet. */
export function lookOf(element: Element_): string {
  return shapeOf(element.type);
}
