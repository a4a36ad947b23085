/** The order in which a file names its parts, and what it leaves out because reading fills it in again. */

/** The fields of one mapping, in order; those of the mappings under its fields. */
export interface Shape {
  /** The fields the format knows. */
  readonly fields: readonly string[];
  /** Fields that are left out where their list is empty. */
  readonly unlessEmpty?: readonly string[];
  /** Mappings, and lists of mappings, that have an order of their own. */
  readonly inner?: Readonly<Record<string, Shape>>;
}

const POINT: Shape = { fields: ["x", "y"] };
const SIZE: Shape = { fields: ["width", "height"] };
const COLORS = ["fill_color", "stroke_color", "fill_opacity", "stroke_opacity"];

const METADATA: Shape = {
  fields: ["title", "author", "created", "modified", "description", "created_by", "modified_by", "last_edit_timestamp", "threat_analysis_enabled", "settings"],
  inner: { settings: { fields: ["grid_size", "default_element_fill", "default_element_stroke", "default_boundary_fill", "default_boundary_stroke"] } },
};
const ELEMENT: Shape = {
  fields: [
    "id", "type", "name", "trust_zone", "layer", "group", "subtype", "icon", "description", "technologies", "tags", "stores", "encryption", "position",
    ...COLORS, "font_size", "font_weight",
  ],
  unlessEmpty: ["technologies", "tags"],
  inner: { position: POINT },
};
const DATA_FLOW: Shape = {
  fields: [
    "id", "flow_number", "name", "from", "to", "protocol", "data", "authenticated", "label_offset", "source_handle", "target_handle", "stroke_color",
    "stroke_opacity",
  ],
  inner: { label_offset: POINT },
};
const RELATIONSHIP: Shape = {
  fields: ["id", "type", "from", "to", "name", "description", "source_handle", "target_handle", "label_offset", "stroke_color", "stroke_opacity"],
  inner: { label_offset: POINT },
};
const THREAT: Shape = {
  fields: ["id", "title", "category", "element", "flow", "severity", "description", "mitigation"],
  inner: { mitigation: { fields: ["status", "description"] } },
};

/** A whole threat model: what is declared stands before what refers to it. */
export const THREAT_MODEL: Shape = {
  fields: ["version", "metadata", "layers", "groups", "elements", "data_flows", "relationships", "trust_boundaries", "threats", "diagrams"],
  unlessEmpty: ["layers", "groups", "relationships"],
  inner: {
    metadata: METADATA,
    layers: { fields: ["id", "name", "description"] },
    groups: { fields: ["id", "name", "type", "parent", "description", "position", "size", ...COLORS], inner: { position: POINT, size: SIZE } },
    elements: ELEMENT,
    data_flows: DATA_FLOW,
    relationships: RELATIONSHIP,
    trust_boundaries: { fields: ["id", "name", "contains", "position", "size", ...COLORS], inner: { position: POINT, size: SIZE } },
    threats: THREAT,
    diagrams: { fields: ["id", "name", "kind", "description", "layout_file", "viewport"], inner: { viewport: { fields: ["x", "y", "zoom"] } } },
  },
};

/** The members of a mapping as a file names them: the known in their order, then the others in the one they have. */
export function ordered<T>(object: Readonly<Record<string, T>>, shape: Shape | undefined): [string, T][] {
  if (shape === undefined) return Object.entries(object);
  const known = new Set(shape.fields);
  const names = [...shape.fields.filter((name) => Object.hasOwn(object, name)), ...Object.keys(object).filter((name) => !known.has(name))];
  const isLeftOut = (name: string, value: T): boolean => shape.unlessEmpty?.includes(name) === true && Array.isArray(value) && value.length === 0;
  return names.map((name): [string, T] => [name, object[name] as T]).filter(([name, value]) => !isLeftOut(name, value));
}
