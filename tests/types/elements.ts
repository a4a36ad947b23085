// What must compile for a user, and what must not: the elements, their events and their words.
import type { Session } from "countersign";
import { defineElements, elementWords, statusOf, visible, withWords } from "countersign/elements";
import type { CardElement, DecisionDetail, ElementSession, ElementWords, PartialWords, PreviewDetail } from "countersign/elements";

export function shown(session: Session): HTMLElement {
  defineElements({ words: { card: { approve: "Annehmen" }, sections: { flows: ["Fluss", "Flüsse"] } } });
  // @ts-expect-error there is no such word
  defineElements({ words: { card: { aprove: "Annehmen" } } });
  const any: ElementSession = session;
  const transcript = document.createElement("countersign-transcript");
  transcript.session = any;
  transcript.words = { group: { waiting: ["eine", "{n}"] } };
  const card: CardElement = document.createElement("countersign-card");
  card.session = session;
  card.callId = "c1_1_1";
  card.call = session.view.calls[0];
  // @ts-expect-error a session is no text
  card.session = "session";
  document.createElement("countersign-composer").disabled = "Sign in first";
  transcript.addEventListener("countersign-preview", ({ detail }) => {
    const looked: PreviewDetail = detail;
    return looked?.preview?.patch.length;
  });
  transcript.addEventListener("countersign-decision", ({ detail }) => {
    const told: DecisionDetail = detail;
    return told.ok ? told.decision : told.reason;
  });
  return transcript;
}

const some: PartialWords = { card: { deny: "Nein" } };
export const words: ElementWords = withWords(some, elementWords);
export const status: string = words.status[statusOf({ phase: "idle", outcome: null } as Session["view"])];
export const text: string = visible("a\u202eb");
