// Where lines and boxes run on the canvas. Enters: places and extents. Leaves: paths and boxes. Pure.

import { NODE, placeOf, type Boundary, type Extent, type Model, type Point } from "../model.ts";

/** A rectangle. */
export interface Box extends Point, Extent {}

/** One drawn flow: its line, and where its label stands. */
export interface Route {
  readonly path: string;
  readonly label: Point;
  /** How many characters the label has room for. */
  readonly room: number;
}

const centre = (box: Box): Point => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

/** Where every element stands. */
export function boxes(model: Pick<Model, "elements">): Map<string, Box> {
  return new Map(model.elements.map((element, index) => [element.id, { ...placeOf(element, index), ...NODE }]));
}

/** The line from one node's edge to the other's; `bend` keeps two lines between the same nodes apart. */
export function route(from: Box, to: Box, bend: number): Route {
  if (from.x === to.x && from.y === to.y) return loop(from);
  const [a, b] = [centre(from), centre(to)];
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const normal = { x: -(b.y - a.y) / length, y: (b.x - a.x) / length };
  const middle = { x: (a.x + b.x) / 2 + normal.x * bend, y: (a.y + b.y) / 2 + normal.y * bend };
  const start = edge(from, middle, 3);
  const end = edge(to, middle, 9);
  const path = bend === 0 ? `M${at(start)}L${at(end)}` : `M${at(start)}Q${at(middle)} ${at(end)}`;
  const label = bend === 0 ? mid(start, end) : mid(mid(start, end), middle);
  // along a level line the label must fit between the nodes; a steep one leaves room at both sides
  const level = Math.abs(end.y - start.y) < 40;
  const room = level ? Math.max(6, Math.floor(Math.abs(end.x - start.x) / 6.3)) : 28;
  return { path, label, room };
}

/** The box of a boundary: its own, or the one around its members. */
export function boundaryBox(boundary: Boundary, index: number, places: ReadonlyMap<string, Box>): Box {
  const own = boundary.position;
  if (own !== undefined && boundary.size !== undefined) return { ...own, ...boundary.size };
  const members = boundary.contains.flatMap((id) => places.get(id) ?? []);
  const around = union(members);
  if (around !== undefined) return { x: around.x - 28, y: around.y - 40, width: around.width + 56, height: around.height + 64 };
  return { ...(own ?? { x: 50 + 450 * index, y: 50 }), ...(boundary.size ?? { width: 400, height: 300 }) };
}

/** The box around boxes. */
export function union(all: readonly Box[]): Box | undefined {
  const [first, ...rest] = all;
  if (first === undefined) return undefined;
  let [left, top, right, bottom] = [first.x, first.y, first.x + first.width, first.y + first.height];
  for (const box of rest) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + box.width);
    bottom = Math.max(bottom, box.y + box.height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function edge(box: Box, towards: Point, gap: number): Point {
  const from = centre(box);
  const [dx, dy] = [towards.x - from.x, towards.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const scale = Math.min(dx === 0 ? Infinity : box.width / 2 / Math.abs(dx), dy === 0 ? Infinity : box.height / 2 / Math.abs(dy));
  const reach = Number.isFinite(scale) ? scale + gap / length : 0;
  return { x: from.x + dx * reach, y: from.y + dy * reach };
}

function loop(box: Box): Route {
  const [x, y] = [box.x + box.width, box.y + box.height / 2];
  return { path: `M${x + 3},${y - 12}C${x + 56},${y - 40} ${x + 56},${y + 40} ${x + 9},${y + 12}`, label: { x: x + 48, y }, room: 20 };
}

function mid(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function at(point: Point): string {
  return `${round(point.x)},${round(point.y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
