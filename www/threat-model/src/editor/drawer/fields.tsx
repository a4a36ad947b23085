// The fields of the details: what is typed stays with the field until it is left or Enter is pressed, and is then one
// edit. Enters: a value. Leaves: the changed one. A change from elsewhere never overwrites what is being typed.

import { useId, useState, type KeyboardEvent, type ReactNode } from "react";

import { appStrings } from "../../strings/app.ts";
import { editorStrings } from "../../strings/editor.ts";
import { shorten } from "../../text.ts";

/** What every field has. */
interface FieldProps<T> {
  readonly label: string;
  readonly value: T;
  readonly commit: (next: T) => void;
}

/** A line, or several lines, of text. */
export function TextField({ label, value, commit, lines = 1, isWide = false, isRequired = false, options, startsFocused = false }: FieldProps<string> & {
  readonly lines?: number;
  readonly isWide?: boolean;
  /** An empty text is not taken. */
  readonly isRequired?: boolean;
  /** What is already used elsewhere, as suggestions. */
  readonly options?: readonly string[];
  readonly startsFocused?: boolean;
}): ReactNode {
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const id = useId();
  const end = () => {
    if (draft !== undefined && draft !== value && !(isRequired && draft.trim() === "")) commit(draft);
    setDraft(undefined);
  };
  const key = (event: KeyboardEvent<HTMLElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && (lines === 1 || event.ctrlKey || event.metaKey)) end();
    if (event.key === "Escape" && draft !== undefined) {
      event.stopPropagation();
      setDraft(undefined);
    }
  };
  const shared = {
    id,
    className: "field",
    value: draft ?? value,
    dir: "auto" as const,
    onChange: (event: { currentTarget: { value: string } }) => setDraft(event.currentTarget.value),
    onBlur: end,
    onKeyDown: key,
  };
  return (
    <div className={isWide ? "labelled wide" : "labelled"}>
      <label className="label" htmlFor={id}>{label}</label>
      {lines === 1 ? <input {...shared} {...(options === undefined ? {} : { list: `${id}-options` })} ref={startsFocused ? focusOnce : undefined} /> : <textarea {...shared} rows={lines} />}
      {options !== undefined && <datalist id={`${id}-options`}>{options.map((option) => <option key={option} value={option} />)}</datalist>}
    </div>
  );
}

/** A list of short texts, written with commas between them. */
export function ListField({ label, value, commit, isWide = false }: FieldProps<readonly string[]> & { readonly isWide?: boolean }): ReactNode {
  const parse = (text: string) => text.split(",").map((part) => part.trim()).filter((part) => part !== "");
  return <TextField label={`${label} – ${editorStrings.fields.listHint.toLowerCase()}`} value={value.join(", ")} commit={(text) => commit(parse(text))} isWide={isWide} />;
}

/** A choice from a short list; a value that is not in it keeps an entry of its own. */
export function SelectField({ label, value, commit, groups, nothing }: FieldProps<string> & {
  readonly groups: readonly { readonly label?: string; readonly options: readonly { readonly value: string; readonly label: string }[] }[];
  readonly nothing?: string;
}): ReactNode {
  const id = useId();
  const isKnown = (value === "" && nothing !== undefined) || groups.some(({ options }) => options.some((option) => option.value === value));
  const entries = (options: readonly { readonly value: string; readonly label: string }[]) => options.map((option) => <option key={option.value} value={option.value}>{option.label}</option>);
  return (
    <div className="labelled">
      <label className="label" htmlFor={id}>{label}</label>
      <select id={id} className="field" value={value} onChange={(event) => commit(event.currentTarget.value)}>
        {nothing !== undefined && <option value="">{nothing}</option>}
        {!isKnown && <option value={value}>{editorStrings.fields.otherType.replace("{type}", shorten(value, 40) || appStrings.untitled)}</option>}
        {groups.map(({ label: name, options }) => (name === undefined ? entries(options) : <optgroup key={name} label={name}>{entries(options)}</optgroup>))}
      </select>
    </div>
  );
}

/** A yes or no. */
export function CheckField({ label, value, commit }: FieldProps<boolean>): ReactNode {
  return (
    <label className="check">
      <input type="checkbox" checked={value} onChange={(event) => commit(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

/** A thing of the document, chosen by name. */
export function ThingField({ label, name, open }: { readonly label: string; readonly name: string; readonly open: () => void }): ReactNode {
  const id = useId();
  return (
    <div className="labelled">
      <span className="label" id={id}>{label}</span>
      <button className="field thing" type="button" aria-labelledby={`${id} ${id}-name`} onClick={open}>
        <span id={`${id}-name`} dir="auto">{shorten(name, 80)}</span>
      </button>
    </div>
  );
}

function focusOnce(input: HTMLInputElement | null): void {
  if (input === null) return;
  input.focus({ preventScroll: true });
  input.select();
}
