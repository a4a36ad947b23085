// How a turn ended: a notice, an error with what to do next, and the receipt with its undo. Enters: the turn's records
// and how it settled. Leaves: undo and retry. The receipt is counted, never quoted from the model.

import { isSuperseded } from "countersign/review";
import type { ProtocolError, SessionView } from "countersign/threat-model";
import { memo } from "react";

import { strings } from "../strings/assistant.ts";
import { shown, shownLines } from "../text.ts";
import { tell } from "./errors.ts";
import { Icon } from "../Icon.tsx";
import type { Settings } from "./settings/settings.ts";
import { useAround } from "./surroundings.ts";
import type { Turn, TurnEnd } from "./turns.ts";
import { receipt } from "./words.ts";

/** Whether this turn can be taken back, and why not. */
export type UndoState = SessionView["undo"] | "older";

/** The last lines of one turn. */
export const Ending = memo(function Ending({ turn, end, undo }: { readonly turn: Turn; readonly end: TurnEnd; readonly undo: UndoState }) {
  const { answered } = useAround();
  const note = noteOf(turn, end);
  return (
    <div className="ending">
      {note !== undefined && <p className="ending-note"><Icon name="info" /><span>{note}</span></p>}
      {end.outcome === "failed" && end.error !== null && <Failure turn={turn} error={end.error} by={answered(end)} />}
      <Receipt turn={turn} undo={undo} />
    </div>
  );
});

function Failure({ turn, error, by }: { readonly turn: Turn; readonly error: ProtocolError; readonly by: Settings }) {
  const { settings, send, openSettings } = useAround();
  const told = tell(error, by, turn.pieces.length > 0);
  return (
    <div className="ending-error">
      <Icon name="threat" />
      <p>{told.text}</p>
      {error.providerDetail !== undefined && (
        <details>
          <summary>{strings.errors["said"]}</summary>
          <p className="provider-said" dir="auto">{shownLines(error.providerDetail)}</p>
        </details>
      )}
      {turn.isLast && (
        <div className="error-actions">
          {(told.retry || by !== settings) && <button type="button" className="button quiet" onClick={() => send(turn.asked)}>{strings.receipt.retry}</button>}
          {told.settings && <button type="button" className="button quiet" onClick={openSettings}>{strings.receipt.openSettings}</button>}
        </div>
      )}
    </div>
  );
}

function Receipt({ turn, undo }: { readonly turn: Turn; readonly undo: UndoState }) {
  const { undoTurn } = useAround();
  const { applied, text } = receipt(turn.calls);
  if (text === "") return null;
  const reason = { undoable: undefined, already_undone: strings.receipt.alreadyUndone, superseded: strings.receipt.superseded, older: strings.receipt.older }[undo];
  const can = reason === undefined;
  return (
    <div className="receipt">
      {applied > 0 && <Icon name="check" />}
      <span className="receipt-text">{text}</span>
      {applied > 0 && (
        <button type="button" className="button quiet undo-turn" data-key={strings.keys.undoTurn} data-tip={reason ?? strings.receipt.undoTip} aria-disabled={can ? undefined : true} aria-description={reason} onClick={() => can && undoTurn()}>
          <Icon name="undo" />
          {strings.receipt.undo}
        </button>
      )}
    </div>
  );
}

// the core writes notices without a capital and a stop, so that hosts can put them anywhere
function sentence(notice: string): string {
  return `${notice.charAt(0).toLocaleUpperCase()}${notice.slice(1)}${/[.?]$/.test(notice) ? "" : "."}`;
}

function noteOf(turn: Turn, end: TurnEnd): string | undefined {
  if (isSuperseded(turn)) return strings.receipt.stoppedBySend;
  if (end.outcome === "cancelled") return strings.receipt.stopped;
  return end.notice === null ? undefined : sentence(shown(end.notice));
}
