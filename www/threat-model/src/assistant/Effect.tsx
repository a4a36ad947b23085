// What a call would do, as the core worked it out: lines, what goes along, or why it would not work. Enters: a preview.
// Leaves: rows of text. Adds nothing of its own.

import type { CallRecord, Preview } from "countersign/threat-model";
import { memo, useState } from "react";

import { strings } from "../strings/assistant.ts";
import { plain, say } from "../text.ts";
import { Sentence } from "./Sentence.tsx";
import { cascades, lines, problem, staleWords, type Line } from "./words.ts";

const SHOWN_LINES = 6;

/** The effect of one call. */
export const Effect = memo(function Effect({ call, preview }: { readonly call: CallRecord; readonly preview: Preview | null }) {
  if (call.effect === "read" || call.act?.result === "needs_selection") return null;
  if (preview === null) return call.status === "pending" ? <p className="quiet">{call.awaiting === "preview" ? strings.card.working : strings.card.noPreview}</p> : null;
  const why = problem(call, preview);
  if (why !== undefined) return <p className="card-note problem">{say(strings.card.cannot, { why })}</p>;
  if (preview.counts.length === 0 && preview.lines.length === 0) return <p className="quiet">{strings.card.changesNothing}</p>;
  const along = cascades(call, preview);
  return (
    <>
      {along.length > 0 && <div className={call.destructive ? "along loss" : "along"}>{along.map((sentence) => <p key={sentence}>{sentence}</p>)}</div>}
      <Lines lines={lines(preview.lines, preview.title)} hidden={preview.hiddenLines} />
    </>
  );
});

/** Says what made the card say something else, and what changed in the document. */
export function StaleNote({ stale }: { readonly stale: NonNullable<CallRecord["stale"]> }) {
  const sentence = staleWords(stale);
  const isOne = new Set(stale.lines.map(({ section, id }) => `${section}\n${id}`)).size === 1;
  return (
    <div className="card-note stale">
      <p><Sentence parts={sentence} /></p>
      <Lines lines={lines(stale.lines.filter(({ kind }) => kind === "changed"), isOne ? plain(sentence) : "")} hidden={0} />
    </div>
  );
}

function Lines({ lines, hidden }: { readonly lines: readonly Line[]; readonly hidden: number }) {
  const [all, setAll] = useState(false);
  const more = lines.length - SHOWN_LINES;
  if (lines.length === 0 && hidden === 0) return null;
  return (
    <ul className="changes">
      {(all ? lines : lines.slice(0, SHOWN_LINES)).map((line, at) => <li key={at} className={`change ${line.kind}`}><Sentence parts={line.parts} /></li>)}
      {more > 0 && <li><button type="button" className="link" onClick={() => setAll(!all)}>{all ? strings.card.fewerLines : say(strings.card.moreLines, { n: more + hidden })}</button></li>}
      {hidden > 0 && (all || more <= 0) && <li className="quiet">{say(strings.card.hiddenLines, { n: hidden })}</li>}
    </ul>
  );
}
