// The keys of the drawing. Enters: a key press and what it was pressed on. Leaves: acts on the workspace; says whether
// the key was one of them. Never called while the person types.

import { byId } from "../by-id.ts";
import { editorStrings } from "../strings/editor.ts";
import type { Point } from "../model.ts";
import { centre, union, type Box } from "./geometry.ts";
import { idsOf, keyOf, refOf, sectionOf, type Key } from "./key.ts";

import { NODE, SMALLEST } from "./places.ts";
import { isBox, type Workspace } from "./workspace.tsx";

const STEP = 20;
const FINE = 4;
const ARROWS: ReadonlyMap<string, Point> = new Map([
  ["ArrowLeft", { x: -1, y: 0 }],
  ["ArrowRight", { x: 1, y: 0 }],
  ["ArrowUp", { x: 0, y: -1 }],
  ["ArrowDown", { x: 0, y: 1 }],
]);

/** What a key press says. */
export interface Press {
  readonly key: string;
  readonly shift: boolean;
  /** Control, or Command. */
  readonly command: boolean;
  readonly alt: boolean;
}

/** A key press, as the drawing reads it. */
export function pressOf(event: { readonly key: string; readonly shiftKey: boolean; readonly ctrlKey: boolean; readonly metaKey: boolean; readonly altKey: boolean }): Press {
  return { key: event.key, shift: event.shiftKey, command: event.ctrlKey || event.metaKey, alt: event.altKey };
}

/** Acts on a key; `focused` is what it was pressed on. */
export function pressed(workspace: Workspace, press: Press, focused: Key | undefined): boolean {
  const arrow = ARROWS.get(press.key);
  if (arrow !== undefined) return arrowPressed(workspace, press, arrow, focused);
  const subject = workspace.subject(focused);
  if (press.command) return commandPressed(workspace, press, subject);
  if (press.alt) return false;
  switch (press.key) {
    case "Enter":
    case "F2":
      return rename(workspace, focused ?? [...subject][0]);
    case "Delete":
    case "Backspace":
      if (subject.size > 0) workspace.remove(subject);
      return true;
    case " ":
      if (focused !== undefined) workspace.toggle(focused);
      return focused !== undefined;
    case "Escape":
      workspace.release();
      workspace.select();
      return true;
  }
  switch (press.key.toLowerCase()) {
    case "n":
      addElement(workspace, "process", editorStrings.fresh.process);
      return true;
    case "b":
      addBoundary(workspace);
      return true;
    case "c":
      connect(workspace, focused);
      return true;
    case "t":
      workspace.settle();
      workspace.addThreat(subject);
      return true;
  }
  return false;
}

/** Adds an element near the selection or in the middle of the view, and lets the person name it. */
export function addElement(workspace: Workspace, type: string, name: string): void {
  workspace.settle();
  const key = workspace.edits.addElement(type, name, spot(workspace));
  if (key !== undefined) workspace.rename(key);
}

/** Adds a boundary around the selected elements, or an empty one in the middle of the view. */
export function addBoundary(workspace: Workspace): void {
  workspace.settle();
  const members = [...idsOf(workspace.selection.value, "elements")];
  const around = union(members.flatMap((id) => workspace.boxOf(keyOf("elements", id)) ?? []));
  const middle = workspace.view?.middle() ?? { x: 200, y: 150 };
  const box = around === undefined ? { x: middle.x - 200, y: middle.y - 150, width: 400, height: 300 } : { x: around.x - 28, y: around.y - 40, width: around.width + 56, height: around.height + 64 };
  const key = workspace.edits.addBoundary(box, members);
  if (key !== undefined) workspace.rename(key);
}

/** Starts a connection from the focused or the selected element. */
export function connect(workspace: Workspace, focused: Key | undefined): void {
  const from = focused !== undefined && sectionOf(focused) === "elements" ? refOf(focused).id : [...idsOf(workspace.selection.value, "elements")][0];
  if (from === undefined) workspace.announcer.note(editorStrings.canvas.selectElement);
  else workspace.connectFrom(from);
}

/** Copies what is selected, and selects the copies. */
export function duplicate(workspace: Workspace, subject: ReadonlySet<Key>): void {
  workspace.settle();
  const copies = workspace.edits.duplicate(subject);
  if (copies.size > 0) workspace.select(...copies);
}

function commandPressed(workspace: Workspace, press: Press, subject: ReadonlySet<Key>): boolean {
  switch (press.key.toLowerCase()) {
    case "d":
      duplicate(workspace, subject);
      return true;
    case "a": {
      const { elements, trust_boundaries } = workspace.model.value;
      workspace.select(...elements.map(({ id }) => keyOf("elements", id)), ...trust_boundaries.map(({ id }) => keyOf("trust_boundaries", id)));
      return true;
    }
  }
  return false;
}

function arrowPressed(workspace: Workspace, press: Press, arrow: Point, focused: Key | undefined): boolean {
  if (press.alt) return neighbour(workspace, arrow, focused);
  const step = press.shift ? FINE : STEP;
  const by = { x: arrow.x * step, y: arrow.y * step };
  const subject = workspace.subject(focused);
  if (subject.size === 0) return false;
  const boxes = new Map<Key, Box>();
  for (const key of subject) {
    const box = isBox(key) ? workspace.boxOf(key) : labelOf(workspace, key);
    if (box === undefined) continue;
    if (!press.command) boxes.set(key, { ...box, x: box.x + by.x, y: box.y + by.y });
    else if (sectionOf(key) === "trust_boundaries") boxes.set(key, { ...box, width: Math.max(SMALLEST.width, box.width + by.x), height: Math.max(SMALLEST.height, box.height + by.y) });
  }
  // a label moves when nothing else does: lines follow their elements by themselves
  if ([...boxes.keys()].some(isBox)) for (const key of [...boxes.keys()]) if (!isBox(key)) boxes.delete(key);
  if (boxes.size > 0) workspace.nudge(boxes, !press.command);
  return true;
}

function labelOf(workspace: Workspace, key: Key): Box | undefined {
  const flow = byId(workspace.model.value.data_flows, refOf(key).id);
  return flow === undefined ? undefined : (workspace.held.value.get(key) ?? { x: 0, y: 0, ...flow.label_offset, width: 0, height: 0 });
}

// the nearest element in a direction, with what lies off to the side counting as further away
function neighbour(workspace: Workspace, arrow: Point, focused: Key | undefined): boolean {
  const from = focused === undefined ? undefined : workspace.boxOf(focused);
  const start = from === undefined ? (workspace.view?.middle() ?? { x: 0, y: 0 }) : centre(from);
  let best: { key: Key; cost: number } | undefined;
  for (const [id, box] of workspace.places.elements(workspace.model.value)) {
    const key = keyOf("elements", id);
    const to = centre(box);
    const ahead = (to.x - start.x) * arrow.x + (to.y - start.y) * arrow.y;
    const aside = Math.abs((to.x - start.x) * arrow.y) + Math.abs((to.y - start.y) * arrow.x);
    if (key === focused || ahead <= 1) continue;
    const cost = ahead + 2 * aside;
    if (best === undefined || cost < best.cost) best = { key, cost };
  }
  if (best !== undefined) workspace.go(best.key);
  return true;
}

function rename(workspace: Workspace, key: Key | undefined): boolean {
  if (key === undefined) return false;
  workspace.settle();
  workspace.rename(key);
  return true;
}

function spot(workspace: Workspace): Point {
  const [element] = idsOf(workspace.selection.value, "elements");
  const box = element === undefined ? undefined : workspace.boxOf(keyOf("elements", element));
  if (box !== undefined) return { x: box.x + NODE.width + 80, y: box.y };
  const middle = workspace.view?.middle() ?? { x: 200, y: 150 };
  return { x: middle.x - NODE.width / 2, y: middle.y - NODE.height / 2 };
}

/** The kinds of element that can be drawn at once, and the type each gets. */
export const KINDS = [
  { kind: "process", type: "process", key: "N" },
  { kind: "store", type: "data_store", key: undefined },
  { kind: "external", type: "external_entity", key: undefined },
  { kind: "text", type: "text", key: undefined },
] as const;
