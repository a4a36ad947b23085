// New cards and outcomes for screen readers, each once. Enters: the view and the turns. Leaves: sentences.

import type { SessionView } from "countersign/threat-model";
import { useEffect, useRef } from "react";

import { strings } from "../strings/assistant.ts";
import { count, say } from "../text.ts";
import { tell } from "./errors.ts";
import type { Announcer } from "./surroundings.ts";
import type { Turn, TurnEnd, Turns } from "./turns.ts";
import { outcome, receipt, titleOf } from "./words.ts";

/** Announces what is new in the view. */
export function useAnnouncements(announcer: Announcer, view: SessionView, last: Turn | undefined, turns: Turns): void {
  const told = useRef(new Map<string, string>());
  const ended = useRef<TurnEnd>(undefined);
  const { calls, phase } = view;
  useEffect(() => {
    const fresh = calls.filter((call) => call.status === "pending" && !told.current.has(call.id)).length;
    if (fresh > 0 && phase === "awaiting_approval") announcer.say(count(fresh, strings.announce.waiting));
    for (const call of calls) {
      if (call.status === "pending" && phase !== "awaiting_approval") continue;
      const news = call.status === "pending" && call.stale !== null ? `${call.status} ${call.preview?.effectDigest}` : call.status;
      if (told.current.get(call.id) === news) continue;
      told.current.set(call.id, news);
      if (news !== call.status) announcer.say(say(strings.announce.changed, { heading: titleOf(call) }));
      if (call.status === "pending" || call.status === "approved" || call.status === "running" || call.effect === "read") continue;
      announcer.say(say(strings.announce.outcome, { heading: titleOf(call), outcome: outcome(call) }));
    }
  }, [announcer, calls, phase]);
  const end = last?.end;
  useEffect(() => {
    if (last === undefined || end === undefined || end === ended.current) return;
    ended.current = end;
    if (end.error !== null && end.outcome === "failed") announcer.say(tell(end.error, turns.answered(end), last.pieces.length > 0).text);
    else if (end.outcome !== "cancelled") announcer.say(say(strings.announce.finished, { receipt: receipt(last.calls).text }).trim());
  }, [announcer, end, last, turns]);
}
