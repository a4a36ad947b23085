/** What is approved together, and why something is not. Enters: the records that wait. Leaves: a verdict on each, and a sentence. */

import type { CallRecord } from "#engine/types";
import { needsChoice } from "./facts.js";
import { count, elementWords, listed, say, type ElementWords } from "./words.js";

type Reason = keyof ElementWords["group"]["why"];

const REASONS: readonly Reason[] = ["destructive", "choosing", "failing", "previewing"];
// what may still come to be approved with the others
const PASSING: ReadonlySet<Reason> = new Set(["choosing", "previewing"]);

/** Whether "Approve all" may cover a call: nothing that deletes, that a person has to choose for, or that would not work. */
export function isApprovedTogether(call: CallRecord): boolean {
  return reasonOf(call) === undefined;
}

/** What "Approve all" leaves out and why; why there is none, where there are not two to approve together. */
export function whyNotTogether(waiting: readonly CallRecord[], words: ElementWords = elementWords): string {
  const left = new Map<Reason, number>();
  for (const call of waiting) {
    const reason = reasonOf(call);
    if (reason !== undefined) left.set(reason, (left.get(reason) ?? 0) + 1);
  }
  const found = REASONS.flatMap((reason): [Reason, number][] => (left.has(reason) ? [[reason, left.get(reason) ?? 0]] : []));
  const { group } = words;
  const out = found.reduce((sum, [, n]) => sum + n, 0);
  if (found.length === 0) return "";
  if (waiting.length - out > 1) return found.map(([reason, n]) => count(n, group[reason])).join(" ");
  const why = listed(found.map(([reason, n]) => (n === waiting.length ? group.why[reason].all : count(n, group.why[reason].some))), words);
  const lasting = found.reduce((sum, [reason, n]) => sum + (PASSING.has(reason) ? 0 : n), 0);
  return say(waiting.length - lasting > 1 ? group.notYet : group.oneByOne, { why });
}

function reasonOf(call: CallRecord): Reason | undefined {
  if (call.destructive) return "destructive";
  if (needsChoice(call)) return "choosing";
  if (call.awaiting !== "user") return "previewing";
  return call.preview?.error === undefined ? undefined : "failing";
}
