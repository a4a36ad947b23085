/** The form of a card: another input, what is wrong with it, and what it would do. Leaves: exactly the input whose effect stands below it. */

import type { CallRecord, Json, Preview } from "#engine/types";
import { effectOf, note } from "./card_parts.js";
import { attribute, foreign, h, icon, sentenceOf } from "./dom.js";
import { isObject, same } from "./form_schema.js";
import { drawForm, type DrawnForm } from "./form_fields.js";
import { FormModel } from "./form_model.js";
import { viewOf, type ElementPreview, type ElementSession } from "./session.js";
import { visible } from "./text.js";
import { count, type ElementWords } from "./words.js";

const CHECK_MS = 150;
// an effect that has just appeared is only there to be read
const READ_MS = 300;

/** What the panel tells its card. */
export interface EditHost {
  /** Approve this input; `isOld` where it is the proposed one. */
  readonly approve: (input: Json, isOld: boolean) => void;
  /** Put the form away; what was typed stays. */
  readonly close: () => void;
  /** The effect on screen is another. */
  readonly look: () => void;
}

type Checked = { readonly input: Json; readonly preview: Preview | null; readonly isOld: boolean };

/** The form of one call. */
export class EditPanel {
  /** What is put on the card. */
  readonly node: HTMLElement;
  readonly #model: FormModel;
  readonly #form: DrawnForm;
  readonly #problems = h("div", { class: "problems", part: "issues" });
  readonly #effect = h("div", { class: "edit-effect", part: "effect", "aria-live": "polite" });
  readonly #approve: HTMLElement;
  #call: CallRecord;
  #checked: Checked | undefined;
  #shownAt = Number.POSITIVE_INFINITY;
  #shown = "";
  #round = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #revision: number;

  constructor(
    private readonly session: ElementSession,
    call: CallRecord,
    private readonly words: ElementWords,
    private readonly host: EditHost,
  ) {
    this.#call = call;
    this.#revision = viewOf(session).documentRevision;
    const schema = session.tool?.(call.toolName)?.inputSchema;
    this.#model = new FormModel(isObject(schema) ? schema : {}, call.input);
    this.#form = drawForm(this.#model, words, `countersign-${call.id}`, () => this.#changed());
    const word = call.destructive ? words.form.approveDelete : words.form.approve;
    this.#approve = h("button", { type: "button", class: `button ${call.destructive ? "danger" : "primary"}`, part: `button approve ${call.destructive ? "danger" : "primary"}`, "data-act": "approve-edit", onclick: (event: MouseEvent) => this.#send(event.timeStamp) }, word);
    const cancel = h("button", { type: "button", class: "button", part: "button", onclick: host.close }, words.form.cancel);
    this.node = h("div", { class: "edit", part: "form", role: "group", "aria-label": words.form.title, onkeydown: (event: KeyboardEvent) => this.#key(event) }, this.#form.node, this.#problems, h("p", { class: "label" }, words.form.effect), this.#effect, h("div", { class: "actions" }, this.#approve, cancel));
    this.#check();
  }

  /** What the input in the form would do. */
  get preview(): Preview | null {
    return this.#checked?.preview ?? null;
  }

  /** Puts the cursor into the first field. */
  focus(): void {
    (this.#form.node.querySelector<HTMLElement>("input, textarea, select") ?? this.#approve).focus();
  }

  /** The view changed: what the form would do may be another. */
  refresh(call: CallRecord): void {
    const revision = viewOf(this.session).documentRevision;
    const isSame = call === this.#call && revision === this.#revision;
    this.#call = call;
    this.#revision = revision;
    if (!isSame) this.#check();
  }

  /** Says why an approval was not taken. */
  complain(problem: string): void {
    this.#problems.replaceChildren(h("p", { class: "note problem", role: "alert" }, icon("alert"), h("span", {}, problem)));
    this.#check();
  }

  /** Stops working. */
  remove(): void {
    clearTimeout(this.#timer);
    this.#round += 1;
    this.node.remove();
  }

  #changed(): void {
    this.#checked = undefined;
    this.#enable();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), CHECK_MS);
  }

  #check(): void {
    clearTimeout(this.#timer);
    const round = (this.#round += 1);
    const local = this.#model.problems();
    if (local.length > 0) {
      this.#wrong(local.map(({ field, kind }) => ({ field, text: kind === "json" ? this.words.form.notJson : this.words.form.notNumber })));
      return;
    }
    const input = this.#model.input();
    const answer = this.#ask(input);
    if (answer instanceof Promise) {
      this.#effect.replaceChildren(note("wait", "quiet busy", [this.words.form.checking]));
      void answer.then((told) => round === this.#round && this.#take(input, told));
    } else this.#take(input, answer);
  }

  #ask(input: Json): ElementPreview | Promise<ElementPreview> {
    const isOld = same(input, this.#call.input);
    if (isOld) return { ok: true, input, preview: this.#call.preview };
    if (this.session.preview === undefined) return { ok: true, input, preview: null };
    const failed = (error: unknown): ElementPreview => ({ ok: false, issues: [error instanceof Error ? error.message : String(error)] });
    try {
      const answer = this.session.preview(this.#call.id, input);
      return answer instanceof Promise ? answer.catch(failed) : answer;
    } catch (error) {
      return failed(error);
    }
  }

  #take(input: Json, answer: ElementPreview): void {
    if (!answer.ok) return this.#wrong(this.#model.placed(answer.issues).map(({ field, text, issue }) => ({ field, text, issue })));
    const isOld = same(input, this.#call.input);
    this.#checked = { input, preview: answer.preview, isOld };
    this.#form.mark([]);
    this.#problems.replaceChildren();
    this.#show(this.#checked);
    this.#enable();
    this.host.look();
  }

  #show({ preview, isOld, input }: Checked): void {
    const key = JSON.stringify([preview, input]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#shownAt = performance.now();
    const call: CallRecord = { ...this.#call, input };
    this.#effect.replaceChildren(...(isOld ? [h("p", { class: "quiet" }, this.words.form.same)] : []), ...(preview !== null && !isOld ? [h("p", { class: "edit-title", dir: "auto" }, foreign(preview.title))] : []), ...effectOf(call, preview, this.words));
  }

  #wrong(problems: readonly { readonly field: Parameters<DrawnForm["mark"]>[0][number]["field"]; readonly text: string; readonly issue?: string }[]): void {
    this.#checked = undefined;
    this.#shown = "";
    this.#form.mark(problems);
    const rows = problems.map(({ text, issue, field }) => h("li", { dir: "auto" }, foreign(visible(issue ?? (field.name === "" ? text : `${field.name}: ${text}`)))));
    this.#problems.replaceChildren(h("p", { class: "problem-count", role: "status" }, icon("alert"), count(problems.length, this.words.form.problems)), h("ul", {}, ...rows));
    this.#effect.replaceChildren(h("p", { class: "quiet" }, ...sentenceOf(this.words.form.fix, {})));
    this.#enable();
    this.host.look();
  }

  #enable(): void {
    const isReady = this.#checked !== undefined;
    attribute(this.#approve, "aria-disabled", !isReady && "true");
    // what would not work is not what the eye should fall on
    this.#approve.classList.toggle(this.#call.destructive ? "danger" : "primary", this.#checked?.preview?.error === undefined);
    attribute(this.#approve, "title", isReady ? undefined : this.words.form.fix);
  }

  // exactly what was checked and shown when the hand moved: anything else is checked and shown first
  #send(at: number): void {
    const shown = this.#checked;
    const isRead = at - this.#shownAt >= READ_MS;
    if (shown === undefined || !same(shown.input, this.#model.input())) return this.#check();
    if (!isRead) return;
    const now = this.#ask(shown.input);
    if (!(now instanceof Promise)) {
      if (!now.ok || now.preview?.effectDigest !== shown.preview?.effectDigest) return this.#take(shown.input, now);
    }
    this.host.approve(shown.input, shown.isOld);
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    this.host.close();
  }
}
