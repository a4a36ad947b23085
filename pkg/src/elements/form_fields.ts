/** The form on screen. Enters: the form's model. Leaves: nodes that write into it. What is typed lives in the model; nodes may be made anew at any time. */

import type { Json } from "#engine/types";
import { attribute, foreign, h, icon, sentenceOf, type IconName } from "./dom.js";
import { fieldWord } from "./facts.js";
import type { Field, FormModel } from "./form_model.js";
import { hidesSomething, visible } from "./text.js";
import { say, type ElementWords } from "./words.js";

const LONG_TEXT = 60;
const TALLEST_ROWS = 14;

/** A drawn form. */
export interface DrawnForm {
  /** The form. */
  readonly node: HTMLElement;
  /** Shows what is wrong beside the fields. */
  mark(problems: readonly { readonly field: Field; readonly text: string }[]): void;
}

/** Draws the form of a model; `changed` is told of every change. */
export function drawForm(model: FormModel, words: ElementWords, ids: string, changed: () => void): DrawnForm {
  const painter = new Painter(model, words, ids, changed);
  return { node: painter.fields(model.whole), mark: (problems) => painter.mark(problems) };
}

interface Place {
  readonly label: string;
  readonly input: HTMLElement | undefined;
  readonly issue: HTMLElement;
}

class Painter {
  readonly #places = new Map<Field, Place>();
  #problems: readonly { readonly field: Field; readonly text: string }[] = [];
  #count = 0;

  constructor(
    private readonly model: FormModel,
    private readonly words: ElementWords,
    private readonly ids: string,
    private readonly changed: () => void,
  ) {}

  mark(problems: readonly { readonly field: Field; readonly text: string }[]): void {
    this.#problems = problems;
    for (const [field, { input, issue }] of this.#places) {
      const told = problems.filter((problem) => problem.field === field).map(({ text }) => text);
      issue.replaceChildren(...told.map((text) => h("span", {}, icon("alert"), foreign(visible(text)))));
      issue.hidden = told.length === 0;
      if (input !== undefined) attribute(input, "aria-invalid", told.length > 0 && "true");
    }
  }

  /** The fields of an object, or the one field that stands for the whole. */
  fields(whole: Field): HTMLElement {
    if (whole.shape.kind === "object" && !whole.isNull) {
      const box = h("div", { class: "fields" });
      this.#drawMembers(box, whole);
      return box;
    }
    return this.#field(whole, this.words.form.input, undefined);
  }

  #drawMembers(box: HTMLElement, object: Field): void {
    const issue = this.#issue(object, undefined, "");
    const absent = object.children.filter((child) => !child.present);
    const redraw = (focus?: Field): void => {
      this.#drawMembers(box, object);
      this.#settle(focus, box);
    };
    const bring = (child: Field) => () => {
      this.model.include(child, true);
      redraw(child);
    };
    const chips = absent.map((child) => this.#chip(say(this.words.form.addField, { field: this.#name(child) }), this.#name(child), bring(child)));
    box.replaceChildren(
      ...object.children.filter((child) => child.present).map((child) => this.#field(child, this.#name(child), child.required ? undefined : () => (child.known ? this.model.include(child, false) : this.model.remove(object, child), redraw()))),
      ...(chips.length > 0 ? [h("div", { class: "chips" }, ...chips)] : []),
      ...(object.shape.kind === "object" && object.shape.extra !== undefined ? [this.#newKey(object, redraw)] : []),
      issue,
    );
  }

  #field(field: Field, label: string, leaveOut: (() => void) | undefined): HTMLElement {
    const id = `${this.ids}-${(this.#count += 1)}`;
    const box = h("div", { class: `form-field ${field.isNull ? "null" : field.shape.kind}` });
    const redraw = (): void => {
      box.replaceWith(this.#field(field, label, leaveOut));
      this.#settle(field);
    };
    const name = h("span", { class: "field-name", dir: "auto" }, foreign(label));
    const tools = [this.#nullBox(field, label, redraw), leaveOut && this.#tool("cross", say(this.words.form.leaveOutField, { field: label }), leaveOut)];
    const help = field.description === undefined ? null : h("p", { class: "help", id: `${id}-help`, dir: "auto" }, foreign(visible(field.description)));
    const described = `${help === null ? "" : `${id}-help `}${id}-issue`;
    const { input, more } = field.isNull ? { input: undefined, more: undefined } : this.#control(field, label, redraw);
    const issue = this.#issue(field, input, id);
    const labelled = input !== undefined && field.shape.kind !== "variant";
    if (input !== undefined) for (const [key, value] of Object.entries({ id, "aria-describedby": described, "aria-required": field.required && field.name !== "" && !input.matches("[type=checkbox], select") && "true" })) attribute(input, key, value);
    if (input?.matches("[type=checkbox]") === true) box.append(h("div", { class: "field-head" }, h("label", { class: "check", for: id }, input, name), ...tools));
    else {
      box.append(h("div", { class: "field-head" }, labelled ? h("label", { for: id }, name) : name, ...tools));
      if (input !== undefined) box.append(input);
    }
    if (help !== null) box.append(help);
    if (more !== undefined) {
      const group = h("div", { class: "nested", role: "group", "aria-label": label }, more);
      box.append(group);
    }
    box.append(issue);
    return box;
  }

  #control(field: Field, label: string, redraw: () => void): { readonly input?: HTMLElement; readonly more?: Node } {
    const { shape } = field;
    switch (shape.kind) {
      case "text":
        return this.#text(field, shape.isLong || field.text.length > LONG_TEXT || /[\r\n]/.test(field.text));
      case "number":
        return { input: this.#typed(field, h("input", { type: "text", inputmode: shape.isWhole ? "numeric" : "decimal", class: "field", part: "field", autocomplete: "off" })) };
      case "json":
        return { input: this.#typed(field, h("textarea", { class: "field code", part: "field", spellcheck: "false", dir: "ltr", rows: Math.min(TALLEST_ROWS, field.text.split("\n").length + 1) })) };
      case "boolean": {
        const input = h("input", { type: "checkbox", checked: field.value === true, onchange: () => this.#set(field, input.checked) });
        return { input };
      }
      case "choice": {
        const at = shape.values.findIndex((value) => value === field.value || JSON.stringify(value) === JSON.stringify(field.value));
        const input = h("select", { class: "field", part: "field", onchange: () => this.#set(field, shape.values[Number(input.value)] ?? null) }, ...shape.values.map((value, index) => h("option", { value: index, selected: index === at }, this.#told(value))));
        return { input };
      }
      case "const":
        return { more: h("p", { class: "constant" }, foreign(this.#told(shape.value))) };
      case "object": {
        const box = h("div", { class: "fields" });
        this.#drawMembers(box, field);
        return { more: box };
      }
      case "list":
        return { more: this.#list(field, label, shape.isFixed) };
      case "variant": {
        const choose = (): void => {
          this.model.choose(field, Number(input.value));
          redraw();
          this.changed();
        };
        const input = h("select", { class: "field", part: "field", "aria-label": say(this.words.form.variant, { field: label }), onchange: choose }, ...shape.options.map((option, index) => h("option", { value: index, selected: index === field.variant }, visible(option.label) || say(this.words.form.option, { n: index + 1 }))));
        const chosen = field.variants.get(field.variant);
        return { input, more: chosen === undefined ? h("span") : this.#inside(chosen, label) };
      }
    }
  }

  // what stands inside a variant needs no second name
  #inside(field: Field, label: string): Node {
    if (field.shape.kind === "object" && !field.isNull) return this.fields(field);
    return this.#field(field, label, undefined);
  }

  #list(list: Field, label: string, isFixed: boolean): HTMLElement {
    const box = h("div", { class: "list" });
    const draw = (focus?: Field): void => {
      const rows = list.children.map((item, at) => {
        const tool = (sign: IconName, action: string, run: () => void, off = false): HTMLElement => this.#tool(sign, say(this.words.form.itemAction, { action, field: label, n: at + 1 }), run, off);
        const move = (by: 1 | -1) => () => (this.model.move(list, item, by), draw(item), this.changed());
        const drop = (): void => {
          this.model.remove(list, item);
          draw(list.children[Math.min(at, list.children.length - 1)]);
          if (list.children.length === 0) box.querySelector<HTMLElement>(".chip")?.focus();
          this.changed();
        };
        return h("li", { class: "item" }, this.#field(item, say(this.words.form.item, { n: at + 1 }), undefined), h("span", { class: "item-tools" }, tool("up", this.words.form.up, move(-1), at === 0), tool("down", this.words.form.down, move(1), at === list.children.length - 1), isFixed ? null : tool("cross", this.words.form.remove, drop)));
      });
      const add = (): void => {
        draw(this.model.add(list));
        this.changed();
      };
      box.replaceChildren(h("ol", { class: "items" }, ...rows), ...(isFixed ? [] : [this.#chip(say(this.words.form.addTo, { field: label }), this.words.form.add, add)]));
      if (focus !== undefined) this.#focus(focus);
    };
    draw();
    return box;
  }

  #newKey(object: Field, redraw: (focus?: Field) => void): HTMLElement {
    const input = h("input", { type: "text", class: "field", part: "field", "aria-label": this.words.form.keyName, placeholder: this.words.form.keyName });
    const add = (): void => {
      const child = input.value === "" ? undefined : this.model.addKey(object, input.value);
      if (child === undefined) input.focus();
      else redraw(child);
    };
    const key = (event: KeyboardEvent): void => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      add();
    };
    input.addEventListener("keydown", key);
    return h("div", { class: "new-key" }, input, this.#chip(this.words.form.addKey, this.words.form.add, add));
  }

  #text(field: Field, isLong: boolean): { input: HTMLElement; more?: Node } {
    const input = isLong ? h("textarea", { class: "field", part: "field", dir: "auto", rows: 3 }) : h("input", { type: "text", class: "field", part: "field", dir: "auto", autocomplete: "off" });
    const warning = h("p", { class: "help", hidden: true });
    const warn = (): void => {
      warning.hidden = !hidesSomething(field.text.replace(/\n/g, ""));
      warning.replaceChildren(...(warning.hidden ? [] : sentenceOf(this.words.form.holds, { text: visible(field.text) })));
    };
    warn();
    input.addEventListener("input", () => queueMicrotask(warn));
    return { input: this.#typed(field, input), more: warning };
  }

  #typed<T extends HTMLInputElement | HTMLTextAreaElement>(field: Field, input: T): T {
    input.value = field.text;
    input.addEventListener("input", () => {
      field.text = input.value;
      field.touched = true;
      this.changed();
    });
    return input;
  }

  #set(field: Field, value: Json): void {
    field.value = value;
    this.changed();
  }

  #nullBox(field: Field, label: string, redraw: () => void): Node | null {
    if (!field.nullable || field.shape.kind === "choice" || field.shape.kind === "const") return null;
    const toggle = (): void => {
      field.isNull = !field.isNull;
      if (!field.isNull) this.model.include(field, true);
      redraw();
      this.changed();
    };
    return h("label", { class: "check none" }, h("input", { type: "checkbox", checked: field.isNull, "aria-label": `${label}: ${this.words.form.none}`, onchange: toggle }), this.words.form.none);
  }

  #chip(label: string, text: string, run: () => void): HTMLElement {
    return h("button", { type: "button", class: "chip", part: "button", "aria-label": label, onclick: run }, icon("plus"), foreign(text));
  }

  #tool(sign: IconName, label: string, run: () => void, isOff = false): HTMLElement {
    return h("button", { type: "button", class: "tool", part: "button", "aria-label": label, title: label, disabled: isOff, onclick: run }, icon(sign));
  }

  #issue(field: Field, input: HTMLElement | undefined, id: string): HTMLElement {
    const issue = h("p", { class: "issue", hidden: true, ...(id === "" ? {} : { id: `${id}-issue` }) });
    this.#places.set(field, { label: "", input, issue });
    return issue;
  }

  #settle(focus: Field | undefined, fallback?: HTMLElement): void {
    this.mark(this.#problems);
    if (focus !== undefined) this.#focus(focus);
    else fallback?.querySelector<HTMLElement>("input, textarea, select, button")?.focus();
    this.changed();
  }

  #focus(field: Field): void {
    const place = this.#places.get(field);
    const box = place?.input ?? place?.issue.parentElement?.querySelector<HTMLElement>("input, textarea, select, button");
    box?.focus();
  }

  #name(field: Field): string {
    return field.title === undefined ? fieldWord(field.name, this.words) : visible(field.title);
  }

  #told(value: Json): string {
    if (value === null) return this.words.form.none;
    if (typeof value === "boolean") return value ? this.words.form.yes : this.words.form.no;
    return visible(typeof value === "string" ? value : JSON.stringify(value));
  }
}
