// A change of a board as a patch, built step by step. Enters: a board and steps. Leaves: the patch, and the board as it
// would be. People's edits and the assistant's tools make their changes here, so both do the same. Knows no store.

import type { Json, JsonPatch } from "countersign";

import { byId, type Board, type Card, type Optional, type Section } from "./model.ts";

/** Members of a card that may be given to a new one. */
export type NewCard = Omit<Card, "id">;

/** One change being made. */
export class Draft {
  readonly #patch: JsonPatch = [];

  /** Begins at `board`, which stays as it is. */
  constructor(public board: Board) {}

  /** What was changed so far. */
  get patch(): JsonPatch {
    return this.#patch;
  }

  /** A new lane at the end, or before another; gives its id. */
  addLane(name: string, before?: string): string {
    const id = nextId(this.board.lanes, "lane");
    this.#insert("lanes", placeBefore(this.board.lanes, before), { id, name });
    return id;
  }

  /** Another name for a lane. */
  renameLane(id: string, name: string): void {
    this.#set("lanes", id, "name", name);
  }

  /** A lane to another place: before `before`, or to the end. */
  moveLane(id: string, before: string | undefined): void {
    const lane = byId(this.board.lanes, id);
    if (lane === undefined) return;
    this.#remove("lanes", id);
    this.#insert("lanes", placeBefore(this.board.lanes, before), lane);
  }

  /** A lane with all its cards. */
  deleteLane(id: string): void {
    this.deleteCards(this.board.cards.filter((card) => card.lane === id).map((card) => card.id));
    this.#remove("lanes", id);
  }

  /** A new card at the end of its lane, or before another; gives its id. */
  addCard(fields: NewCard, before?: string): string {
    const id = nextId(this.board.cards, "card");
    this.#insert("cards", placeBefore(this.board.cards, before), { id, ...fields });
    return id;
  }

  /** Other values for members of a card; `undefined` takes one away. */
  updateCard(id: string, fields: { readonly [Member in Exclude<keyof Card, "id">]?: Card[Member] | undefined }): void {
    const card = byId(this.board.cards, id);
    if (card === undefined) return;
    for (const member of Object.keys(fields) as (keyof typeof fields)[]) {
      const value = fields[member];
      if (value === undefined) this.#clear(id, member as Optional);
      else if (JSON.stringify(value) !== JSON.stringify(card[member])) this.#set("cards", id, member, value as Json);
    }
  }

  /** A card to a lane: before `before` of that lane, or to its end. */
  moveCard(id: string, lane: string, before?: string): void {
    const card = byId(this.board.cards, id);
    if (card === undefined || before === id) return;
    const order = this.board.cards.filter((one) => one.lane === lane).map((one) => one.id);
    const isThere = card.lane === lane && (order[order.indexOf(id) + 1] ?? undefined) === before;
    if (isThere) return;
    if (before === undefined && order.every((one) => one === id)) return this.#set("cards", id, "lane", lane);
    this.#remove("cards", id);
    // behind the last of its lane, so that nothing else seems to move
    const last = this.board.cards.findLastIndex((one) => one.lane === lane);
    this.#insert("cards", before === undefined ? last + 1 : placeBefore(this.board.cards, before), { ...card, lane });
  }

  /** Cards, and what others say of them. */
  deleteCards(ids: readonly string[]): void {
    const gone = new Set(ids);
    for (const id of ids) this.#remove("cards", id);
    for (const card of this.board.cards) {
      const blockedBy = card.blockedBy?.filter((id) => !gone.has(id));
      if (blockedBy !== undefined && blockedBy.length !== card.blockedBy?.length) this.updateCard(card.id, { blockedBy: blockedBy.length > 0 ? blockedBy : undefined });
    }
  }

  /** A card into several: it becomes the first part, the others stand behind it; gives the ids of those. */
  splitCard(id: string, parts: readonly { readonly title: string; readonly estimate?: number }[]): readonly string[] {
    const card = byId(this.board.cards, id);
    const [first, ...others] = parts;
    if (card === undefined || first === undefined) return [];
    const lane = this.board.cards.filter((one) => one.lane === card.lane);
    const next = lane[lane.indexOf(card) + 1]?.id;
    const behind = next ?? this.board.cards[this.board.cards.indexOf(card) + 1]?.id;
    this.updateCard(id, { title: first.title, estimate: first.estimate });
    return others.map((part) => {
      const { assignee, labels, priority } = card;
      const kept = { ...(assignee === undefined ? {} : { assignee }), ...(labels === undefined ? {} : { labels }), ...(priority === undefined ? {} : { priority }) };
      return this.addCard({ title: part.title, lane: card.lane, ...kept, ...(part.estimate === undefined ? {} : { estimate: part.estimate }) }, behind);
    });
  }

  #insert(section: Section, at: number, value: Board[Section][number]): void {
    this.#patch.push({ op: "add", path: `/${section}/${at}`, value: value as unknown as Json });
    this.#put(section, this.board[section].toSpliced(at, 0, value as never));
  }

  #remove(section: Section, id: string): void {
    const at = this.#at(section, id);
    if (at < 0) return;
    this.#patch.push({ op: "remove", path: `/${section}/${at}` });
    this.#put(section, this.board[section].toSpliced(at, 1));
  }

  #set(section: Section, id: string, member: string, value: Json): void {
    const at = this.#at(section, id);
    if (at < 0) return;
    this.#patch.push({ op: "add", path: `/${section}/${at}/${member}`, value });
    this.#put(section, this.board[section].with(at, { ...this.board[section][at], [member]: value } as never));
  }

  #clear(id: string, member: Optional): void {
    const at = this.#at("cards", id);
    const card = this.board.cards[at];
    if (card?.[member] === undefined) return;
    const { [member]: _, ...rest } = card;
    this.#patch.push({ op: "remove", path: `/cards/${at}/${member}` });
    this.#put("cards", this.board.cards.with(at, rest as Card));
  }

  #at(section: Section, id: string): number {
    return this.board[section].findIndex((one) => one.id === id);
  }

  #put(section: Section, list: readonly unknown[]): void {
    this.board = { ...this.board, [section]: list };
  }
}

/** The next free id of a list: one more than its largest number. The same document gives the same id. */
export function nextId(list: readonly { readonly id: string }[], prefix: string): string {
  const numbers = list.map(({ id }) => new RegExp(`^${prefix}-(\\d{1,9})$`).exec(id)?.[1]).map((digits) => Number(digits ?? 0));
  return `${prefix}-${Math.max(0, ...numbers) + 1}`;
}

function placeBefore(list: readonly { readonly id: string }[], before: string | undefined): number {
  const at = before === undefined ? -1 : list.findIndex((one) => one.id === before);
  return at < 0 ? list.length : at;
}
