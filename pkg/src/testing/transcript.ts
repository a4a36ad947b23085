/** Writes down what a session showed, as it showed it. */

import type { Session } from "../session/session.js";
import type { CallStatus, TurnOutcome, TurnPhase } from "../types.js";

/** One thing that was shown. */
export type TranscriptEntry =
  | { readonly type: "phase"; readonly phase: TurnPhase }
  | { readonly type: "call"; readonly callId: string; readonly toolName: string; readonly status: CallStatus }
  | { readonly type: "text"; readonly role: "user" | "assistant"; readonly text: string }
  | { readonly type: "settled"; readonly outcome: TurnOutcome };

/** The record of a session. */
export interface Transcript {
  /** What was shown so far; a text that grows is one entry. */
  readonly entries: readonly TranscriptEntry[];
  /** The same as lines, for comparing and for reading. */
  text(): string;
  /** Ends the record. */
  stop(): void;
}

/** Records what `session` shows from now on. */
export function recordTranscript(session: Session): Transcript {
  const entries: TranscriptEntry[] = [];
  const places = new Map<string, number>();
  let before = session.view;
  const look = (): void => {
    const view = session.view;
    for (const [at, message] of view.messages.entries()) {
      if (message === before.messages[at]) continue;
      const text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
      const shown = before.messages[at]?.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("") ?? "";
      if (text === "" || text === shown) continue;
      const entry = { type: "text" as const, role: message.role, text };
      const place = places.get(`${at}`);
      if (place === undefined) places.set(`${at}`, entries.push(entry) - 1);
      else entries[place] = entry;
    }
    for (const call of view.calls) {
      const old = before.calls.find((other) => other.id === call.id);
      if (old?.status !== call.status) entries.push({ type: "call", callId: call.id, toolName: call.toolName, status: call.status });
    }
    if (view.phase !== before.phase) entries.push({ type: "phase", phase: view.phase });
    if (view.outcome !== null && before.outcome !== view.outcome) entries.push({ type: "settled", outcome: view.outcome });
    before = view;
  };
  return { entries, text: () => entries.map(lineOf).join("\n"), stop: session.subscribe(look) };
}

function lineOf(entry: TranscriptEntry): string {
  switch (entry.type) {
    case "phase":
      return `· ${entry.phase}`;
    case "call":
      return `  ${entry.toolName} (${entry.callId}) ${entry.status}`;
    case "text":
      return `${entry.role}: ${entry.text}`;
    case "settled":
      return `= ${entry.outcome}`;
  }
}
