//! The few declarations no Rust type can write: plain JSON, and unions of what Rust keeps apart.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON Schema (2020-12), as an object or `true` or `false`. */
export type JsonSchema = boolean | { [keyword: string]: unknown };

/** RFC 6902: add, remove, replace; `test` too in a host's. */
export type JsonPatch = PatchOperation[];

/** Everything a turn can be told; the time may go with every input. */
export type TurnInput = (StreamEvent & { nowMs?: number }) | TurnCommand;

/** What a prepared call is: what was validated is what runs. */
export type PreparedCall = { summary: string; input: Json; inputDigest: string };

/** A document whose parts carry ids, as its host defines it. */
export interface DocumentDefinition {
  /** What such a document is called. */
  kind: string;
  /** What the whole document must be (JSON Schema 2020-12). */
  schema?: JsonSchema;
  /** Where the entities are, in order. */
  sections: DocumentSection[];
  /** The host's own validator, a pure function called at commit: one line for each fault. It may not call back in. */
  rules?: (document: Json) => string[];
}

/** One list of entities. */
export interface DocumentSection {
  /** Its name, for people and models. */
  name: string;
  /** JSON pointer to an array of objects. */
  path: string;
  /** The member that holds the id; `id` where nothing is said. */
  idKey?: string;
  /** The member that holds the title. */
  titleKey?: string;
  /** The references that name an entity without a title: `["from", "to"]` reads `Web app → Orders`. */
  titleFrom?: string[];
  /** What ids made by the core begin with; the section's name where nothing is said. */
  idPrefix?: string;
  /** Members that name other entities. */
  references?: {
    /** JSON pointer inside the entity; an array value holds a reference per item. */
    path: string;
    /** The section or sections it may point into. */
    section: string | string[];
    /** What becomes of it when its target is deleted. */
    onDelete?: "refuse" | "cascade" | "clear";
  }[];
  /** JSON pointers to the members a search for `text` looks at beside id and title; they are shown with the whole entity. */
  text?: string[];
  /** What a search can ask for, by the name of the filter. */
  filters?: Record<string, {
    /** JSON pointer inside the entity. */
    path: string;
    /**
     * When an entity passes: the value is the one asked for, also without regard to case; a list holds it or a text has it in it; or it is the
     * one asked for, `none` standing for an entity without a value.
     */
    match: "equal" | "ignore_case" | "includes" | "equal_or_none";
  }>;
  /** JSON pointers to what a page shows beside id and title; references and the places of the filters where nothing is said. */
  compact?: string[];
  /** JSON pointers to what is shown of one whole entity beside that and `text`; every text, number, boolean and list of them where nothing is said. */
  full?: string[];
  /** JSON pointers to members whose values the schema lists (`enum`): the summary counts how often each stands. */
  counts?: string[];
  /** Ids shown with a whole entity: of the entities of another section that name it. */
  backReferences?: {
    /** What the list is called. */
    name: string;
    /** The section whose entities are listed. */
    section: string;
    /** JSON pointer to the member that names this entity, alone or in a list. */
    path: string;
  }[];
  /** Ids are unique across the sections of one namespace. */
  namespace?: string;
  /** JSON pointer to the member that names the parent; following it never comes back. */
  acyclic?: string;
}
"#;
