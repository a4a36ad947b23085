/** The pieces of a card that a person works: its head, the choice, the buttons, the form for a reason. Leaves: what was pressed, and how. Decides nothing. */

import type { CallRecord } from "#engine/types";
import { candidateHint, effectOf, exactOf, lossLine } from "./card_parts.js";
import { attribute, foreign, h, icon, spoken, stamp, type IconName } from "./dom.js";
import { headingOf, markOf, needsChoice, outcomeOf, titleOf, toneOf, waitsFor, type Mark } from "./facts.js";
import { clip } from "./text.js";
import { say, type ElementWords } from "./words.js";

const LONGEST_REASON = 500;
const LONGEST_NAME = 200;
const OUTCOME: Readonly<Record<CallRecord["status"], IconName>> = { pending: "wait", approved: "check", running: "wait", succeeded: "check", failed: "alert", undone: "undo", denied: "cross", unknown: "alert" };
const LINES: Readonly<Record<Mark, () => HTMLElement>> = { read: lineFrame("read"), change: lineFrame("change"), delete: lineFrame("delete") };
const approveFrame = stamp(() => h("button", { type: "button", class: "button primary", part: "button approve primary", "data-act": "approve" }));
const denyFrame = stamp(() => h("button", { type: "button", class: "button", part: "button deny", "data-act": "deny" }));
const headingFrame = stamp(() => h("span", { class: "title", part: "title", dir: "auto" }, h("bdi")));

/** Line one of a card that waits. */
export function waitingLine(call: CallRecord, words: ElementWords): HTMLElement {
  const mark = markOf(call);
  const line = LINES[mark]();
  const kind = line.lastElementChild;
  kind?.append(words.card[mark]);
  kind?.before(heading(call));
  return line;
}

function lineFrame(mark: Mark): () => HTMLElement {
  return stamp(() => h("div", { class: "line", part: "line" }, h("span", { class: `mark ${mark}`, part: `mark mark-${mark}` }, icon(mark)), h("span", { class: "kind", part: "kind" })));
}

/** The one line of a decided card, which unfolds to what it was. */
export function decidedCard(call: CallRecord, words: ElementWords, isOpen: boolean, toggled: (isOpen: boolean) => void): Node[] {
  const body = h("div", { class: "body", part: "body" });
  const tone = toneOf(call);
  const show = (open: boolean): void => {
    attribute(line, "aria-expanded", String(open));
    body.hidden = !open;
    body.replaceChildren(...(open ? [...(call.preview === null ? [] : effectOf(call, call.preview, words)), exactOf(call, words)] : []));
  };
  const toggle = (): void => {
    const open = body.hidden !== false;
    show(open);
    toggled(open);
  };
  const line = h("button", { type: "button", class: "line", part: "line", onclick: toggle }, h("span", { class: `mark ${tone}`, part: `mark mark-${tone}` }, icon(OUTCOME[call.status])), h("span", { class: "told" }, heading(call), h("span", { class: "outcome", part: "outcome", dir: "auto" }, spoken(": "), foreign(outcomeOf(call, words)))), icon("chevron"));
  show(isOpen);
  return [line, body];
}

/** The things that can be meant. */
export function choiceOf(call: CallRecord, words: ElementWords, chosen: string | undefined, choose: (id: string) => void): HTMLElement {
  const { candidates = [], reason } = call.act ?? {};
  const rows = candidates.map(({ id, title, section }) =>
    h("label", { class: "candidate", part: "candidate" }, h("input", { type: "radio", name: "candidate", value: id, checked: id === chosen, onchange: () => choose(id) }), h("span", { dir: "auto" }, foreign(clip(title, LONGEST_NAME), "name"), " ", h("span", { class: "quiet" }, ...candidateHint(section, id, words)))),
  );
  return h("fieldset", { class: "candidates", part: "candidates" }, h("legend", {}, words.card.choose), reason !== undefined && h("p", { class: "quiet" }, foreign(reason)), ...rows);
}

/** What the buttons of a card do. */
export interface CardActions {
  readonly decide: (event: MouseEvent) => void;
  readonly deny: (event: MouseEvent) => void;
}

/** The two buttons of a card that waits. */
export function decisionButtons(call: CallRecord, words: ElementWords, isChosen: boolean, actions: CardActions): readonly [approve: HTMLElement, deny: HTMLElement] {
  const isChoice = needsChoice(call);
  const isDanger = call.destructive && !isChoice;
  const word = isChoice ? words.card.use : isDanger ? words.card.approveDelete : words.card.approve;
  const blocked = isChoice ? (isChosen ? undefined : words.card.chooseFirst) : waitsFor(call, words);
  // what would not work is not what the eye should fall on
  const look = call.preview?.error !== undefined ? "" : isDanger ? " danger" : " primary";
  const approve = filled(approveFrame(), word, call, words, words.keys.approve, actions.decide, blocked);
  if (look !== " primary") {
    approve.className = `button${look}`;
    approve.setAttribute("part", `button approve${look}`);
  }
  if (blocked !== undefined) approve.setAttribute("aria-disabled", "true");
  attribute(approve, "aria-description", blocked ?? lossLine(call, words));
  return [approve, filled(denyFrame(), words.card.deny, call, words, words.keys.deny, actions.deny)];
}

function filled(button: HTMLElement, word: string, call: CallRecord, words: ElementWords, key: string, pressed: (event: MouseEvent) => void, title = tip(word, key, words)): HTMLElement {
  button.setAttribute("aria-label", named(word, call, words));
  button.setAttribute("aria-keyshortcuts", key);
  button.setAttribute("title", title);
  button.addEventListener("click", pressed);
  button.textContent = word;
  return button;
}

/** Asks why not. */
export function reasonForm(call: CallRecord, words: ElementWords, deny: (reason: string) => void, close: () => void): HTMLElement {
  const field = h("textarea", { class: "field", part: "field", rows: 2, maxlength: LONGEST_REASON, dir: "auto", "aria-label": words.reason.label });
  const send = (): void => deny(field.value.trim());
  const key = (event: KeyboardEvent): void => {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && !event.shiftKey && event.target === field) send();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const button = h("button", { type: "button", class: "button primary", part: "button deny", "aria-label": named(words.reason.deny, call, words), onclick: send }, words.reason.deny);
  const cancel = h("button", { type: "button", class: "button", part: "button", onclick: close }, words.reason.cancel);
  return h("div", { class: "reason", onkeydown: key }, h("p", { class: "label", "aria-hidden": "true" }, words.reason.label), field, h("div", { class: "actions" }, button, cancel));
}

/** A button's name: what it does, and to what. */
export function named(action: string, call: CallRecord, words: ElementWords): string {
  return say(words.card.button, { action, title: titleOf(call) });
}

function heading(call: CallRecord): HTMLElement {
  const made = headingFrame();
  made.firstElementChild?.append(...headingOf(call).map(({ text, isName }) => (isName ? foreign(text, "name") : text)));
  return made;
}

function tip(action: string, key: string, words: ElementWords): string {
  return say(words.card.key, { action, key });
}
