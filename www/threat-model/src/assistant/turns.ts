// The conversation as turns, and who answered each. Enters: the session's view after each change. Leaves: turns whose
// unchanged parts keep their identity, so that only what grew is drawn anew.

import { Turns as PlainTurns, type Turn, type TurnEnd } from "countersign/review";
import type { SessionView } from "countersign/threat-model";

import type { Settings } from "./settings/settings.ts";

export type { Turn, TurnEnd } from "countersign/review";

/** Follows one conversation, over all sessions that carry it on. */
export class Turns extends PlainTurns {
  readonly #by = new WeakMap<TurnEnd, Settings>();

  /** `by` is who answers. */
  constructor(public by: Settings) {
    super();
  }

  /** The turns as they are now, oldest first: the same objects where nothing changed. */
  override of(view: SessionView): readonly Turn[] {
    const turns = super.of(view);
    for (const { end } of turns) if (end !== undefined && !this.#by.has(end)) this.#by.set(end, this.by);
    return turns;
  }

  /** Who answered the turn that ended so. */
  answered(end: TurnEnd): Settings {
    return this.#by.get(end) ?? this.by;
  }
}
