// One conversation over one document, and the sessions that carry it: a change of provider goes on from what was said.
// Enters: the document, the settings. Leaves: the session of the moment with what belongs to the whole conversation.

import { createSession, type DocumentStore, type Session } from "countersign/threat-model";

import { strings } from "../strings/assistant.ts";
import { clip, say } from "../text.ts";
import { Tray } from "./tray.ts";
import { providerOf } from "./settings/provider.ts";
import { whoAnswers, type Settings } from "./settings/settings.ts";
import { assistantTools, systemPrompt } from "./tools.ts";
import { Turns } from "./turns.ts";

/** A card nobody decides about is set aside after half an hour; one message may propose as much as a person can look through. */
const LIMITS = { approvalTtlMs: 30 * 60_000, maxToolCallsPerIteration: 240, maxToolCallsPerTurn: 480 };

/** A line between two turns: who answers from there on. */
export interface Mark {
  /** The number of the turn it stands before. */
  readonly before: number;
  readonly text: string;
}

/** What there is of the conversation. */
export interface TalkState {
  /** Another number for each conversation. */
  readonly number: number;
  readonly session: Session | undefined;
  /** Why there is no session. */
  readonly problem: string | undefined;
  /** Who answers now. */
  readonly settings: Settings;
  readonly marks: readonly Mark[];
  readonly turns: Turns;
  readonly tray: Tray;
}

/** The conversation over one document. */
export class Talk {
  readonly #listeners = new Set<() => void>();
  #state: TalkState;
  // the newest wish counts: an older one that is still opening its session is too late
  #wish = 0;

  constructor(
    readonly document: DocumentStore,
    settings: Settings,
  ) {
    this.#state = this.#blank(0, settings);
  }

  /** Tells `fn` of every other state; returns how to stop. */
  readonly subscribe = (fn: () => void): (() => void) => {
    this.#listeners.add(fn);
    return () => this.#listeners.delete(fn);
  };

  /** The state: the same object while nothing changed. */
  readonly state = (): TalkState => this.#state;

  /** Begins a conversation, where one stands a new one. */
  async begin(settings: Settings, marks: readonly Mark[] = settings.kind === "scripted" ? [] : [answering(settings, 0)]): Promise<void> {
    this.#state.session?.dispose();
    this.#set(this.#blank(this.#state.number + 1, settings));
    await this.#open(settings, undefined, marks);
  }

  /** Another provider: the conversation goes on from here where it can, and begins anew where it cannot. */
  async goOn(settings: Settings): Promise<void> {
    const { session, turns, marks, number } = this.#state;
    if (session === undefined) return this.begin(settings);
    // what is being written is of the old provider; cards that wait are the person's and stay
    const waits = session.peek().phase === "awaiting_approval";
    if (!waits) session.cancel();
    const before = turns.of(session.peek()).length;
    const told = [...marks.filter((one) => one.before !== before), answering(settings, before)];
    if (!waits) {
      session.use(providerOf(settings));
      turns.by = settings;
      return this.#set({ ...this.#state, settings, marks: told });
    }
    // a turn that is not over keeps its provider, so it goes on in a session of its own
    const opened = await this.#open(settings, session.save(), told);
    session.dispose();
    if (!opened && this.#state.number === number) await this.begin(settings, [{ before: 0, text: say(strings.settings.anew, { who: whoAnswers(settings) }) }]);
  }

  /** Ends it; `begin` may follow. */
  close(): void {
    this.#wish += 1;
    this.#state.session?.dispose();
    this.#set({ ...this.#state, session: undefined });
  }

  async #open(settings: Settings, snapshot: string | undefined, marks: readonly Mark[]): Promise<boolean> {
    this.#wish += 1;
    const wish = this.#wish;
    try {
      const session = await createSession({
        provider: providerOf(settings),
        tools: assistantTools,
        document: this.document,
        system: systemPrompt,
        limits: LIMITS,
        recordInputs: true,
        ...(snapshot === undefined ? {} : { snapshot }),
      });
      if (wish !== this.#wish) session.dispose();
      else {
        this.#state.turns.by = settings;
        this.#set({ ...this.#state, session, settings, marks, problem: undefined });
      }
      return true;
    } catch (error) {
      const why = clip(error instanceof Error ? error.message : String(error), 200);
      if (wish === this.#wish && snapshot === undefined) this.#set({ ...this.#state, session: undefined, settings, problem: say(strings.panel.notOpened, { why }) });
      return false;
    }
  }

  #blank(number: number, settings: Settings): TalkState {
    return { number, session: undefined, problem: undefined, settings, marks: [], turns: new Turns(settings), tray: new Tray(() => this.#state.session) };
  }

  #set(state: TalkState): void {
    this.#state = state;
    for (const listener of [...this.#listeners]) listener();
  }
}

function answering(settings: Settings, before: number): Mark {
  return { before, text: say(strings.settings.answers, { who: whoAnswers(settings) }) };
}
