// What a call would do to the drawing, as the core worked it out: its preview, after those of the calls before it. Enters:
// previews and the document. Leaves: outlines and marks for the canvas. A drawing only: nothing is worked out here.

import { applyPatch } from "countersign/adapters";
import type { JsonPatch, Preview, PreviewLine } from "countersign/threat-model";

import { byId } from "../by-id.ts";
import type { Boundary, Element_, Flow, Model, Section, Threat } from "../model.ts";
import { editorStrings } from "../strings/editor.ts";
import { clip, say, shorten, wordFor } from "../text.ts";
import { keyOf, type Key } from "./key.ts";

/** The effect that is looked at. */
export interface Looked {
  readonly preview: Preview;
  /** What the calls before it would do, in their order: the preview stands on them. */
  readonly earlier: JsonPatch;
}

/** A mark at something that is in the document. */
export interface Mark {
  readonly kind: "changed" | "removed";
  readonly words: string;
}

/** What the canvas draws over the document while a card is looked at. */
export interface Proposal {
  /** Elements that are not there yet. */
  readonly elements: readonly { readonly key: Key; readonly element: Element_; readonly words: string }[];
  /** Elements that would stand somewhere else. */
  readonly moves: readonly { readonly key: Key; readonly element: Element_ }[];
  /** Flows that are not there yet, or would lead somewhere else. */
  readonly flows: readonly { readonly key: Key; readonly flow: Flow }[];
  /** Boundaries that are not there yet, or would stand somewhere else. */
  readonly boundaries: readonly { readonly key: Key; readonly boundary: Boundary; readonly words: string }[];
  readonly marks: ReadonlyMap<Key, Mark>;
}

const SECTIONS: readonly Section[] = ["elements", "data_flows", "trust_boundaries", "threats"];
const WORDS_SHOWN = 2;
const VALUE_SHOWN = 28;
const LINKS: ReadonlySet<string> = new Set(["from", "to", "element", "flow", "layer", "group"]);
const PLACED: ReadonlySet<string> = new Set(["position", "size", "label_offset", "source_handle", "target_handle"]);
const words = editorStrings.canvas;

/** What is drawn of an effect. */
export function proposalOf({ preview, earlier }: Looked, model: Model): Proposal {
  const draft = new Draft(model, preview.lines);
  const before = patched(model, earlier);
  const after = before && patched(before, preview.patch);
  // a patch that is too large is not handed out; then the lines tell what they can
  if (before === undefined || after === undefined || (preview.patch.length === 0 && preview.lines.length > 0)) draft.marksOf(preview.lines);
  else draft.between(before, after);
  return draft;
}

// nothing where a patch does not fit, because the document is another by now
function patched(document: Model, patch: JsonPatch): Model | undefined {
  try {
    return applyPatch(document, patch);
  } catch {
    return undefined;
  }
}

interface Change<E> {
  readonly before: E | undefined;
  readonly after: E | undefined;
}

class Draft implements Proposal {
  readonly elements: { key: Key; element: Element_; words: string }[] = [];
  readonly moves: { key: Key; element: Element_ }[] = [];
  readonly flows: { key: Key; flow: Flow }[] = [];
  readonly boundaries: { key: Key; boundary: Boundary; words: string }[] = [];
  readonly marks = new Map<Key, Mark>();
  readonly #fields = new Map<Key, string>();

  constructor(
    private readonly model: Model,
    lines: readonly PreviewLine[],
  ) {
    const told = new Map<Key, string[]>();
    for (const line of lines) {
      const section = SECTIONS.find((one) => one === line.section);
      if (section === undefined || line.field === undefined || PLACED.has(line.field)) continue;
      const key = keyOf(section, line.id);
      told.set(key, [...(told.get(key) ?? []), fieldWords(line)]);
    }
    for (const [key, all] of told) this.#fields.set(key, [...all.slice(0, WORDS_SHOWN), ...(all.length > WORDS_SHOWN ? [say(words.proposedMore, { n: all.length - WORDS_SHOWN })] : [])].join(" · "));
  }

  /** Marks what the lines name, where nothing more is known. */
  marksOf(lines: readonly PreviewLine[]): void {
    for (const line of lines) {
      const section = SECTIONS.find((one) => one === line.section);
      if (section === undefined || line.kind === "added") continue;
      const key = keyOf(section, line.id);
      if (line.kind === "removed" && line.field === undefined) this.#mark(key, "removed", words.proposedRemove);
      else if (!this.marks.has(key)) this.#change(key);
    }
  }

  /** Draws what is another in `after`. */
  between(before: Model, after: Model): void {
    const elements = changes<Element_>(before.elements, after.elements);
    for (const change of elements) this.#element(change, after);
    const takesElements = elements.some((change) => change.after === undefined);
    for (const change of changes<Flow>(before.data_flows, after.data_flows)) this.#flow(change, after, takesElements);
    for (const change of changes<Boundary>(before.trust_boundaries, after.trust_boundaries)) this.#boundary(change, after);
    for (const change of changes<Threat>(before.threats, after.threats)) this.#threat(change, after);
  }

  #element({ before, after }: Change<Element_>, all: Model): void {
    const key = keyOf("elements", (after ?? before)?.id ?? "");
    if (after === undefined) this.#mark(key, "removed", words.proposedRemove);
    else if (byId(this.model.elements, after.id) === undefined) this.#need("elements", after.id, all, before === undefined ? words.proposedAdd : words.proposedEarlier);
    else {
      this.#change(key);
      if (after.position !== undefined && !same(before?.position, after.position)) this.moves.push({ key: `${key}?`, element: after });
    }
  }

  #flow({ before, after }: Change<Flow>, all: Model, takesElements: boolean): void {
    const key = keyOf("data_flows", (after ?? before)?.id ?? "");
    // a flow that goes with its element is struck out; the words stand at the element alone
    if (after === undefined) this.#mark(key, "removed", takesElements ? "" : words.proposedRemove);
    else if (byId(this.model.data_flows, after.id) === undefined) this.#need("data_flows", after.id, all, "");
    else {
      this.#change(key);
      if (before !== undefined && ["from", "to", "source_handle", "target_handle"].some((field) => before[field] !== after[field])) {
        this.flows.push({ key: `${key}?`, flow: after });
        for (const end of [after.from, after.to]) this.#need("elements", end, all, words.proposedEarlier);
      }
    }
  }

  #boundary({ before, after }: Change<Boundary>, all: Model): void {
    const key = keyOf("trust_boundaries", (after ?? before)?.id ?? "");
    if (after === undefined) this.#mark(key, "removed", words.proposedRemove);
    else {
      const isThere = byId(this.model.trust_boundaries, after.id) !== undefined;
      if (isThere) this.#change(key);
      for (const member of after.contains) this.#need("elements", member, all, words.proposedEarlier);
      if (!isThere) this.boundaries.push({ key, boundary: after, words: before === undefined ? words.proposedAdd : words.proposedEarlier });
      // a member that goes with everything else of it is no move
      else if (!same([before?.position, before?.size], [after.position, after.size]) || after.contains.some((member) => before?.contains.includes(member) !== true)) {
        this.boundaries.push({ key: `${key}?`, boundary: after, words: words.proposedMove });
      }
    }
  }

  #threat({ before, after }: Change<Threat>, all: Model): void {
    const key = keyOf("threats", (after ?? before)?.id ?? "");
    const threat = after ?? before;
    const sentence = before === undefined ? words.proposedThreat : after === undefined ? words.proposedThreatRemove : words.proposedThreatChange;
    const told = say(sentence, { title: shorten(threat?.title ?? "", VALUE_SHOWN * 2) });
    if (after === undefined) this.#mark(key, "removed", words.proposedRemove);
    else if (before !== undefined) this.#change(key);
    for (const one of [before, after]) {
      if (one?.element !== undefined) this.#target(keyOf("elements", one.element), "elements", one.element, told, all);
      if (one?.flow !== undefined) this.#target(keyOf("data_flows", one.flow), "data_flows", one.flow, told, all);
    }
  }

  #target(key: Key, section: "elements" | "data_flows", id: string, told: string, all: Model): void {
    this.#need(section, id, all, words.proposedEarlier);
    // what goes anyway needs no word about its threats
    if (this.marks.get(key)?.kind !== "removed") this.#mark(key, "changed", told);
  }

  /** Draws something that only the calls before this one, or this one, would add. */
  #need(section: "elements" | "data_flows", id: string, all: Model, told: string): void {
    const key = keyOf(section, id);
    if (section === "elements") {
      const element = byId(all.elements, id);
      if (element === undefined || byId(this.model.elements, id) !== undefined || this.elements.some((one) => one.key === key)) return;
      this.elements.push({ key, element, words: told });
      return;
    }
    const flow = byId(all.data_flows, id);
    if (flow === undefined || byId(this.model.data_flows, id) !== undefined || this.flows.some((one) => one.key === key)) return;
    this.flows.push({ key, flow });
    for (const end of [flow.from, flow.to]) this.#need("elements", end, all, words.proposedEarlier);
  }

  #change(key: Key): void {
    this.#mark(key, "changed", this.#fields.get(key) ?? "");
  }

  // one thing may change in several ways: what is deleted stays so, and every sentence is kept once
  #mark(key: Key, kind: Mark["kind"], sentence: string): void {
    const before = this.marks.get(key);
    const sentences = new Set([...(before?.words.split("; ") ?? []), sentence].filter((one) => one !== ""));
    this.marks.set(key, { kind: before?.kind === "removed" ? "removed" : kind, words: [...sentences].join("; ") });
  }
}

function changes<E extends { readonly id: string }>(before: readonly E[], after: readonly E[]): Change<E>[] {
  if (before === after) return [];
  const [old, now] = [before, after].map((list) => new Map(list.map((entity) => [entity.id, entity])));
  const gone = before.filter(({ id }) => now?.has(id) !== true).map((entity): Change<E> => ({ before: entity, after: undefined }));
  const other = after.map((entity): Change<E> => ({ before: old?.get(entity.id), after: entity }));
  return [...gone, ...other.filter((change) => !same(change.before, change.after))];
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

// before → after where both are short words; lists and objects are told by their name alone
function fieldWords({ field = "", before, after, kind }: PreviewLine): string {
  const name = wordFor(editorStrings.fieldNames, field) ?? clip(field, 40);
  const isPlain = [before, after].every((value) => value === undefined || !/^[[{]/.test(value));
  // several names have no room in the drawing, and the ids beside names stand on the card
  if (!isPlain || field === "contains") return say(words.proposedField, { field: name });
  const told = (value: string | undefined) => (value === undefined || value === "" ? words.proposedNothing : shorten(LINKS.has(field) ? value.replace(/(.) \([^()]*\)$/, "$1") : value, VALUE_SHOWN));
  return say(kind === "removed" ? words.proposedFieldGone : words.proposedFieldChange, { field: name, before: told(before), after: told(after) });
}
