// The conversation on screen. Enters: turns. Leaves: text, groups and endings in their order, each node kept while
// it is the same thing. Follows new text only while the person is at its end; otherwise it says so and stays.

import { Keyed, h, words } from "../dom.ts";
import { icon } from "../icons.ts";
import type { Model } from "../model.ts";
import { strings } from "../strings/assistant.ts";
import { shownLines } from "../text.ts";
import type { Card } from "./card.ts";
import type { Said, Turn } from "./conversation.ts";
import { Ending, type EndingHost, type UndoState } from "./ending.ts";
import { Group, type GroupHost } from "./group.ts";

type Item =
  | { readonly kind: "asked"; readonly key: string; readonly text: string }
  | { readonly kind: "said"; readonly key: string; readonly text: string }
  | { readonly kind: "group"; readonly key: string; readonly said: Said }
  | { readonly kind: "thinking"; readonly key: string }
  | { readonly kind: "ending"; readonly key: string; readonly turn: Turn; readonly undo: UndoState };

const NEAR_END = 24;
const GROUP_GAP = 8;

/** The scrolling part of the panel. */
export class Transcript {
  readonly root: HTMLElement;
  readonly #scroll: HTMLElement;
  readonly #below: HTMLButtonElement;
  readonly #items: Keyed<Item, HTMLElement>;
  readonly #groups = new Map<HTMLElement, Group>();
  readonly #endings = new Map<HTMLElement, Ending>();
  readonly #welcome: HTMLElement;
  #model: Model;
  #atEnd = true;
  #placed = -1;
  #byHand = false;

  constructor(
    model: Model,
    private readonly host: GroupHost & EndingHost,
  ) {
    this.#model = model;
    const log = h("div", { class: "log", role: "log", "aria-live": "off", "aria-label": strings.panel.log });
    this.#welcome = h("div", { class: "welcome" }, h("h3", {}, strings.panel.welcomeTitle), h("p", {}, strings.panel.welcome), h("p", { class: "welcome-keys" }, strings.panel.keys));
    this.#scroll = h("div", { class: "scroll", tabindex: "-1" }, this.#welcome, log);
    this.#below = h("button", { class: "below", type: "button", hidden: true, onclick: () => this.toEnd() }, icon("down"), strings.panel.newBelow);
    this.root = h("div", { class: "transcript" }, this.#scroll, this.#below);
    this.#items = new Keyed(log, (item) => item.key, (item) => this.#create(item), (node, item) => this.#update(node, item));
    this.#scroll.addEventListener("scroll", () => {
      if (Math.abs(this.#scroll.scrollTop - this.#placed) < 2) return; // that was the page, not the person
      this.#byHand = true;
      this.#atEnd = this.#distance() <= NEAR_END;
      if (this.#atEnd) this.#below.hidden = true;
    }, { passive: true });
    new ResizeObserver(() => this.#follow(false)).observe(log);
  }

  /** Redraws what differs. */
  draw(turns: readonly Turn[], model: Model, live: { thinking: boolean; undo: SessionUndo }): void {
    this.#model = model;
    this.#welcome.hidden = turns.length > 0;
    const newest = turns.findLast((turn) => turn.calls.some((call) => call.committed || call.status === "undone"));
    this.#items.draw(turns.flatMap((turn) => itemsOf(turn, turn.isLast && live.thinking, turn === newest ? live.undo : "older")));
    this.#follow(true);
  }

  /** Every card that waits for the person, in order. */
  waiting(): Card[] {
    return [...this.#groups.values()].flatMap((group) => group.cards).filter((card) => card.call.status === "pending");
  }

  /** Every card. */
  cards(): Card[] {
    return [...this.#groups.values()].flatMap((group) => group.cards);
  }

  /** Goes to the end, and follows from there. */
  toEnd(): void {
    this.#atEnd = true;
    this.#byHand = false;
    this.#below.hidden = true;
    this.#place();
  }

  // changes that wait are read from the first one on; without any, the end is what is followed
  #place(): void {
    const group = [...this.#groups].find(([, one]) => one.cards.some((card) => card.call.status === "pending"))?.[0];
    if (group === undefined) this.#byHand = false;
    else if (this.#byHand) return; // whoever has scrolled among the cards stays where they are
    const end = this.#scroll.scrollHeight - this.#scroll.clientHeight;
    const top = group === undefined ? end : Math.min(end, group.offsetTop - GROUP_GAP);
    this.#scroll.scrollTop = Math.max(0, top);
    this.#placed = this.#scroll.scrollTop;
  }

  #distance(): number {
    return this.#scroll.scrollHeight - this.#scroll.clientHeight - this.#scroll.scrollTop;
  }

  #follow(isNew: boolean): void {
    if (this.#atEnd) this.#place();
    else if (isNew && this.#distance() > NEAR_END) this.#below.hidden = false;
  }

  #create(item: Item): HTMLElement {
    switch (item.kind) {
      case "asked":
        return h("div", { class: "asked" }, h("span", { class: "sr" }, `${strings.panel.you}: `), h("p", { dir: "auto" }));
      case "said":
        return h("div", { class: "said" }, h("span", { class: "sr" }, `${strings.panel.assistant}: `), h("p", { dir: "auto" }));
      case "thinking":
        return h("div", { class: "thinking", role: "img", "aria-label": strings.panel.thinking }, h("i"), h("i"), h("i"));
      case "group": {
        const group = new Group(this.#model, this.host);
        this.#groups.set(group.root, group);
        return group.root;
      }
      case "ending": {
        const ending = new Ending(this.host);
        this.#endings.set(ending.root, ending);
        return ending.root;
      }
    }
  }

  #update(node: HTMLElement, item: Item): void {
    if (item.kind === "asked" || item.kind === "said") grow(node.lastElementChild, shownLines(item.text));
    else if (item.kind === "group") this.#groups.get(node)?.update(item.said.calls, this.#model);
    else if (item.kind === "ending") this.#endings.get(node)?.update(item.turn, item.undo);
  }
}

/** What the session says of undoing the newest turn that changed something. */
export type SessionUndo = Exclude<UndoState, "older">;

function itemsOf(turn: Turn, thinking: boolean, undo: UndoState): Item[] {
  const items: Item[] = [{ kind: "asked", key: `asked-${turn.number}`, text: turn.asked }];
  for (const said of turn.said) {
    said.texts.forEach((text, block) => items.push({ kind: "said", key: `said-${said.index}-${block}`, text }));
    if (said.calls.length > 0) items.push({ kind: "group", key: `group-${said.index}`, said });
  }
  if (thinking) items.push({ kind: "thinking", key: `thinking-${turn.number}` });
  items.push({ kind: "ending", key: `ending-${turn.number}`, turn, undo });
  return items;
}

// streaming text only ever grows: what stands is not touched, so a selection in it survives
function grow(node: Element | null, text: string): void {
  if (node === null) return;
  const first = node.firstChild;
  if (first instanceof Text && first.length > 0 && text.startsWith(first.data)) {
    if (text.length > first.length) first.appendData(text.slice(first.length));
  } else words(node, text);
}
