// Where lines and boxes run on the canvas. Enters: places and extents. Leaves: paths and boxes. Pure.

import type { Extent, Point } from "../model.ts";

/** A rectangle. */
export interface Box extends Point, Extent {}

/** A side of a node, which a line may be tied to. */
export type Side = "top" | "right" | "bottom" | "left";

/** One drawn flow: its line, its two ends, and where its label stands. */
export interface Route {
  readonly path: string;
  readonly start: Point;
  readonly end: Point;
  readonly label: Point;
  /** How many characters the label has room for. */
  readonly room: number;
}

const NORMALS: Readonly<Record<Side, Point>> = { top: { x: 0, y: -1 }, right: { x: 1, y: 0 }, bottom: { x: 0, y: 1 }, left: { x: -1, y: 0 } };
const ARROW = 9;
const GAP = 3;

/** The side a document names, where it names one. */
export function sideOf(handle: string | undefined): Side | undefined {
  return handle !== undefined && Object.hasOwn(NORMALS, handle) ? (handle as Side) : undefined;
}

/** The middle of a box. */
export function centre(box: Box): Point {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Whether a point lies in a box. */
export function holds(box: Box, point: Point): boolean {
  return point.x >= box.x && point.x <= box.x + box.width && point.y >= box.y && point.y <= box.y + box.height;
}

/** Whether two boxes are the same. */
export function isSameBox(a: Box, b: Box): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/** The line from one node to the other: from side to side where sides are named, else straight; `bend` keeps several apart. */
export function route(from: Box, to: Box, bend: number, fromSide?: Side, toSide?: Side): Route {
  if (fromSide !== undefined || toSide !== undefined) return curve(from, to, fromSide, toSide);
  if (from.x === to.x && from.y === to.y) return loop(from);
  const [a, b] = [centre(from), centre(to)];
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const normal = { x: -(b.y - a.y) / length, y: (b.x - a.x) / length };
  const middle = { x: (a.x + b.x) / 2 + normal.x * bend, y: (a.y + b.y) / 2 + normal.y * bend };
  const start = edge(from, middle, GAP);
  const end = edge(to, middle, ARROW);
  const path = bend === 0 ? `M${at(start)}L${at(end)}` : `M${at(start)}Q${at(middle)} ${at(end)}`;
  const label = bend === 0 ? mid(start, end) : mid(mid(start, end), middle);
  return { path, start, end, label, room: roomOf(start, end) };
}

/** Where words of this width beside a label are not hidden: below it, above it, or beside it; below it where all is taken. */
export function freeSpot(label: Point, width: number, below: number, beside: number, boxes: Iterable<Box>): Point {
  const spots = [{ x: 0, y: below }, { x: 0, y: -28 }, { x: beside + width / 2, y: 4 }, { x: -beside - width / 2, y: 4 }];
  const free = new Set(spots);
  for (const box of boxes) {
    for (const spot of free) {
      const [x, y] = [label.x + spot.x, label.y + spot.y];
      if (x + width / 2 > box.x && x - width / 2 < box.x + box.width && y + 10 > box.y && y - 20 < box.y + box.height) free.delete(spot);
    }
  }
  const [first] = free;
  return first ?? { x: 0, y: below };
}

/** The box around boxes. */
export function union(all: Iterable<Box>): Box | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of all) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + box.width);
    bottom = Math.max(bottom, box.y + box.height);
  }
  return left === Infinity ? undefined : { x: left, y: top, width: right - left, height: bottom - top };
}

function curve(from: Box, to: Box, fromSide: Side | undefined, toSide: Side | undefined): Route {
  const out = fromSide ?? facing(from, centre(to));
  const into = toSide ?? facing(to, centre(from));
  const start = onSide(from, out, GAP);
  const end = onSide(to, into, ARROW);
  const reach = Math.max(30, Math.min(160, Math.hypot(end.x - start.x, end.y - start.y) / 2.5));
  const [a, b] = [along(start, out, reach), along(end, into, reach)];
  const label = { x: (start.x + 3 * a.x + 3 * b.x + end.x) / 8, y: (start.y + 3 * a.y + 3 * b.y + end.y) / 8 };
  return { path: `M${at(start)}C${at(a)} ${at(b)} ${at(end)}`, start, end, label, room: roomOf(start, end) };
}

function onSide(box: Box, side: Side, gap: number): Point {
  const [middle, normal] = [centre(box), NORMALS[side]];
  return { x: middle.x + normal.x * (box.width / 2 + gap), y: middle.y + normal.y * (box.height / 2 + gap) };
}

function along(point: Point, side: Side, reach: number): Point {
  return { x: point.x + NORMALS[side].x * reach, y: point.y + NORMALS[side].y * reach };
}

function facing(box: Box, towards: Point): Side {
  const from = centre(box);
  const [dx, dy] = [(towards.x - from.x) / box.width, (towards.y - from.y) / box.height];
  if (Math.abs(dx) > Math.abs(dy)) return dx > 0 ? "right" : "left";
  return dy > 0 ? "bottom" : "top";
}

// along a level line the label must fit between the nodes; a steep one leaves room at both sides
function roomOf(start: Point, end: Point): number {
  return Math.abs(end.y - start.y) < 40 ? Math.max(6, Math.floor(Math.abs(end.x - start.x) / 6.3)) : 28;
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
  const [start, end] = [{ x: x + GAP, y: y - 12 }, { x: x + ARROW, y: y + 12 }];
  return { path: `M${at(start)}C${x + 56},${y - 40} ${x + 56},${y + 40} ${at(end)}`, start, end, label: { x: x + 48, y }, room: 20 };
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
