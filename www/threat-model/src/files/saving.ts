// The document as it is written to a file: with where everything stands on the canvas, and today's date.
// Enters: the workspace. Leaves: a document; the one that is open stays as it is.

import type { Json } from "countersign/threat-model";

import type { Workspace } from "../editor/workspace.tsx";
import type { Model } from "../model.ts";

/** The document to write. */
export function toSave(workspace: Workspace, today: string): Json {
  const model: Model = workspace.model.value;
  const elements = workspace.places.elements(model);
  const boundaries = workspace.places.boundaries(model);
  const { viewport } = workspace;
  const saved = {
    ...model,
    metadata: { ...model.metadata, modified: today },
    elements: model.elements.map((element) => {
      const box = elements.get(element.id);
      return element.position !== undefined || box === undefined ? element : { ...element, position: { x: box.x, y: box.y } };
    }),
    trust_boundaries: model.trust_boundaries.map((boundary) => {
      const box = boundaries.get(boundary.id);
      if ((boundary.position !== undefined && boundary.size !== undefined) || box === undefined) return boundary;
      return { ...boundary, position: { x: box.x, y: box.y }, size: { width: box.width, height: box.height } };
    }),
    diagrams: (model.diagrams ?? []).map((diagram) => {
      const { layout_file: _, ...kept } = diagram as Record<string, unknown>;
      return viewport === undefined ? kept : { ...kept, viewport: { x: viewport.x, y: viewport.y, zoom: viewport.zoom } };
    }),
  };
  return saved as unknown as Json;
}
