// The calls of one message: cards for what asks, one folded line for what only read. Enters: the records. Leaves: cards,
// and an explicit list of ids for "Approve all". Deletions are never on that list.

import { isApprovedTogether, whyNotTogether } from "countersign/review";
import type { CallRecord } from "countersign/threat-model";
import { memo, useLayoutEffect, useRef, useState, type MouseEvent } from "react";

import { strings } from "../strings/assistant.ts";
import { count, say } from "../text.ts";
import { Card } from "./Card.tsx";
import { Icon } from "../Icon.tsx";
import { useAround, useModel } from "./surroundings.ts";
import { lookedAt, outcome, reviewWords } from "./words.ts";

/** How long a list that has just changed is only there to be read. */
const READ_MS = 300;

/** From this many cards on, those out of sight are laid out only when they come into it. */
const LONG = 24;

/** The cards of one message. */
export const Group = memo(function Group({ calls }: { readonly calls: readonly CallRecord[] }) {
  const waiting = calls.filter((call) => call.status === "pending");
  return (
    <div className="group">
      {waiting.length > 1 && <Head waiting={waiting} />}
      <ul className="cards" data-long={calls.length > LONG ? "" : undefined}>{calls.map((call) => <Card key={call.id} call={call} />)}</ul>
    </div>
  );
});

/** What was only looked at: one line, and on demand each thing. */
export const Reads = memo(function Reads({ calls }: { readonly calls: readonly CallRecord[] }) {
  const model = useModel(useAround().document);
  return (
    <details className="reads">
      <summary><Icon name="read" /><span>{count(calls.length, strings.group.reads)}</span><Icon name="chevron" /></summary>
      <ul>{calls.map((call) => <li key={call.id} data-tone={call.isError ? "bad" : undefined}><bdi>{lookedAt(call, model)}</bdi>{call.status !== "succeeded" && `: ${outcome(call)}`}</li>)}</ul>
    </details>
  );
});

function Head({ waiting }: { readonly waiting: readonly CallRecord[] }) {
  const { tray } = useAround();
  const [problem, setProblem] = useState<string>();
  const shownAt = useRef(Number.POSITIVE_INFINITY);
  const together = waiting.filter(isApprovedTogether);
  const left = whyNotTogether(waiting, reviewWords);
  useLayoutEffect(() => {
    shownAt.current = performance.now();
  }, [together.length]);
  const approve = (event: MouseEvent): void => {
    // the list is what the button said when it was pressed; one that has just changed is read first
    if (event.timeStamp - shownAt.current < READ_MS) return;
    setProblem(tray.approveAll(together.map((call) => call.id), { byKey: event.detail === 0, at: event.timeStamp }));
  };
  return (
    <div className="group-head">
      <div className="group-row">
        <span className="group-count" data-tip={strings.group.next} data-key={strings.keys.next}>{count(waiting.length, strings.group.waiting)}</span>
        {together.length > 1 && <button type="button" className="button primary" data-tip={say(strings.group.approveAllTip, { n: together.length })} onClick={approve}>{say(strings.group.approveAll, { n: together.length })}</button>}
      </div>
      {left !== "" && <p className="group-left">{left}</p>}
      {problem !== undefined && <p className="card-note problem" role="alert">{problem}</p>}
    </div>
  );
}
