// A dialog above the page: it takes the focus (what is marked `data-first` gets it), gives it back, and Escape closes it. Enters: what it shows. Leaves: nothing.

import { useEffect, useRef, useState, type ReactNode } from "react";

import { appStrings } from "../strings/app.ts";
import { ToolButton } from "./ToolButton.tsx";

/** A dialog that is open for as long as it is rendered. */
export function Dialog({ title, className, close, children }: { readonly title: string; readonly className: string; readonly close: () => void; readonly children: ReactNode }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    const node = dialog.current;
    node?.showModal();
    node?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => {
      node?.close();
      if (before instanceof HTMLElement || before instanceof SVGElement) before.focus({ preventScroll: true });
    };
  }, [before]);
  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) close();
      }}
    >
      <div className="dialog-box">
        <header className="dialog-head">
          <h2>{title}</h2>
          <ToolButton icon="cross" label={appStrings.close} run={close} />
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** A question with one answer that loses something. */
export function Confirm({ title, text, act, run, close }: { readonly title: string; readonly text: string; readonly act: string; readonly run: () => void; readonly close: () => void }): ReactNode {
  return (
    <Dialog title={title} className="confirm" close={close}>
      <p>{text}</p>
      <div className="dialog-actions">
        <button className="button" type="button" data-first onClick={close}>{appStrings.cancel}</button>
        <button className="button danger" type="button" onClick={run}>{act}</button>
      </div>
    </Dialog>
  );
}

/** Every key of the page. */
export function KeySheet({ close }: { readonly close: () => void }): ReactNode {
  const words = appStrings.sheet;
  return (
    <Dialog title={words.title} className="key-sheet" close={close}>
      <p className="hint">{words.lead}</p>
      <div className="key-groups" tabIndex={0} data-first role="region" aria-label={words.title}>
        {words.groups.map(({ name, keys }) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {keys.map(([key, what]) => (
                <div key={key}>
                  <dt><kbd>{key}</kbd></dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
