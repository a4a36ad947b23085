/** `<countersign-inspector>`: what the machine of a session holds, and how it came to hold it. It decides nothing and changes nothing. */

import type { TurnState } from "#engine/types";
import { attribute, h } from "../elements/dom.js";
import { visible } from "../elements/text.js";
import { Facts } from "./facts.js";
import { Log } from "./log.js";
import { Inputs } from "./model.js";
import type { InspectedSession, PastState, Travel, TravelDetail } from "./session.js";
import { inspectorSheet } from "./styles.js";
import { filled, inspectorWords, wordsWith, type InspectorWords, type PartialInspectorWords } from "./words.js";

// where there is no DOM the module can be imported all the same
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

// a recording is read whole: at most a twentieth of the time goes into it
const READ_SHARE = 20;
const READ_AFTER_MS = 120;
const TICK_MS = 1000;
const PROPERTIES = ["session", "travel", "words"] as const;

/** A moment that was travelled to. */
interface Past extends PastState {
  readonly inputs: number;
  readonly nowMs: number;
}

/** What was drawn. */
interface Parts {
  readonly turn: HTMLElement;
  readonly facts: Facts;
  readonly log: Log;
  readonly banner: HTMLElement;
  readonly empty: HTMLElement;
}

/** The inspector. */
export class InspectorElement extends Base {
  #session: InspectedSession | null = null;
  #travel: Travel | undefined;
  #words: InspectorWords = inspectorWords;
  #stop: (() => void) | undefined;
  #frame: number | undefined;
  #reading: ReturnType<typeof setTimeout> | undefined;
  #clock: ReturnType<typeof setInterval> | undefined;
  #readAt = 0;
  #readMs = 0;
  #text = "";
  #inputs: Inputs | undefined;
  #note = "";
  #past: Past | undefined;
  #failed = "";
  #wanted: number | undefined;
  #parts: Parts | undefined;

  /** The session that is inspected, or none. */
  get session(): InspectedSession | null {
    return this.#session;
  }

  set session(session: InspectedSession | null | undefined) {
    const next = session ?? null;
    if (next === this.#session) return;
    this.#leave();
    this.#session = next;
    [this.#text, this.#inputs, this.#note, this.#failed] = ["", undefined, "", ""];
    this.#back();
    if (this.isConnected) this.#enter();
  }

  /** Rebuilds the session as it stood after some of its inputs; without it the log is for reading alone. */
  get travel(): Travel | undefined {
    return this.#travel;
  }

  set travel(travel: Travel | undefined) {
    this.#travel = travel;
    if (travel === undefined) this.#back();
    this.#redraw();
  }

  /** The words; some of them can be replaced. */
  get words(): InspectorWords {
    return this.#words;
  }

  set words(words: PartialInspectorWords | undefined) {
    this.#words = words === undefined ? inspectorWords : wordsWith(words);
    this.#parts = undefined;
    this.#redraw();
  }

  /** How many inputs the moment that is shown stands after; nothing while it is now. */
  get inputs(): number | undefined {
    return this.#past?.inputs;
  }

  /** @internal */
  connectedCallback(): void {
    // a property that was set before the element was defined hides the accessor of the same name
    for (const name of PROPERTIES) {
      if (!Object.hasOwn(this, name)) continue;
      const value: unknown = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
    this.#enter();
  }

  /** @internal */
  disconnectedCallback(): void {
    this.#leave();
  }

  /** Reads and draws now, before the next frame. */
  flush(): void {
    this.#read();
    this.#draw();
  }

  /** Shows the session as it stood after so many inputs; nothing for now. */
  goTo(inputs: number | undefined): void {
    if (inputs === undefined) return this.#back();
    const [travel, session, recorded] = [this.#travel, this.#session, this.#inputs];
    if (travel === undefined || session === null || recorded === undefined || !(inputs >= 0 && inputs <= recorded.count)) return;
    try {
      const past = travel(this.#text, inputs);
      this.#past = { ...past, inputs, nowMs: recorded.timeMs(inputs - 1) ?? past.state.clockMs };
      this.#failed = "";
    } catch (error) {
      this.#failed = filled(this.#words.travel.failed, { why: visible(error instanceof Error ? error.message : String(error)) });
      return this.#draw();
    }
    this.#draw();
    this.#tell({ inputs, state: this.#past.state, document: this.#past.document });
  }

  #back(): void {
    const was = this.#past;
    [this.#past, this.#failed, this.#wanted] = [undefined, "", undefined];
    if (was !== undefined) {
      this.#tell(null);
      // what came meanwhile was not read
      this.#changed();
    }
    this.#redraw();
  }

  #tell(detail: TravelDetail): void {
    this.dispatchEvent(new CustomEvent<TravelDetail>("countersign-travel", { detail, bubbles: true, composed: true }));
  }

  #enter(): void {
    if (this.#stop === undefined && this.#session !== null) this.#stop = this.#session.subscribe(() => this.#changed());
    // the deadline runs while nothing else happens
    this.#clock ??= setInterval(() => this.#past === undefined && this.#redraw(), TICK_MS);
    this.flush();
  }

  #leave(): void {
    this.#stop?.();
    this.#stop = undefined;
    clearTimeout(this.#reading);
    clearInterval(this.#clock);
    [this.#reading, this.#clock] = [undefined, undefined];
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }

  #changed(): void {
    this.#redraw();
    if (this.#reading !== undefined || this.#past !== undefined) return;
    const wait = Math.max(READ_AFTER_MS, this.#readAt + this.#readMs * READ_SHARE - performance.now());
    this.#reading = setTimeout(() => {
      this.#reading = undefined;
      if (this.#past !== undefined) return;
      this.#read();
      this.#redraw();
    }, wait);
  }

  /** Reads the recording anew, where it is not being travelled through. */
  #read(): void {
    const session = this.#session;
    if (session === null || this.#past !== undefined) return;
    const { notRecorded, full, unreadable } = this.#words.log;
    const begun = performance.now();
    try {
      const text = session.recording?.();
      if (text === undefined) [this.#inputs, this.#note] = [undefined, notRecorded];
      else if (text !== this.#text) [this.#inputs, this.#note] = [new Inputs(text), ""];
      this.#text = text ?? "";
    } catch (error) {
      const code: unknown = (error as { code?: unknown } | null)?.code;
      [this.#text, this.#inputs, this.#note] = ["", undefined, code === "not_recorded" ? notRecorded : code === "recording_full" ? full : unreadable];
    }
    [this.#readAt, this.#readMs] = [performance.now(), performance.now() - begun];
  }

  #redraw(): void {
    if (!this.isConnected) return;
    this.#frame ??= requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    if (!this.isConnected) return;
    const { turn, facts, log, banner, empty } = (this.#parts ??= this.#build());
    const shown = this.#shown();
    for (const node of [...facts.nodes, log.node]) attribute(node, "hidden", shown === undefined);
    attribute(empty, "hidden", shown !== undefined);
    const past = this.#past;
    log.draw(this.#inputs, past?.inputs, this.#travel !== undefined && shown !== undefined, this.#note);
    this.#drawBanner(banner, past);
    const title = shown === undefined ? "" : filled(this.#words.turn, { id: visible(shown.turnId) });
    if (turn.textContent !== title) turn.textContent = turn.title = title;
    if (shown !== undefined) facts.draw(shown, past?.nowMs ?? this.#session?.now?.() ?? Date.now());
  }

  #drawBanner(banner: HTMLElement, past: Past | undefined): void {
    const { travel } = this.#words;
    attribute(banner, "hidden", past === undefined && this.#failed === "");
    const key = `${past?.inputs} ${past?.digest} ${this.#failed}`;
    if (banner.dataset["key"] === key) return;
    banner.dataset["key"] = key;
    const where = past === undefined ? "" : filled(travel.after, { n: past.inputs, all: this.#inputs?.count ?? 0 });
    banner.replaceChildren(
      ...(this.#failed === "" ? [] : [h("p", { class: "bad" }, this.#failed)]),
      ...(past === undefined ? [] : [h("p", {}, h("strong", {}, where), `. ${travel.past}`), h("p", {}, `${travel.digest} `, h("code", {}, past.digest))]),
    );
  }

  /** The state that is on screen: of the moment travelled to, or of now. */
  #shown(): TurnState | undefined {
    if (this.#past !== undefined) return this.#past.state;
    try {
      return this.#session?.state();
    } catch {
      // a session that was disposed of tells nothing any longer
      return undefined;
    }
  }

  #build(): Parts {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    if (root.adoptedStyleSheets.length === 0) root.adoptedStyleSheets = [inspectorSheet()];
    const words = this.#words;
    const facts = new Facts(words);
    const log = new Log(words, (inputs) => this.#wish(inputs));
    const turn = h("span", { class: "quiet exact" });
    const [phase, ...others] = facts.nodes;
    const banner = h("div", { class: "past", role: "status", part: "past" });
    const empty = h("p", { class: "empty" }, words.noSession);
    const panel = h("div", { class: "panel", part: "panel", role: "region", "aria-labelledby": "title" }, h("div", { class: "head", part: "head" }, h("h2", { id: "title" }, words.title), turn, log.travel), banner, empty, phase, log.node, ...others);
    root.replaceChildren(panel);
    return { turn, facts, log, banner, empty };
  }

  /** A slider asks faster than a moment is rebuilt: the last wish of a frame counts. */
  #wish(inputs: number | undefined): void {
    if (inputs === undefined) return this.#back();
    const isWaiting = this.#wanted !== undefined;
    this.#wanted = inputs;
    if (isWaiting) return;
    requestAnimationFrame(() => {
      const wanted = this.#wanted;
      this.#wanted = undefined;
      if (wanted !== undefined && this.isConnected) this.goTo(wanted);
    });
  }
}
