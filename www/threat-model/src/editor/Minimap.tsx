// The whole drawing in a corner, painted on one canvas so that ten thousand elements cost as little as ten.
// Enters: places, the view. Leaves: moves of the view.

import { useReactFlow, useStore } from "@xyflow/react";
import { useEffect, useRef, type PointerEvent, type ReactNode } from "react";

import { useCell } from "../cell.ts";
import { editorStrings } from "../strings/editor.ts";
import { union, type Box } from "./geometry.ts";
import { keyOf } from "./key.ts";
import { useWorkspace } from "./workspace.tsx";

const SIZE = { width: 168, height: 104 };
const PAD = 60;

/** The map of the drawing. */
export function Minimap(): ReactNode {
  const workspace = useWorkspace();
  const model = useCell(workspace.model);
  const selection = useCell(workspace.selection);
  const held = useCell(workspace.held);
  const [x, y, zoom] = useStore((state) => state.transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const { setCenter } = useReactFlow();
  const sheet = useRef<HTMLCanvasElement>(null);
  const scale = useRef({ x: 0, y: 0, by: 1 });

  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const context = sheet.current?.getContext("2d");
      if (!context || sheet.current === null) return;
      const style = getComputedStyle(sheet.current);
      const colour = (name: string) => style.getPropertyValue(name).trim();
      const view: Box = { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
      const frames = [...workspace.places.boundaries(model).values()];
      const boxes = [...workspace.places.elements(model)].map(([id, box]) => ({ key: keyOf("elements", id), box }));
      const all = union([...boxes.map(({ box }) => box), ...frames, view]) ?? view;
      const by = Math.min(SIZE.width / (all.width + 2 * PAD), SIZE.height / (all.height + 2 * PAD));
      scale.current = { x: all.x + all.width / 2 - SIZE.width / by / 2, y: all.y + all.height / 2 - SIZE.height / by / 2, by };
      const at = (box: Box): [number, number, number, number] => [(box.x - scale.current.x) * by, (box.y - scale.current.y) * by, Math.max(1.5, box.width * by), Math.max(1.5, box.height * by)];
      const dense = devicePixelRatio;
      sheet.current.width = SIZE.width * dense;
      sheet.current.height = SIZE.height * dense;
      context.setTransform(dense, 0, 0, dense, 0, 0);
      context.strokeStyle = colour("--line-strong");
      context.lineWidth = 0.75;
      for (const box of frames) context.strokeRect(...at(box));
      context.fillStyle = colour("--line-strong");
      for (const { key, box } of boxes) if (!selection.has(key)) context.fillRect(...at(held.get(key) ?? box));
      context.fillStyle = colour("--accent");
      for (const { key, box } of boxes) if (selection.has(key)) context.fillRect(...at(held.get(key) ?? box));
      context.strokeStyle = colour("--accent");
      context.lineWidth = 1.5;
      context.strokeRect(...at(view));
    });
    return () => cancelAnimationFrame(frame);
  }, [workspace, model, selection, held, x, y, zoom, width, height]);

  const go = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.buttons === 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    const { x: left, y: top, by } = scale.current;
    void setCenter(left + (event.clientX - box.x) / by, top + (event.clientY - box.y) / by, { zoom });
  };
  const take = (event: PointerEvent<HTMLCanvasElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    go(event);
  };
  return <canvas ref={sheet} className="minimap" role="img" aria-label={editorStrings.canvas.map} onPointerDown={take} onPointerMove={go} />;
}
