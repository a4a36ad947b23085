/** Keeps the end of a conversation in sight while the person is there, and stays where they are otherwise. Knows boxes, no session. */

const NEAR_END = 24;
const GAP = 8;

/** Follows the growth of what stands in a scrolling box. */
export class Follow {
  #atEnd = true;
  #byHand = false;
  #held = false;
  #placed = -1;
  #observer: ResizeObserver | undefined;

  constructor(
    private readonly scroll: HTMLElement,
    private readonly log: HTMLElement,
    /** The first group of cards that waits: it is read from its head. */
    private readonly waiting: () => HTMLElement | undefined,
    private readonly below: (isBelow: boolean) => void,
  ) {
    scroll.addEventListener("scroll", () => this.#scrolled());
    // nothing moves under a hand that presses
    scroll.addEventListener("pointerdown", () => (this.#held = true));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) scroll.addEventListener(name, () => (this.#held = false));
  }

  /** Begins to watch. */
  start(): void {
    this.#observer ??= new ResizeObserver(() => this.grew(false));
    this.#observer.observe(this.log);
    this.#observer.observe(this.scroll);
  }

  /** Watches no longer. */
  stop(): void {
    this.#observer?.disconnect();
  }

  /** Something came, or grew. */
  grew(isNew: boolean): void {
    this.#scrolled(); // the event of a scroll comes a frame after it, and text may come first
    if (this.#atEnd && !this.#held && !this.#isRead()) this.#place();
    else if (isNew && this.#distance() > NEAR_END) this.below(true);
  }

  /** Goes to the end, and follows from there. */
  toEnd(): void {
    this.#atEnd = true;
    this.#byHand = false;
    this.below(false);
    this.#place();
  }

  // a selection would slip away under the person who makes it
  #isRead(): boolean {
    const selection = getSelection();
    return selection !== null && !selection.isCollapsed && selection.anchorNode !== null && (this.log.getRootNode() as ShadowRoot).host?.contains(selection.anchorNode) === true;
  }

  #distance(): number {
    return this.scroll.scrollHeight - this.scroll.clientHeight - this.scroll.scrollTop;
  }

  #place(): void {
    const group = this.waiting();
    if (group === undefined) this.#byHand = false;
    else if (this.#byHand) return; // whoever has scrolled among the cards stays where they are
    const end = this.scroll.scrollHeight - this.scroll.clientHeight;
    const top = group === undefined ? end : Math.min(end, group.offsetTop - this.scroll.offsetTop - GAP);
    if (Math.abs(this.scroll.scrollTop - top) >= 1) this.scroll.scrollTop = Math.max(0, top);
    this.#placed = this.scroll.scrollTop;
  }

  #scrolled(): void {
    if (Math.abs(this.scroll.scrollTop - this.#placed) < 2) return; // that was us, not the person
    this.#byHand = true;
    this.#atEnd = this.#distance() <= NEAR_END;
    if (this.#atEnd) this.below(false);
  }
}
