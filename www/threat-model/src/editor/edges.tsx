// How a flow is drawn: line, arrow, number, name and protocol. Enters: one edge. Leaves: what a person sees of it, and
// where they drag its label or one of its ends.

import { useReactFlow, type EdgeProps } from "@xyflow/react";
import { memo, useState, type PointerEvent, type ReactNode } from "react";

import { useCellPart } from "../cell.ts";
import type { Point } from "../model.ts";
import { editorStrings } from "../strings/editor.ts";
import { clip, say, shorten, wordFor } from "../text.ts";
import { freeSpot, route, sideOf, type Box } from "./geometry.ts";
import { badgeWords, type FlowEdge } from "./graph.ts";
import { keyOf, refOf, type Key } from "./key.ts";
import { NameInput } from "./NameInput.tsx";
import { useWorkspace, type Workspace } from "./workspace.tsx";
import { appStrings } from "../strings/app.ts";

const CHARACTER = 6.6; // about as wide as a letter of a label is
const BESIDE = 12;
const RENAME: Readonly<{ width: number; height: number }> = { width: 180, height: 36 };

/** A flow. */
export const FlowView = memo(function FlowView({ id, data, selected }: EdgeProps<FlowEdge>): ReactNode {
  const workspace = useWorkspace();
  const mark = useCellPart(workspace.proposal, (proposal) => proposal?.marks.get(id));
  const isRenamed = useCellPart(workspace.renaming, (renaming) => renaming === id);
  const held = useHeld(workspace, id, data?.flow);
  const [pulled, setPulled] = useState<{ end: "from" | "to"; to: Point } | undefined>(undefined);
  if (data === undefined) return null;
  const { flow, bend, badge, ghost } = data;
  const [from, to] = [held.from ?? data.from, held.to ?? data.to];
  const at = (point: Point): Box => ({ ...point, width: 1, height: 1 });
  const [start, end] = [pulled?.end === "from" ? at(pulled.to) : from, pulled?.end === "to" ? at(pulled.to) : to];
  const drawn = route(start, end, pulled === undefined ? bend : 0, pulled?.end === "from" ? undefined : sideOf(flow.source_handle), pulled?.end === "to" ? undefined : sideOf(flow.target_handle));
  const shift = held.label ?? flow.label_offset ?? { x: 0, y: 0 };
  const label = { x: drawn.label.x + shift.x, y: drawn.label.y + shift.y };
  const room = shift.x === 0 && shift.y === 0 ? drawn.room : 40;
  const number = flow.flow_number === undefined ? "" : `${flow.flow_number}  `;
  const name = shorten(flow.name || flow.protocol || "", room);
  const second = flow.name !== "" && flow.protocol ? shorten(flow.protocol, room) : "";
  return (
    <g className={ghost ? "flow ghost" : "flow"} data-mark={mark?.kind} data-open={flow.authenticated === false || undefined} data-selected={selected || undefined}>
      <path className="flow-hit react-flow__edge-interaction" d={drawn.path} />
      <path className="flow-line" d={drawn.path} markerEnd={ghost ? "url(#arrow-new)" : mark?.kind === "removed" ? "url(#arrow-gone)" : selected ? "url(#arrow-selected)" : "url(#arrow)"} />
      {isRenamed ? (
        <Rename workspace={workspace} id={id} name={flow.name} at={label} />
      ) : (
        <g className="flow-text nopan" transform={`translate(${label.x} ${label.y})`} onPointerDown={ghost ? undefined : (event) => dragLabel(event, workspace, id, shift)}>
          <text className="flow-label" y={-7} textAnchor="middle">
            <tspan className="flow-number">{number}</tspan>
            {name}
          </text>
          {second !== "" && <text className="flow-protocol" y={13} textAnchor="middle">{second}</text>}
          {badge !== undefined && <FlowBadge count={badge.count} worst={badge.worst} tip={badgeWords(badge)} y={second === "" ? 6 : 20} />}
          {mark !== undefined && mark.words !== "" && <MarkWords words={mark.words} at={label} below={badge === undefined ? 28 : 50} beside={BESIDE + CHARACTER * Math.max(name.length + number.length, second.length) / 2} />}
        </g>
      )}
      {selected === true && !ghost && (
        <>
          <End end="from" at={pulled?.end === "from" ? pulled.to : drawn.start} id={id} pull={setPulled} />
          <End end="to" at={pulled?.end === "to" ? pulled.to : drawn.end} id={id} pull={setPulled} />
        </>
      )}
    </g>
  );
});

// where this flow's ends and its label are while a person moves them
function useHeld(workspace: Workspace, id: Key, flow: { readonly from: string; readonly to: string } | undefined) {
  const from = useCellPart(workspace.held, (held) => (flow === undefined ? undefined : held.get(keyOf("elements", flow.from))));
  const to = useCellPart(workspace.held, (held) => (flow === undefined ? undefined : held.get(keyOf("elements", flow.to))));
  const label = useCellPart(workspace.held, (held) => held.get(id));
  return { from, to, label };
}

/** The arrow heads that flows point with. */
export function Arrows(): ReactNode {
  return (
    <svg className="arrows" aria-hidden="true">
      <defs>
        {["arrow", "arrow-selected", "arrow-new", "arrow-gone"].map((id) => (
          <marker key={id} id={id} viewBox="0 0 10 10" refX="2" refY="5" markerWidth="10" markerHeight="10" markerUnits="userSpaceOnUse" orient="auto-start-reverse">
            <path d="M0,1L9,5L0,9Z" />
          </marker>
        ))}
      </defs>
    </svg>
  );
}

// the words of a mark keep clear of every element: what stands there would hide them
function MarkWords({ words, at, below, beside }: { readonly words: string; readonly at: Point; readonly below: number; readonly beside: number }): ReactNode {
  const workspace = useWorkspace();
  const spot = freeSpot(at, words.length * CHARACTER, below, beside, workspace.places.elements(workspace.model.value).values());
  return <text className="flow-mark" x={spot.x} y={spot.y} textAnchor="middle">{words}</text>;
}

function FlowBadge({ count, worst, tip, y }: { readonly count: number; readonly worst: string | undefined; readonly tip: string; readonly y: number }): ReactNode {
  const text = `${worst === undefined ? "✓" : (wordFor(appStrings.severities, worst) ?? "").slice(0, worst === "critical" ? 4 : 8)} ${count}`;
  const width = 14 + text.length * 6.2;
  return (
    <g className="flow-badge" data-severity={worst ?? "handled"} data-tip={tip} transform={`translate(${-width / 2} ${y})`}>
      <rect width={width} height={18} rx={9} />
      <text x={width / 2} y={13} textAnchor="middle">{text}</text>
    </g>
  );
}

function End({ end, at, id, pull }: { readonly end: "from" | "to"; readonly at: Point; readonly id: Key; readonly pull: (to: { end: "from" | "to"; to: Point } | undefined) => void }): ReactNode {
  const workspace = useWorkspace();
  const { screenToFlowPosition } = useReactFlow();
  const take = (event: PointerEvent<SVGCircleElement>) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    const circle = event.currentTarget;
    circle.setPointerCapture(event.pointerId);
    const move = (at: globalThis.PointerEvent) => pull({ end, to: screenToFlowPosition({ x: at.clientX, y: at.clientY }) });
    const drop = (at: globalThis.PointerEvent) => {
      stop();
      const under = document.elementsFromPoint(at.clientX, at.clientY);
      const node = under.map((one) => one.closest<HTMLElement>(".react-flow__node-element")).find((one) => one !== null);
      const key = node?.dataset["id"];
      const handle = under.find((one): one is HTMLElement => one instanceof HTMLElement && one.matches(".react-flow__handle"));
      if (key !== undefined && refOf(key).section === "elements") workspace.edits.reconnect(refOf(id).id, end, refOf(key).id, sideOf(handle?.dataset["handleid"]));
    };
    const stop = () => {
      circle.removeEventListener("pointermove", move);
      circle.removeEventListener("pointerup", drop);
      circle.removeEventListener("lostpointercapture", stop);
      pull(undefined);
    };
    circle.addEventListener("pointermove", move);
    circle.addEventListener("pointerup", drop);
    circle.addEventListener("lostpointercapture", stop);
  };
  return (
    <g className="flow-end nopan" data-end={end} data-tip={editorStrings.canvas.end}>
      <circle className="flow-end-hit" cx={at.x} cy={at.y} r={16} onPointerDown={take} />
      <circle className="flow-end-dot" cx={at.x} cy={at.y} r={5} />
    </g>
  );
}

function Rename({ workspace, id, name, at }: { readonly workspace: Workspace; readonly id: Key; readonly name: string; readonly at: Point }): ReactNode {
  const done = (next: string | undefined, byKey: boolean) => {
    workspace.renaming.set(undefined);
    if (next !== undefined && next !== name) workspace.edits.set("data_flows", refOf(id).id, { name: next });
    if (byKey) workspace.view?.show(id, true);
  };
  return (
    <foreignObject className="nopan" x={at.x - RENAME.width / 2} y={at.y - RENAME.height / 2} width={RENAME.width} height={RENAME.height}>
      <NameInput label={say(editorStrings.canvas.rename, { name: clip(name, 60) })} name={name} done={done} />
    </foreignObject>
  );
}

function dragLabel(event: PointerEvent<SVGGElement>, workspace: Workspace, id: Key, from: Point): void {
  if (event.button !== 0) return;
  const label = event.currentTarget;
  const zoom = label.getScreenCTM()?.a ?? 1;
  const [x, y] = [event.clientX, event.clientY];
  label.setPointerCapture(event.pointerId);
  const move = (at: globalThis.PointerEvent) => {
    const [dx, dy] = [at.clientX - x, at.clientY - y];
    if (workspace.held.value.size === 0 && Math.hypot(dx, dy) < 4) return;
    workspace.hold(new Map([[id, { x: from.x + dx / zoom, y: from.y + dy / zoom, width: 0, height: 0 }]]), false);
  };
  const stop = () => {
    label.removeEventListener("pointermove", move);
    label.removeEventListener("lostpointercapture", stop);
    workspace.settle();
  };
  label.addEventListener("pointermove", move);
  label.addEventListener("lostpointercapture", stop);
}
