// What the forms of a card have in common, and the shortest of them: denying with a reason. Enters: fields and a button.
// Leaves: what was written, or nothing; Escape leaves the form, and the focus returns to the card.

import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { strings } from "../strings/assistant.ts";

const LONGEST_REASON = 500;

/** A form of a card. */
export function CardForm({ label, action, close, children }: { readonly label: ReactNode; readonly action: ReactNode; readonly close: () => void; readonly children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    root.current?.querySelector<HTMLElement>("input, textarea, select, .button")?.focus({ preventScroll: true });
    root.current?.scrollIntoView({ block: "nearest" });
  }, []);
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
    <div className="card-form" role="group" ref={root} onKeyDown={key}>
      {label}
      {children}
      <div className="card-actions">
        {action}
        <button type="button" className="button quiet" onClick={leave}>{strings.card.cancel}</button>
      </div>
    </div>
  );
}

/** Asks why not. */
export function ReasonForm({ deny, close }: { readonly deny: (reason: string) => void; readonly close: () => void }) {
  const id = useId();
  const [reason, setReason] = useState("");
  const send = (): void => deny(reason.trim());
  const key = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <CardForm label={<label className="form-label" htmlFor={id}>{strings.card.reasonLabel}</label>} close={close} action={<button type="button" className="button" onClick={send}>{strings.card.deny}</button>}>
      <textarea id={id} className="field" rows={2} dir="auto" maxLength={LONGEST_REASON} placeholder={strings.card.reasonPlaceholder} value={reason} onChange={(event) => setReason(event.target.value)} onKeyDown={key} />
    </CardForm>
  );
}
