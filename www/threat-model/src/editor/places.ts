// Where everything stands: its own place, or one the editor finds and then keeps for as long as the document is open.
// Enters: the model. Leaves: boxes; a box that did not change stays the same object.

import type { Boundary, Element_, Extent, Model, Point } from "../model.ts";
import { shapeOf } from "../catalog.ts";
import { isSameBox, union, type Box } from "./geometry.ts";

/** An element's extent on the canvas. */
export const NODE: Extent = { width: 172, height: 64 };
/** The smallest a boundary can be made. */
export const SMALLEST: Extent = { width: 120, height: 80 };

const NOTE: Extent = { width: 172, height: 44 };
const BOUNDARY: Extent = { width: 400, height: 300 };
const MARGIN = { side: 28, top: 40, bottom: 24 };
const CELL = 100; // of the hash that finds neighbours
const CLEAR: Point = { x: 20, y: 24 }; // kept free around an element that is given a place

/** The places of one open document. */
export class Places {
  readonly #found = new Map<string, Point>();
  #elements: { section: readonly Element_[]; boxes: ReadonlyMap<string, Box> } | undefined;
  #boundaries: { section: readonly Boundary[]; elements: ReadonlyMap<string, Box>; boxes: ReadonlyMap<string, Box> } | undefined;

  /** The box of every element. */
  elements(model: Pick<Model, "elements">): ReadonlyMap<string, Box> {
    const before = this.#elements;
    if (before?.section === model.elements) return before.boxes;
    const homeless: number[] = [];
    const boxes = new Map<string, Box>();
    model.elements.forEach((element, index) => {
      const place = element.position ?? this.#found.get(element.id);
      if (place === undefined) homeless.push(index);
      boxes.set(element.id, same(before?.boxes.get(element.id), { ...(place ?? { x: 0, y: 0 }), ...extentOf(element.type) }));
    });
    if (homeless.length > 0) settle(model.elements, homeless, boxes, this.#found);
    this.#elements = { section: model.elements, boxes };
    return boxes;
  }

  /** The box of every boundary: its own, the one around its members, or the editor's default for its number. */
  boundaries(model: Pick<Model, "elements" | "trust_boundaries">): ReadonlyMap<string, Box> {
    const elements = this.elements(model);
    const before = this.#boundaries;
    if (before?.section === model.trust_boundaries && before.elements === elements) return before.boxes;
    const boxes = new Map<string, Box>();
    model.trust_boundaries.forEach((boundary, index) => boxes.set(boundary.id, same(before?.boxes.get(boundary.id), boundaryBox(boundary, index, elements))));
    this.#boundaries = { section: model.trust_boundaries, elements, boxes };
    return boxes;
  }

  /** A place near `around` where an element covers no other. */
  near(model: Model, around: Point): Point {
    const taken = new Neighbours(this.elements(model).values());
    const start = { x: Math.round(around.x / 20) * 20, y: Math.round(around.y / 20) * 20 };
    for (let ring = 0; ring < 60; ring += 1) {
      for (const [dx, dy] of ringOf(ring)) {
        const spot = { x: start.x + dx * (NODE.width + 68), y: start.y + dy * (NODE.height + 56) };
        if (taken.free({ ...spot, ...NODE })) return spot;
      }
    }
    return start;
  }

  /** Where elements would stand if they were added now; keeps nothing. */
  preview(model: Pick<Model, "elements">, added: readonly Element_[]): ReadonlyMap<string, Box> {
    const all = [...model.elements, ...added];
    const boxes = new Map(this.elements(model));
    const homeless: number[] = [];
    added.forEach((element, index) => {
      if (element.position === undefined) homeless.push(model.elements.length + index);
      boxes.set(element.id, { ...(element.position ?? { x: 0, y: 0 }), ...extentOf(element.type) });
    });
    settle(all, homeless, boxes, new Map());
    return boxes;
  }
}

/** An element's extent, by its type. */
export function extentOf(type: string): Extent {
  return shapeOf(type) === "text" ? NOTE : NODE;
}

/** The box of one boundary over given elements. */
export function boundaryBox(boundary: Pick<Boundary, "contains" | "position" | "size">, index: number, elements: ReadonlyMap<string, Box>): Box {
  const { position, size } = boundary;
  if (position !== undefined && size !== undefined) return { ...position, ...size };
  const around = union(boundary.contains.flatMap((id) => elements.get(id) ?? []));
  if (around !== undefined && position === undefined) {
    return { x: around.x - MARGIN.side, y: around.y - MARGIN.top, width: around.width + 2 * MARGIN.side, height: around.height + MARGIN.top + MARGIN.bottom };
  }
  return { ...(position ?? { x: 50 + 450 * index, y: 50 }), ...(size ?? BOUNDARY) };
}

/** Whether a boundary stands where it was put, and not just around its members. */
export function isPlaced(boundary: Boundary): boolean {
  return boundary.position !== undefined;
}

// the default for its number, or where that is taken the next that is not; kept in `found`, so that nothing jumps later
function settle(elements: readonly Element_[], homeless: readonly number[], boxes: Map<string, Box>, found: Map<string, Point>): void {
  const settled = new Set(homeless.map((index) => elements[index]?.id));
  const taken = new Neighbours([...boxes].flatMap(([id, box]) => (settled.has(id) ? [] : [box])));
  for (const index of homeless) {
    const element = elements[index];
    if (element === undefined) continue;
    let box: Box;
    let slot = index;
    do {
      box = { x: 100 + 250 * (slot % 4), y: 100 + 200 * Math.floor(slot / 4), ...extentOf(element.type) };
      slot += 1;
    } while (!taken.free(box));
    taken.add(box);
    found.set(element.id, { x: box.x, y: box.y });
    boxes.set(element.id, box);
  }
}

// Boxes by the cells they touch: whether a place is free costs the same in a large drawing as in a small one.
class Neighbours {
  readonly #cells = new Map<string, Box[]>();

  constructor(boxes: Iterable<Box>) {
    for (const box of boxes) this.add(box);
  }

  add(box: Box): void {
    for (const cell of cellsOf(box)) {
      const there = this.#cells.get(cell);
      if (there === undefined) this.#cells.set(cell, [box]);
      else there.push(box);
    }
  }

  free(box: Box): boolean {
    const wide = { x: box.x - CLEAR.x, y: box.y - CLEAR.y, width: box.width + 2 * CLEAR.x, height: box.height + 2 * CLEAR.y };
    return cellsOf(wide).every((cell) => (this.#cells.get(cell) ?? []).every((other) => !overlap(wide, other)));
  }
}

function cellsOf(box: Box): string[] {
  const cells: string[] = [];
  for (let x = Math.floor(box.x / CELL); x <= Math.floor((box.x + box.width) / CELL); x += 1)
    for (let y = Math.floor(box.y / CELL); y <= Math.floor((box.y + box.height) / CELL); y += 1) cells.push(`${x},${y}`);
  return cells;
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function ringOf(ring: number): [number, number][] {
  if (ring === 0) return [[0, 0]];
  const spots: [number, number][] = [];
  for (let step = -ring; step <= ring; step += 1) spots.push([ring, step], [step, ring], [-ring, step], [step, -ring]);
  return spots.sort(([ax, ay], [bx, by]) => Math.abs(ax) + Math.abs(ay) - Math.abs(bx) - Math.abs(by));
}

function same(before: Box | undefined, now: Box): Box {
  return before !== undefined && isSameBox(before, now) ? before : now;
}
