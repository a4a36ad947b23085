// What can be drawn, and how it is looked at: two small bars on the canvas, each button with its key in the tooltip.

import type { ReactNode } from "react";

import { ToolButton } from "../app/ToolButton.tsx";
import { useCellPart } from "../cell.ts";
import type { IconName } from "../Icon.tsx";
import { editorStrings } from "../strings/editor.ts";
import { KINDS, addBoundary, addElement, connect, duplicate } from "./canvas-keys.ts";
import { sectionOf } from "./key.ts";
import { useWorkspace } from "./workspace.tsx";

const words = editorStrings.canvas;

/** The bar to draw with. */
export function Toolbar(): ReactNode {
  const workspace = useWorkspace();
  const isAny = useCellPart(workspace.selection, (selection) => selection.size > 0);
  const isElement = useCellPart(workspace.selection, (selection) => [...selection].some((key) => sectionOf(key) === "elements"));
  const icons: Record<(typeof KINDS)[number]["kind"], IconName> = { process: "process", store: "store", external: "external", text: "text" };
  return (
    <div className="toolbar" role="toolbar" aria-label={words.toolbar}>
      {KINDS.map(({ kind, type, key }) => (
        <ToolButton key={kind} icon={icons[kind]} label={words[kind]} shortcut={key} run={() => addElement(workspace, type, editorStrings.fresh[kind])} />
      ))}
      <ToolButton icon="boundary" label={words.boundaryTool} shortcut="B" run={() => addBoundary(workspace)} />
      <span className="toolbar-gap" />
      <ToolButton icon="connect" label={words.connect} shortcut="C" why={isElement ? undefined : words.selectElement} run={() => connect(workspace, undefined)} />
      <ToolButton icon="threat" label={words.threat} shortcut="T" run={() => workspace.addThreat(workspace.selection.value)} />
      <ToolButton icon="copy" label={words.duplicate} shortcut="Ctrl+D" why={isAny ? undefined : words.selectFirst} run={() => duplicate(workspace, workspace.selection.value)} />
      <ToolButton icon="delete" label={words.remove} shortcut="Delete" why={isAny ? undefined : words.selectFirst} run={() => workspace.remove(workspace.selection.value)} />
    </div>
  );
}

/** How the drawing is looked at. */
export interface ViewToolsProps {
  readonly snaps: boolean;
  readonly hasMap: boolean;
  snap(): void;
  map(): void;
  zoomIn(): void;
  zoomOut(): void;
  fit(): void;
}

/** The bar to look with. */
export function ViewTools({ snaps, hasMap, snap, map, zoomIn, zoomOut, fit }: ViewToolsProps): ReactNode {
  return (
    <div className="view-tools" role="toolbar" aria-label={words.view}>
      <ToolButton icon="minus" label={words.zoomOut} shortcut="−" run={zoomOut} />
      <ToolButton icon="add" label={words.zoomIn} shortcut="+" run={zoomIn} />
      <ToolButton icon="fit" label={words.fit} shortcut="0" run={fit} />
      <ToolButton icon="grid" label={words.snap} shortcut="G" isOn={snaps} run={snap} />
      <ToolButton icon="map" label={words.map} shortcut="M" isOn={hasMap} run={map} />
      <span className="legend">
        <svg viewBox="0 0 28 8" aria-hidden="true">
          <path d="M0,4H28" />
        </svg>
        {words.legend}
      </span>
    </div>
  );
}
