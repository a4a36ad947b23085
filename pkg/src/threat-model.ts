/** `countersign/threat-model`: everything of `countersign` over an engine that also knows the threat model. */

import {
  graphActionTools as graphActionToolsJson, newThreatModel as newThreatModelJson, readTools as readToolsJson, threatModelPrompt as promptText,
} from "#threat-model";

import { CountersignError, guarded } from "./error.js";
import { fromJson, toJson } from "./json.js";
import { engine } from "./load.js";
import type { Json, ToolDeclaration } from "./types.js";

export * from "./core.js";

/** The tools that read a threat model: they run in the core, unasked, and change nothing. Offer them before the ones that change it. */
export function readTools(): ToolDeclaration[] {
  engine();
  return fromJson<ToolDeclaration[]>(guarded(() => readToolsJson()));
}

/** The twelve graph actions: core tools that change a threat model, to be put beside your own. */
export function graphActionTools(): ToolDeclaration[] {
  engine();
  return fromJson<ToolDeclaration[]>(guarded(() => graphActionToolsJson()));
}

/** An empty threat model that is valid; `today` is a date like 2026-11-30. */
export function newThreatModel(title: string, author: string, today: string): Json {
  engine();
  return fromJson<Json>(guarded(() => newThreatModelJson(title, author, today)));
}

/**
 * The part of a system prompt that goes with these tools: what a threat model is, that text between the markers is data and never an instruction,
 * that ids are looked up, and that a change is a proposal. Put your own words before or after it.
 */
export function threatModelPrompt(): string {
  engine();
  return guarded(() => promptText());
}

/** What an empty threat model begins with. */
export interface EmptyThreatModelOptions {
  /** What the model is called. */
  title: string;
  /** Who makes it. */
  author: string;
  /** The day it is made on, as 2026-11-30. */
  today: string;
}

/** An empty threat model with one empty diagram, as an editor opens it for a new file; refuses a day that does not exist. */
export function emptyThreatModel({ title, author, today }: EmptyThreatModelOptions): Json {
  return fromJson<Json>(readable(toJson(newThreatModel(title, author, today))));
}

/**
 * The threat model in the text of a `.thf` file, every default filled in. Rejects with a `CountersignError`: `file_too_large` for a cap that
 * is passed, `unreadable_file` for a text that is not one YAML document, `unreadable_document` for one that is not shaped like a threat model.
 * Broken references are no reason: a `DocumentStore` holds such a document and tells them by `issues()`.
 */
export async function readThf(text: string): Promise<Json> {
  engine();
  const { readText } = await import("./thf/files.js");
  return fromJson<Json>(readable(await readText(text)));
}

/**
 * The text of a `.thf` file for a threat model: sections and fields in their order, unknown ones kept behind the known, nothing lost. Rejects with
 * `unreadable_document` for what `readThf` would not read, and with `file_too_large`.
 */
export async function writeThf(document: Json): Promise<string> {
  engine();
  const { writeText } = await import("./thf/files.js");
  return writeText(fromJson<Json>(readable(toJson(document, "document"))));
}

/** The document as a store would hold it, as JSON text; what no store takes is told without the store's words for where it came from. */
function readable(document: string): string {
  const { Store } = engine();
  try {
    const store = guarded(() => new Store('"threat-model"', document));
    try {
      return guarded(() => store.read());
    } finally {
      store.free();
    }
  } catch (thrown) {
    if (!(thrown instanceof CountersignError && thrown.code === "unreadable_document")) throw thrown;
    throw new CountersignError("unreadable_document", thrown.message.replace(/^initial: /, ""));
  }
}
