/** What stands on a card. Enters: records and words. Leaves: nodes. Holds nothing and decides nothing. */

import type { CallRecord, Preview, Stale } from "#engine/types";
import { attribute, foreign, h, icon, sentenceOf, spoken, stamp, type IconName } from "./dom.js";
import { besides, cascades, inputRows, problemOf, rowsOf, sectionWord, subjectOf, titleOf, type Row } from "./facts.js";
import { clip, exactJson, prose, visible } from "./text.js";
import { listed, say, type ElementWords } from "./words.js";

const SHOWN_ROWS = 6;
const LONGEST_WHY = 400;
const ROWS: Readonly<Record<Row["kind"], () => HTMLElement>> = { added: rowFrame("added", "plus"), removed: rowFrame("removed", "minus"), changed: rowFrame("changed", "change") };

/** What a preview shows: what is lost, the rows, what goes along, or why nothing can be shown. */
export function effectOf(call: CallRecord, preview: Preview | null, words: ElementWords): Node[] {
  if (preview === null) return unknownEffect(call, words);
  const problem = problemOf(call, preview, words);
  if (problem !== undefined) return [note("alert", "problem", sentenceOf(words.card.cannot, { why: problem }))];
  const rows = rowsOf(preview.lines, titleOf({ ...call, preview }), words, preview.patch);
  return [
    ...(call.destructive ? loss(call, preview, words) : []),
    // without a document there are no lines, whatever the patch changes
    ...(rows.length === 0 && preview.hiddenLines === 0 && preview.patch.length === 0 ? [note("info", "quiet", [words.card.changesNothing])] : [rowList(rows, preview.hiddenLines, words)]),
    ...cascades(call, preview, words).map((told) => note("info", "cascade", [foreign(told)])),
    ...(call.external ? [note("alert", "quiet", [words.card.outside])] : []),
  ];
}

/** Rows, six of them first and all on demand. */
export function rowList(rows: readonly Row[], hidden: number, words: ElementWords): HTMLElement {
  const list = h("ul", { class: "rows", part: "changes" });
  const rest = rows.length - SHOWN_ROWS;
  const draw = (all: boolean): void => {
    const shown = all ? rows : rows.slice(0, SHOWN_ROWS);
    const more = h("button", { type: "button", class: "link", part: "more", onclick: () => (draw(!all), list.querySelector<HTMLElement>("li > .link")?.focus({ preventScroll: true })) }, all ? words.card.fewerLines : say(words.card.moreLines, { n: rest + hidden }));
    list.replaceChildren(...shown.map((row) => rowOf(row, words)), ...(all && hidden > 0 ? [h("li", { class: "row quiet" }, say(words.card.hiddenLines, { n: hidden }))] : []), ...(rest > 0 ? [h("li", {}, more)] : []));
    if (rest <= 0 && hidden > 0) list.append(h("li", { class: "row quiet" }, say(words.card.hiddenLines, { n: hidden })));
  };
  draw(false);
  return list;
}

/** A line with an icon. */
export function note(sign: IconName, kind: string, children: readonly (Node | string)[]): HTMLElement {
  return h("p", { class: `note ${kind}`, part: `note note-${kind.split(" ")[0]}` }, icon(sign), h("span", { dir: "auto" }, ...children));
}

/** What changed since the card was shown first. */
export function staleNote(stale: Stale, words: ElementWords): HTMLElement {
  if (stale.because === "calls") return note("info", "stale", [words.card.staleCalls]);
  if (stale.lines.length === 0) return note("info", "stale", [words.card.staleUnknown]);
  const [first] = stale.lines;
  const [row] = rowsOf(stale.lines, "", words);
  const told = row === undefined || first === undefined ? [] : inline(row, words);
  const more = stale.lines.length > 1 ? ` ${say(words.card.moreLines, { n: stale.lines.length - 1 })}` : "";
  return note("info", "stale", sentenceOf(words.card.staleDocument, { what: h("span", {}, ...told, more) }));
}

/** The exact input of a call and, once there is one, its answer. */
export function exactOf(call: CallRecord, words: ElementWords): HTMLElement {
  const hidden = (n: number): string => say(words.exact.hidden, { n });
  const place = h("div", { class: "exact", part: "exact" });
  const draw = (whole: boolean): void => {
    const { text, cut } = exactJson(call.input, whole, hidden);
    const title = h("p", { class: "exact-title" }, ...sentenceOf(words.exact.title, { tool: visible(call.toolName) }));
    place.replaceChildren(title, h("pre", { tabindex: 0, dir: "ltr", role: "region", "aria-label": title.textContent ?? "", part: "input" }, text));
    if (cut || whole) place.append(h("button", { type: "button", class: "link", onclick: () => (draw(!whole), place.querySelector<HTMLElement>(".link")?.focus({ preventScroll: true })) }, whole ? words.exact.part : words.exact.whole));
    if (call.result !== null && call.status !== "pending") place.append(h("p", { class: "exact-title" }, words.exact.answer), h("pre", { tabindex: 0, dir: "auto", role: "region", "aria-label": words.exact.answer }, prose(call.result)));
  };
  draw(false);
  return place;
}

function loss(call: CallRecord, preview: Preview, words: ElementWords): Node[] {
  const subject = subjectOf(call, preview);
  const others = besides(call, preview, words).removed;
  const gone = subject?.kind === "removed" && subject.field === undefined ? subject : undefined;
  if (gone === undefined && others.length === 0) return [];
  const items: (string | Node)[] = [...(gone === undefined ? [] : [foreign(clip(gone.title, LONGEST_WHY), "name")]), ...others];
  const [last = ""] = items.slice(-1);
  const all = items.length === 1 ? [last] : sentenceOf(words.line.and, { list: h("span", {}, ...items.slice(0, -1).flatMap((item, at) => (at === 0 ? [item] : [words.line.comma, item]))), last: typeof last === "string" ? foreign(last) : last });
  return [note("alert", "loss", sentenceOf(words.card.loses, { list: h("span", {}, ...all) }))];
}

/** What is lost, as one plain line for the button. */
export function lossLine(call: CallRecord, words: ElementWords): string | undefined {
  if (!call.destructive || call.preview === null) return undefined;
  const subject = subjectOf(call, call.preview);
  const items = [...(subject?.kind === "removed" && subject.field === undefined ? [subject.title] : []), ...besides(call, call.preview, words).removed];
  return items.length === 0 ? undefined : say(words.card.loses, { list: listed(items, words) });
}

function unknownEffect(call: CallRecord, words: ElementWords): Node[] {
  const rows = inputRows(call.input, words);
  return [
    ...(rows.length > 0 ? [rowList(rows, 0, words)] : []),
    ...(call.awaiting !== "user" && call.status === "pending" ? [] : call.effect === "read" ? [] : [note("info", "quiet", [call.external ? words.card.outside : words.card.noPreview])]),
  ];
}

function rowOf(row: Row, words: ElementWords): HTMLElement {
  const made = ROWS[row.kind]();
  made.querySelector(".sr")?.append(`${words.line[row.kind]} `);
  const text = made.lastElementChild;
  text?.append(...inline(row, words));
  if (row.whole !== undefined) text?.append(" ", wholeButton(text.querySelector(".after"), row.after ?? "", row.whole, words));
  return made;
}

// puts the whole value in the place of its head and tail, and back
function wholeButton(value: Element | null, part: string, whole: string, words: ElementWords): HTMLElement {
  const toggle = (): void => {
    const isWhole = button.getAttribute("aria-expanded") !== "true";
    attribute(button, "aria-expanded", String(isWhole));
    button.textContent = isWhole ? words.exact.part : words.exact.whole;
    if (value !== null) value.textContent = isWhole ? whole : part;
  };
  const button = h("button", { type: "button", class: "link", part: "more", "aria-expanded": "false", onclick: toggle }, words.exact.whole);
  return button;
}

function rowFrame(kind: Row["kind"], sign: IconName): () => HTMLElement {
  return stamp(() => h("li", { class: `row ${kind}`, part: `row row-${kind}` }, icon(sign), spoken(""), h("span", { class: "row-text", dir: "auto" })));
}

function inline(row: Row, words: ElementWords): Node[] {
  if (row.moved !== undefined) {
    const { behind } = row.moved;
    const title = foreign(row.title ?? "", "name");
    return behind === undefined ? sentenceOf(words.line.movedFirst, { title }) : sentenceOf(words.line.movedBehind, { title, other: foreign(behind, "name") });
  }
  const made: Node[] = [];
  const gap = (): void => void (made.length > 0 && made.push(document.createTextNode(" ")));
  if (row.title !== undefined) made.push(...(row.field === undefined ? [foreign(row.title, "name")] : sentenceOf(words.line.of, { title: foreign(row.title, "name") })));
  if (row.section !== undefined) made.push(document.createTextNode(" "), foreign(row.section, "quiet"));
  if (row.field === undefined) return made;
  gap();
  made.push(h("span", { class: "field" }, ...sentenceOf(words.line.field, { field: row.field })));
  const old = row.kind === "added" ? undefined : row.before;
  if (old !== undefined) made.push(document.createTextNode(" "), old === "" ? foreign(words.line.nothing, "quiet") : foreign(old, "before", "before"));
  if (row.kind === "removed") return made;
  if (row.kind === "changed" && row.before !== undefined) made.push(document.createTextNode(" "), h("span", { class: "arrow", "aria-hidden": "true" }, "→"), spoken(` ${words.line.becomes}`));
  made.push(document.createTextNode(" "), row.after === undefined || row.after === "" ? foreign(words.line.nothing, "quiet") : foreign(row.after, "after", "after"));
  return made;
}

/** What a section holds one of, for a candidate. */
export function candidateHint(section: string, id: string, words: ElementWords): Node[] {
  return sentenceOf(words.card.candidate, { section: sectionWord(section, 1, words), id: clip(id, LONGEST_WHY) });
}
