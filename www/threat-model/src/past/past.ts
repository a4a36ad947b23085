// The document as it was after a step of the conversation. Enters: a recording and how much of it is played. Leaves: the
// state of that moment, and a workspace to look at. What is played runs nothing and leaves the open document alone.

import { DocumentStore, replay, type Json, type TurnState } from "countersign/threat-model";

import { assistantTools } from "../assistant/tools.ts";
import { Workspace } from "../editor/workspace.tsx";
import { STEPS_KEPT } from "../files/desk.ts";

/** A moment of the conversation. */
export interface Moment {
  readonly document: Json;
  /** How many of the steps are played. */
  readonly step: number;
  /** How many there are. */
  readonly of: number;
}

/** A moment that is on the drawing. */
export interface Past extends Moment {
  readonly workspace: Workspace;
}

/** The state and the document after so many steps of a recording; throws where it cannot be played. */
export function travel(recording: string, step: number): { readonly state: TurnState; readonly document: Json; readonly digest: string } {
  const { document } = JSON.parse(recording) as { readonly document: Json };
  const store = new DocumentStore("threat-model", document, { history: STEPS_KEPT });
  try {
    const loop = replay(recording, { tools: assistantTools(), document: store, until: step });
    try {
      return { state: loop.state(), document: store.read(), digest: loop.stateDigest() };
    } finally {
      loop.free();
    }
  } finally {
    store.free();
  }
}

/** How many steps a recording has. */
export function stepsOf(recording: string): number {
  return (JSON.parse(recording) as { readonly inputs: readonly unknown[] }).inputs.length;
}

/** The document of a moment, to be looked at where the open one stands now. */
export function pastOf(moment: Moment, now: Workspace): Past {
  const workspace = new Workspace(new DocumentStore("threat-model", moment.document), now.announcer, now.places, true);
  workspace.viewport = now.viewport;
  return { ...moment, workspace };
}

/** Puts it away. */
export function forget({ workspace }: Past): void {
  workspace.close();
  workspace.store.free();
}
