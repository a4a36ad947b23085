// Another input for a call: a form of its tool's schema, what the core has against it, and what it would do instead. Enters:
// the record that is drawn. Leaves: exactly the input whose effect stands below the form.

import type { CallRecord, Json, Preview } from "countersign/threat-model";
import { useSession } from "countersign/react";
import { useCallback, useEffect, useRef, useState, type MouseEvent } from "react";

import { strings } from "../strings/assistant.ts";
import { clip, count } from "../text.ts";
import { Effect } from "./Effect.tsx";
import { Group } from "./Fields.tsx";
import { CardForm } from "./Form.tsx";
import { isObject, kindOf, type JsonObject } from "./schema.ts";
import { useAround } from "./surroundings.ts";

const CHECK_MS = 120;
/** How long an effect that has just appeared is only there to be read. */
const READ_MS = 300;
const SHOWN_ISSUES = 6;

type Checked =
  | { readonly input: Json; readonly ok: true; readonly preview: Preview | null; readonly isOld: boolean }
  | { readonly input: Json; readonly ok: false; readonly issues: readonly string[] };

/** The form of one call. */
export function EditForm({ call, close }: { readonly call: CallRecord; readonly close: () => void }) {
  const { tray } = useAround();
  const session = tray.session();
  const [input, setInput] = useState<JsonObject>(() => (isObject(call.input) ? call.input : {}));
  const revision = useSession(session, (view) => view.documentRevision);
  const checked = useChecked(call, input, revision);
  const shown = useRef({ text: "", at: 0 });
  const effect = checked?.ok === true ? (checked.preview?.effectDigest ?? "") : undefined;
  useEffect(() => {
    shown.current = { text: effect ?? "", at: performance.now() };
  }, [effect]);
  const edited = checked?.ok === true ? checked.preview : null;
  useEffect(() => tray.editing(call.id, edited), [tray, call.id, edited]);
  useEffect(() => () => tray.editing(call.id, undefined), [tray, call.id]);
  const isReady = checked?.ok === true && checked.input === input;
  const approve = (event: MouseEvent): void => {
    if (!isReady || event.timeStamp - shown.current.at < READ_MS) return;
    tray.approve(call.id, { fromForm: true }, checked.isOld ? undefined : checked.input);
  };
  const schema = session?.tool(call.toolName)?.inputSchema;
  const kind = kindOf(isObject(schema) ? schema : {}, input);
  const issues = checked?.ok === false ? checked.issues : [];
  const word = call.destructive ? strings.card.editDelete : strings.card.editApprove;
  return (
    <CardForm
      label={<p className="form-title">{strings.card.editLabel}</p>} close={close}
      action={<button type="button" className={call.destructive ? "button danger" : "button primary"} aria-disabled={isReady ? undefined : true} data-tip={isReady ? word : strings.card.editFix} onClick={approve}>{word}</button>}
    >
      <div className="form-fields"><Group fields={kind.kind === "group" ? kind.fields : []} value={input} set={setInput} path="" issues={issues} /></div>
      <div className="form-effect" aria-live="polite">
        {issues.length > 0 ? (
          <>
            <p className="problems">{count(issues.length, strings.card.editFaults)}</p>
            <ul className="problems">{issues.slice(0, SHOWN_ISSUES).map((issue) => <li key={issue} dir="auto">{clip(issue, 240)}</li>)}</ul>
          </>
        ) : (
          <>
            <p className="form-label">{strings.card.editEffect}</p>
            {checked?.ok === true && (checked.isOld ? <p className="quiet">{strings.card.editSame}</p> : checked.preview !== null && <bdi className="card-heading" dir="auto">{checked.preview.title}</bdi>)}
            {checked?.ok === true && <Effect call={call} preview={checked.preview} />}
          </>
        )}
      </div>
    </CardForm>
  );
}

/** What the core says of the input: a moment after the last key, and again whenever the card or the document is another. */
function useChecked(call: CallRecord, input: JsonObject, revision: number): Checked | undefined {
  const session = useAround().tray.session();
  const [checked, setChecked] = useState<Checked>();
  const typed = useRef(input);
  const check = useCallback((): void => {
    if (session === undefined) return;
    if (JSON.stringify(input) === JSON.stringify(call.input)) return setChecked({ input, ok: true, preview: call.preview, isOld: true });
    const answer = session.preview(call.id, input);
    setChecked(answer.ok ? { input, ok: true, preview: answer.preview, isOld: false } : { input, ok: false, issues: answer.issues });
  }, [session, call, input, revision]);
  useEffect(() => {
    if (typed.current === input) {
      check();
      return undefined;
    }
    typed.current = input;
    const timer = setTimeout(check, CHECK_MS);
    return () => clearTimeout(timer);
  }, [check, input]);
  return checked;
}
