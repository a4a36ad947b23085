/** What a JSON Schema asks a person for: which kind of field a schema is. Enters: a schema and its root. Leaves: a shape. Knows no value and no DOM. */

import type { Json } from "#engine/types";

/** A schema that is an object. */
export type Schema = { readonly [key: string]: Json };

/** How a schema is drawn. */
export type Shape =
  | { readonly kind: "text"; readonly isLong: boolean }
  | { readonly kind: "number"; readonly isWhole: boolean }
  | { readonly kind: "boolean" }
  | { readonly kind: "choice"; readonly values: readonly Json[] }
  | { readonly kind: "const"; readonly value: Json }
  | { readonly kind: "list"; readonly items: Schema; readonly isFixed: boolean }
  | { readonly kind: "object"; readonly properties: readonly (readonly [name: string, schema: Schema])[]; readonly required: ReadonlySet<string>; readonly extra: Schema | undefined }
  | { readonly kind: "variant"; readonly options: readonly { readonly label: string; readonly schema: Schema }[] }
  | { readonly kind: "json" };

/** A shape, whether `null` may stand in its place, and what the schema says of itself. */
export interface Drawn {
  readonly shape: Shape;
  readonly nullable: boolean;
  readonly title: string | undefined;
  readonly description: string | undefined;
}

const MOST_HOPS = 32;
const LONG = 120;

/** What a schema asks for. */
export function drawn(schema: Schema, root: Schema): Drawn {
  const whole = resolved(schema, root);
  const text = (key: string): string | undefined => (typeof whole?.[key] === "string" ? whole[key] : undefined);
  const { shape, nullable } = whole === undefined ? { shape: { kind: "json" } as const, nullable: false } : shapeOf(whole, root);
  return { shape, nullable, title: text("title"), description: text("description") };
}

/** Whether a value can be of this schema, looking at its outside alone: enough to tell variants apart. */
export function fits(value: Json, schema: Schema, root: Schema): boolean {
  const whole = resolved(schema, root);
  if (whole === undefined) return false;
  if (Object.hasOwn(whole, "const")) return same(whole["const"] as Json, value);
  if (Array.isArray(whole["enum"])) return whole["enum"].some((each) => same(each, value));
  const types = typesOf(whole);
  if (types !== undefined && !types.some((type) => isOf(value, type))) return false;
  if (!isObject(value)) return true;
  const properties = isObject(whole["properties"]) ? whole["properties"] : {};
  const required = Array.isArray(whole["required"]) ? whole["required"] : [];
  if (required.some((name) => typeof name === "string" && !Object.hasOwn(value, name))) return false;
  if (whole["additionalProperties"] === false && Object.keys(value).some((key) => !Object.hasOwn(properties, key))) return false;
  return Object.entries(properties).every(([name, each]) => {
    const one = isObject(each) ? resolved(each, root) : undefined;
    if (one === undefined || !Object.hasOwn(value, name)) return true;
    if (Object.hasOwn(one, "const")) return same(one["const"] as Json, value[name] as Json);
    return !Array.isArray(one["enum"]) || one["enum"].some((allowed) => same(allowed, value[name] as Json));
  });
}

/** The schema of a value that nobody described. */
export function inferred(value: Json): Schema {
  if (typeof value === "string") return { type: "string" };
  if (typeof value === "number") return { type: "number" };
  if (typeof value === "boolean") return { type: "boolean" };
  return {};
}

/** Whether two values are equal, the order of keys aside. */
export function same(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null || Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key) && same((left as Schema)[key] as Json, (right as Schema)[key] as Json));
}

/** Whether a value is an object, no list. */
export function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shapeOf(schema: Schema, root: Schema): { shape: Shape; nullable: boolean } {
  if (Object.hasOwn(schema, "const")) return { shape: { kind: "const", value: schema["const"] as Json }, nullable: false };
  if (Array.isArray(schema["enum"])) return { shape: schema["enum"].length === 0 ? { kind: "json" } : { kind: "choice", values: schema["enum"] }, nullable: false };
  const options = (schema["oneOf"] ?? schema["anyOf"]) as Json | undefined;
  const types = typesOf(schema);
  if (Array.isArray(options) && options.length > 0) {
    const made = optionsOf(options.filter(isObject), schema, root);
    if (made !== undefined) return made;
    // conditions on an object that is described all the same: drawn without them, checked by the core
    if (!isObject(schema["properties"])) return { shape: { kind: "json" }, nullable: false };
  }
  const nullable = types?.includes("null") === true;
  const others = types?.filter((type) => type !== "null");
  if (others !== undefined && others.length > 1 && !(others.length === 2 && others.includes("integer") && others.includes("number"))) {
    return { shape: { kind: "variant", options: others.map((type) => ({ label: type, schema: { ...schema, type } })) }, nullable };
  }
  return { shape: ofType(others?.[0] ?? implied(schema), schema, root), nullable };
}

function ofType(type: string | undefined, schema: Schema, root: Schema): Shape {
  switch (type) {
    case "string":
      return { kind: "text", isLong: typeof schema["maxLength"] === "number" && schema["maxLength"] > LONG };
    case "number":
    case "integer":
      return { kind: "number", isWhole: type === "integer" };
    case "boolean":
      return { kind: "boolean" };
    case "array": {
      const { items } = schema;
      if (schema["prefixItems"] !== undefined || !isObject(items)) return { kind: "json" };
      const { shape } = drawn(items, root);
      return shape.kind === "json" ? { kind: "json" } : { kind: "list", items, isFixed: schema["minItems"] !== undefined && schema["minItems"] === schema["maxItems"] };
    }
    case "object": {
      const properties = isObject(schema["properties"]) ? Object.entries(schema["properties"]).filter((entry): entry is [string, Schema] => isObject(entry[1])) : [];
      const more = schema["additionalProperties"];
      const required = new Set((Array.isArray(schema["required"]) ? schema["required"] : []).filter((name): name is string => typeof name === "string"));
      if (properties.length === 0 && !isObject(more)) return { kind: "json" };
      return { kind: "object", properties, required, extra: isObject(more) ? more : undefined };
    }
    default:
      return { kind: "json" };
  }
}

// options that a person can tell apart: by a constant of the same name, or by being of different types
function optionsOf(options: readonly Schema[], base: Schema, root: Schema): { shape: Shape; nullable: boolean } | undefined {
  const { oneOf: _one, anyOf: _any, ...rest } = base;
  const all = options.map((option) => resolved(option, root)).filter((option): option is Schema => option !== undefined);
  if (all.length !== options.length) return undefined;
  const isNull = (option: Schema): boolean => option["type"] === "null" || (Object.hasOwn(option, "const") && option["const"] === null);
  const kept = all.filter((option) => !isNull(option));
  const nullable = kept.length < all.length;
  const [only] = kept;
  if (kept.length === 1 && only !== undefined) return { shape: shapeOf(merged(rest, only), root).shape, nullable };
  if (kept.every((option) => Object.hasOwn(option, "const"))) return { shape: { kind: "choice", values: kept.map((option) => option["const"] as Json) }, nullable };
  const schemas = kept.map((option) => merged(rest, option));
  const labels = labelsOf(kept, schemas, root);
  return labels === undefined ? undefined : { shape: { kind: "variant", options: schemas.map((schema, at) => ({ label: labels[at] ?? "", schema })) }, nullable };
}

function labelsOf(options: readonly Schema[], schemas: readonly Schema[], root: Schema): string[] | undefined {
  const kinds = schemas.map((schema) => typesOf(schema)?.join() ?? implied(schema));
  const distinct = (found: readonly (string | undefined)[]): found is string[] => found.every((each) => each !== undefined) && new Set(found).size === found.length;
  const titles = options.map((option) => (typeof option["title"] === "string" ? option["title"] : undefined));
  const constants = constantsOf(schemas, root);
  if (!distinct(kinds) && constants === undefined) return undefined;
  return distinct(titles) ? titles : (constants ?? (kinds as string[]));
}

// the values of the one property that is a constant in each option, and another in each
function constantsOf(schemas: readonly Schema[], root: Schema): string[] | undefined {
  const [first] = schemas;
  const names = isObject(first?.["properties"]) ? Object.keys(first["properties"]) : [];
  for (const name of names) {
    const values = schemas.map((schema) => {
      const property = isObject(schema["properties"]) ? schema["properties"][name] : undefined;
      const one = isObject(property) ? resolved(property, root) : undefined;
      if (one === undefined) return undefined;
      if (Object.hasOwn(one, "const")) return one["const"];
      return Array.isArray(one["enum"]) && one["enum"].length === 1 ? one["enum"][0] : undefined;
    });
    const told = values.map((value) => (typeof value === "string" ? value : value === undefined ? undefined : JSON.stringify(value)));
    if (told.every((each): each is string => each !== undefined) && new Set(told).size === told.length) return told;
  }
  return undefined;
}

// local references alone; what stands beside one, and the parts of `allOf`, are taken together
function resolved(schema: Schema, root: Schema): Schema | undefined {
  let at = schema;
  for (let hops = 0; typeof at["$ref"] === "string"; hops += 1) {
    const { $ref, ...beside } = at;
    const found = target($ref as string, root);
    if (found === undefined || hops > MOST_HOPS) return undefined;
    at = merged(found, beside);
  }
  if (!Array.isArray(at["allOf"])) return at;
  const { allOf, ...rest } = at;
  let whole: Schema = rest;
  for (const part of allOf) {
    const one = isObject(part) && part !== schema ? resolved(part, root) : undefined;
    if (one === undefined) return undefined;
    whole = merged(one, whole);
  }
  return whole;
}

function target(ref: string, root: Schema): Schema | undefined {
  if (ref !== "#" && !ref.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const step of ref.split("/").slice(1)) {
    let key = step;
    try {
      key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    } catch {
      return undefined;
    }
    at = typeof at === "object" && at !== null && Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined;
  }
  return isObject(at) ? at : undefined;
}

function merged(base: Schema, over: Schema): Schema {
  const both = (key: string): Record<string, Json> => (isObject(base[key]) && isObject(over[key]) ? { [key]: { ...base[key], ...over[key] } } : {});
  const required = [base["required"], over["required"]].flatMap((list) => (Array.isArray(list) ? list : []));
  return { ...base, ...over, ...both("properties"), ...(required.length > 0 ? { required } : {}) };
}

function typesOf(schema: Schema): string[] | undefined {
  const { type } = schema;
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((each): each is string => typeof each === "string") : undefined;
}

function implied(schema: Schema): string | undefined {
  if (isObject(schema["properties"])) return "object";
  return isObject(schema["items"]) ? "array" : undefined;
}

function isOf(value: Json, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}
