// Who answers: a form in a dialog. Enters: the settings as they are. Leaves: settings to use, and on the person's wish
// what is kept on the device. A key is in the field it was written into, and goes from there to the provider alone.

import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from "react";

import { strings } from "../../strings/assistant.ts";
import { say } from "../../text.ts";
import { tell } from "../errors.ts";
import { Icon } from "../../Icon.tsx";
import type { Announcer } from "../surroundings.ts";
import { probe } from "./provider.ts";
import { KINDS, OWN_ADDRESSES, PRESETS, accessOf, faultsOf, forget, isReadable, keep, kept, trimmed, type Access, type Fault, type Settings } from "./settings.ts";

const words = strings.settings;

/** What the dialog is given. */
export interface SettingsDialogProps {
  readonly settings: Settings;
  /** Whether an answer is running that other settings would stop. */
  readonly isRunning: boolean;
  readonly announcer: Announcer;
  readonly use: (settings: Settings) => void;
  readonly close: () => void;
}

/** The settings, modal over the page. */
export function SettingsDialog({ settings, isRunning, announcer, use, close }: SettingsDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [draft, setDraft] = useState(settings);
  const [isKept, setIsKept] = useState(() => kept() !== undefined);
  const [keeps, setKeeps] = useState(isKept);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const title = useId();
  useEffect(() => dialog.current?.showModal(), []);
  // closing it gives the focus back, which only leaving the tree would not
  const leave = (): void => dialog.current?.close();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const wanted = trimmed(draft);
    const found = faultsOf(wanted);
    setFaults(found);
    if (found.length > 0) {
      const [first] = found;
      dialog.current?.querySelector<HTMLElement>(`[name="${first?.field ?? ""}"]`)?.focus();
      return;
    }
    if (!keeps) forget();
    else if (!keep(wanted)) announcer.note(words.notKept);
    leave();
    use(wanted);
  };
  const drop = (): void => {
    forget();
    setIsKept(false);
    setKeeps(false);
    announcer.say(words.forgotten);
  };
  return (
    <dialog className="settings" ref={dialog} aria-labelledby={title} onClose={close}>
      <form className="settings-form" onSubmit={submit} autoComplete="off" noValidate>
        <header className="settings-head">
          <h2 id={title}>{words.title}</h2>
          <button type="button" className="icon-button" aria-label={words.cancel} onClick={leave}><Icon name="cross" /></button>
        </header>
        <fieldset className="kinds">
          <legend>{words.who}</legend>
          {KINDS.map((kind) => (
            <label key={kind} className="kind">
              <input type="radio" name="kind" value={kind} checked={draft.kind === kind} onChange={() => setDraft({ ...draft, kind })} />
              <span>{words.names[kind]}</span>
            </label>
          ))}
        </fieldset>
        <p className="settings-told">{words[draft.kind]}</p>
        <Fields key={draft.kind} draft={draft} faults={faults} change={setDraft} />
        {draft.kind !== "scripted" && (
          <div className="keeping">
            <label className="check"><input type="checkbox" checked={keeps} onChange={(event) => setKeeps(event.target.checked)} /><span>{words.keep}</span></label>
            <p className="settings-told">{words.keepTold}</p>
          </div>
        )}
        {isKept && <p className="settings-kept"><span>{words.kept}</span><button type="button" className="link" onClick={drop}>{words.forget}</button></p>}
        {draft.kind !== "scripted" && <Test draft={draft} fault={setFaults} />}
        {isRunning && <p className="settings-told">{words.running}</p>}
        <div className="settings-actions">
          <button type="submit" className="button primary">{words.use}</button>
          <button type="button" className="button quiet" onClick={leave}>{words.cancel}</button>
        </div>
      </form>
    </dialog>
  );
}

function Fields({ draft, faults, change }: { readonly draft: Settings; readonly faults: readonly Fault[]; readonly change: (draft: Settings) => void }) {
  const access = accessOf(draft);
  if (access === undefined || draft.kind === "scripted") return null;
  const isCompatible = draft.kind === "compatible";
  const set = (field: keyof Access, value: string): void => change({ ...draft, [draft.kind]: { ...access, [field]: value } });
  const field = (name: keyof Access, label: string, placeholder: string, more?: ReactNode) => (
    <Field name={name} label={label} placeholder={placeholder} value={access[name]} fault={faults.find((fault) => fault.field === name)?.told} set={(value) => set(name, value)}>{more}</Field>
  );
  const presets = (
    <div className="presets" role="group" aria-label={words.presets}>
      {PRESETS.map(([name, baseURL]) => <button key={name} type="button" className="chip" aria-label={`${name}: ${baseURL}`} title={baseURL} onClick={() => set("baseURL", baseURL)}>{name}</button>)}
    </div>
  );
  return (
    <>
      {isCompatible && field("baseURL", words.baseURL, "http://localhost:11434/v1", presets)}
      {field("model", words.model, words.models[draft.kind])}
      {field("apiKey", isCompatible ? words.keyOptional : words.key, "", isReadable(trimmed(draft)) && <p className="field-note"><Icon name="threat" /><span>{words.readable}</span></p>)}
      {!isCompatible && field("baseURL", words.baseURLOptional, OWN_ADDRESSES[draft.kind] ?? "")}
    </>
  );
}

interface FieldProps {
  readonly name: keyof Access;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly fault: string | undefined;
  readonly set: (value: string) => void;
  readonly children: ReactNode;
}

function Field({ name, label, placeholder, value, fault, set, children }: FieldProps) {
  const id = useId();
  return (
    <div className="settings-field">
      <label className="form-label" htmlFor={id}>{label}</label>
      <input
        id={id} name={name} className="field" type={name === "apiKey" ? "password" : "text"} inputMode={name === "baseURL" ? "url" : "text"} placeholder={placeholder} value={value} dir="ltr"
        autoComplete="off" autoCapitalize="off" spellCheck={false} aria-invalid={fault !== undefined} aria-describedby={fault === undefined ? undefined : `${id}-fault`} onChange={(event) => set(event.target.value)}
      />
      {fault !== undefined && <p className="field-fault" id={`${id}-fault`} role="alert">{fault}</p>}
      {children}
    </div>
  );
}

function Test({ draft, fault }: { readonly draft: Settings; readonly fault: (faults: readonly Fault[]) => void }) {
  const [result, setResult] = useState<{ readonly of: Settings; readonly text: string; readonly tone: "good" | "bad" | "quiet" }>();
  const test = async (): Promise<void> => {
    const wanted = trimmed(draft);
    const found = faultsOf(wanted);
    fault(found);
    if (found.length > 0) return;
    setResult({ of: draft, text: words.testing, tone: "quiet" });
    const error = await probe(wanted);
    setResult({ of: draft, ...(error === undefined ? { text: say(words.works, { provider: words.called[wanted.kind] }), tone: "good" } : { text: tell(error, wanted, false).text, tone: "bad" }) });
  };
  return (
    <div className="testing">
      <button type="button" className="button" onClick={() => void test()}>{words.test}</button>
      {/* what was found out about other settings says nothing about these */}
      <p className="test-result" role="status" data-tone={result?.tone}>{result?.of === draft ? result.text : ""}</p>
    </div>
  );
}
