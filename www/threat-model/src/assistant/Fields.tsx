// The fields of a tool's input, drawn from its schema. Enters: a schema and a value. Leaves: the value with what was typed.

import type { Json } from "countersign/threat-model";
import { useId, useState, type ReactNode } from "react";

import { Icon } from "../Icon.tsx";
import { strings } from "../strings/assistant.ts";
import { say, wordFor } from "../text.ts";
import { blank, isObject, kindOf, withField, type Field, type JsonObject } from "./schema.ts";

interface Place {
  /** Where the value stands, as the core's issues name it. */
  readonly path: string;
  /** What the core has against the input. */
  readonly issues: readonly string[];
}

/** The fields of an object: those that are there, and a choice of those that may come. */
export function Group({ fields, value, set, path, issues }: Place & { readonly fields: readonly Field[]; readonly value: JsonObject; readonly set: (next: JsonObject) => void }): ReactNode {
  const id = useId();
  const absent = fields.filter((field) => !field.isRequired && kindOf(field.schema, undefined).kind !== "fixed" && !Object.hasOwn(value, field.name));
  const known = new Set(fields.map((field) => field.name));
  // what the schema does not name is shown all the same, so that it can be left out
  const others = Object.keys(value).filter((name) => !known.has(name)).map((name): Field => ({ name, schema: {}, isRequired: false }));
  const there = [...fields.filter((field) => field.isRequired || Object.hasOwn(value, field.name)), ...others];
  return (
    <>
      {there.map((field) => (
        <One key={field.name} field={field} value={Object.hasOwn(value, field.name) ? value[field.name] : undefined} set={(next) => set(withField(value, field.name, next))} path={path === "" ? field.name : `${path}.${field.name}`} issues={issues} />
      ))}
      {absent.length > 0 && (
        <div className="form-add">
          <label className="sr" htmlFor={id}>{strings.card.addField}</label>
          <select
            id={id} className="field" value=""
            onChange={(event) => {
              const field = absent.find(({ name }) => name === event.target.value);
              if (field !== undefined) set(withField(value, field.name, blank(field.schema)));
            }}
          >
            <option value="">{strings.card.chooseField}</option>
            {absent.map(({ name }) => <option key={name} value={name}>{word(name, path === "" ? name : `${path}.${name}`)}</option>)}
          </select>
        </div>
      )}
    </>
  );
}

function One({ field, value, set, path, issues }: Place & { readonly field: Field; readonly value: Json | undefined; readonly set: (next: Json | undefined) => void }): ReactNode {
  const id = useId();
  const kind = kindOf(field.schema, value);
  const label = word(field.name, path);
  if (kind.kind === "fixed") return null;
  const isWrong = issues.some((issue) => issue.startsWith(`${path}:`) || issue.startsWith(`${path}[`));
  const shared = { id, className: "field", "aria-invalid": isWrong || undefined, dir: "auto" as const };
  const drop = field.isRequired ? null : <button type="button" className="icon-button form-drop" aria-label={say(strings.card.dropField, { field: label })} data-tip={say(strings.card.dropField, { field: label })} onClick={() => set(undefined)}><Icon name="cross" /></button>;
  if (kind.kind === "group" || kind.kind === "several") {
    return (
      <fieldset className="form-group">
        <legend>{label}</legend>
        {kind.kind === "group" ? <Group fields={kind.fields} value={isObject(value) ? value : {}} set={set} path={path} issues={issues} /> : <Several options={kind.options} value={value} set={set} />}
        {drop}
      </fieldset>
    );
  }
  const hint = kind.kind === "lines" ? strings.card.oneALine : kind.kind === "json" ? strings.card.asJson : undefined;
  return (
    <div className="form-field" data-check={kind.kind === "boolean" ? "" : undefined}>
      <label className="form-label" htmlFor={id}>{label}{hint !== undefined && <span className="form-hint"> – {hint}</span>}</label>
      {drop}
      {kind.kind === "line" && <input {...shared} value={textOf(value)} onChange={(event) => set(event.target.value)} />}
      {kind.kind === "text" && <textarea {...shared} rows={3} value={textOf(value)} onChange={(event) => set(event.target.value)} />}
      {kind.kind === "boolean" && <input {...shared} className="" type="checkbox" checked={value === true} onChange={(event) => set(event.target.checked)} />}
      {kind.kind === "choice" && (
        <select {...shared} value={textOf(value)} onChange={(event) => set(event.target.value)}>
          {[...new Set([...kind.options, textOf(value)])].map((option) => <option key={option}>{option}</option>)}
        </select>
      )}
      {kind.kind === "number" && <Written as="input" {...shared} inputMode="decimal" value={value} set={set} read={(text) => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text)} write={textOf} />}
      {kind.kind === "lines" && <Written as="textarea" {...shared} value={value} set={set} read={(text) => text.split("\n").filter((line) => line !== "")} write={(list) => (Array.isArray(list) ? list.join("\n") : "")} />}
      {kind.kind === "json" && <Written as="textarea" {...shared} className="field code" dir="ltr" value={value} set={set} read={parsed} write={(json) => JSON.stringify(json, null, 2)} />}
    </div>
  );
}

// what is typed stays as it is typed, whatever is made of it; another value from elsewhere takes its place
function Written({ as: Tag, value, set, read, write, ...rest }: {
  readonly as: "input" | "textarea"; readonly id: string; readonly className: string; readonly dir: "auto" | "ltr"; readonly inputMode?: "decimal"; readonly "aria-invalid": true | undefined;
  readonly value: Json | undefined; readonly set: (next: Json) => void; readonly read: (text: string) => Json; readonly write: (value: Json) => string;
}): ReactNode {
  const [typed, setTyped] = useState(() => ({ text: write(value ?? ""), value }));
  const text = typed.value === value ? typed.text : write(value ?? "");
  const change = (next: string): void => {
    const made = read(next);
    setTyped({ text: next, value: made });
    set(made);
  };
  return <Tag {...rest} {...(Tag === "textarea" ? { rows: Math.min(8, text.split("\n").length + 1), spellCheck: false } : {})} value={text} onChange={(event: { readonly target: { readonly value: string } }) => change(event.target.value)} />;
}

function Several({ options, value, set }: { readonly options: readonly string[]; readonly value: Json | undefined; readonly set: (next: Json) => void }): ReactNode {
  const chosen = Array.isArray(value) ? value : [];
  return [...new Set([...chosen.filter((each) => typeof each === "string"), ...options])].map((option) => (
    <label key={option} className="check">
      <input type="checkbox" checked={chosen.includes(option)} onChange={(event) => set(event.target.checked ? [...chosen, option] : chosen.filter((each) => each !== option))} />
      {word(option, `.${option}`)}
    </label>
  ));
}

// a name means one thing in the input itself, and another in an entity
function word(name: string, path: string): string {
  const [first, second] = path.includes(".") ? [strings.card.fields, strings.card.inputs] : [strings.card.inputs, strings.card.fields];
  return wordFor(first, name) ?? wordFor(second, name) ?? name;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
