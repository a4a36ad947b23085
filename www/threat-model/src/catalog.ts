// The component types a person can choose, as the core's catalog has them. Enters: a type. Leaves: its shape; an unknown
// one is drawn rounded and never rewritten. The core has to be loaded.

import { componentCatalog, type CatalogComponent } from "countersign/threat-model";

/** How an element is drawn. */
export type Shape = CatalogComponent["shape"];

/** The types by category, both in the order of the catalog. */
export function typesByCategory(): readonly { readonly category: string; readonly types: readonly string[] }[] {
  const categories = new Map<string, string[]>();
  for (const { id, category } of componentCatalog()) categories.set(category, [...(categories.get(category) ?? []), id]);
  return [...categories].map(([category, types]) => ({ category, types }));
}

let shapes: ReadonlyMap<string, Shape> | undefined;

/** The shape a type is drawn in. */
export function shapeOf(type: string): Shape {
  shapes ??= new Map(componentCatalog().map(({ id, shape }) => [id, shape]));
  return shapes.get(type) ?? "rounded";
}
