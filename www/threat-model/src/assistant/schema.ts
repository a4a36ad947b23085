// Which field a JSON Schema asks for. Enters: the input schema of a tool, and a value. Leaves: kinds of fields, and values
// set at a path. What is no plain field is written as JSON; whether a value may be used is the core's word alone.

import type { Json } from "countersign/threat-model";

/** An object of JSON. */
export type JsonObject = { readonly [key: string]: Json };

/** How a value is asked for. */
export type Kind =
  | { readonly kind: "line" | "text" | "number" | "boolean" | "json" }
  | { readonly kind: "choice"; readonly options: readonly string[] }
  | { readonly kind: "lines" }
  | { readonly kind: "several"; readonly options: readonly string[] }
  | { readonly kind: "group"; readonly fields: readonly Field[] }
  | { readonly kind: "fixed" };

/** A field of an object. */
export interface Field {
  readonly name: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
}

const LONG = 200;

/** The kind of field for a schema that holds `value`: a value of another type is written as JSON, so that nothing of it is lost. */
export function kindOf(schema: JsonObject, value: Json | undefined): Kind {
  const kind = asked(schema);
  return value === undefined || holds(kind, value) ? kind : { kind: "json" };
}

/** What a field begins with. */
export function blank(schema: JsonObject): Json {
  const kind = asked(schema);
  switch (kind.kind) {
    case "choice":
      return kind.options[0] ?? "";
    case "boolean":
      return false;
    case "lines":
    case "several":
      return [];
    case "group":
      return Object.fromEntries(kind.fields.filter((field) => field.isRequired).map((field) => [field.name, blank(field.schema)]));
    case "fixed":
      return schema["const"] ?? null;
    default:
      return "";
  }
}

/** The object with one field set, or left out. */
export function withField(value: JsonObject, name: string, next: Json | undefined): JsonObject {
  if (next !== undefined) return { ...value, [name]: next };
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

/** Whether this is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asked(schema: JsonObject): Kind {
  if (Object.hasOwn(schema, "const")) return { kind: "fixed" };
  const options = wordsOf(schema["enum"]);
  if (options !== undefined) return { kind: "choice", options };
  switch (schema["type"]) {
    case "string":
      return { kind: typeof schema["maxLength"] === "number" && schema["maxLength"] <= LONG ? "line" : "text" };
    case "number":
    case "integer":
      return { kind: "number" };
    case "boolean":
      return { kind: "boolean" };
    case "array": {
      const { items } = schema;
      const several = isObject(items) ? wordsOf(items["enum"]) : undefined;
      if (several !== undefined) return { kind: "several", options: several };
      return { kind: isObject(items) && items["type"] === "string" ? "lines" : "json" };
    }
    case "object":
      return isObject(schema["properties"]) ? { kind: "group", fields: fieldsOf(schema["properties"], schema["required"]) } : { kind: "json" };
    default:
      return { kind: "json" };
  }
}

function fieldsOf(properties: JsonObject, required: Json | undefined): Field[] {
  const named = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).flatMap(([name, schema]) => (isObject(schema) ? [{ name, schema, isRequired: named.has(name) }] : []));
}

function wordsOf(given: Json | undefined): readonly string[] | undefined {
  return Array.isArray(given) && given.length > 0 && given.every((each) => typeof each === "string") ? given : undefined;
}

function holds({ kind }: Kind, value: Json): boolean {
  switch (kind) {
    case "line":
    case "text":
    case "choice":
      return typeof value === "string";
    case "number":
      return typeof value === "number" || typeof value === "string"; // half a number is text until it is one
    case "boolean":
      return typeof value === "boolean";
    case "lines":
      return Array.isArray(value) && value.every((each) => typeof each === "string" && !each.includes("\n"));
    case "several":
      return Array.isArray(value) && value.every((each) => typeof each === "string");
    case "group":
      return isObject(value);
    default:
      return true;
  }
}
