/** A tool of the host: its declaration for the core and the function that runs it. Knows no wasm. */

import { CountersignError } from "./error.js";
import { isPlainObject } from "./json.js";
import type { CallErrorCode, Json, JsonPatch, JsonSchema, ToolDeclaration } from "./types.js";

/** An object of a schema library that can say its JSON Schema (Standard JSON Schema: zod 4, valibot, arktype …). */
export interface StandardJsonSchema<Input = unknown> {
  /** The properties of the standard. */
  readonly "~standard": {
    /** Which version of the standard; 1. */
    readonly version: number;
    /** The library's name. */
    readonly vendor: string;
    /** The input as JSON Schema. */
    readonly jsonSchema: { readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown> };
    /** Checks a value beyond what JSON Schema can say. */
    readonly validate?: (value: unknown) => StandardResult | Promise<StandardResult>;
    /** The types, for inference alone. */
    readonly types?: { readonly input: Input; readonly output: unknown } | undefined;
  };
}

/** What a schema library says of a value. */
export interface StandardResult {
  /** What is wrong; absent where nothing is. */
  readonly issues?: readonly { readonly message: string; readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined }[] | undefined;
}

/** The input's type that a schema stands for; `Record<string, Json>` for plain JSON Schema. */
export type InputOf<Schema> = Schema extends { readonly "~standard": { readonly types?: { readonly input: infer Input } | undefined } } ? Input : Record<string, Json>;

/** What a running tool is given beside its input. */
export interface ToolRun {
  /** Aborted when the turn is stopped or the tool's time is over. */
  readonly signal: AbortSignal;
  /** The document as it is now, frozen; undefined in a session without one. In a preview a draft: as the calls before this one would leave it. */
  readonly document: Json | undefined;
  /**
   * Whether this is only to show what the call would do (for a tool with `preview: true`): the tool returns what it would return, and does
   * nothing that stays. It is asked before the person decides, and again when what it stands on changes. What is approved is this effect: what
   * the tool makes up, such as an id, has to be the same each time (`callId` is).
   */
  readonly preview: boolean;
  /** The call's id. */
  readonly callId: string;
  /** The same for every attempt of this one run, for servers that refuse doubles; in a preview it names the preview alone. */
  readonly idempotencyKey: string;
  /** Tells the person how far the tool is; `fraction` from 0 to 1. */
  progress(label: string, fraction?: number): void;
}

/** What a tool may return: what the model reads, or that together with a changed document, whole or as a patch. */
export type ToolReturn = string | Json | void | { result: string | Json; document: Json } | { result: string | Json; patch: JsonPatch };

/** What `tool` is given. */
export interface ToolOptions<Schema> extends Omit<ToolDeclaration, "inputSchema" | "runsOn"> {
  /** JSON Schema, or an object of a library that can say it. */
  inputSchema: Schema;
  /** Who the host hands it to; `client` where nothing is said. */
  runsOn?: "client" | "server";
  /** Runs one call; what it is given is exactly what was approved. Throw a `ToolError` to tell the model why it failed. */
  execute(input: InputOf<Schema>, run: ToolRun): ToolReturn | Promise<ToolReturn>;
}

/** A tool as sessions use it: a declaration that also says how it is run. */
export interface Tool extends ToolDeclaration {
  /** Runs one call. */
  readonly execute: (input: Json, run: ToolRun) => Promise<ToolReturn>;
}

/** Thrown by a tool to fail with a line the model and the person may read. */
export class ToolError extends Error {
  /** Always "ToolError". */
  override readonly name = "ToolError";
  /** The stable code; `execution_failed` where nothing is said. */
  readonly code: "unauthorized" | "timeout" | "cancelled" | "execution_failed";
  /** For the operator alone. */
  declare readonly detail?: string;
  /** Whether nobody knows if it took effect. */
  readonly unknown: boolean;

  /** Fails with `message` for the model and the person. */
  constructor(message: string, options: { code?: Extract<CallErrorCode, ToolError["code"]>; detail?: string; unknown?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code ?? "execution_failed";
    this.unknown = options.unknown ?? false;
    if (options.detail !== undefined) this.detail = options.detail;
  }
}

/** Declares a tool together with the function that runs it, for `createSession`. */
export function tool<const Schema extends JsonSchema | StandardJsonSchema>(options: ToolOptions<Schema>): Tool {
  const { inputSchema, execute, ...rest } = options;
  if (typeof execute !== "function") throw new CountersignError("invalid_tool", "a tool needs a function that runs it", { path: "execute", expected: "execute(input, run)" });
  const standard = standardOf(inputSchema);
  const schema = standard === undefined ? (inputSchema as JsonSchema) : schemaOf(standard, options.name);
  const validate = standard?.validate;
  const run = async (input: Json, context: ToolRun): Promise<ToolReturn> => {
    if (validate !== undefined) {
      const { issues } = await validate(input);
      if (issues !== undefined && issues.length > 0) throw new ToolError(issues.slice(0, 8).map(issueLine).join("\n"));
    }
    return execute(input as InputOf<Schema>, context);
  };
  return Object.freeze({ ...rest, inputSchema: schema, execute: run });
}

/** The declarations in a list of tools, without what the core does not know. */
export function declarationsOf(tools: readonly ToolDeclaration[]): ToolDeclaration[] {
  if (!Array.isArray(tools)) throw new CountersignError("invalid_tool", "is not a list of tools", { path: "tools", expected: "an array of tool declarations" });
  return tools.map((each: ToolDeclaration) => {
    if (typeof (each as Partial<Tool> | null)?.execute !== "function") return each;
    const { execute: _, ...declaration } = each as Tool;
    return declaration;
  });
}

/** Whether a declaration says how it is run. */
export function isRunnable(each: ToolDeclaration): each is Tool {
  return typeof (each as Partial<Tool>).execute === "function";
}

type Standard = StandardJsonSchema["~standard"];

function standardOf(schema: unknown): Partial<Standard> | undefined {
  // arktype's types are functions
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) return undefined;
  const standard: unknown = (schema as { "~standard"?: unknown })["~standard"];
  return typeof standard === "object" && standard !== null ? (standard as Partial<Standard>) : undefined;
}

function schemaOf(standard: Partial<Standard>, name: string): JsonSchema {
  const input = standard.jsonSchema?.input;
  const path = `${name}.inputSchema`;
  if (typeof input !== "function") {
    throw new CountersignError("invalid_tool", `the schema library \`${standard.vendor ?? "unknown"}\` does not say its JSON Schema`, {
      path,
      expected: "JSON Schema, or a library version that implements Standard JSON Schema (`~standard.jsonSchema`)",
    });
  }
  let schema: unknown;
  try {
    // read through text: libraries hang things on their schemas that are not JSON
    schema = JSON.parse(JSON.stringify(input({ target: "draft-2020-12" })));
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new CountersignError("invalid_tool", `the schema library \`${standard.vendor ?? "unknown"}\` cannot write this schema as JSON Schema: ${why}`, { path, cause: thrown });
  }
  if (!isPlainObject(schema)) throw new CountersignError("invalid_tool", "the schema library gave no JSON Schema object", { path });
  return schema as JsonSchema;
}

function issueLine(issue: NonNullable<StandardResult["issues"]>[number]): string {
  const path = (issue.path ?? []).map((step) => String(typeof step === "object" ? step.key : step)).join(".");
  return path === "" ? issue.message : `${path}: ${issue.message}`;
}
