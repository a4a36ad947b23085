// What must compile for a user, and what must not: what is told of a review, for a host that draws it.
import type { Session } from "countersign";
import { isApprovedTogether, isSuperseded, outcomeOf, problemOf, receiptOf, statusOf, toneOf, Turns, whyNotTogether, withWords } from "countersign/review";
import type { ElementWords, Piece, Turn, TurnEnd } from "countersign/review";

const words: ElementWords = withWords({ outcome: { applied: "Erledigt" }, group: { why: { destructive: { some: ["1 löscht", "{n} löschen"], all: "alle löschen" } } } });
// @ts-expect-error there is no such word
withWords({ outcome: { aplied: "Erledigt" } });

export function told(session: Session, turns = new Turns()): string[] {
  const all: readonly Turn[] = turns.of(session.view);
  const text = (piece: Piece): string => (piece.kind === "said" ? piece.text : piece.calls.map((call) => `${problemOf(call, call.preview, words) ?? outcomeOf(call, words)} ${toneOf(call)}`).join());
  const end: TurnEnd | undefined = all.at(-1)?.end;
  session.approveAll(session.view.pending.filter(isApprovedTogether));
  // @ts-expect-error what a turn holds is not changed
  all[0]!.pieces = [];
  return all.flatMap((turn) => [turn.asked, ...turn.pieces.map(text), receiptOf(turn.calls).text, String(isSuperseded(turn)), end?.outcome ?? "", whyNotTogether(session.view.pending), statusOf(session.view)]);
}
