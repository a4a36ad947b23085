// One proposed change: what it does, the person's decision, and what became of it. Enters: the call's record and the
// document. Leaves: approve and deny, exactly for this call, to the tray.

import type { CallRecord } from "countersign/threat-model";
import { memo, useEffect, useLayoutEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type MouseEvent } from "react";

import type { Model } from "../model.ts";
import { strings } from "../strings/assistant.ts";
import { exactJson, plain, say, shownLines } from "../text.ts";
import { EditForm, ReasonForm } from "./CardForms.tsx";
import type { Face } from "./tray.ts";
import { Icon } from "../Icon.tsx";
import { MenuButton } from "./Menu.tsx";
import { Sentence } from "./Sentence.tsx";
import { useAround, useNote } from "./surroundings.ts";
import { markOf, outcome, tone } from "./words.ts";

const SHOWN_LINES = 6;
const LAST_MINUTE_MS = 60_000;

/** The card of one call. */
export const Card = memo(function Card({ call, model }: { readonly call: CallRecord; readonly model: Model }) {
  const { tray, look } = useAround();
  const note = useNote(call.id);
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLLIElement>(null);
  const waiting = call.status === "pending";
  const face = tray.face(call, model);
  const title = plain(face.title);
  const told = outcome(call);
  useLayoutEffect(() => {
    if (waiting) tray.appeared(call.id);
    else setOpen(false);
  }, [tray, call.id, call.inputDigest, waiting, note.stale]);
  const focused = (): void => {
    tray.focused(call.id);
    look(call.id);
  };
  const blurred = (event: FocusEvent): void => {
    if (event.relatedTarget instanceof Node && root.current?.contains(event.relatedTarget) === true) return;
    tray.focused(undefined);
    look(undefined);
  };
  return (
    <li
      className="card" tabIndex={-1} ref={root} data-call={call.id} data-status={call.status} data-waiting={waiting ? "" : undefined}
      data-destructive={call.destructive ? "" : undefined} data-tone={tone(call)} aria-label={waiting ? title : `${title}: ${told}`}
      onFocus={focused} onBlur={blurred} onPointerEnter={() => look(call.id)} onPointerLeave={() => look(undefined)}
    >
      <Line call={call} face={face} open={open} toggle={() => setOpen(!open)} />
      {waiting && <Waiting call={call} face={face} title={title} stale={note.stale} problem={note.problem} />}
      {!waiting && open && (
        <div className="card-body">
          <Changes face={face} />
          <Exact call={call} answered />
        </div>
      )}
    </li>
  );
});

function Line({ call, face, open, toggle }: { readonly call: CallRecord; readonly face: Face; readonly open: boolean; readonly toggle: () => void }) {
  const mark = markOf(call);
  const inside = (
    <>
      <span className="card-mark" data-mark={mark}>
        <Icon name={mark === "unknown" ? "threat" : mark} />
        <span className="sr">{strings.card.effects[mark]}</span>
      </span>
      <span className="card-words">
        <span className="card-heading" dir="auto"><Sentence parts={face.title} /></span>
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

interface WaitingProps {
  readonly call: CallRecord;
  readonly face: Face;
  readonly title: string;
  readonly stale: string | undefined;
  readonly problem: string | undefined;
}

function Waiting({ call, face, title, stale, problem }: WaitingProps) {
  const { tray } = useAround();
  const [form, setForm] = useState<"edit" | "reason">();
  const [exact, setExact] = useState(false);
  const word = call.destructive ? strings.card.delete : strings.card.approve;
  const items = [
    { label: strings.card.edit, run: () => setForm("edit") },
    { label: strings.card.denyWithReason, run: () => setForm("reason") },
    { label: exact ? strings.card.hideInput : strings.card.showInput, run: () => setExact(!exact) },
  ];
  return (
    <div className="card-body">
      <Changes face={face} />
      {stale !== undefined && <p className="card-note stale">{stale}</p>}
      {problem !== undefined && <p className="card-note problem" role="alert">{problem}</p>}
      {call.expiresAtMs !== null && <Expiry at={call.expiresAtMs} />}
      {exact && <Exact call={call} />}
      {form === "reason" && <ReasonForm close={() => setForm(undefined)} deny={(reason) => tray.deny(call.id, { fromForm: true }, reason)} />}
      {form === "edit" && <EditForm call={call} close={() => setForm(undefined)} approve={(input) => tray.approve(call.id, { fromForm: true }, input)} />}
      {form === undefined && (
        <div className="card-actions">
          <button type="button" className={call.destructive ? "button danger" : "button primary"} data-tip={word} data-key={strings.keys.approve} aria-label={`${word}: ${title}`} onClick={(event) => tray.approve(call.id, { byKey: isKey(event) })}>
            {word}
          </button>
          <button type="button" className="button quiet" data-tip={strings.card.deny} data-key={strings.keys.deny} aria-label={`${strings.card.deny}: ${title}`} onClick={(event) => tray.deny(call.id, { byKey: isKey(event) })}>
            {strings.card.deny}
          </button>
          <MenuButton className="icon-button" label={strings.card.more} items={items}><Icon name="more" /></MenuButton>
        </div>
      )}
    </div>
  );
}

function Changes({ face }: { readonly face: Face }) {
  const [all, setAll] = useState(false);
  const more = face.lines.length - SHOWN_LINES;
  return (
    <>
      {face.loss.length > 0 && <div className="loss">{face.loss.map((row, at) => <p key={at}><Sentence parts={row} /></p>)}</div>}
      {face.lines.length > 0 && (
        <ul className="changes">
          {(all ? face.lines : face.lines.slice(0, SHOWN_LINES)).map((line, at) => <li key={at} className={`change ${line.kind}`}><Sentence parts={line.parts} /></li>)}
          {more > 0 && <li><button type="button" className="link" onClick={() => setAll(!all)}>{all ? strings.card.fewerLines : say(strings.card.moreLines, { n: more })}</button></li>}
        </ul>
      )}
    </>
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
  const [left, setLeft] = useState(() => at - Date.now());
  useEffect(() => {
    const wait = left > LAST_MINUTE_MS ? left - LAST_MINUTE_MS : 1000;
    const timer = setTimeout(() => setLeft(at - Date.now()), wait);
    return () => clearTimeout(timer);
  }, [at, left]);
  return left > LAST_MINUTE_MS ? null : <p className="expiry">{say(strings.card.expires, { n: Math.max(0, Math.ceil(left / 1000)) })}</p>;
}

// Enter and Space arrive as clicks without a pointer
function isKey(event: MouseEvent): boolean {
  return event.detail === 0;
}
