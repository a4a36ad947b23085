// The same document as tables, for everyone who would rather read, type or use a screen reader. Enters: the
// document and the selection. Leaves: hand edits, one per field. A field being edited is never overwritten.

import { Keyed, attr, h, words } from "../dom.ts";
import { icon } from "../icons.ts";
import type { Model, Section } from "../model.ts";
import { strings } from "../strings.ts";
import { clip, say } from "../text.ts";
import { COLUMNS, type Cell, type Row } from "./columns.ts";
import type { Edits } from "./edits.ts";

const SECTIONS = ["elements", "data_flows", "trust_boundaries", "threats"] as const;
const WORD = { elements: "elements", data_flows: "flows", trust_boundaries: "boundaries", threats: "threats" } as const;

interface Table {
  readonly tab: HTMLButtonElement;
  readonly tally: HTMLElement;
  readonly panel: HTMLElement;
  readonly empty: HTMLElement;
  readonly table: HTMLTableElement;
  readonly rows: Keyed<Row, HTMLTableRowElement>;
}

/** The tables of the page, one tab a section. */
export class Lists {
  readonly root: HTMLElement;
  readonly #tables = new Map<Section, Table>();
  #open: Section = "elements";
  #model: Model | undefined;
  #selected: string | undefined;

  constructor(
    private readonly edits: Edits,
    private readonly select: (section: Section, id: string | undefined) => void,
  ) {
    const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": strings.lists.label });
    const add = h("button", { class: "button quiet", type: "button", onclick: () => this.#add() }, icon("add"), h("span", { class: "add-label" }));
    this.root = h("section", { class: "lists", "aria-label": strings.lists.label, "data-region": "lists", tabindex: "-1" }, h("div", { class: "lists-head" }, tabs, add));
    for (const section of SECTIONS) {
      const table = this.#table(section);
      this.#tables.set(section, table);
      tabs.append(table.tab);
      this.root.append(table.panel);
    }
    tabs.addEventListener("keydown", (event) => this.#tabKey(event));
    this.#show("elements");
  }

  /** Draws the document; opens the section of what was just selected elsewhere. */
  draw(model: Model, selected: { section: Section; id: string } | undefined): void {
    const isNew = selected !== undefined && selected.id !== this.#selected;
    this.#model = model;
    this.#selected = selected?.id;
    if (isNew && selected.section !== this.#open) this.#show(selected.section);
    for (const section of SECTIONS) this.#draw(section);
    if (isNew) this.#tables.get(this.#open)?.rows.node(selected.id)?.scrollIntoView({ block: "nearest" });
  }

  #draw(section: Section): void {
    const table = this.#tables.get(section);
    const model = this.#model;
    if (table === undefined || model === undefined) return;
    const rows = model[section].map((entity): Row => ({ section, entity, model }));
    words(table.tally, String(rows.length));
    table.empty.hidden = rows.length > 0;
    table.table.hidden = rows.length === 0;
    table.rows.draw(rows);
  }

  #table(section: Section): Table {
    const word = WORD[section];
    const tally = h("span", { class: "tally" }, "0");
    const tab = h("button", { class: "tab", type: "button", role: "tab", id: `tab-${section}`, "aria-controls": `list-${section}`, onclick: () => this.#show(section) }, strings.lists[word], " ", tally);
    const columns = COLUMNS[section];
    const body = h("tbody");
    const head = h("tr", {}, ...columns.map((column) => h("th", { scope: "col", class: `col-${column.name}` }, column.label)), h("th", { scope: "col", class: "col-end" }, h("span", { class: "sr" }, strings.lists.delete)));
    const table = h("table", {}, h("thead", {}, head), body);
    const empty = h("p", { class: "lists-empty" }, strings.lists.empty[word]);
    const panel = h("div", { class: "list", role: "tabpanel", id: `list-${section}`, "aria-labelledby": `tab-${section}` }, table, empty);
    const cells = new WeakMap<HTMLTableRowElement, Cell[]>();
    const rows = new Keyed<Row, HTMLTableRowElement>(
      body,
      (row) => row.entity.id,
      (row) => this.#row(row, columns, cells),
      (node, row) => {
        attr(node, "data-selected", row.entity.id === this.#selected);
        for (const cell of cells.get(node) ?? []) cell.draw(row);
        const remove = node.lastElementChild?.firstElementChild;
        if (remove != null) attr(remove, "aria-label", say(strings.lists.remove, { name: rowName(row) }));
      },
    );
    return { tab, tally, panel, empty, table, rows };
  }

  #row(row: Row, columns: (typeof COLUMNS)[Section], cells: WeakMap<HTMLTableRowElement, Cell[]>): HTMLTableRowElement {
    const { section } = row;
    const { id } = row.entity;
    const made = columns.map((column) => column.cell((fields) => this.edits.set(section, id, fields)));
    const remove = h("button", { class: "icon-button", type: "button", "data-tip": strings.lists.delete, onclick: () => this.#remove(section, id) }, icon("delete"));
    const node = h("tr", { "data-id": id }, ...made.map((cell) => h("td", {}, cell.root)), h("td", { class: "col-end" }, remove));
    node.addEventListener("focusin", () => this.select(section, id));
    node.addEventListener("pointerdown", () => this.select(section, id));
    cells.set(node, made);
    return node;
  }

  #remove(section: Section, id: string): void {
    const next = this.#tables.get(section)?.rows.node(id)?.nextElementSibling?.querySelector<HTMLElement>("input, select");
    if (this.edits.remove(section, id)) (next ?? this.#tables.get(section)?.tab)?.focus();
  }

  #add(): void {
    const id = this.edits.add(this.#open);
    if (id === undefined) return;
    this.select(this.#open, id);
    const input = this.#tables.get(this.#open)?.rows.node(id)?.querySelector("input");
    input?.focus();
    input?.select();
  }

  #show(section: Section): void {
    this.#open = section;
    for (const [name, table] of this.#tables) {
      attr(table.tab, "aria-selected", name === section ? "true" : "false");
      attr(table.tab, "tabindex", name === section ? "0" : "-1");
      table.panel.hidden = name !== section;
    }
    const label = this.root.querySelector(".add-label");
    if (label !== null) words(label, strings.lists.add[WORD[section]]);
  }

  #tabKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const forward = getComputedStyle(this.root).direction === "rtl" ? -step : step;
    const section = SECTIONS[(SECTIONS.indexOf(this.#open) + forward + SECTIONS.length) % SECTIONS.length];
    if (section === undefined) return;
    this.#show(section);
    this.#tables.get(section)?.tab.focus();
  }
}

function rowName(row: Row): string {
  const { name, title, id } = row.entity as { name?: unknown; title?: unknown; id: string };
  return clip(String(name ?? title ?? "") || id, 60);
}
