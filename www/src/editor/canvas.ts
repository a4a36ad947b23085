// The drawing: elements, flows and boundaries as SVG, moved by mouse or arrow keys. Enters: the document, the
// selection, what a card proposes. Leaves: selections and moves. Draws foreign names as text only.

import { Keyed, attr, h, s, words } from "../dom.ts";
import { asModel, flowName, freePlace, typeName, type Boundary, type Element_, type Flow, type Model, type Point, type Section } from "../model.ts";
import { strings } from "../strings.ts";
import { clip, say, shorten } from "../text.ts";
import { boundaryBox, boxes, route, union, type Box } from "./geometry.ts";
import type { Proposal } from "./proposal.ts";

/** What a person does on the canvas. */
export interface CanvasActions {
  select(section: Section, id: string | undefined): void;
  move(id: string, to: Point): void;
  remove(section: Section, id: string): void;
}

const STORES = new Set(["sql_database", "nosql_database", "cache", "search_index", "object_storage", "file_storage", "data_lake", "backup_service", "secret_manager", "key_management", "data_store"]);
const ACTORS = new Set(["web_browser", "mobile_app", "desktop_app", "iot_device", "api_client", "cli_tool", "external_entity"]);
const STEP = 20;

/** The canvas of the page. */
export class Canvas {
  readonly root: HTMLElement;
  readonly #svg: SVGSVGElement;
  readonly #empty: HTMLElement;
  readonly #boundaries: Keyed<{ boundary: Boundary; box: Box }, SVGGElement>;
  readonly #flows: Keyed<{ flow: Flow; bend: number; name: string }, SVGGElement>;
  readonly #nodes: Keyed<{ element: Element_; box: Box }, SVGGElement>;
  readonly #ghosts: SVGGElement;
  #places = new Map<string, Box>();
  #model: Model = asModel({ metadata: { title: "" }, elements: [], data_flows: [], trust_boundaries: [], threats: [] });
  #selected: string | undefined;
  #proposal: Proposal | undefined;
  #drag: { id: string; from: Point; grip: Point; now: Point; moved: boolean } | undefined;

  constructor(private readonly actions: CanvasActions) {
    const boundaryLayer = s("g", {});
    const flowLayer = s("g", {});
    const nodeLayer = s("g", {});
    this.#ghosts = s("g", { class: "ghosts", "aria-hidden": "true" });
    this.#svg = s("svg", { class: "drawing", role: "group", "aria-label": strings.canvas.label, preserveAspectRatio: "xMidYMid meet" }, arrows(), boundaryLayer, flowLayer, nodeLayer, this.#ghosts);
    this.#empty = h("p", { class: "canvas-empty", hidden: true }, strings.canvas.empty);
    this.root = h("section", { class: "canvas", "aria-label": strings.canvas.label, tabindex: "-1", "data-region": "canvas" }, this.#svg, legend(), this.#empty);
    this.#boundaries = new Keyed(boundaryLayer, ({ boundary }) => boundary.id, boundaryNode, drawBoundary);
    this.#flows = new Keyed(flowLayer, ({ flow }) => flow.id, (item) => this.#flowNode(item.flow.id), (node, item) => this.#drawFlow(node, item));
    this.#nodes = new Keyed(nodeLayer, ({ element }) => element.id, (item) => this.#elementNode(item.element.id), (node, item) => this.#drawElement(node, item));
    this.#svg.addEventListener("pointerdown", (event) => {
      if (event.target === this.#svg) this.actions.select("elements", undefined);
    });
  }

  /** Draws the document. */
  draw(model: Model, selected: string | undefined): void {
    this.#model = model;
    this.#selected = selected;
    this.#redraw();
  }

  /** Draws what a looked-at card proposes, or nothing. */
  propose(proposal: Proposal | undefined): void {
    if (proposal === undefined && this.#proposal === undefined) return;
    this.#proposal = proposal;
    this.#redraw();
  }

  #redraw(): void {
    const model = this.#model;
    this.#places = boxes(model);
    const drag = this.#drag;
    const held = drag === undefined ? undefined : this.#places.get(drag.id);
    if (drag !== undefined && held !== undefined) this.#places.set(drag.id, { ...held, ...drag.now });
    const bounds = model.trust_boundaries.map((boundary, index) => ({ boundary, box: boundaryBox(boundary, index, this.#places) }));
    this.#boundaries.draw(bounds);
    this.#flows.draw(model.data_flows.map((flow) => ({ flow, bend: bendOf(model, flow), name: flowName(model, flow) })));
    this.#nodes.draw(model.elements.flatMap((element) => ({ element, box: this.#places.get(element.id) ?? { x: 0, y: 0, width: 0, height: 0 } })));
    const ghosts = this.#drawGhosts();
    if (drag === undefined) this.#fit([...this.#places.values(), ...bounds.map(({ box }) => box), ...ghosts]);
    this.#empty.hidden = model.elements.length > 0 || ghosts.length > 0;
  }

  #fit(all: readonly Box[]): void {
    const around = union(all) ?? { x: 0, y: 0, width: 800, height: 400 };
    const pad = 36;
    const [width, height] = [Math.max(around.width + 2 * pad, 640), Math.max(around.height + 2 * pad, 320)];
    const x = around.x - (width - around.width) / 2;
    const y = around.y - (height - around.height) / 2;
    attr(this.#svg, "viewBox", `${x} ${y} ${width} ${height}`);
  }

  #elementNode(id: string): SVGGElement {
    const node = s("g", { class: "node", tabindex: "0", role: "button", "data-id": id });
    node.append(
      s("path", { class: "shape" }),
      s("foreignObject", { x: 0, y: 0, width: 172, height: 64 }, h("div", { class: "node-text" }, h("div", { class: "node-name", dir: "auto" }), h("div", { class: "node-type" }))),
      s("text", { class: "node-mark", x: 86, y: -8, "text-anchor": "middle" }),
    );
    node.addEventListener("focus", () => this.actions.select("elements", id));
    node.addEventListener("pointerdown", (event) => this.#grab(event, node, id));
    node.addEventListener("pointermove", (event) => this.#pull(event));
    node.addEventListener("pointerup", () => this.#drop());
    node.addEventListener("pointercancel", () => this.#release());
    node.addEventListener("keydown", (event) => this.#key(event, id));
    return node;
  }

  #drawElement(node: SVGGElement, { element, box }: { element: Element_; box: Box }): void {
    const [shape, holder, mark] = [node.children[0], node.children[1], node.children[2]];
    const role = STORES.has(element.type) ? "store" : ACTORS.has(element.type) ? "actor" : "service";
    attr(node, "transform", `translate(${box.x} ${box.y})`);
    attr(node, "data-role", role);
    attr(node, "data-selected", this.#selected === element.id);
    attr(node, "aria-pressed", this.#selected === element.id ? "true" : "false");
    attr(node, "aria-label", say(strings.canvas.node, { name: clip(element.name, 80), type: clip(typeName(element.type), 40) }));
    if (shape !== undefined) attr(shape, "d", outline(role));
    const text = holder?.firstElementChild;
    if (text?.children[0] !== undefined) words(text.children[0], shorten(element.name, 60));
    if (text?.children[1] !== undefined) words(text.children[1], shorten(typeName(element.type), 40));
    this.#mark(node, element.id, mark);
  }

  #flowNode(id: string): SVGGElement {
    const node = s("g", { class: "flow", "data-id": id });
    node.append(s("path", { class: "flow-hit" }), s("path", { class: "flow-line", "marker-end": "url(#arrow)" }), s("text", { class: "flow-label", "text-anchor": "middle" }), s("text", { class: "flow-mark", "text-anchor": "middle" }));
    node.addEventListener("pointerdown", () => this.actions.select("data_flows", id));
    return node;
  }

  #drawFlow(node: SVGGElement, { flow, bend, name }: { flow: Flow; bend: number; name: string }): void {
    const [hit, line, label, mark] = [...node.children];
    const [from, to] = [this.#places.get(flow.from), this.#places.get(flow.to)];
    attr(node, "display", from === undefined || to === undefined ? "none" : null);
    if (from === undefined || to === undefined || hit === undefined || line === undefined || label === undefined) return;
    const drawn = route(from, to, bend);
    attr(hit, "d", drawn.path);
    attr(line, "d", drawn.path);
    attr(label, "x", String(drawn.label.x));
    attr(label, "y", String(drawn.label.y - 7));
    if (mark !== undefined) {
      attr(mark, "x", String(drawn.label.x));
      attr(mark, "y", String(drawn.label.y + 15));
    }
    words(label, shorten(flow.name === "" ? flow.protocol : flow.name, drawn.room));
    attr(node, "aria-label", clip(name, 80));
    attr(node, "data-selected", this.#selected === flow.id);
    attr(node, "data-open", !flow.authenticated);
    this.#mark(node, flow.id, mark);
  }

  #mark(node: SVGGElement, id: string, mark: Element | undefined): void {
    const removed = this.#proposal?.removed.has(id) ?? false;
    const changed = this.#proposal?.changed.has(id) ?? false;
    attr(node, "data-removed", removed);
    attr(node, "data-changed", changed && !removed);
    // a flow that goes with its element is struck out; the words stand at the element alone
    const said = removed && node.classList.contains("flow") && [...(this.#proposal?.removed ?? [])].some((other) => this.#places.has(other)) ? "" : undefined;
    if (mark !== undefined) words(mark, said ?? (removed ? strings.canvas.proposedRemove : changed ? strings.canvas.proposedChange : ""));
  }

  #drawGhosts(): Box[] {
    this.#ghosts.replaceChildren();
    if (this.#proposal === undefined) return [];
    const drawn: Box[] = [];
    const spare = freePlace(this.#model);
    for (const ghost of this.#proposal.elements) {
      const box = { ...(ghost.position ?? spare), width: 172, height: 64 };
      const role = STORES.has(ghost.type) ? "store" : ACTORS.has(ghost.type) ? "actor" : "service";
      drawn.push(box);
      this.#ghosts.append(
        s("g", { class: "node ghost", transform: `translate(${box.x} ${box.y})`, "data-role": role },
          s("path", { class: "shape", d: outline(role) }),
          s("foreignObject", { x: 0, y: 0, width: 172, height: 64 }, h("div", { class: "node-text" }, h("div", { class: "node-name", dir: "auto" }, shorten(ghost.name, 60)), h("div", { class: "node-type" }, strings.canvas.proposedAdd))),
        ),
      );
    }
    for (const ghost of this.#proposal.flows) {
      const [from, to] = [this.#places.get(ghost.from), this.#places.get(ghost.to)];
      if (from === undefined || to === undefined) continue;
      const line = route(from, to, this.#model.data_flows.some((flow) => joins(flow, ghost.from, ghost.to)) ? 44 : 0);
      this.#ghosts.append(
        s("g", { class: "flow ghost" }, s("path", { class: "flow-line", d: line.path, "marker-end": "url(#arrow-new)" }), s("text", { class: "flow-label", x: line.label.x, y: line.label.y - 7, "text-anchor": "middle" }, shorten(ghost.name, line.room))),
      );
    }
    return drawn;
  }

  #grab(event: PointerEvent, node: SVGGElement, id: string): void {
    const place = this.#places.get(id);
    if (event.button !== 0 || place === undefined) return;
    node.setPointerCapture(event.pointerId);
    this.#drag = { id, from: place, grip: this.#point(event), now: { x: place.x, y: place.y }, moved: false };
  }

  #pull(event: PointerEvent): void {
    const drag = this.#drag;
    if (drag === undefined) return;
    const point = this.#point(event);
    const [dx, dy] = [point.x - drag.grip.x, point.y - drag.grip.y];
    if (!drag.moved && Math.hypot(dx, dy) < 5) return;
    drag.moved = true;
    drag.now = { x: drag.from.x + dx, y: drag.from.y + dy };
    this.#redraw();
  }

  #drop(): void {
    const drag = this.#drag;
    this.#drag = undefined;
    if (drag?.moved === true) this.actions.move(drag.id, drag.now);
  }

  #release(): void {
    this.#drag = undefined;
    this.#redraw();
  }

  #key(event: KeyboardEvent, id: string): void {
    const steps: Record<string, Point> = { ArrowLeft: { x: -STEP, y: 0 }, ArrowRight: { x: STEP, y: 0 }, ArrowUp: { x: 0, y: -STEP }, ArrowDown: { x: 0, y: STEP } };
    const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
    const place = this.#places.get(id);
    if (step !== undefined && place !== undefined && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      event.stopPropagation();
      this.actions.move(id, { x: place.x + step.x, y: place.y + step.y });
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.actions.remove("elements", id);
    }
  }

  #point(event: PointerEvent): Point {
    const matrix = this.#svg.getScreenCTM();
    if (matrix === null) return { x: event.clientX, y: event.clientY };
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { x: point.x, y: point.y };
  }
}

function joins(flow: Flow, a: string, b: string): boolean {
  return (flow.from === a && flow.to === b) || (flow.from === b && flow.to === a);
}

// the second line between the same two nodes bows out, the third further, and each direction to its own side
function bendOf(model: Model, flow: Flow): number {
  const beside = model.data_flows.filter((other) => joins(other, flow.from, flow.to));
  const index = beside.findIndex((other) => other.id === flow.id);
  return index <= 0 && beside.length < 2 ? 0 : 36 * (index + 1);
}

function boundaryNode(): SVGGElement {
  return s("g", { class: "boundary" }, s("rect", { rx: 14 }), s("text", {}));
}

function drawBoundary(node: SVGGElement, { boundary, box }: { boundary: Boundary; box: Box }): void {
  const [rect, label] = [node.children[0], node.children[1]];
  if (rect === undefined || label === undefined) return;
  for (const key of ["x", "y", "width", "height"] as const) attr(rect, key, String(box[key]));
  attr(label, "x", String(box.x + 14));
  attr(label, "y", String(box.y + 22));
  words(label, shorten(boundary.name, Math.max(8, Math.floor(box.width / 8))));
}

function outline(role: "store" | "actor" | "service"): string {
  if (role === "actor") return "M0,0H172V64H0Z";
  if (role === "store") return "M0,8C0,-2.7 172,-2.7 172,8V56C172,66.7 0,66.7 0,56ZM0,8C0,18.7 172,18.7 172,8";
  return "M12,0H160A12,12 0 0 1 172,12V52A12,12 0 0 1 160,64H12A12,12 0 0 1 0,52V12A12,12 0 0 1 12,0Z";
}

function legend(): HTMLElement {
  return h("p", { class: "legend" }, s("svg", { viewBox: "0 0 28 8", "aria-hidden": "true" }, s("path", { class: "flow-line", d: "M0,4H28", "stroke-dasharray": "5 4" })), strings.canvas.legend);
}

function arrows(): SVGDefsElement {
  const marker = (id: string) =>
    s("marker", { id, viewBox: "0 0 10 10", refX: 2, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, s("path", { d: "M0,1L9,5L0,9Z" }));
  return s("defs", {}, marker("arrow"), marker("arrow-new"));
}
