// What the parts of the panel share without handing it down: the tray with its cards, and what a card may ask of the
// panel. Enters: both, once for each conversation. Leaves: hooks.

import type { DocumentStore } from "countersign/threat-model";
import { createContext, useContext, useSyncExternalStore } from "react";

import { asModel, type Model } from "../model.ts";
import type { Note, Tray } from "./tray.ts";
import type { Settings } from "./settings/settings.ts";
import type { TurnEnd } from "./turns.ts";

/** Who says things to screen readers and shows passing notes; the page has one. */
export interface Announcer {
  /** Says a sentence, once. */
  say(sentence: string): void;
  /** Shows a sentence for a while, and says it. */
  note(sentence: string): void;
}

/** What is around a part of the panel; the same object for as long as a conversation lasts with one provider. */
export interface Surroundings {
  readonly tray: Tray;
  readonly document: DocumentStore;
  readonly settings: Settings;
  /** Who answered the turn that ended so. */
  answered(end: TurnEnd): Settings;
  /** The card that the pointer is on, or that has the focus: the canvas draws what it would do. */
  look(by: "hover" | "focus", callId: string | undefined): void;
  undoTurn(): void;
  send(text: string): void;
  openSettings(): void;
}

/** Given by the panel. */
export const Around = createContext<Surroundings | undefined>(undefined);

/** What is around this part. */
export function useAround(): Surroundings {
  const found = useContext(Around);
  if (found === undefined) throw new Error("a part of the panel stands outside of it");
  return found;
}

/** What a card says beside its call. */
export function useNote(callId: string): Note {
  const { tray } = useAround();
  return useSyncExternalStore(tray.subscribe, () => tray.note(callId));
}

/** The document as it is now. */
export function useModel(document: DocumentStore): Model {
  return asModel(useSyncExternalStore((told) => document.onChange(told), () => document.read()));
}
