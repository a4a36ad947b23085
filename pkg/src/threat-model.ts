/** `countersign/threat-model`: everything of `countersign` over an engine that also knows the threat model. */

import {
  graphActionTools as graphActionToolsJson, newThreatModel as newThreatModelJson, threatModelPrompt as promptText,
} from "#threat-model";

import { readTools as readToolsOf } from "./definitions.js";
import { CountersignError, guarded } from "./error.js";
import { fromJson, toJson } from "./json.js";
import { engine } from "./load.js";
import type { DocumentDefinition, Json, ToolDeclaration } from "./types.js";

export {
  componentCatalog, type CatalogComponent, type ComponentCategory, type ComponentProvider, type ComponentVariant,
} from "./catalog.js";
export * from "./core.js";

// the class and the place of the one fault that is a cap, as the core writes them
const TOO_LARGE = "too-large: document: ";

/**
 * The tools that read a document of the definition, the threat model where none is given: they run in the core, unasked, and change nothing. Offer
 * them before the ones that change it.
 */
export function readTools(definition: "threat-model" | DocumentDefinition = "threat-model"): ToolDeclaration[] {
  return readToolsOf(definition);
}

/** The twelve graph actions: core tools that change a threat model, to be put beside your own. */
export function graphActionTools(): ToolDeclaration[] {
  engine();
  return fromJson<ToolDeclaration[]>(guarded(() => graphActionToolsJson()));
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
  engine();
  return fromJson<Json>(readable(guarded(() => newThreatModelJson(title, author, today))));
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
    const words = thrown.message.replace(/^initial: /, "");
    throw words.startsWith(TOO_LARGE) ? new CountersignError("file_too_large", words.slice(TOO_LARGE.length)) : new CountersignError("unreadable_document", words);
  }
}
