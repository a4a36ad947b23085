// The fields of each table: how one is shown, and what edit it makes. Enters: an entity. Leaves: changed fields.
// Selects keep a value they do not know as an entry of their own, so that nothing is lost by looking at it.

import { h, attr } from "../dom.ts";
import { CATEGORIES, elementName, flowName, type Model, type Section } from "../model.ts";
import { strings } from "../strings.ts";
import { clip, list, say, shown } from "../text.ts";

/** One row's data. */
export interface Row {
  readonly section: Section;
  readonly entity: { readonly id: string; readonly [key: string]: unknown };
  readonly model: Model;
}

/** One field of one row. */
export interface Cell {
  readonly root: HTMLElement;
  draw(row: Row): void;
}

/** Makes the edit; false when it was refused. */
type Commit = (fields: Record<string, unknown>) => boolean;

interface Column {
  readonly name: string;
  readonly label: string;
  readonly cell: (commit: Commit) => Cell;
}

type Option = readonly [value: string, label: string];

const text = (name: string, label: string): Column => ({ name, label, cell: (commit) => textCell(name, label, commit) });
const choice = (name: string, label: string, options: (row: Row) => readonly Option[]): Column => ({
  name,
  label,
  cell: (commit) => selectCell(label, options, (row) => String(row.entity[name] ?? ""), (value) => commit({ [name]: value })),
});
const elements = (row: Row): Option[] => row.model.elements.map((element) => [element.id, clip(element.name || element.id, 40)]);

/** The columns of every table. */
export const COLUMNS: Record<Section, readonly Column[]> = {
  elements: [
    text("name", strings.lists.name),
    choice("type", strings.lists.type, () => Object.entries(strings.types)),
    text("trust_zone", strings.lists.zone),
  ],
  data_flows: [
    text("name", strings.lists.name),
    choice("from", strings.lists.from, elements),
    choice("to", strings.lists.to, elements),
    text("protocol", strings.lists.protocol),
    { name: "authenticated", label: strings.lists.authenticated, cell: checkCell },
  ],
  trust_boundaries: [text("name", strings.lists.name), { name: "contains", label: strings.lists.members, cell: membersCell }],
  threats: [
    text("title", strings.lists.title),
    choice("category", strings.lists.category, () => CATEGORIES.map((category) => [category, category])),
    choice("severity", strings.lists.severity, () => Object.entries(strings.severities)),
    { name: "target", label: strings.lists.target, cell: targetCell },
    { name: "mitigation", label: strings.lists.mitigation, cell: mitigationCell },
  ],
};

function name(row: Row): string {
  return clip(String(row.entity["name"] ?? row.entity["title"] ?? row.entity.id), 60);
}

function textCell(key: string, label: string, commit: Commit): Cell {
  const input = h("input", { class: "field", type: "text", dir: "auto", spellcheck: "false", autocomplete: "off" });
  let stored = "";
  const save = () => {
    // an input shows invisible characters as escapes; only what a person really changed is written back
    if (input.value === shown(stored)) return;
    if (!commit({ [key]: input.value })) input.value = shown(stored);
  };
  input.addEventListener("change", save);
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter") save();
    if (event.key === "Escape") {
      event.stopPropagation();
      input.value = shown(stored);
    }
  });
  return {
    root: input,
    draw(row) {
      const before = shown(stored);
      stored = String(row.entity[key] ?? "");
      attr(input, "aria-label", say(strings.lists.field, { field: label, name: name(row) }));
      // text that a person is changing right now stays theirs
      if (document.activeElement !== input || input.value === before) {
        if (input.value !== shown(stored)) input.value = shown(stored);
      }
    },
  };
}

function selectCell(label: string, options: (row: Row) => readonly Option[], value: (row: Row) => string, choose: (value: string) => boolean): Cell {
  const select = h("select", { class: "field" });
  let drawn = "";
  let current = "";
  select.addEventListener("change", () => {
    if (!choose(select.value)) select.value = current;
  });
  return {
    root: select,
    draw(row) {
      current = value(row);
      const known = options(row);
      const all: readonly Option[] = known.some(([key]) => key === current) ? known : [...known, [current, clip(current, 40)]];
      const mark = JSON.stringify(all);
      if (mark !== drawn) {
        drawn = mark;
        select.replaceChildren(...all.map(([key, text]) => h("option", { value: key }, text)));
      }
      attr(select, "aria-label", say(strings.lists.field, { field: label, name: name(row) }));
      if (select.value !== current) select.value = current;
    },
  };
}

function checkCell(commit: Commit): Cell {
  const input = h("input", { type: "checkbox" });
  input.addEventListener("change", () => {
    if (!commit({ authenticated: input.checked })) input.checked = !input.checked;
  });
  return {
    root: h("label", { class: "check" }, input),
    draw(row) {
      input.checked = row.entity["authenticated"] === true;
      attr(input, "aria-label", say(strings.lists.field, { field: strings.lists.authenticated, name: name(row) }));
    },
  };
}

function membersCell(commit: Commit): Cell {
  const summary = h("summary", { class: "field" });
  const choices = h("div", { class: "members" });
  const root = h("details", { class: "members-cell" }, summary, choices);
  let members: readonly string[] = [];
  return {
    root,
    draw(row) {
      members = (row.entity["contains"] as readonly string[] | undefined) ?? [];
      summary.textContent = members.length === 0 ? strings.lists.noMembers : list(members.map((id) => clip(elementName(row.model, id), 40)));
      attr(summary, "aria-label", `${say(strings.lists.field, { field: strings.lists.members, name: name(row) })}: ${summary.textContent}`);
      const focused = choices.contains(document.activeElement) ? (document.activeElement as HTMLInputElement).value : undefined;
      choices.replaceChildren(
        ...row.model.elements.map((element) => {
          const input = h("input", { type: "checkbox", value: element.id });
          input.checked = members.includes(element.id);
          input.addEventListener("change", () => {
            commit({ contains: input.checked ? [...members, element.id] : members.filter((id) => id !== element.id) });
          });
          return h("label", { class: "check" }, input, h("bdi", {}, clip(element.name || element.id, 40)));
        }),
      );
      if (focused !== undefined) [...choices.querySelectorAll("input")].find((input) => input.value === focused)?.focus();
    },
  };
}

function targetCell(commit: Commit): Cell {
  return selectCell(
    strings.lists.target,
    (row) => [
      ["", strings.lists.noTarget],
      ...row.model.elements.map((element): Option => [`element:${element.id}`, clip(element.name || element.id, 40)]),
      ...row.model.data_flows.map((flow): Option => [`flow:${flow.id}`, clip(flowName(row.model, flow), 40)]),
    ],
    ({ entity }) => (typeof entity["flow"] === "string" ? `flow:${entity["flow"]}` : typeof entity["element"] === "string" ? `element:${entity["element"]}` : ""),
    (value) => {
      const colon = value.indexOf(":");
      const id = value.slice(colon + 1);
      return commit({ element: value.startsWith("element:") ? id : undefined, flow: value.startsWith("flow:") ? id : undefined });
    },
  );
}

function mitigationCell(commit: Commit): Cell {
  let description = "";
  const cell = selectCell(
    strings.lists.mitigation,
    () => [["", strings.lists.noMitigation], ...Object.entries(strings.mitigations)],
    ({ entity }) => (entity["mitigation"] as { status?: string } | undefined)?.status ?? "",
    (status) => commit({ mitigation: status === "" ? undefined : { status, description } }),
  );
  return {
    root: cell.root,
    draw(row) {
      description = (row.entity["mitigation"] as { description?: string } | undefined)?.description ?? "";
      cell.draw(row);
    },
  };
}
