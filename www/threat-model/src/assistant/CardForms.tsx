// The two forms of a card: denying with a reason, and editing the input as JSON. Enters: the exact input and the
// tool's own objections. Leaves: a reason or a parsed input; what the tool objects to is shown, not sent.

import type { CallRecord, Json } from "countersign/threat-model";
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { strings } from "../strings/assistant.ts";
import { clip, exactJson, say } from "../text.ts";
import { useAround } from "./surroundings.ts";

const LONGEST_REASON = 500;
const SHOWN_ISSUES = 6;
const CHECK_MS = 250;

/** Asks why not. */
export function ReasonForm({ deny, close }: { readonly deny: (reason: string) => void; readonly close: () => void }) {
  const [reason, setReason] = useState("");
  const send = (): void => deny(reason.trim());
  const key = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <Form label={strings.card.reasonLabel} close={close} action={<button type="button" className="button" onClick={send}>{strings.card.deny}</button>}>
      {(id) => <textarea id={id} className="field" rows={2} dir="auto" maxLength={LONGEST_REASON} placeholder={strings.card.reasonPlaceholder} value={reason} onChange={(event) => setReason(event.target.value)} onKeyDown={key} />}
    </Form>
  );
}

/** Lets the input be changed. */
export function EditForm({ call, approve, close }: { readonly call: CallRecord; readonly approve: (input: Json) => void; readonly close: () => void }) {
  const { tray } = useAround();
  const [text, setText] = useState(() => exactJson(call.input));
  const [problems, setProblems] = useState<readonly string[]>([]);
  const touched = useRef(false);
  const check = (): Json | undefined => {
    const read = parse(text);
    const found = "problem" in read ? [read.problem] : tray.issues(call.toolName, read.input);
    setProblems(found.slice(0, SHOWN_ISSUES));
    return "problem" in read || found.length > 0 ? undefined : read.input;
  };
  useEffect(() => {
    if (!touched.current) return undefined;
    const timer = setTimeout(check, CHECK_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const send = (): void => {
    const input = check();
    if (input !== undefined) approve(input);
  };
  const action = <button type="button" className={call.destructive ? "button danger" : "button primary"} onClick={send}>{call.destructive ? strings.card.editDelete : strings.card.editApprove}</button>;
  const change = (to: string): void => {
    touched.current = true;
    setText(to);
  };
  return (
    <Form label={strings.card.editLabel} close={close} action={action} below={<ul className="problems" role="alert">{problems.map((issue) => <li key={issue}>{clip(issue, 240)}</li>)}</ul>}>
      {(id) => <textarea id={id} className="field code" rows={Math.min(14, text.split("\n").length + 1)} spellCheck={false} dir="ltr" value={text} onChange={(event) => change(event.target.value)} />}
    </Form>
  );
}

interface FormProps {
  readonly label: string;
  readonly action: ReactNode;
  readonly below?: ReactNode;
  readonly close: () => void;
  readonly children: (id: string) => ReactNode;
}

function Form({ label, action, below, close, children }: FormProps) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => root.current?.querySelector("textarea")?.focus(), []);
  const leave = (): void => {
    root.current?.closest<HTMLElement>(".card")?.focus({ preventScroll: true });
    close();
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
    event.stopPropagation();
    leave();
  };
  return (
    <div className="card-form" ref={root} onKeyDown={key}>
      <label className="form-label" htmlFor={id}>{label}</label>
      {children(id)}
      {below}
      <div className="card-actions">
        {action}
        <button type="button" className="button quiet" onClick={leave}>{strings.card.cancel}</button>
      </div>
    </div>
  );
}

function parse(text: string): { readonly input: Json } | { readonly problem: string } {
  try {
    const input = JSON.parse(text) as Json;
    return typeof input === "object" && input !== null && !Array.isArray(input) ? { input } : { problem: strings.card.notObject };
  } catch (error) {
    return { problem: say(strings.card.notJson, { why: error instanceof Error ? error.message : String(error) }) };
  }
}
