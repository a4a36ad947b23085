// The conversation of this tab. Enters: the desk. Leaves: a session over its store that outlives a reload: what waits
// for the person is still there, what was granted is asked again.

import { createSession, type Session, type SessionStorage } from "countersign";

import type { PageVoice } from "../app/voice.svelte.ts";
import type { Desk } from "../document/desk.svelte.ts";
import { strings } from "../strings.ts";
import { clip, fill } from "../words.ts";
import { systemPrompt } from "./prompt.ts";
import { embeddedAssistant } from "./stories.ts";
import { boardTools } from "./tools.ts";

const KEPT = "countersign-board.conversation";
// a full board in one message
const LIMITS = { maxToolCallsPerIteration: 240, maxToolCallsPerTurn: 480 };

/** The conversation. */
export class Talk {
  /** The session; none while it is being opened. */
  session: Session | null = $state.raw(null);
  /** Why there is none. */
  problem: string | undefined = $state();
  /** Puts the focus where the person writes, or on a card that waits; set by the panel. */
  focus: () => void = () => undefined;
  #wish = 0;

  constructor(
    readonly desk: Desk,
    readonly voice: PageVoice,
  ) {}

  /** Opens the session, from what was kept where that can be read. */
  async open(): Promise<void> {
    this.#wish += 1;
    const wish = this.#wish;
    addEventListener("pagehide", this.#leave);
    try {
      const session = await this.#opened();
      if (wish === this.#wish) this.session = session;
      else session.dispose();
    } catch (error) {
      if (wish === this.#wish) this.problem = fill(strings.assistant.notOpened, { why: error instanceof Error ? error.message : String(error) });
    }
  }

  /** A new conversation; the board stays. */
  async anew(): Promise<void> {
    this.close();
    forget();
    await this.open();
  }

  /** Ends it. */
  close(): void {
    this.#wish += 1;
    removeEventListener("pagehide", this.#leave);
    this.session?.dispose();
    this.session = null;
    this.problem = undefined;
  }

  async #opened(): Promise<Session> {
    const { desk, voice } = this;
    const make = (): Promise<Session> =>
      createSession({
        provider: embeddedAssistant(() => desk.newest, pauseOf(location.search)),
        tools: () => boardTools((name, text) => voice.note(fill(strings.assistant.posted, { name, text: clip(text, 80) }))),
        document: desk.store,
        system: systemPrompt,
        promptDocument: "summary",
        storage,
        limits: LIMITS,
        recordInputs: true,
      });
    try {
      return await make();
    } catch (error) {
      // kept by another version of this page
      if (kept() === null) throw error;
      forget();
      return make();
    }
  }

  readonly #leave = (): void => {
    if (this.session !== null) keep(this.session.save());
  };
}

// each tab has its own: a conversation cannot be carried on in two places
const storage: SessionStorage = { load: kept, save: keep };

function kept(): string | null {
  try {
    return sessionStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

function keep(snapshot: string): void {
  try {
    sessionStorage.setItem(KEPT, snapshot);
  } catch {
    // the conversation lasts as long as the page
  }
}

function forget(): void {
  try {
    sessionStorage.removeItem(KEPT);
  } catch {
    // there is nothing to forget
  }
}

// `?pause=200` lets the embedded assistant speak slowly, `?pause=0` at once
function pauseOf(search: string): number | undefined {
  const text = new URLSearchParams(search).get("pause");
  return text !== null && /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}
