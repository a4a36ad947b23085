// One proposed change: what it does, the person's decision, and what became of it. Enters: the call's record, with the
// effect the core worked out. Leaves: approve, deny and choose, exactly for the record that is drawn, to the tray.

import type { CallRecord } from "countersign/threat-model";
import { memo, useEffect, useLayoutEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type MouseEvent } from "react";

import { Icon } from "../Icon.tsx";
import { strings } from "../strings/assistant.ts";
import { appStrings } from "../strings/app.ts";
import { exactJson, say, shownLines, wordFor } from "../text.ts";
import { EditForm } from "./EditForm.tsx";
import { Effect, StaleNote } from "./Effect.tsx";
import { ReasonForm } from "./Form.tsx";
import { MenuButton } from "./Menu.tsx";
import { useAround, useNote } from "./surroundings.ts";
import type { Hand } from "./tray.ts";
import { heldBack, markOf, outcome, titleOf, tone } from "./words.ts";

const LAST_MINUTE_MS = 60_000;

/** The card of one call. */
export const Card = memo(function Card({ call }: { readonly call: CallRecord }) {
  const { tray, look } = useAround();
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLLIElement>(null);
  const waiting = call.status === "pending";
  const title = titleOf(call);
  useLayoutEffect(() => tray.drawn(call), [tray, call]);
  useLayoutEffect(() => {
    if (!waiting) setOpen(false);
  }, [waiting, call.status]);
  const focused = (): void => {
    tray.focused(call.id);
    look("focus", call.id);
  };
  const blurred = (event: FocusEvent): void => {
    if (event.relatedTarget instanceof Node && root.current?.contains(event.relatedTarget) === true) return;
    tray.focused(undefined);
    look("focus", undefined);
  };
  return (
    <li
      className="card" tabIndex={-1} ref={root} data-call={call.id} data-status={call.status} data-waiting={waiting ? "" : undefined}
      data-destructive={call.destructive ? "" : undefined} data-tone={tone(call)} aria-label={waiting ? title : `${title}: ${outcome(call)}`}
      onFocus={focused} onBlur={blurred} onPointerEnter={() => look("hover", call.id)} onPointerLeave={() => look("hover", undefined)}
    >
      <Line call={call} title={title} open={open} toggle={() => setOpen(!open)} />
      {waiting && <Waiting call={call} title={title} />}
      {!waiting && open && (
        <div className="card-body">
          <Effect call={call} preview={call.preview} />
          <Exact call={call} answered />
        </div>
      )}
    </li>
  );
});

function Line({ call, title, open, toggle }: { readonly call: CallRecord; readonly title: string; readonly open: boolean; readonly toggle: () => void }) {
  const mark = markOf(call);
  const inside = (
    <>
      <span className="card-mark" data-mark={mark}>
        <Icon name={mark === "unknown" ? "threat" : mark} />
        <span className="sr">{strings.card.effects[mark]}</span>
      </span>
      <span className="card-words">
        <bdi className="card-heading" dir="auto">{title}</bdi>
        {call.status !== "pending" && <span className="card-outcome">{outcome(call)}</span>}
      </span>
    </>
  );
  // only a decided card folds, so only then is its line a button
  if (call.status === "pending") return <div className="card-line">{inside}</div>;
  const key = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    toggle();
  };
  return (
    <div className="card-line" role="button" tabIndex={0} aria-expanded={open} onClick={toggle} onKeyDown={key}>
      {inside}
      <Icon name="chevron" />
    </div>
  );
}

function Waiting({ call, title }: { readonly call: CallRecord; readonly title: string }) {
  const { tray } = useAround();
  const { problem } = useNote(call.id);
  const [form, setForm] = useState<"edit" | "reason">();
  const [exact, setExact] = useState(false);
  const word = call.destructive ? strings.card.delete : strings.card.approve;
  const why = heldBack(call);
  const isPrimary = call.preview?.error === undefined;
  const items = [
    { label: strings.card.edit, run: () => setForm("edit") },
    { label: strings.card.denyWithReason, run: () => setForm("reason") },
    { label: exact ? strings.card.hideInput : strings.card.showInput, run: () => setExact(!exact) },
  ];
  return (
    <div className="card-body">
      {call.stale !== null && <StaleNote stale={call.stale} />}
      {form !== "edit" && <Effect call={call} preview={call.preview} />}
      {call.act?.result === "needs_selection" && <Candidates call={call} />}
      {problem !== undefined && <p className="card-note problem" role="alert">{problem}</p>}
      {call.expiresAtMs !== null && <Expiry at={call.expiresAtMs} />}
      {exact && <Exact call={call} />}
      {form === "reason" && <ReasonForm close={() => setForm(undefined)} deny={(reason) => tray.deny(call.id, { fromForm: true }, reason)} />}
      {form === "edit" && <EditForm call={call} close={() => setForm(undefined)} />}
      {form === undefined && (
        <div className="card-actions">
          <button
            type="button" className={!isPrimary ? "button" : call.destructive ? "button danger" : "button primary"} data-tip={why ?? word} data-key={strings.keys.approve} aria-label={`${word}: ${title}`} aria-disabled={why === undefined ? undefined : true}
            onClick={(event) => why === undefined && tray.approve(call.id, handOf(event))}
          >
            {word}
          </button>
          <button type="button" className="button quiet" data-tip={strings.card.deny} data-key={strings.keys.deny} aria-label={`${strings.card.deny}: ${title}`} onClick={(event) => tray.deny(call.id, handOf(event))}>
            {strings.card.deny}
          </button>
          <MenuButton className="icon-button" label={strings.card.more} about={title} items={items}><Icon name="more" /></MenuButton>
        </div>
      )}
    </div>
  );
}

// several things can be meant: the person says which
function Candidates({ call }: { readonly call: CallRecord }) {
  const { tray } = useAround();
  const [chosen, setChosen] = useState<string>();
  const candidates = call.act?.candidates ?? [];
  return (
    <fieldset className="candidates">
      <legend>{call.act?.reason ?? strings.card.which}</legend>
      {candidates.map(({ id, title, section }) => (
        <label key={id} className="check">
          <input type="radio" name={`which-${call.id}`} checked={chosen === id} onChange={() => setChosen(id)} />
          <span><bdi className="name">{title}</bdi> <span className="candidate-kind">{say(strings.card.candidate, { section: wordFor(appStrings.picker.kinds, section) ?? section, id })}</span></span>
        </label>
      ))}
      <button type="button" className="button" aria-disabled={chosen === undefined || undefined} onClick={(event) => chosen !== undefined && tray.select(call.id, chosen, handOf(event))}>{strings.card.choose}</button>
    </fieldset>
  );
}

function Exact({ call, answered = false }: { readonly call: CallRecord; readonly answered?: boolean }) {
  return (
    <div className="exact">
      <p className="exact-title">{say(strings.card.exact, { tool: shownLines(call.toolName) })}</p>
      <pre tabIndex={0}>{exactJson(call.input)}</pre>
      {answered && call.result !== null && (
        <>
          <p className="exact-title">{strings.outcome.answer}</p>
          <pre tabIndex={0}>{shownLines(call.result)}</pre>
        </>
      )}
    </div>
  );
}

// nothing is said before the last minute
function Expiry({ at }: { readonly at: number }) {
  const { tray } = useAround();
  const now = (): number => tray.session()?.now() ?? at;
  const [left, setLeft] = useState(() => at - now());
  useEffect(() => {
    const wait = left > LAST_MINUTE_MS ? left - LAST_MINUTE_MS : 1000;
    const timer = setTimeout(() => setLeft(at - now()), wait);
    return () => clearTimeout(timer);
  }, [at, left]);
  return left > LAST_MINUTE_MS ? null : <p className="expiry">{say(strings.card.expires, { n: Math.max(0, Math.ceil(left / 1000)) })}</p>;
}

// Enter and Space arrive as clicks without a pointer
function handOf(event: MouseEvent): Hand {
  return { byKey: event.detail === 0, at: event.timeStamp };
}
