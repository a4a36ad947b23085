/** The inputs of a recording as a list, and the way through them: only what is seen is drawn, so that ten thousand cost what ten do. */

import { attribute, h } from "../elements/dom.js";
import { visible } from "../elements/text.js";
import { since } from "./facts.js";
import type { Inputs } from "./model.js";
import { ROW_PX } from "./styles.js";
import { filled, type InspectorWords } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const PATHS = { start: "M11.5 3.5L6 8l5.5 4.5M4.5 3.5v9", back: "M10 3.5L5 8l5 4.5", forward: "M6 3.5L11 8l-5 4.5" };
// rows beside those that are seen, so that scrolling shows no gaps
const BESIDE = 6;
const LONGEST = 200;

/** What the list asks of the element: to show the state after so many inputs, or now. */
export type GoTo = (inputs: number | undefined) => void;

/** The list and the controls. */
export class Log {
  /** The list, below its heading. */
  readonly node: HTMLElement;
  /** The controls, which stand where they are always seen. */
  readonly travel: HTMLElement;
  readonly #words: InspectorWords;
  readonly #goTo: GoTo;
  readonly #count = h("span", { class: "count" });
  readonly #note = h("p", { class: "empty" });
  readonly #slider = h("input", { type: "range", min: 0, step: 1 });
  readonly #where = h("output", { "aria-live": "off" });
  readonly #buttons: Readonly<Record<"start" | "back" | "forward" | "now", HTMLButtonElement>>;
  readonly #columns: HTMLElement;
  readonly #list = h("ol", { role: "presentation" });
  readonly #box: HTMLElement;
  readonly #rows = new Map<number, HTMLElement>();
  #inputs: Inputs | undefined;
  #canTravel = false;
  #at: number | undefined;
  // the row that the keys are at, by its place from 0
  #active = -1;

  constructor(words: InspectorWords, goTo: GoTo) {
    this.#words = words;
    this.#goTo = goTo;
    const { travel, log } = words;
    this.#buttons = {
      start: this.#button(travel.start, "start", () => this.#go(0)),
      back: this.#button(travel.back, "back", () => this.#go(this.#place() - 1)),
      forward: this.#button(travel.forward, "forward", () => this.#go(this.#place() + 1)),
      now: h("button", { type: "button", class: "button primary", part: "now", onclick: () => this.#at !== undefined && this.#goTo(undefined) }, travel.now),
    };
    attribute(this.#slider, "aria-label", travel.slider);
    this.#slider.addEventListener("input", () => this.#go(this.#slider.valueAsNumber));
    const { start, back, forward, now } = this.#buttons;
    this.travel = h("div", { class: "travel", role: "group", "aria-label": travel.label, part: "travel" }, h("div", { class: "travel-steps" }, start, back, forward), this.#slider, h("div", { class: "travel-where" }, this.#where, now));
    this.#columns = h("div", { class: "cells columns", "aria-hidden": "true" }, ...log.columns.map((column) => h("span", {}, column)));
    this.#box = h("div", { class: "log", role: "listbox", tabindex: 0, "aria-labelledby": "part-inputs", part: "log" }, this.#list);
    this.#box.addEventListener("scroll", () => this.#drawRows(), { passive: true });
    this.#box.addEventListener("keydown", (event) => this.#key(event));
    this.#box.addEventListener("click", (event) => {
      const row = event.target instanceof Element ? event.target.closest("li") : null;
      if (row !== null) this.#pick(Number(row.dataset["at"]));
    });
    this.node = h("section", { part: "inputs", "aria-labelledby": "part-inputs" }, h("h3", { id: "part-inputs" }, log.title, this.#count), this.#note, this.#columns, this.#box);
    this.draw(undefined, undefined, false, "");
  }

  /** Puts a recording on screen, at a moment of it or now; without one the note says why. */
  draw(inputs: Inputs | undefined, at: number | undefined, canTravel: boolean, note: string): void {
    const isOther = inputs !== this.#inputs;
    const stuck = this.#box.scrollTop + this.#box.clientHeight >= this.#box.scrollHeight - ROW_PX;
    const moved = at !== this.#at;
    [this.#inputs, this.#at, this.#canTravel] = [inputs, at, canTravel && inputs !== undefined && inputs.count > 0];
    const count = inputs?.count ?? 0;
    this.#count.textContent = inputs === undefined ? "" : count.toLocaleString("en");
    this.#note.textContent = note !== "" ? note : count === 0 ? this.#words.none : "";
    attribute(this.#note, "hidden", this.#note.textContent === "");
    attribute(this.travel, "hidden", !this.#canTravel);
    attribute(this.#columns, "hidden", count === 0);
    attribute(this.#box, "hidden", count === 0);
    this.#box.classList.toggle("can-travel", this.#canTravel);
    this.#controls(count);
    if (isOther) {
      for (const row of this.#rows.values()) row.remove();
      this.#rows.clear();
      this.#active = Math.min(this.#active, count - 1);
      this.#list.style.blockSize = `${count * ROW_PX}px`;
      // new inputs are followed by whoever was at the end
      if (stuck && at === undefined) this.#box.scrollTop = this.#box.scrollHeight;
    }
    if (moved && at !== undefined) this.#reveal(at - 1);
    this.#drawRows();
  }

  #controls(count: number): void {
    const { travel } = this.#words;
    const place = this.#place();
    attribute(this.#slider, "max", count);
    if (this.#slider.valueAsNumber !== place) this.#slider.value = String(place);
    const where = this.#at === undefined ? filled(travel.live, { all: count }) : filled(travel.after, { n: this.#at, all: count });
    attribute(this.#slider, "aria-valuetext", where);
    if (this.#where.textContent !== where) this.#where.textContent = where;
    const off = { start: this.#at === 0, back: place === 0, forward: place === count, now: this.#at === undefined };
    for (const name of ["start", "back", "forward", "now"] as const) attribute(this.#buttons[name], "aria-disabled", off[name] ? "true" : null);
  }

  #place(): number {
    return this.#at ?? this.#inputs?.count ?? 0;
  }

  #go(inputs: number): void {
    const count = this.#inputs?.count ?? 0;
    if (!this.#canTravel || !(inputs >= 0 && inputs <= count) || inputs === this.#at) return;
    this.#goTo(inputs);
  }

  #pick(at: number): void {
    this.#active = at;
    this.#go(at + 1);
    this.#drawRows();
  }

  #key(event: KeyboardEvent): void {
    const count = this.#inputs?.count ?? 0;
    const page = Math.max(1, Math.floor(this.#box.clientHeight / ROW_PX) - 1);
    const from = this.#active < 0 ? this.#place() - 1 : this.#active;
    const to = { ArrowDown: from + 1, ArrowUp: from - 1, PageDown: from + page, PageUp: from - page, Home: 0, End: count - 1 }[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey || count === 0) return;
    if (to !== undefined) {
      this.#active = Math.max(0, Math.min(count - 1, to));
      this.#reveal(this.#active);
      this.#drawRows();
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.#active >= 0) this.#pick(this.#active);
    } else return;
    event.preventDefault();
  }

  #reveal(at: number): void {
    const [top, box] = [Math.max(0, at) * ROW_PX, this.#box];
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + ROW_PX > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW_PX - box.clientHeight;
  }

  #drawRows(): void {
    const count = this.#inputs?.count ?? 0;
    const first = Math.max(0, Math.floor(this.#box.scrollTop / ROW_PX) - BESIDE);
    const last = Math.min(count - 1, Math.ceil((this.#box.scrollTop + Math.max(this.#box.clientHeight, ROW_PX)) / ROW_PX) + BESIDE);
    for (const [at, row] of this.#rows) {
      if (at >= first && at <= last) continue;
      row.remove();
      this.#rows.delete(at);
    }
    for (let at = first; at <= last; at += 1) {
      let row = this.#rows.get(at);
      if (row === undefined) {
        row = this.#row(at, count);
        this.#rows.set(at, row);
        const next = this.#rows.get(at + 1);
        this.#list.insertBefore(row, next ?? null);
      }
      attribute(row, "aria-selected", this.#canTravel ? String(at + 1 === this.#at) : null);
      attribute(row, "data-later", this.#at !== undefined && at >= this.#at);
      attribute(row, "data-active", at === this.#active);
    }
    // a row that is not drawn cannot be named
    attribute(this.#box, "aria-activedescendant", this.#rows.has(this.#active) ? `input-${this.#active}` : null);
  }

  #row(at: number, count: number): HTMLElement {
    const words = this.#words.log;
    const row = this.#inputs?.row(at, words);
    const [kind, what, call] = [row === undefined ? "" : words[row.kind], shown(row?.what ?? ""), shown(row?.call ?? "")];
    const size = (row?.size ?? 0).toLocaleString("en");
    const cells = [String(at + 1), row?.sinceMs === undefined ? "" : since(row.sinceMs).replace(" s", ""), kind, what, call, size];
    const node = h("li", { role: "option", id: `input-${at}`, class: "cells", "data-at": at, "aria-setsize": count, "aria-posinset": at + 1 });
    // the blanks part the words for whoever hears the row
    node.append(...cells.flatMap((cell, place) => [h(place === 3 || place === 4 ? "bdi" : "span", { title: place === 3 || place === 4 ? cell : undefined }, cell), " "]));
    node.style.transform = `translateY(${at * ROW_PX}px)`;
    return node;
  }

  #button(label: string, icon: keyof typeof PATHS, press: () => void): HTMLButtonElement {
    const svg = document.createElementNS(SVG, "svg");
    const path = document.createElementNS(SVG, "path");
    for (const [key, value] of Object.entries({ viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" })) svg.setAttribute(key, value);
    path.setAttribute("d", PATHS[icon]);
    svg.append(path);
    return h("button", { type: "button", class: "button", "aria-label": label, title: label, part: icon, onclick: press }, svg);
  }
}

function shown(text: string): string {
  return visible(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}
