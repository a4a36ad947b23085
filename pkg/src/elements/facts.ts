/** A call in a person's words: what it would do, what changes, what became of it. Enters: records. Leaves: strings and rows. Decides nothing. */

import type { CallRecord, Json, JsonPatch, Preview, PreviewCount, PreviewLine } from "#engine/types";
import type { SessionView } from "../session/view.js";
import { capital, clip, spaced, visible } from "./text.js";
import { wholes } from "./whole.js";
import { count, elementWords, listed, say, wordFor, type ElementWords } from "./words.js";

const LONGEST_VALUE = 120;
// the core keeps what it hands out far shorter; whatever comes, a card stays a card
const LONGEST_TITLE = 300;
const MOST_NAMES = 20;
const LONGEST_SHOWN = 400;
const LONGEST_WHY = 160;
const LONGEST_ERROR = 2000;
// how the core begins where the document would not be valid; a fault on each line follows
const NOT_VALID = "the proposed document is not valid, so nothing was changed:";
// made once: a browser takes long to make what knows every letter
const ENDS_IN_WORD = /[\p{L}\p{N}]$/u;
const BEGINS_WORD = /^[\p{L}\p{N}]/u;

/** What the mark of a card says. */
export type Mark = "read" | "change" | "delete";

/** One row of what changes, ready to be drawn. */
export interface Row {
  /** What happens. */
  readonly kind: "added" | "removed" | "changed";
  /** The entity, where the row has to name it. */
  readonly title?: string;
  /** Its section in a word, where the row is about the whole entity. */
  readonly section?: string;
  /** The field in words. */
  readonly field?: string;
  /** The value before. */
  readonly before?: string;
  /** The value after. */
  readonly after?: string;
  /** The whole of it, where only its head and tail stand there. */
  readonly whole?: string;
  /** Where the entity comes to stand, where nothing else of it is another: behind what this names, or before all others. */
  readonly moved?: { readonly behind?: string };
}

/** Line one. */
export function titleOf(call: CallRecord): string {
  return clip(call.preview?.title || call.summary, LONGEST_TITLE);
}

/** Line one in pieces: the names in it, which the preview tells of, apart from the words around them. The text is the same. */
export function headingOf(call: CallRecord): readonly { readonly text: string; readonly isName: boolean }[] {
  const title = titleOf(call);
  // what a reference names comes with its id behind it, which no title holds
  const named = (value = ""): string => value.replace(/ \([^()]*\)$/u, "");
  const names = [...new Set(call.preview?.lines.flatMap((line) => [line.title, named(line.before), isMove(line) ? (line.after ?? "") : named(line.after)]))].filter((name) => name.length > 1 && title.includes(name));
  // the longest first, so that a name inside another does not take it apart
  names.sort((a, b) => b.length - a.length).splice(MOST_NAMES);
  const pieces: { readonly text: string; readonly isName: boolean }[] = [];
  let from = 0;
  for (let at = 0; at < title.length; ) {
    const name = names.find((one) => title.startsWith(one, at) && isWhole(title, at, at + one.length));
    if (name === undefined) {
      at += 1;
      continue;
    }
    if (at > from) pieces.push({ text: title.slice(from, at), isName: false });
    pieces.push({ text: name, isName: true });
    from = at += name.length;
  }
  if (from < title.length) pieces.push({ text: title.slice(from), isName: false });
  return pieces;
}

// a name is not part of a longer word; a sign outside the first plane is two units
function isWhole(title: string, start: number, end: number): boolean {
  return !ENDS_IN_WORD.test(title.slice(Math.max(0, start - 2), start)) && !BEGINS_WORD.test(title.slice(end, end + 2));
}

/** Why a call would not work, as its preview says, in a person's words; nothing where it would. */
export function problemOf({ toolName }: CallRecord, preview: Preview | null, words: ElementWords = elementWords): string | undefined {
  const error = preview?.error;
  if (error === undefined) return undefined;
  const isFault = error.startsWith(NOT_VALID);
  // a shipped tool says its name before all else
  const isCore = isFault || error.startsWith(`\`${toolName}\`: `);
  return whyOf(error, isCore, isFault, LONGEST_SHOWN, words) ?? words.outcome.causes["execution_failed"] ?? "";
}

/** The mark: declared facts alone. */
export function markOf(call: CallRecord): Mark {
  if (call.destructive) return "delete";
  return call.effect === "read" ? "read" : "change";
}

/** All that a waiting card shows of a call: where it is another text, the card shows something else. */
export function signatureOf(call: CallRecord): string {
  const { preview, stale, act, awaiting, summary, inputDigest, destructive, status } = call;
  const shown = preview === null ? null : [preview.effectDigest, preview.title, preview.error, preview.lines, preview.counts, preview.hiddenLines];
  return JSON.stringify([shown, stale, act, awaiting, summary, inputDigest, destructive, status]);
}

const signatures = new WeakMap<CallRecord, string>();

/** The same as it was for this very record: for what is drawn, never for what is decided. */
export function knownSignatureOf(call: CallRecord): string {
  let known = signatures.get(call);
  if (known === undefined) signatures.set(call, (known = signatureOf(call)));
  return known;
}

/** The lines of a difference as rows: an entity is named where that is not said already. `patch` is the same difference with its values whole. */
export function rowsOf(lines: readonly PreviewLine[], heading: string, words: ElementWords, patch: JsonPatch = []): Row[] {
  const wholeOf = wholes(patch);
  let entity = "";
  let untold: string | undefined;
  return lines.flatMap((line): Row[] => {
    const key = JSON.stringify([line.section, line.id]);
    const isNew = key !== entity;
    entity = key;
    // the line of a new entity says its title already
    if (isNew) untold = line.kind === "added" && line.field === undefined ? line.title : undefined;
    else if (untold !== undefined && line.kind === "added" && line.after === untold) {
      untold = undefined;
      return [];
    }
    const values = valuesOf(line, words);
    const title = clip(line.title, LONGEST_TITLE);
    if (isMove(line)) return [{ kind: line.kind, title, moved: line.after === undefined ? {} : { behind: clip(line.after, LONGEST_TITLE) } }];
    if (line.field === undefined) return [{ kind: line.kind, title, ...(line.section === "" ? {} : { section: sectionWord(line.section, 1, words) }), ...values }];
    const named = isNew && line.title !== "" && !heading.includes(line.title);
    const whole = wholeOf(line);
    return [{ kind: line.kind, ...(named ? { title } : {}), field: fieldWord(line.field, words), ...values, ...(whole === undefined ? {} : { whole: visible(whole) }) }];
  });
}

// an entity that stands elsewhere is told as a whole, without what it was before
function isMove({ kind, field, before }: PreviewLine): boolean {
  return kind === "changed" && field === undefined && before === undefined;
}

// lists and flat objects as a person says them; two values that would read the same are shown as they are
function valuesOf({ before, after }: PreviewLine, words: ElementWords): { before?: string; after?: string } {
  const [was, is] = [before, after].map((value) => (value === undefined ? undefined : inWords(value, words)));
  const isSame = before !== after && was === is;
  return {
    ...(before === undefined || was === undefined ? {} : { before: clip(isSame ? before : was, LONGEST_SHOWN) }),
    ...(after === undefined || is === undefined ? {} : { after: clip(isSame ? after : is, LONGEST_SHOWN) }),
  };
}

function inWords(value: string, words: ElementWords): string {
  if (!/^[[{]/.test(value)) return value;
  let held: unknown;
  try {
    held = JSON.parse(value);
  } catch {
    return value;
  }
  const isPlain = (one: unknown): boolean => typeof one === "number" || (typeof one === "string" && one !== "" && !/[,;"[{]/.test(one));
  const items = Array.isArray(held) ? held.map((one: unknown) => [undefined, one] as const) : Object.entries(held as object);
  if (items.length === 0 || !items.every(([, one]) => isPlain(one))) return value;
  return items.map(([key, one]) => (key === undefined ? String(one) : `${say(words.line.field, { field: fieldWord(key, words) })} ${String(one)}`)).join(words.line.comma);
}

/** What an input says, row by row, for a call of which no effect is known. */
export function inputRows(input: Json, words: ElementWords): Row[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return [];
  return Object.entries(input).map(([key, value]): Row => ({ kind: "changed", field: fieldWord(key, words), after: clip(typeof value === "string" ? value : JSON.stringify(value), LONGEST_VALUE) }));
}

/** The entity that a call is about: the one its input names, the one its title names, or the first. */
export function subjectOf(call: CallRecord, preview: Preview): PreviewLine | undefined {
  const named = new Set(namedIn(call.input));
  const whole = preview.lines.filter((line) => line.field === undefined);
  return whole.find((line) => line.kind === "removed" && named.has(line.id)) ?? preview.lines.find((line) => named.has(line.id)) ?? preview.lines.find((line) => line.title !== "" && preview.title.includes(line.title)) ?? preview.lines[0];
}

/** What goes, comes or changes beside the subject, in words: `removed` → ["3 flows", "1 threat"]. */
export function besides(call: CallRecord, preview: Preview, words: ElementWords): Record<PreviewLine["kind"], string[]> {
  const subject = subjectOf(call, preview);
  const found: Record<PreviewLine["kind"], string[]> = { added: [], removed: [], changed: [] };
  for (const each of preview.counts) {
    const others = each.count - (isOf(subject, each) ? 1 : 0);
    if (others > 0 && each.section !== "") found[each.kind].push(`${others} ${sectionWord(each.section, others, words)}`);
  }
  return found;
}

/** "Also removes 3 flows and 1 threat": one sentence for each kind. */
export function cascades(call: CallRecord, preview: Preview, words: ElementWords): string[] {
  const found = besides(call, preview, words);
  const told: [readonly string[], string][] = [
    [call.destructive ? [] : found.removed, words.line.alsoRemoved],
    [found.changed, words.line.alsoChanged],
    [found.added, words.line.alsoAdded],
  ];
  return told.flatMap(([list, sentence]) => (list.length === 0 ? [] : [say(sentence, { list: listed(list, words) })]));
}

/** Why a waiting call cannot be approved now. */
export function waitsFor(call: CallRecord, words: ElementWords): string | undefined {
  if (call.awaiting === "preview") return words.card.previewing;
  return call.awaiting === "user" ? undefined : words.card.preparing;
}

/** Whether the person has to say first which thing is meant. */
export function needsChoice(call: CallRecord): boolean {
  return call.status === "pending" && call.act?.result === "needs_selection" && call.act.candidates !== undefined;
}

/** Whether a call waits for the person. */
export function isWaiting(call: CallRecord): boolean {
  return call.status === "pending";
}

/** What became of a call, in words; a call that failed says why as far as it is known. */
export function outcomeOf(call: CallRecord, words: ElementWords = elementWords): string {
  const told = outcomeAlone(call, words);
  return call.edited && (call.status === "succeeded" || call.status === "failed") ? say(words.outcome.edited, { outcome: told }) : told;
}

/** How an outcome is coloured, beside its words. */
export function toneOf(call: CallRecord): "good" | "bad" | "quiet" {
  if (call.status === "succeeded") return "good";
  return call.status === "failed" || call.status === "unknown" ? "bad" : "quiet";
}

/** The receipt of a turn: counted from the records, not from what anyone said. */
export function receiptOf(calls: readonly CallRecord[], words: ElementWords = elementWords): { readonly applied: number; readonly undone: number; readonly text: string } {
  const n = (test: (call: CallRecord) => boolean): number => calls.filter((call) => call.effect !== "read" && test(call)).length;
  const applied = n((call) => call.status === "succeeded" && (call.committed || call.external));
  const undone = n((call) => call.status === "undone");
  const parts = [
    applied > 0 && count(applied, words.receipt.applied),
    undone > 0 && count(undone, words.receipt.undone),
    ...([
      [n((call) => call.status === "denied" && call.denialReason === "user_declined"), words.receipt.denied],
      [n((call) => call.status === "denied" && call.denialReason !== "user_declined"), words.receipt.notRun],
      [n((call) => call.status === "failed"), words.receipt.failed],
      [n((call) => call.status === "unknown"), words.receipt.unknown],
    ] as const).map(([many, told]) => many > 0 && say(told, { n: many })),
  ];
  return { applied, undone, text: parts.filter((part): part is string => part !== false).join(words.line.comma) };
}

/** Where the turn is, for a status word beside the conversation. */
export function statusOf(view: SessionView): keyof ElementWords["status"] {
  switch (view.phase) {
    case "requesting":
      return "thinking";
    case "streaming":
      return "writing";
    case "awaiting_approval":
      return "waiting";
    case "executing":
      return "applying";
    case "idle":
    case "settled":
      return view.outcome === "cancelled" ? "stopped" : "ready";
  }
}

/** Why a decision was not taken, in a sentence. */
export function refusalOf(answer: { readonly reason?: string; readonly detail?: string }, words: ElementWords): string {
  if (answer.reason === "stale_document" || answer.reason === "stale_effect") return words.refused.changed;
  if (answer.reason === "not_pending" || answer.reason === "settled") return words.refused.decided;
  return answer.detail === undefined ? words.refused.other : say(words.refused.told, { why: clip(answer.detail, 200) });
}

/** A section in a word, of one or of many. */
export function sectionWord(section: string, n: number, words: ElementWords): string {
  const forms = wordFor(words.sections, section);
  if (forms !== undefined) return n === 1 ? forms[0].replace("{n}", "").trim() : forms[1].replace("{n}", "").trim();
  const many = spaced(section);
  return n === 1 ? singular(many) : many;
}

/** A field in words, with a capital. */
export function fieldWord(field: string, words: ElementWords): string {
  return capital(wordFor(words.fields, field) ?? spaced(field));
}

function singular(many: string): string {
  if (/[^aeiou]ies$/.test(many)) return many.replace(/ies$/, "y");
  if (/(ss|sh|ch|x|z)es$/.test(many)) return many.replace(/es$/, "");
  return /[^su]s$/.test(many) ? many.slice(0, -1) : many;
}

function isOf(line: PreviewLine | undefined, { kind, section }: PreviewCount): boolean {
  if (line === undefined || line.section !== section) return false;
  // a field of a changed entity may come or go
  return (line.field === undefined ? line.kind : "changed") === kind;
}

function namedIn(input: Json): string[] {
  if (typeof input === "string") return [input];
  if (typeof input !== "object" || input === null || Array.isArray(input)) return [];
  return Object.values(input).filter((value): value is string => typeof value === "string");
}

function outcomeAlone(call: CallRecord, all: ElementWords): string {
  const words = all.outcome;
  const act = call.status === "denied" || call.status === "failed" ? wordFor(words.acts, call.act?.result ?? "") : undefined;
  if (act !== undefined) return say(act, { why: clip(call.act?.reason ?? "", LONGEST_WHY) || words.denied });
  switch (call.status) {
    case "pending":
      return words.waiting;
    case "approved":
      return words.approved;
    case "running":
      return call.progress === null ? words.running : clip(call.progress.label, LONGEST_VALUE);
    case "succeeded":
      return call.committed || call.external ? words.applied : words.done;
    case "undone":
      return words.undone;
    case "unknown":
      return words.unknown;
    case "failed":
      return say(words.failed, { why: causeOf(call, all) });
    case "denied":
      return denied(call, words);
  }
}

function causeOf(call: CallRecord, words: ElementWords): string {
  const { causes, because } = words.outcome;
  const cause = wordFor(causes, call.errorCode ?? "") ?? causes["execution_failed"] ?? "";
  const why = whyFailed(call, words);
  if (why === undefined) return cause;
  return call.errorCode === "execution_failed" ? why : say(because, { cause, why });
}

// the call's own error, of the core or of the page's own tool
function whyFailed({ errorCode, result, resultFrom }: CallRecord, words: ElementWords): string | undefined {
  const isTold = errorCode === "execution_failed" || errorCode === "invalid_document";
  if (result === null || !isTold || (resultFrom !== "core" && resultFrom !== "client")) return undefined;
  return whyOf(result, resultFrom === "core", errorCode === "invalid_document", LONGEST_WHY, words);
}

// What the core adds for the model, where in the input it is and what could be named instead, stands with the exact input.
function whyOf(error: string, isCore: boolean, isInvalid: boolean, longest: number, words: ElementWords): string | undefined {
  const [head = "", line] = error.slice(0, LONGEST_ERROR).split("\n");
  // of a document that is not valid the first fault
  const isFault = isInvalid && line !== undefined;
  let why = isFault ? line : head;
  if (isFault || isCore) why = why.replace(/^`[^`\s]*`: /, "").replace(/^(?:[a-zA-Z_][^\s:]*: ){1,2}/, "");
  // a sentence of the core: what a tool of the page wrote stays its own
  const gone = isCore ? /^`([^`]+)` is not in `([^`]+)` now; /.exec(why) : null;
  if (gone !== null) return say(words.outcome.missing, { section: clip(sectionWord(gone[2] ?? "", 1, words), LONGEST_WHY), id: clip(gone[1] ?? "", LONGEST_WHY) });
  if (isCore) why = why.replace(/; .*$/, "");
  return why.trim() === "" || why.startsWith("the tool failed") ? undefined : clip(why, longest);
}

function denied(call: CallRecord, words: ElementWords["outcome"]): string {
  switch (call.denialReason) {
    case "user_declined":
      return call.denialNote === null || call.denialNote === "" ? words.deniedByYou : say(words.deniedBecause, { note: clip(call.denialNote, LONGEST_WHY) });
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
