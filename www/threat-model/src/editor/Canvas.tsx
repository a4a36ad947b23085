// The drawing: elements, flows and boundaries on React Flow, by mouse, touch and keyboard. Enters: the workspace.
// Leaves: what the person selects, moves and connects. Draws foreign names as text only.

import {
  ConnectionMode,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useReactFlow,
  type Connection,
  type EdgeChange,
  type FinalConnectionState,
  type NodeChange,
  type Viewport,
} from "@xyflow/react";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type FocusEvent, type KeyboardEvent, type ReactNode, type RefObject } from "react";

import { byId } from "../by-id.ts";
import { useCell } from "../cell.ts";
import { remembered, remember } from "../app/memory.ts";
import { editorStrings } from "../strings/editor.ts";
import { pressOf, pressed, type Press } from "./canvas-keys.ts";
import { Arrows, FlowView } from "./edges.tsx";
import { centre, isSameBox, sideOf, type Box } from "./geometry.ts";
import { Graph, type AnyNode, type FlowEdge } from "./graph.ts";
import { refOf, sectionOf, type Key } from "./key.ts";

import { Minimap } from "./Minimap.tsx";
import { BoundaryView, ElementView } from "./nodes.tsx";
import { Toolbar, ViewTools } from "./Toolbar.tsx";
import { useWorkspace, type View, type Workspace } from "./workspace.tsx";

const NODES = { element: ElementView, boundary: BoundaryView };
const EDGES = { flow: FlowView };
const GRID = 20;
const AT_ONCE = 32; // as many new things as one frame has time for
const ALL_RENDERED = 400; // up to here everything is rendered, so that Tab reaches all of it
const FURTHEST = { few: 0.05, many: 0.2 }; // the map shows the whole of a large model
const FIT = { padding: 0.12, maxZoom: 1.1 };
const MULTI = ["Meta", "Control", "Shift"];

/** The canvas of the page. */
export function Canvas(): ReactNode {
  return (
    <ReactFlowProvider>
      <Drawing />
    </ReactFlowProvider>
  );
}

function Drawing(): ReactNode {
  const workspace = useWorkspace();
  const model = useCell(workspace.model);
  const selection = useCell(workspace.selection);
  const held = useCell(workspace.held);
  const proposal = useCell(workspace.proposal);
  const [snaps, setSnaps] = useState(() => remembered("snap") === "yes");
  const [hasMap, setHasMap] = useState(() => remembered("map") !== "no");
  const [initial] = useState(() => viewportOf(workspace));
  const root = useRef<HTMLElement>(null);
  const flow = useReactFlow();
  const graph = useMemo(() => new Graph(), []);
  const scene = { model, places: workspace.places, selection, held, proposal };
  const all = useMemo(() => graph.nodes(scene), [graph, model, selection, held, proposal]);
  const between = useMemo(() => graph.edges(scene), [graph, model, selection, proposal]);
  const nodes = useGrowing(all);
  const edges = useMemo(() => (nodes === all ? between : amongst(nodes, between)), [nodes, all, between]);

  const isLarge = useLarge(all.length > ALL_RENDERED);

  const onNodesChange = useCallback((changes: NodeChange<AnyNode>[]) => takeNodes(workspace, changes), [workspace]);
  const onEdgesChange = useCallback((changes: EdgeChange<FlowEdge>[]) => takeSelection(workspace, changes), [workspace]);
  const settle = useCallback(() => workspace.settle(), [workspace]);
  const onConnect = useCallback((made: Connection) => {
    workspace.edits.connect(refOf(made.source).id, refOf(made.target).id, { source_handle: sideOf(made.sourceHandle ?? undefined), target_handle: sideOf(made.targetHandle ?? undefined) });
  }, [workspace]);
  const onConnectEnd = useCallback((event: MouseEvent | TouchEvent, state: FinalConnectionState) => {
    if (state.isValid === true || state.fromNode === null) return;
    const point = "changedTouches" in event ? event.changedTouches[0] : event;
    const key = point === undefined ? undefined : nodeAt(point.clientX, point.clientY);
    if (key !== undefined && key !== state.fromNode.id) workspace.edits.connect(refOf(state.fromNode.id).id, refOf(key).id, { source_handle: sideOf(state.fromHandle?.id ?? undefined) });
  }, [workspace]);
  const onDoubleClick = useCallback((event: { target: EventTarget }) => {
    const key = keyAt(event.target);
    if (key !== undefined) workspace.rename(key);
  }, [workspace]);
  const onMove = useCallback((_: unknown, viewport: Viewport) => {
    workspace.viewport = viewport;
  }, [workspace]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.defaultPrevented || isTyping(event.target)) return;
    const isButton = event.target instanceof Element && event.target.closest("button") !== null;
    if (isButton && (event.key === "Enter" || event.key === " ")) return;
    if (press(pressOf(event), keyAt(event.target))) event.preventDefault();
  };
  const viewKey = ({ key, command, alt }: Press): boolean => {
    if (command || alt) return false;
    if (key === "+" || key === "=") void flow.zoomIn();
    else if (key === "-") void flow.zoomOut();
    else if (key === "0") void flow.fitView(FIT);
    else if (key.toLowerCase() === "g") snap();
    else if (key.toLowerCase() === "m") map();
    else return false;
    return true;
  };
  const press = (made: Press, on: Key | undefined) => viewKey(made) || (!workspace.isPast && pressed(workspace, made, on));
  const snap = () => {
    remember("snap", !snaps);
    setSnaps(!snaps);
  };
  const map = () => {
    remember("map", !hasMap);
    setHasMap(!hasMap);
  };

  useView(workspace, root, press);
  useReadingOrder(root);

  return (
    <section ref={root} className="canvas" aria-label={editorStrings.canvas.label} data-region="canvas" tabIndex={-1} onKeyDown={onKeyDown} onFocus={(event) => focused(workspace, event)}>
      {!workspace.isPast && <Toolbar />}
      <ReactFlow<AnyNode, FlowEdge>
        nodes={nodes}
        edges={edges}
        nodeTypes={NODES}
        edgeTypes={EDGES}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        onNodeDragStop={settle}
        onSelectionDragStop={settle}
        onConnect={onConnect}
        onConnectEnd={onConnectEnd}
        onDoubleClick={onDoubleClick}
        onMove={onMove}
        nodesDraggable={!workspace.isPast}
        nodesConnectable={!workspace.isPast}
        connectionMode={ConnectionMode.Loose}
        connectionRadius={24}
        nodeDragThreshold={4}
        elevateNodesOnSelect={false}
        elevateEdgesOnSelect={false}
        onlyRenderVisibleElements={isLarge}
        disableKeyboardA11y
        deleteKeyCode={null}
        multiSelectionKeyCode={MULTI}
        selectionMode={SelectionMode.Full}
        snapToGrid={snaps}
        snapGrid={[GRID, GRID]}
        zoomOnDoubleClick={false}
        minZoom={isLarge ? FURTHEST.many : FURTHEST.few}
        maxZoom={3}
        proOptions={{ hideAttribution: true }}
        {...(initial === undefined ? { fitView: true, fitViewOptions: FIT } : { defaultViewport: initial })}
      >
        <Arrows />
      </ReactFlow>
      {model.elements.length === 0 && proposal === undefined && <p className="canvas-empty">{editorStrings.canvas.empty}</p>}
      <ViewTools snaps={snaps} hasMap={hasMap} snap={snap} map={map} zoomIn={() => void flow.zoomIn()} zoomOut={() => void flow.zoomOut()} fit={() => void flow.fitView(FIT)} />
      {hasMap && <Minimap />}
    </section>
  );
}

// gives the workspace its hold on the view
function useView(workspace: Workspace, root: RefObject<HTMLElement | null>, press: View["press"]): void {
  const { screenToFlowPosition, setCenter, getViewport } = useReactFlow();
  const latest = useRef(press);
  useEffect(() => {
    latest.current = press;
  });
  useEffect(() => {
    const frame = () => root.current?.getBoundingClientRect() ?? new DOMRect();
    workspace.view = {
      press: (made, on) => latest.current(made, on),
      middle: () => {
        const { x, y, width, height } = frame();
        return screenToFlowPosition({ x: x + width / 2, y: y + height / 2 }, { snapToGrid: false });
      },
      show: (key, focus) => {
        const box = shownAt(workspace, key);
        if (box === undefined) return;
        const { zoom, x, y } = getViewport();
        const { width, height } = frame();
        const [left, top] = [box.x * zoom + x, box.y * zoom + y];
        const isInView = left >= 0 && top >= 0 && left + box.width * zoom <= width && top + box.height * zoom <= height;
        const middle = centre(box);
        if (!isInView) void setCenter(middle.x, middle.y, { zoom: Math.max(zoom, 0.6) });
        if (focus) focusSoon(root, key, 8);
      },
    };
    return () => {
      workspace.view = undefined;
    };
  }, [workspace, root, screenToFlowPosition, setCenter, getViewport]);
}

// many new things come in the frames that follow, so that the page answers between them
function useGrowing(all: AnyNode[]): AnyNode[] {
  const drawn = useRef(all);
  const [most, allow] = useState(0);
  const before = drawn.current;
  const nodes = all.length - before.length <= AT_ONCE ? all : grown(before, all, Math.min(AT_ONCE, most - before.length));
  useEffect(() => {
    drawn.current = nodes;
    if (nodes === all) return undefined;
    const frame = requestAnimationFrame(() => allow(nodes.length + AT_ONCE));
    return () => cancelAnimationFrame(frame);
  }, [nodes, all]);
  return nodes;
}

function grown(drawn: readonly AnyNode[], all: readonly AnyNode[], room: number): AnyNode[] {
  const known = new Set(drawn.map(({ id }) => id));
  let left = room;
  return all.filter(({ id }) => known.has(id) || (left -= 1) >= 0);
}

function amongst(nodes: readonly AnyNode[], edges: readonly FlowEdge[]): FlowEdge[] {
  const ids = new Set(nodes.map(({ id }) => id));
  return edges.filter(({ source, target }) => ids.has(source) && ids.has(target));
}

// a large drawing that becomes small is so one step later: the library still holds what has just gone, and would render all of it
function useLarge(now: boolean): boolean {
  const [before, setBefore] = useState(now);
  useEffect(() => setBefore(now), [now]);
  return now || before;
}

// Tab and screen readers come to the elements first, then to the flows between them; the library puts the flows first
function useReadingOrder(root: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const flows = root.current?.querySelector(".react-flow__edges");
    flows?.parentElement?.append(flows);
  }, [root]);
}

// what has just come into view is rendered a little later
function focusSoon(root: RefObject<HTMLElement | null>, key: Key, tries: number): void {
  requestAnimationFrame(() => {
    const node = root.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(key)}"]`);
    if (node !== null && node !== undefined) node.focus({ preventScroll: true });
    else if (tries > 0) focusSoon(root, key, tries - 1);
  });
}

function shownAt(workspace: Workspace, key: Key): Box | undefined {
  if (sectionOf(key) !== "data_flows") return workspace.boxOf(key);
  const flow = byId(workspace.model.value.data_flows, refOf(key).id);
  const [from, to] = flow === undefined ? [] : [workspace.boxOf(`e:${flow.from}`), workspace.boxOf(`e:${flow.to}`)];
  if (from === undefined || to === undefined) return undefined;
  const [a, b] = [centre(from), centre(to)];
  return { x: (a.x + b.x) / 2 - 40, y: (a.y + b.y) / 2 - 20, width: 80, height: 40 };
}

function takeNodes(workspace: Workspace, changes: readonly NodeChange<AnyNode>[]): void {
  takeSelection(workspace, changes);
  const boxes = new Map<Key, Box>();
  let carries = false;
  for (const change of changes) {
    if (change.type !== "position" && change.type !== "dimensions") continue;
    const before = boxes.get(change.id) ?? workspace.boxOf(change.id);
    if (before === undefined) continue;
    let box = before;
    if (change.type === "position" && change.position !== undefined) {
      box = { ...before, ...change.position };
      carries ||= change.dragging !== undefined; // a boundary that is resized at its left leaves its members where they are
    } else if (change.type === "dimensions" && change.resizing !== undefined && change.dimensions !== undefined) box = { ...before, ...change.dimensions };
    if (!isSameBox(before, box)) boxes.set(change.id, box);
  }
  if (boxes.size > 0) workspace.hold(boxes, carries);
}

function takeSelection(workspace: Workspace, changes: readonly (NodeChange<AnyNode> | EdgeChange<FlowEdge>)[]): void {
  const next = new Set(workspace.selection.value);
  for (const change of changes) {
    if (change.type !== "select") continue;
    if (change.selected) next.add(change.id);
    else next.delete(change.id);
  }
  workspace.selectAll(next);
}

// by keyboard the selection goes with the focus, until the person begins to gather several
function focused(workspace: Workspace, event: FocusEvent): void {
  const key = keyAt(event.target);
  if (key === undefined || workspace.gathering.value || !event.target.matches(":focus-visible") || workspace.selection.value.size > 1) return;
  workspace.select(key);
}

function keyAt(target: EventTarget): Key | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<HTMLElement | SVGElement>(".react-flow__node, .react-flow__edge")?.dataset["id"];
}

function nodeAt(x: number, y: number): Key | undefined {
  const node = document.elementsFromPoint(x, y).map((one) => one.closest<HTMLElement>(".react-flow__node-element"));
  return node.find((one) => one !== null)?.dataset["id"];
}

function viewportOf(workspace: Workspace): Viewport | undefined {
  return workspace.viewport ?? workspace.model.value.diagrams?.[0]?.viewport;
}

function isTyping(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}
