/** What opens on a card on demand: the exact input, the form for another input, the form for a reason. What is typed stays until the call is decided. */

import type { CallRecord, Json, Preview } from "#engine/types";
import { exactOf } from "./card_parts.js";
import { reasonForm } from "./card_views.js";
import { h, stamp } from "./dom.js";
import { EditPanel } from "./edit.js";
import { needsChoice } from "./facts.js";
import type { MenuItem } from "./menu.js";
import type { ElementSession } from "./session.js";
import type { ElementWords } from "./words.js";

/** What the panel asks of its card. */
export interface PanelHost {
  /** The call on the card, while it waits. */
  readonly call: () => CallRecord | undefined;
  readonly session: () => ElementSession | null;
  readonly words: () => ElementWords;
  /** Something was opened or put away. */
  readonly redraw: () => void;
  /** What the card shows would do something else now. */
  readonly look: () => void;
  /** Put the focus back where the panel was opened. */
  readonly back: () => void;
  readonly approve: (input: Json, isOld: boolean) => void;
  readonly deny: (reason: string) => void;
}

const frame = stamp(() => h("div", { class: "panel" }));

/** The panel of one card. */
export class CardPanel {
  /** What is put on the card. */
  readonly node = frame();
  #exact = false;
  #form: "edit" | "reason" | undefined;
  #edit: EditPanel | undefined;
  #reason: HTMLElement | undefined;

  constructor(private readonly host: PanelHost) {}

  /** Whether a form is open. */
  get isForm(): boolean {
    return this.#form !== undefined;
  }

  /** Whether the input is edited. */
  get isEdit(): boolean {
    return this.#form === "edit";
  }

  /** What the card would do: the edited input while there is one. */
  preview(call: CallRecord | undefined): Preview | null {
    return this.isEdit && this.#edit !== undefined ? this.#edit.preview : (call?.preview ?? null);
  }

  /** What the menu of the card offers. */
  items(): MenuItem[] {
    const { card } = this.host.words();
    const call = this.host.call();
    const canEdit = call !== undefined && !needsChoice(call);
    return [
      ...(canEdit ? [{ label: card.edit, run: () => this.#open("edit") }] : []),
      { label: card.denyWithReason, run: () => this.#open("reason") },
      { label: this.#exact ? card.hideInput : card.showInput, run: () => this.#toggleExact() },
    ];
  }

  /** Draws what is open; what stands there already is not touched. */
  draw(call: CallRecord): void {
    this.refresh(call);
    const form = this.isEdit ? this.#edit?.node : this.#form === "reason" ? this.#reason : undefined;
    const exact = this.#exact ? (this.node.querySelector(":scope > .exact") ?? exactOf(call, this.host.words())) : undefined;
    const wanted = [exact, form].filter((node): node is HTMLElement => node !== undefined);
    if (wanted.length !== this.node.childNodes.length || wanted.some((node, at) => node !== this.node.childNodes[at])) this.node.replaceChildren(...wanted);
  }

  /** The view changed: what an edited input would do may be another. */
  refresh(call: CallRecord): void {
    if (this.isEdit) this.#edit?.refresh(call);
  }

  /** Says in an open form why an approval was not taken. */
  complain(problem: string): void {
    if (this.isEdit) this.#edit?.complain(problem);
  }

  /** Puts the forms away with what was typed. */
  closeForms(): void {
    this.#edit?.remove();
    this.#edit = this.#form = this.#reason = undefined;
  }

  /** Another call: nothing is open. */
  clear(): void {
    this.closeForms();
    this.#exact = false;
    this.node.replaceChildren();
  }

  #open(form: "edit" | "reason"): void {
    const { host } = this;
    const [call, session, words] = [host.call(), host.session(), host.words()];
    if (call === undefined || session === null) return;
    this.#form = form;
    const close = (): void => {
      this.#form = undefined;
      host.redraw();
      host.back();
    };
    if (form === "edit") this.#edit ??= new EditPanel(session, call, words, { approve: host.approve, close, look: host.look });
    else this.#reason ??= reasonForm(call, words, host.deny, close);
    host.redraw();
    if (form === "edit") this.#edit?.focus();
    else this.#reason?.querySelector<HTMLElement>("textarea")?.focus();
  }

  #toggleExact(): void {
    this.#exact = !this.#exact;
    this.host.redraw();
    if (this.#exact) this.node.querySelector<HTMLElement>("pre")?.focus();
  }
}
