/** What the elements share: a session to show, words, one drawing for each frame, and no trace left behind. */

import type { ElementSession } from "./session.js";
import type { SessionView } from "../session/view.js";
import { styleSheet } from "./styles.js";
import { elementWords, withWords, type ElementWords, type PartialWords } from "./words.js";

// where there is no DOM the module can be imported all the same
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

const HIDDEN_MS = 250;

/** An element that shows a session. */
export abstract class SessionElement extends Base {
  /** The words of elements that were given none. */
  static words: ElementWords = elementWords;

  // one sheet for all elements of the page
  static #sheet: CSSStyleSheet | undefined;

  #session: ElementSession | null = null;
  #words: ElementWords | undefined;
  #stop: (() => void) | undefined;
  #frame: (() => void) | undefined;

  /** The session that is shown, or none. */
  get session(): ElementSession | null {
    return this.#session;
  }

  set session(session: ElementSession | null | undefined) {
    const next = session ?? null;
    if (next === this.#session) return;
    this.#session = next;
    this.#unsubscribe();
    this.swapped();
    if (!this.isConnected) return;
    this.#subscribe();
    this.flush();
  }

  /** The words; some of them can be replaced. */
  get words(): ElementWords {
    return this.#words ?? (this.constructor as typeof SessionElement).words;
  }

  set words(words: PartialWords | undefined) {
    this.#words = words === undefined ? undefined : withWords(words, (this.constructor as typeof SessionElement).words);
    this.reworded();
    if (this.isConnected) this.flush();
  }

  /** @internal */
  connectedCallback(): void {
    // a property that was set before the element was defined hides the accessor of the same name
    for (const name of this.properties()) {
      if (!Object.hasOwn(this, name)) continue;
      const value: unknown = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
    this.#subscribe();
    this.flush();
  }

  /** @internal */
  disconnectedCallback(): void {
    this.#unsubscribe();
  }

  /** Draws what is to be drawn now, before the next frame. */
  flush(): void {
    this.#frame?.();
    this.#frame = undefined;
    if (this.isConnected) this.draw(this.follows() ? this.#session?.view : undefined);
  }

  /** Draws at the next frame; soon, where the page is not seen. */
  protected redraw(): void {
    if (this.#frame !== undefined) return;
    const draw = (): void => this.flush();
    if (document.hidden) {
      const timer = setTimeout(draw, HIDDEN_MS);
      this.#frame = () => clearTimeout(timer);
    } else {
      const frame = requestAnimationFrame(draw);
      this.#frame = () => cancelAnimationFrame(frame);
    }
  }

  /** The element's own tree, with the shared style sheet. */
  protected root(): ShadowRoot {
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [(SessionElement.#sheet ??= styleSheet())];
    return root;
  }

  /** The properties that may have been set too early. */
  protected properties(): readonly string[] {
    return ["session", "words"];
  }

  /** Whether the session is listened to. */
  protected follows(): boolean {
    return true;
  }

  /** Listens anew, or no longer, after `follows` has another answer. */
  protected refollow(): void {
    if (this.follows()) this.#subscribe();
    else this.#unsubscribe();
  }

  /** Another session came. */
  protected swapped(): void {}

  /** Other words came. */
  protected reworded(): void {}

  /** Puts on screen what the view holds. */
  protected abstract draw(view: SessionView | undefined): void;

  #subscribe(): void {
    if (this.#stop !== undefined || this.#session === null || !this.isConnected || !this.follows()) return;
    this.#stop = this.#session.subscribe(() => this.redraw());
  }

  #unsubscribe(): void {
    this.#frame?.();
    this.#frame = undefined;
    this.#stop?.();
    this.#stop = undefined;
  }
}
