/** One turn on screen. Enters: a turn. Leaves: nodes in which only what changed is touched; text that grows is one text node. */

import { foreign, h, hide, keyed, spoken } from "./dom.js";
import { endingOf, type EndingHost, type UndoState } from "./ending.js";
import { Group, Reads, type GroupHost } from "./group.js";
import { prose } from "./text.js";
import type { Piece, Turn, TurnEnd } from "./turns.js";
import type { ElementWords } from "./words.js";

type PieceView = { readonly node: HTMLElement; readonly update: (piece: Piece) => void; readonly group?: Group };

/** A turn's nodes. */
export class TurnView {
  /** What is put in the conversation. */
  readonly node: HTMLElement;
  readonly #asked: Growing;
  readonly #pieces = h("div", { class: "pieces" });
  readonly #thinking: HTMLElement;
  readonly #ending = h("div", { class: "ending", part: "ending" });
  readonly #views = new Map<string, PieceView>();
  #drawn: { readonly turn: Turn; readonly undo: UndoState } | undefined;
  #end: TurnEnd | undefined;

  constructor(
    private readonly words: ElementWords,
    private readonly groups: GroupHost,
    private readonly endings: EndingHost,
  ) {
    this.#asked = new Growing("asked", words.transcript.you);
    this.#thinking = h("div", { class: "thinking", part: "thinking", role: "img", "aria-label": words.transcript.thinking, hidden: true }, h("i"), h("i"), h("i"));
    this.node = h("div", { class: "turn", part: "turn" }, this.#asked.node, this.#pieces, this.#thinking, this.#ending);
  }

  /** Its first group in which a card waits. */
  waiting(): HTMLElement | undefined {
    for (const view of this.#views.values()) if (view.group?.waits === true) return view.node;
    return undefined;
  }

  /** Draws what changed. */
  update(turn: Turn, isThinking: boolean, undo: UndoState): void {
    hide(this.#thinking, !isThinking);
    if (this.#drawn?.turn === turn && this.#drawn.undo === undo) return;
    hide(this.#asked.node, turn.asked === "");
    this.#asked.update(turn.asked);
    keyed(this.#pieces, this.#views, turn.pieces, (piece) => piece.key, (piece) => this.#piece(piece), (view, piece) => view.update(piece));
    const last = turn.pieces.at(-1);
    const cut = turn.end?.outcome === "cancelled" && last?.kind === "said" ? last.key : undefined;
    for (const [key, view] of this.#views) view.node.classList.toggle("cut", key === cut);
    // the end is told again only where it, or what it counts, is another
    if (this.#drawn === undefined || turn.end !== this.#end || undo !== this.#drawn.undo || turn.calls.some((call, at) => call !== this.#drawn?.turn.calls[at]) || turn.isLast !== this.#drawn.turn.isLast) {
      this.#ending.replaceChildren(...(turn.end === undefined ? [] : endingOf(turn, turn.end, undo, this.words, this.endings)));
    }
    this.#end = turn.end;
    this.#drawn = { turn, undo };
  }

  #piece(piece: Piece): PieceView {
    if (piece.kind === "said") {
      const growing = new Growing("said", this.words.transcript.assistant);
      return { node: growing.node, update: (now) => now.kind === "said" && growing.update(now.text) };
    }
    const view = piece.kind === "reads" ? new Reads(this.words) : new Group(this.groups);
    return { node: view.node, update: (now) => now.kind !== "said" && view.update(now.calls), ...(view instanceof Group ? { group: view } : {}) };
  }
}

// text that only ever grows while it streams: what stands is not touched, so a selection in it survives
class Growing {
  readonly node: HTMLElement;
  readonly #text = document.createTextNode("");
  #drawn = "";

  constructor(kind: string, who: string) {
    const text = foreign("", "text");
    text.dir = "auto";
    text.append(this.#text);
    this.node = h("div", { class: kind, part: kind }, spoken(`${who}: `), text);
  }

  update(text: string): void {
    if (text === this.#drawn) return;
    if (this.#drawn !== "" && text.startsWith(this.#drawn)) this.#text.appendData(prose(text.slice(this.#drawn.length)));
    else this.#text.data = prose(text);
    this.#drawn = text;
  }
}
