// How the editor names an entity: its section and its id in one string, since ids are unique only inside a section.

import type { Section } from "../model.ts";

/** A section's letter and an entity's id, such as `e:browser`. */
export type Key = string;

const LETTERS = { elements: "e", data_flows: "f", trust_boundaries: "b", threats: "t" } as const;
const SECTIONS: ReadonlyMap<string, Section> = new Map(Object.entries(LETTERS).map(([section, letter]) => [letter, section as Section]));

/** The key of an entity. */
export function keyOf(section: Section, id: string): Key {
  return `${LETTERS[section]}:${id}`;
}

/** The entity a key names. */
export function refOf(key: Key): { readonly section: Section; readonly id: string } {
  return { section: SECTIONS.get(key.slice(0, 1)) ?? "elements", id: key.slice(2) };
}

/** The section a key leads to. */
export function sectionOf(key: Key): Section {
  return refOf(key).section;
}

/** The ids of one section among keys. */
export function idsOf(keys: Iterable<Key>, section: Section): Set<string> {
  const prefix = `${LETTERS[section]}:`;
  const ids = new Set<string>();
  for (const key of keys) if (key.startsWith(prefix)) ids.add(key.slice(2));
  return ids;
}
