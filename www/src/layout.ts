// Where the panel stands and how wide it is; both are remembered. Enters: drags, arrow keys, clicks. Leaves: a
// width on the page. Storage may be refused: then nothing is remembered, and nothing breaks.

import { attr, h } from "./dom.ts";
import { strings } from "./strings.ts";

const NARROWEST = 320;
const WIDEST = 640;
const USUAL = 408;

/** The page's frame. */
export class Layout {
  readonly handle: HTMLElement;
  #width = number(remember("panel-width"), USUAL);
  #open = remember("panel-open") !== "no";

  constructor(
    private readonly root: HTMLElement,
    private readonly toggle: HTMLButtonElement,
    private readonly shown: (open: boolean) => void,
  ) {
    this.handle = h("div", { class: "resizer", role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-label": strings.panel.resize, "aria-valuemin": NARROWEST, "aria-valuemax": WIDEST });
    this.handle.addEventListener("pointerdown", (event) => this.#drag(event));
    this.handle.addEventListener("keydown", (event) => this.#key(event));
    this.handle.addEventListener("dblclick", () => this.#set(USUAL));
    toggle.addEventListener("click", () => this.show(!this.#open));
    this.#set(this.#width);
    this.show(this.#open);
  }

  /** Shows or hides the panel. */
  show(open: boolean): void {
    this.#open = open;
    remember("panel-open", open ? "yes" : "no");
    attr(this.root, "data-panel", open ? "open" : "closed");
    attr(this.toggle, "aria-expanded", open ? "true" : "false");
    const tip = open ? strings.top.hidePanel : strings.top.showPanel;
    attr(this.toggle, "data-tip", tip);
    this.shown(open);
  }

  #drag(event: PointerEvent): void {
    if (event.button !== 0) return;
    event.preventDefault();
    this.handle.setPointerCapture(event.pointerId);
    const rtl = getComputedStyle(this.root).direction === "rtl";
    const move = (at: PointerEvent) => this.#set(rtl ? at.clientX : document.documentElement.clientWidth - at.clientX);
    const stop = () => this.handle.removeEventListener("pointermove", move);
    this.handle.addEventListener("pointermove", move);
    this.handle.addEventListener("lostpointercapture", stop, { once: true });
  }

  #key(event: KeyboardEvent): void {
    const rtl = getComputedStyle(this.root).direction === "rtl";
    const step = { ArrowLeft: rtl ? -16 : 16, ArrowRight: rtl ? 16 : -16 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.#set(this.#width + step);
  }

  #set(width: number): void {
    this.#width = Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
    this.root.style.setProperty("--panel-width", `${this.#width}px`);
    attr(this.handle, "aria-valuenow", String(this.#width));
    remember("panel-width", String(this.#width));
  }
}

function number(text: string | null, otherwise: number): number {
  const value = Number(text);
  return text !== null && Number.isFinite(value) && value > 0 ? value : otherwise;
}

function remember(key: string, value?: string): string | null {
  try {
    if (value !== undefined) localStorage.setItem(`countersign.${key}`, value);
    return localStorage.getItem(`countersign.${key}`);
  } catch {
    return null;
  }
}
