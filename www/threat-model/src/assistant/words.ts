// A call in a person's words: what it would do, what changes, what became of it. Enters: the validated record
// and the document. Leaves: sentences whose foreign parts are marked and made visible. Decides nothing.

import type { CallRecord } from "countersign/threat-model";

import { SECTION_OF, bodyOf, field, textField, verbOf } from "../editor/proposal.ts";
import { elementName, find, flowName, lossOf, lossWords, nameOf, typeName, type Model } from "../model.ts";
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

/** The mark of a call: declared facts first, the tool's verb second. */
export function markOf(call: CallRecord): Mark {
  if (call.errorCode === "unknown_tool") return "unknown";
  if (call.destructive) return "delete";
  if (call.effect === "read") return "read";
  return verbOf(call.toolName) === "add" ? "add" : "change";
}

/** Line one: a verb and the things it touches, by name; the record's own line for a tool the page does not know. */
export function heading(call: CallRecord, model: Model): Part[] {
  const section = SECTION_OF.get(call.toolName);
  const template = wordFor(strings.card.verbs, call.toolName);
  const body = bodyOf(call);
  const id = textField(call.input, "id");
  if (section === undefined || template === undefined) return [{ name: shown(call.summary) }];
  if (id !== undefined) {
    const name = nameOf(model, section, id);
    const to = renamed(call.toolName, body);
    return to === undefined ? fill(template, { name }) : fill(strings.card.verbs["rename"] ?? template, { name, to });
  }
  return fill(template, {
    // an input that could not be read names nothing
    name: textField(body, "name") || textField(body, "title") || strings.card.something,
    from: elementName(model, textField(body, "from") ?? ""),
    to: elementName(model, textField(body, "to") ?? ""),
  });
}

/** What was looked at, by its name; the record's own line for a tool the page does not know. */
export function lookedAt(call: CallRecord, model: Model): string {
  const words = strings.looks;
  if (call.toolName === "get_document_summary") return words.summary;
  const kind = textField(call.input, "kind") ?? "";
  const name = wordFor(words.kinds, kind);
  if (call.toolName !== "search_entities" || name === undefined) return shown(call.summary);
  const filters = Object.entries(call.input ?? {}).filter(([key]) => key !== "kind" && key !== "offset" && key !== "limit");
  if (filters.length === 0) return name;
  const told = filters.map(([key, given]) => say(words.filter, { field: wordFor(words.filters, key) ?? clip(key, 40), value: clip(key === "references" ? nameOfAny(model, String(given)) : value(key, given, model), 60) }));
  return say(words.filtered, { what: name, filters: list(told) });
}

/** The lines below: one a field, before and after where there is a before. */
export function lines(call: CallRecord, model: Model): Line[] {
  const section = SECTION_OF.get(call.toolName);
  const verb = verbOf(call.toolName);
  const body = bodyOf(call);
  if (section === undefined || verb === "delete" || typeof body !== "object" || body === null) return [];
  const id = textField(call.input, "id");
  const entity = id === undefined ? undefined : find(model, section, id);
  const inHeading = verb === "add" ? new Set(section === "data_flows" ? ["from", "to"] : ["name", "title"]) : new Set<string>();
  const made: Line[] = [];
  for (const [key, after] of Object.entries(body)) {
    if (inHeading.has(key)) continue;
    const names = { field: wordFor(strings.card.fields, key) ?? key, after: value(key, after, model), before: value(key, field(entity, key), model) };
    if (verb === "add" || entity === undefined) made.push({ kind: "added", parts: fill(strings.card.added, names) });
    else if (names.before === names.after && JSON.stringify(field(entity, key)) === JSON.stringify(after)) continue;
    else made.push({ kind: "changed", parts: fill(strings.card.changed, names) });
  }
  const clear = field(call.input, "clear");
  for (const key of Array.isArray(clear) ? clear : []) {
    if (typeof key !== "string") continue;
    made.push({ kind: "removed", parts: fill(strings.card.removed, { field: wordFor(strings.card.fields, key) ?? key, before: value(key, field(entity, key), model) }) });
  }
  return made;
}

/** What a destructive call takes along, in words, and whether what a call is about is there at all. */
export function lossLines(call: CallRecord, model: Model): Part[][] {
  const section = SECTION_OF.get(call.toolName);
  const id = textField(call.input, "id");
  if (section === undefined || id === undefined) return [];
  if (find(model, section, id) === undefined) return [[strings.card.gone]];
  if (!call.destructive) return [];
  const loss = lossOf(model, section, id);
  const words = lossWords(loss);
  const first: Part[] = words.length === 0 ? [strings.card.lostNothing] : [say(strings.card.lost, { list: list(words) })];
  const named = [...loss.flows.map((flow) => flowName(model, flow)), ...loss.threats.map((threat) => threat.title)];
  const rows: Part[][] = [first];
  if (named.length > 0) rows.push(named.slice(0, 6).flatMap((name, index): Part[] => (index === 0 ? [{ name: clip(name, 60) }] : [", ", { name: clip(name, 60) }])));
  if (named.length > 6) rows.push([say(strings.card.moreLines, { n: named.length - 6 })]);
  if (loss.keptThreats.length > 0) rows.push([`${count(loss.keptThreats.length, appStrings.counts.keptThreats)}.`]);
  return rows;
}

/** What became of a call, in words. */
export function outcome(call: CallRecord): string {
  const told = outcomeAlone(call);
  return call.edited && (call.status === "succeeded" || call.status === "failed") ? say(strings.outcome.edited, { outcome: told }) : told;
}

function outcomeAlone(call: CallRecord): string {
  const words = strings.outcome;
  switch (call.status) {
    case "pending":
      return words.waiting;
    case "approved":
      return words.approved;
    case "running":
      return call.progress === null ? words.running : clip(call.progress.label, 120);
    case "succeeded":
      return call.committed || call.external ? words.applied : words.done;
    case "undone":
      return words.undone;
    case "unknown":
      return words.unknown;
    case "failed":
      return say(words.failed, { why: wordFor(words.causes, call.errorCode ?? "") ?? words.causes["execution_failed"] ?? "" });
    case "denied":
      return denied(call);
  }
}

function denied(call: CallRecord): string {
  const words = strings.outcome;
  switch (call.denialReason) {
    case "user_declined":
      return call.denialNote === null || call.denialNote === "" ? words.deniedByYou : say(words.deniedBecause, { note: clip(call.denialNote, 160) });
    case "turn_cancelled":
      return words.stopped;
    case "superseded":
      return words.superseded;
    case "limit_exceeded":
      return words.limit;
    case "approval_expired":
      return words.expired;
    case "unauthorized":
      return words.unauthorized;
    default:
      return words.denied;
  }
}

/** How a finished call is coloured, beside its words. */
export function tone(call: CallRecord): "good" | "bad" | "quiet" {
  if (call.status === "succeeded") return "good";
  return call.status === "failed" || call.status === "unknown" ? "bad" : "quiet";
}

/** The receipt of a turn: counted from the records, not from what anyone said. */
export function receipt(calls: readonly CallRecord[]): { applied: number; text: string } {
  // what was only looked at is told where it was looked at
  const n = (test: (call: CallRecord) => boolean) => calls.filter((call) => call.effect !== "read" && test(call)).length;
  const applied = n((call) => call.status === "succeeded" && call.effect === "mutate" && (call.committed || call.external));
  const undone = n((call) => call.status === "undone");
  const declined = n((call) => call.status === "denied" && call.denialReason === "user_declined");
  const parts = [
    applied > 0 && count(applied, strings.receipt.applied),
    undone > 0 && count(undone, strings.receipt.undone),
    declined > 0 && say(strings.receipt.denied, { n: declined }),
    ...([
      [n((call) => call.status === "denied" && call.denialReason !== "user_declined"), strings.receipt.notRun],
      [n((call) => call.status === "failed"), strings.receipt.failed],
      [n((call) => call.status === "unknown"), strings.receipt.unknown],
    ] as const).map(([many, words]) => many > 0 && say(words, { n: many })),
  ];
  return { applied, text: parts.filter((part): part is string => part !== false).join(", ") };
}

function renamed(toolName: string, body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || Object.keys(body).length !== 1) return undefined;
  return toolName === "update_threat" ? textField(body, "title") : textField(body, "name");
}

function nameOfAny(model: Model, id: string): string {
  const section = (["elements", "data_flows", "trust_boundaries", "threats"] as const).find((one) => find(model, one, id) !== undefined);
  return section === undefined ? id : nameOf(model, section, id);
}

function value(key: string, given: unknown, model: Model): string {
  if (given === undefined || given === null || given === "") return strings.card.nothing;
  if (typeof given === "boolean") return given ? strings.card.yes : strings.card.no;
  if (typeof given === "string") return named(key, given, model);
  if (Array.isArray(given)) return given.length === 0 ? strings.card.nothing : list(given.map((item) => (typeof item === "string" ? (key === "contains" ? elementName(model, item) : item) : JSON.stringify(item))));
  if (key === "position") return say(strings.card.point, { x: String(field(given, "x")), y: String(field(given, "y")) });
  if (key === "size") return say(strings.card.area, { w: String(field(given, "width")), h: String(field(given, "height")) });
  if (key === "mitigation") {
    const status = textField(given, "status") ?? "";
    const description = textField(given, "description") ?? "";
    const word = wordFor(appStrings.mitigations, status) ?? status;
    return description === "" ? word : `${word}: ${description}`;
  }
  return typeof given === "object" ? JSON.stringify(given) : String(given);
}

function named(key: string, text: string, model: Model): string {
  if (key === "from" || key === "to" || key === "element") return elementName(model, text);
  if (key === "flow") return nameOf(model, "data_flows", text);
  if (key === "type") return typeName(text);
  if (key === "severity") return wordFor(appStrings.severities, text) ?? text;
  return text;
}
