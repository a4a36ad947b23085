/** The form's own state: fields, what was typed in them, and the input they make. Enters: a schema and a value. Leaves: a value. Knows no DOM. */

import type { Json } from "#engine/types";
import { drawn, fits, inferred, isObject, same, type Schema, type Shape } from "./form_schema.js";

/** One field. */
export interface Field {
  readonly schema: Schema;
  readonly shape: Shape;
  readonly nullable: boolean;
  readonly description: string | undefined;
  /** The schema's own name for it. */
  readonly title: string | undefined;
  /** What it is called in its object; empty for the whole and for items. */
  name: string;
  /** Whether it has to be there. */
  readonly required: boolean;
  /** Whether the schema names it; others can be taken away but not brought back. */
  readonly known: boolean;
  /** Whether it is there. */
  present: boolean;
  /** Whether it is `null`. */
  isNull: boolean;
  /** What was typed: text, a number, JSON. */
  text: string;
  /** The chosen value of a choice, a constant or a yes and no. */
  value: Json;
  /** The text of a field whose value was never touched: it stays what it was, to the last character. */
  touched: boolean;
  /** Fields of an object, items of a list. */
  children: Field[];
  /** The variants that were opened, by number, with what was typed in them. */
  readonly variants: Map<number, Field>;
  /** The variant that counts. */
  variant: number;
}

/** What is wrong with a field before the core is asked. */
export interface LocalProblem {
  /** The field. */
  readonly field: Field;
  /** What is wrong. */
  readonly kind: "number" | "json";
}

const DEEPEST = 24;
// what nobody has filled yet is drawn less deep: a schema may name itself more than once
const BLANK_STEP = 6;
const ITSELF: Place = { name: "", required: true, known: true, present: true };

/** The form of a schema, filled with a value. */
export class FormModel {
  /** The whole input. */
  readonly whole: Field;
  readonly #root: Schema;

  /** Fills the form. */
  constructor(schema: Schema, value: Json) {
    this.#root = schema;
    this.whole = this.#field(schema, value, ITSELF, 0);
  }

  /** The input that the form makes; fields with a problem of their own stand as their text. */
  input(): Json {
    return valueOf(this.whole);
  }

  /** What is wrong before the core is asked. */
  problems(): LocalProblem[] {
    const found: LocalProblem[] = [];
    this.#walk(this.whole, "", (field) => {
      if (field.isNull) return;
      if (field.shape.kind === "number" && field.touched && asNumber(field.text) === undefined) found.push({ field, kind: "number" });
      if (field.shape.kind === "json" && field.touched && asJson(field.text) === undefined) found.push({ field, kind: "json" });
    });
    return found;
  }

  /** Which field each issue of the core is about: the nearest that is drawn. */
  placed(issues: readonly string[]): { readonly field: Field; readonly issue: string; readonly text: string }[] {
    const paths: [string, Field][] = [];
    this.#walk(this.whole, "", (field, path) => void paths.push([path === "" ? "input" : path, field]));
    return issues.map((issue) => {
      let best: [string, Field] = ["", this.whole];
      for (const [path, field] of paths) {
        if (path.length > best[0].length && issue.startsWith(path) && [":", ".", "["].includes(issue.charAt(path.length))) best = [path, field];
      }
      const text = issue.slice(best[0].length).replace(/^: /, "");
      return { field: best[1], issue, text: best[0] === "" ? issue : text.replace(/^\./, "") };
    });
  }

  /** Brings an optional field in, or leaves it out. */
  include(field: Field, present: boolean): void {
    if (present && field.children.length === 0 && field.variants.size === 0) Object.assign(field, this.#blank(field.schema, { name: field.name, required: field.required, known: field.known, present }, 0), { isNull: false });
    field.present = present;
  }

  /** A new item at the end of a list. */
  add(list: Field): Field | undefined {
    if (list.shape.kind !== "list") return undefined;
    const item = this.#blank(list.shape.items, ITSELF, 1);
    list.children.push(item);
    return item;
  }

  /** A new field of an object that takes any name; nothing where the name is taken. */
  addKey(object: Field, name: string): Field | undefined {
    if (object.shape.kind !== "object" || object.shape.extra === undefined || object.children.some((child) => child.name === name)) return undefined;
    const child = this.#blank(object.shape.extra, { name, required: false, known: false, present: true }, 1);
    object.children.push(child);
    return child;
  }

  /** Takes an item or an added field away. */
  remove(parent: Field, child: Field): void {
    parent.children = parent.children.filter((each) => each !== child);
  }

  /** Moves an item by one place. */
  move(list: Field, item: Field, by: 1 | -1): void {
    const at = list.children.indexOf(item);
    const other = list.children[at + by];
    if (at < 0 || other === undefined) return;
    list.children[at + by] = item;
    list.children[at] = other;
  }

  /** Chooses a variant; what was typed in another stays there. */
  choose(field: Field, variant: number): void {
    if (field.shape.kind !== "variant") return;
    field.variant = variant;
    const option = field.shape.options[variant];
    if (option !== undefined && !field.variants.has(variant)) field.variants.set(variant, this.#blank(option.schema, ITSELF, 1));
  }

  #blank(schema: Schema, place: Place, depth: number): Field {
    return this.#field(schema, blankOf(schema, this.#root), place, depth + BLANK_STEP);
  }

  #field(schema: Schema, value: Json | undefined, place: Place, depth: number): Field {
    const { shape: wanted, nullable, description, title } = depth > DEEPEST ? { shape: { kind: "json" } as const, nullable: false, description: undefined, title: undefined } : drawn(schema, this.#root);
    // a value that the shape cannot hold is written as JSON, so that nothing of it is lost
    const shape: Shape = value === undefined || value === null || holds(wanted, value) ? wanted : { kind: "json" };
    const isNull = value === null && (nullable || shape.kind !== "json") && shape.kind !== "choice" && shape.kind !== "const";
    const field: Field = {
      schema, shape, nullable: nullable || isNull, description, title, ...place, isNull,
      text: textOf(shape, value), value: value ?? firstOf(shape), touched: false, children: [], variants: new Map(), variant: 0,
    };
    if (!place.present) return field;
    const inner = isNull ? undefined : value;
    if (shape.kind === "list") field.children = (Array.isArray(inner) ? inner : []).map((item) => this.#field(shape.items, item, ITSELF, depth + 1));
    if (shape.kind === "object") field.children = this.#members(shape, isObject(inner) ? inner : {}, depth + 1);
    if (shape.kind === "variant") {
      const at = inner === undefined ? 0 : shape.options.findIndex((option) => fits(inner, option.schema, this.#root));
      field.variant = Math.max(0, at);
      const option = shape.options[field.variant];
      if (option !== undefined) field.variants.set(field.variant, this.#field(option.schema, inner ?? blankOf(option.schema, this.#root), ITSELF, depth + 1));
    }
    return field;
  }

  #members(shape: Extract<Shape, { kind: "object" }>, value: Schema, depth: number): Field[] {
    const known = shape.properties.map(([name, schema]) => {
      const isThere = Object.hasOwn(value, name);
      const required = shape.required.has(name);
      const place = { name, required, known: true, present: isThere || required };
      return isThere ? this.#field(schema, value[name], place, depth) : this.#blank(schema, place, depth);
    });
    const names = new Set(shape.properties.map(([name]) => name));
    const others = Object.entries(value).filter(([name]) => !names.has(name));
    return [...known, ...others.map(([name, each]) => this.#field(shape.extra ?? inferred(each), each, { name, required: false, known: false, present: true }, depth))];
  }

  #walk(field: Field, path: string, visit: (field: Field, path: string) => void): void {
    if (!field.present) return;
    visit(field, path);
    if (field.isNull) return;
    field.children.forEach((child, at) => this.#walk(child, field.shape.kind === "list" ? `${path}[${at}]` : step(path, child.name), visit));
    if (field.shape.kind !== "variant") return;
    const chosen = field.variants.get(field.variant);
    if (chosen !== undefined) this.#walk(chosen, path, visit);
  }
}

/** A number as it was typed, where it is one. */
export function asNumber(text: string): number | undefined {
  return /^\s*-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

type Place = Pick<Field, "name" | "required" | "known" | "present">;

function valueOf(field: Field): Json {
  if (field.isNull) return null;
  switch (field.shape.kind) {
    case "text":
      return field.touched ? field.text : field.value;
    case "number":
      return field.touched ? (asNumber(field.text) ?? field.text) : field.value;
    case "json":
      return field.touched ? (asJson(field.text)?.value ?? field.text) : field.value;
    case "boolean":
    case "choice":
      return field.value;
    case "const":
      return field.shape.value;
    case "list":
      return field.children.map(valueOf);
    case "object":
      return Object.fromEntries(field.children.filter((child) => child.present).map((child) => [child.name, valueOf(child)]));
    case "variant": {
      const chosen = field.variants.get(field.variant);
      return chosen === undefined ? null : valueOf(chosen);
    }
  }
}

function asJson(text: string): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}

function holds(shape: Shape, value: Json): boolean {
  switch (shape.kind) {
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return shape.values.some((each) => same(each, value));
    case "const":
      return same(shape.value, value);
    case "list":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "variant":
    case "json":
      return true;
  }
}

function textOf(shape: Shape, value: Json | undefined): string {
  if (shape.kind === "json") return JSON.stringify(value ?? null, null, 2);
  if (typeof value === "string") return value;
  return value === undefined || value === null || typeof value === "object" ? "" : String(value);
}

function firstOf(shape: Shape): Json {
  if (shape.kind === "choice") return shape.values[0] ?? null;
  if (shape.kind === "const") return shape.value;
  if (shape.kind === "boolean") return false;
  return shape.kind === "text" ? "" : null;
}

// what a field holds that nobody filled: nothing is guessed but what there is no choice about
function blankOf(schema: Schema, root: Schema): Json | undefined {
  const { shape, nullable } = drawn(schema, root);
  if (nullable) return null;
  if (shape.kind === "text") return "";
  return shape.kind === "choice" || shape.kind === "const" || shape.kind === "boolean" ? firstOf(shape) : undefined;
}

// as the core writes it, so that its issues find their fields
function step(path: string, name: string): string {
  if (/^[\w$-]{1,80}$/.test(name)) return path === "" ? name : `${path}.${name}`;
  return `${path}["${name}"]`;
}
