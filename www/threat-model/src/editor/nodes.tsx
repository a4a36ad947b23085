// How elements and boundaries are drawn. Enters: one node. Leaves: what a person sees of it; foreign names are only
// ever text.

import { Handle, NodeResizer, Position, useStore, type NodeProps } from "@xyflow/react";
import { memo, type ReactNode } from "react";

import { useCellPart } from "../cell.ts";
import { typeName } from "../model.ts";
import { appStrings } from "../strings/app.ts";
import { editorStrings } from "../strings/editor.ts";
import { clip, say, shorten, wordFor } from "../text.ts";
import { badgeWords, lookOf, type BoundaryNode, type ElementNode } from "./graph.ts";
import { refOf, type Key } from "./key.ts";
import type { Badge } from "./lookup.ts";
import { NameInput } from "./NameInput.tsx";
import { SMALLEST } from "./places.ts";
import { useWorkspace } from "./workspace.tsx";

const NEAR = 0.45; // further away nobody can hit a handle, and hundreds of elements are in view
const SIDES = [Position.Top, Position.Right, Position.Bottom, Position.Left];

/** An element. */
export const ElementView = memo(function ElementView({ id, data: { element, badge, ghost }, isConnectable }: NodeProps<ElementNode>): ReactNode {
  const mark = useMark(id);
  const isHinted = useCellPart(useWorkspace().hinted, (hinted) => hinted === id);
  const isNear = useStore((state) => state.transform[2] >= NEAR);
  const zone = shorten(element.trust_zone, 24);
  return (
    <div className={ghost === undefined ? "node" : "node ghost"} data-look={lookOf(element)} data-mark={mark?.kind} data-hinted={isHinted || undefined}>
      <Outline look={lookOf(element)} />
      <div className="node-text">
        <Name id={id} name={element.name} className="node-name" />
        <div className="node-type">
          {ghost ?? shorten(typeName(element.type), 32)}
          {ghost === undefined && zone !== "" && <span className="node-zone"> · {zone}</span>}
        </div>
      </div>
      {badge !== undefined && <ThreatBadge badge={badge} />}
      {mark !== undefined && mark.words !== "" && <div className="node-mark">{mark.words}</div>}
      {(ghost !== undefined || isNear) && SIDES.map((side) => <Handle key={side} id={side} type="source" position={side} isConnectable={isConnectable} />)}
    </div>
  );
});

/** A trust boundary. */
export const BoundaryView = memo(function BoundaryView({ id, data: { name, ghost }, selected }: NodeProps<BoundaryNode>): ReactNode {
  const workspace = useWorkspace();
  const mark = useMark(id);
  return (
    <div className={ghost === undefined ? "boundary" : "boundary ghost"} data-moved={(ghost !== undefined && id.endsWith("?")) || undefined} data-mark={mark?.kind}>
      {ghost === undefined && ["top", "right", "bottom", "left"].map((side) => <span key={side} className={`grip grip-${side}`} />)}
      {ghost === undefined && (
        <NodeResizer isVisible={selected && !workspace.isPast} minWidth={SMALLEST.width} minHeight={SMALLEST.height} handleClassName="resize-corner" lineClassName="resize-line" onResizeEnd={() => workspace.settle()} />
      )}
      <div className="boundary-head">
        <Name id={id} name={name} className="boundary-name" />
        {ghost !== undefined && <span className="boundary-ghost">{ghost}</span>}
        {mark !== undefined && mark.words !== "" && <span className="node-mark">{mark.words}</span>}
      </div>
    </div>
  );
});

function ThreatBadge({ badge }: { readonly badge: Badge }): ReactNode {
  return (
    <span className="badge" data-severity={badge.worst ?? "handled"} data-tip={badgeWords(badge)}>
      {badge.worst === undefined ? "✓" : wordFor(appStrings.severities, badge.worst)?.slice(0, badge.worst === "critical" ? 4 : 8)} {badge.count}
    </span>
  );
}

function Name({ id, name, className }: { readonly id: Key; readonly name: string; readonly className: string }): ReactNode {
  const workspace = useWorkspace();
  const isRenamed = useCellPart(workspace.renaming, (renaming) => renaming === id);
  if (!isRenamed) return <div className={className} dir="auto">{shorten(name, 60) || appStrings.untitled}</div>;
  const done = (next: string | undefined, byKey: boolean) => {
    const { section, id: entity } = refOf(id);
    workspace.renaming.set(undefined);
    if (next !== undefined && next !== name) workspace.edits.set(section, entity, { name: next });
    if (byKey) workspace.view?.show(id, true);
  };
  return <NameInput label={say(editorStrings.canvas.rename, { name: clip(name, 60) })} name={name} done={done} />;
}

function Outline({ look }: { readonly look: string }): ReactNode {
  if (look === "text") return null;
  return (
    <svg className="outline" viewBox={look === "database" ? "0 -8 172 80" : "0 0 172 64"} preserveAspectRatio="none" aria-hidden="true">
      <path className="shape" d={SHAPES[look] ?? SHAPES["rounded"]} />
    </svg>
  );
}

const SHAPES: Readonly<Record<string, string>> = {
  rounded: "M14,.75H158A13.25,13.25 0 0 1 171.25,14V50A13.25,13.25 0 0 1 158,63.25H14A13.25,13.25 0 0 1 .75,50V14A13.25,13.25 0 0 1 14,.75Z",
  rect: "M.75,.75H171.25V63.25H.75Z",
  hexagon: "M16,.75H156L171.25,32L156,63.25H16L.75,32Z",
  database: "M.75,4C.75,-9 171.25,-9 171.25,4V60C171.25,73 .75,73 .75,60ZM.75,4C.75,17 171.25,17 171.25,4",
};

function useMark(id: Key) {
  return useCellPart(useWorkspace().proposal, (proposal) => proposal?.marks.get(id));
}
