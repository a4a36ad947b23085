// A call in a person's words: what it would do, what became of it. Enters: the record with what the core worked out, and
// for what was only looked at the document. Leaves: sentences whose foreign parts are marked. Works out and decides nothing.

import { outcomeOf, problemOf, receiptOf, toneOf, withWords } from "countersign/review";
import type { CallRecord, Preview, PreviewLine } from "countersign/threat-model";

import { find, nameOf, type Model } from "../model.ts";
import { strings } from "../strings/assistant.ts";
import { appStrings } from "../strings/app.ts";
import { clip, count, fill, list, say, shown, wordFor, type Part } from "../text.ts";

/** One line of what will change. */
export interface Line {
  readonly kind: "added" | "removed" | "changed";
  readonly parts: readonly Part[];
}

/** What a card's mark says. */
export type Mark = "add" | "change" | "delete" | "read" | "unknown";

// values come shortened as far as they have to be
const WHOLE = 1000;

/** Line one: what the call does, things named by their titles; what its input alone says where nothing is worked out. */
export function titleOf(call: CallRecord): string {
  return call.preview?.title || call.summary;
}

/** The mark of a call: declared facts first, what it would do second. */
export function markOf(call: CallRecord): Mark {
  if (call.errorCode === "unknown_tool") return "unknown";
  if (call.destructive) return "delete";
  if (call.effect === "read") return "read";
  const counts = call.preview?.counts ?? [];
  return counts.length > 0 && counts.every(({ kind }) => kind === "added") ? "add" : "change";
}

/** All a waiting card says: where it is another text, the card has to be read again. */
export function faceOf({ preview, stale, act, awaiting, inputDigest, status }: CallRecord): string {
  return JSON.stringify([preview?.effectDigest ?? inputDigest, preview?.error, stale, act, awaiting, status]);
}

/** Why a card that waits cannot be approved now. */
export function heldBack({ awaiting, act }: CallRecord): string | undefined {
  if (act?.result === "needs_selection") return strings.card.chooseFirst;
  return awaiting === "user" ? undefined : strings.card.working;
}

/** The effect, line by line; what the heading says already is left out. */
export function lines(effect: readonly PreviewLine[], heading: string): Line[] {
  let above: string | undefined;
  return effect.flatMap((line): Line[] => {
    const { kind, section, id, title, field, before, after } = line;
    const entity = `${section}\n${id}`;
    const isHead = title !== "" && heading.includes(title);
    const isTold = isHead || above === entity;
    above = entity;
    // what only stands elsewhere has a name, and the one it stands behind
    if (kind === "changed" && field === undefined && before === undefined) return [{ kind, parts: after === undefined ? fill(strings.card.movedFirst, { name: title }, WHOLE) : fill(strings.card.movedBehind, { name: title, other: after }, WHOLE) }];
    if (field === undefined) return isHead ? [] : [{ kind, parts: fill(strings.card.entity, { kind: wordFor(appStrings.picker.kinds, section) ?? section, name: title }, WHOLE) }];
    // the title is told above, and nothing is seen of what is empty
    if (kind === "added" && (after === title || after === "" || after === "[]")) return [];
    const [was, is] = [told(field, before), told(field, after)];
    // two values that read the same in words are shown as they are
    const isSame = before !== undefined && was === is;
    const words = { field: wordFor(strings.card.fields, field) ?? field, before: isSame ? before : was, after: isSame ? (after ?? is) : is };
    const parts = fill(kind === "added" ? strings.card.added : kind === "removed" ? strings.card.removed : strings.card.changed, words, WHOLE);
    return [{ kind, parts: isTold || title === "" ? parts : [...fill(strings.card.of, { name: title }, WHOLE), ...parts] }];
  });
}

/** What goes, comes or changes beside the thing the call is about, counted in words. */
export function cascades(call: CallRecord, preview: Preview): string[] {
  const subject = subjectOf(call, preview);
  const found = { removed: [] as string[], changed: [] as string[], added: [] as string[] };
  for (const { kind, section, count: n } of preview.counts) {
    const others = n - (subject?.kind === kind && subject.section === section ? 1 : 0);
    if (others > 0) found[kind].push(count(others, wordFor(appStrings.sections, section) ?? [`{n} ${section}`, `{n} ${section}`]));
  }
  const told = (["removed", "changed", "added"] as const).flatMap((kind) => (found[kind].length === 0 ? [] : [say(strings.card.also[kind], { list: list(found[kind]) })]));
  return call.destructive && told.length === 0 && preview.error === undefined ? [strings.card.lostNothing] : told;
}

/** Why a card says something else than it did. */
export function staleWords({ because, lines }: NonNullable<CallRecord["stale"]>): Part[] {
  if (because === "calls") return [strings.card.staleCalls];
  // the first line of an entity says whether it came or went
  const named = lines.filter((line, at) => lines.findIndex((other) => other.section === line.section && other.id === line.id) === at);
  const parts = named.flatMap(({ title, kind, field, section }, at): Part[] => {
    const name = title || wordFor(strings.card.fields, field ?? "") || field || section;
    return [...(at === 0 ? [] : [", "]), ...fill(strings.card.meanwhile[field === undefined ? kind : "changed"], { name })];
  });
  return parts.length === 0 ? [strings.card.staleUnknown] : fillParts(strings.card.staleDocument, parts);
}

/** What was looked at, by its name; the record's own line for a tool the page does not know. */
export function lookedAt(call: CallRecord, model: Model): string {
  const words = strings.looks;
  if (call.toolName === "get_document_summary") return words.summary;
  const kind = kindIn(call.input) ?? "";
  const name = wordFor(words.kinds, kind);
  if (call.toolName !== "search_entities" || name === undefined) return shown(call.summary);
  const filters = Object.entries(call.input ?? {}).filter(([key]) => key !== "kind" && key !== "offset" && key !== "limit");
  if (filters.length === 0) return name;
  const told = filters.map(([key, given]) => say(words.filter, { field: wordFor(words.filters, key) ?? clip(key, 40), value: clip(key === "references" ? nameOfAny(model, String(given)) : typeof given === "boolean" ? (given ? strings.card.yes : strings.card.no) : String(given), 60) }));
  return say(words.filtered, { what: name, filters: list(told) });
}

/** The words for what the package tells. */
export const reviewWords = withWords({ outcome: { approved: strings.outcome.approved }, sections: appStrings.sections });

/** What became of a call, in words. */
export function outcome(call: CallRecord): string {
  return outcomeOf(call, reviewWords);
}

/** Why a call would not work, in words; nothing where it would. */
export function problem(call: CallRecord, preview: Preview | null): string | undefined {
  return problemOf(call, preview, reviewWords);
}

/** How a finished call is coloured, beside its words. */
export const tone = toneOf;

/** The receipt of a turn: counted from the records, not from what anyone said. */
export function receipt(calls: readonly CallRecord[]): { readonly applied: number; readonly text: string } {
  return receiptOf(calls, reviewWords);
}

// a value as a person says it; what is nested deeper, or would read like something else, stays as it is
function told(field: string, value: string | undefined): string {
  if (value === undefined || value === "") return strings.card.nothing;
  if (field === "authenticated") return { true: strings.card.yes, false: strings.card.no }[value] ?? value;
  const held = value.startsWith("[") || value.startsWith("{") ? parsed(value) : undefined;
  if (Array.isArray(held)) return held.length > 0 && held.every(isPlain) ? held.join(", ") : value;
  if (typeof held !== "object" || held === null) return value;
  const pairs = Object.entries(held);
  const isFlat = pairs.length > 0 && pairs.every(([, one]) => (typeof one === "string" && one !== "") || typeof one === "number");
  return isFlat ? pairs.map(([key, one]) => say(strings.card.held, { field: wordFor(strings.card.inputs, key) ?? wordFor(strings.card.fields, key) ?? key, value: key === "status" ? (wordFor(appStrings.mitigations, one) ?? one) : one })).join("; ") : value;
}

function isPlain(item: unknown): boolean {
  return typeof item === "string" && item !== "" && !/[,"[{]/.test(item);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// the entity the call names, else the one its heading names, else the first
function subjectOf({ input }: CallRecord, { lines, title }: Preview): PreviewLine | undefined {
  const id = typeof input === "object" && input !== null && !Array.isArray(input) ? input["id"] : undefined;
  return lines.find((line) => line.id === id) ?? lines.find((line) => line.title !== "" && title.includes(line.title)) ?? lines[0];
}

function fillParts(template: string, what: readonly Part[]): Part[] {
  const [before = "", after = ""] = template.split("{what}");
  return [before, ...what, after];
}

function nameOfAny(model: Model, id: string): string {
  const section = (["elements", "data_flows", "trust_boundaries", "threats"] as const).find((one) => find(model, one, id) !== undefined);
  return section === undefined ? id : nameOf(model, section, id);
}

function kindIn(input: CallRecord["input"]): string | undefined {
  const kind = typeof input === "object" && input !== null && !Array.isArray(input) ? input["kind"] : undefined;
  return typeof kind === "string" ? kind : undefined;
}
