// One thing out of many, by name: type to narrow down, arrows to go through, Enter to take. Enters: the choice that is
// asked for. Leaves: what was taken. What would be taken is hinted at on the canvas.

import { useDeferredValue, useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { useCell } from "../cell.ts";
import { keyOf, refOf, type Key } from "../editor/key.ts";
import type { Choice, Workspace } from "../editor/workspace.tsx";
import { nameOf, type Model } from "../model.ts";
import { appStrings } from "../strings/app.ts";
import { count, shorten } from "../text.ts";
import { Dialog } from "./Dialog.tsx";

const SHOWN = 50;
const words = appStrings.picker;

/** An entry of the list; none for choosing nothing. */
type Entry = { readonly key: Key | undefined; readonly name: string };

/** The open choice, where one is open. */
export function Picker({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const choice = useCell(workspace.choice);
  return choice === undefined ? null : <OpenPicker workspace={workspace} choice={choice} />;
}

/** The choice that finds anything by its name. */
export function findChoice(workspace: Workspace): Choice {
  const { elements, data_flows, trust_boundaries, threats } = workspace.model.value;
  return {
    title: words.findTitle,
    label: words.find,
    keys: [
      ...elements.map(({ id }) => keyOf("elements", id)),
      ...data_flows.map(({ id }) => keyOf("data_flows", id)),
      ...trust_boundaries.map(({ id }) => keyOf("trust_boundaries", id)),
      ...threats.map(({ id }) => keyOf("threats", id)),
    ],
    choose: (key) => {
      // the dialog gives the focus back first
      if (key !== undefined) requestAnimationFrame(() => workspace.go(key));
    },
  };
}

function OpenPicker({ workspace, choice }: { readonly workspace: Workspace; readonly choice: Choice }): ReactNode {
  const model = useCell(workspace.model);
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const list = useId();
  const rows = useRef<HTMLUListElement>(null);
  const wanted = useDeferredValue(query);
  const { entries, more } = useMemo(() => fitting(choice, model, wanted), [choice, model, wanted]);
  const index = Math.min(at, entries.length - 1);
  const current = entries[index];
  useEffect(() => {
    workspace.hinted.set(current?.key);
    if (current?.key !== undefined && refOf(current.key).section !== "threats" && query !== "") workspace.view?.show(current.key, false);
    rows.current?.children[index]?.scrollIntoView({ block: "nearest" });
  }, [workspace, current?.key, index, query]);
  useEffect(() => () => workspace.hinted.set(undefined), [workspace]);
  const close = () => workspace.choice.set(undefined);
  const take = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    close();
    choice.choose(entry.key);
  };
  const key = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    // the list may be a moment behind what is typed; Enter means what is typed
    if (event.key === "Enter") take(query === wanted ? current : fitting(choice, model, query).entries[index]);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") setAt((Math.max(index, 0) + (event.key === "ArrowDown" ? 1 : -1) + entries.length) % Math.max(entries.length, 1));
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={choice.title} className="picker" close={close}>
      <input
        className="field picker-input"
        data-first
        role="combobox"
        aria-label={choice.label}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={index < 0 ? undefined : `${list}-${index}`}
        placeholder={choice.label}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={key}
      />
      <ul className="picker-list" role="listbox" id={list} ref={rows} aria-label={choice.title}>
        {entries.map((entry, row) => (
          <li key={entry.key ?? ""} id={`${list}-${row}`} className="picker-row" role="option" aria-selected={row === index} onClick={() => take(entry)} onPointerMove={() => setAt(row)}>
            <span dir="auto">{shorten(entry.name, 80) || appStrings.untitled}</span>
            {entry.key !== undefined && <span className="picker-kind">{words.kinds[refOf(entry.key).section]}</span>}
          </li>
        ))}
      </ul>
      {entries.length === 0 && <p className="hint">{words.none}</p>}
      {more > 0 && <p className="hint">{count(more, words.more)}</p>}
    </Dialog>
  );
}

// names that begin with what is typed come before those that only hold it
function fitting(choice: Choice, model: Model, query: string): { entries: readonly Entry[]; more: number } {
  const wanted = query.trim().toLowerCase();
  const first: Entry[] = choice.nothing === undefined ? [] : [{ key: undefined, name: choice.nothing }];
  const names = nameMap(model);
  const begin: Entry[] = [];
  const hold: Entry[] = [];
  for (const key of choice.keys) {
    const name = names.get(key) ?? nameOf(model, refOf(key).section, refOf(key).id);
    const place = wanted === "" ? 0 : name.toLowerCase().indexOf(wanted);
    if (place === 0) begin.push({ key, name });
    else if (place > 0) hold.push({ key, name });
  }
  const all = [...first.filter(({ name }) => wanted === "" || name.toLowerCase().includes(wanted)), ...begin, ...hold];
  return { entries: all.slice(0, SHOWN), more: Math.max(0, all.length - SHOWN) };
}

// the names of all things in one walk: looking each up by itself would walk the document once per thing
function nameMap(model: Model): ReadonlyMap<Key, string> {
  const names = new Map<Key, string>();
  for (const element of model.elements) names.set(keyOf("elements", element.id), element.name || element.id);
  for (const boundary of model.trust_boundaries) names.set(keyOf("trust_boundaries", boundary.id), boundary.name);
  for (const threat of model.threats) names.set(keyOf("threats", threat.id), threat.title);
  for (const flow of model.data_flows) {
    const end = (id: string) => names.get(keyOf("elements", id)) ?? id;
    names.set(keyOf("data_flows", flow.id), flow.name || appStrings.unnamedFlow.replace("{from}", () => end(flow.from)).replace("{to}", () => end(flow.to)));
  }
  return names;
}
