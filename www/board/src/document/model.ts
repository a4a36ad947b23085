// The board as it is read from the store: lanes, people, labels and cards. Data only.

/** A column of the board. */
export interface Lane {
  readonly id: string;
  readonly name: string;
}

/** Somebody of the team. */
export interface Person {
  readonly id: string;
  readonly name: string;
}

/** The colours a label can have. */
export const COLOURS = ["blue", "green", "amber", "red", "violet", "grey"] as const;

/** A mark that cards can carry. */
export interface Label {
  readonly id: string;
  readonly name: string;
  readonly colour: (typeof COLOURS)[number];
}

/** How much a card matters. */
export const PRIORITIES = ["low", "normal", "high"] as const;

/** A piece of work. */
export interface Card {
  readonly id: string;
  readonly title: string;
  readonly lane: string;
  readonly assignee?: string;
  readonly labels?: readonly string[];
  readonly blockedBy?: readonly string[];
  readonly estimate?: number;
  readonly due?: string;
  readonly priority?: (typeof PRIORITIES)[number];
  readonly notes?: string;
}

/** The whole document; the cards of a lane stand in the order of the list. */
export interface Board {
  readonly title: string;
  readonly lanes: readonly Lane[];
  readonly people: readonly Person[];
  readonly labels: readonly Label[];
  readonly cards: readonly Card[];
}

/** A list of the document. */
export type Section = "lanes" | "people" | "labels" | "cards";

/** The members of a card that may be absent. */
export type Optional = "assignee" | "labels" | "blockedBy" | "estimate" | "due" | "priority" | "notes";

/** The cards of one lane, in order. */
export function cardsOf(board: Board, lane: string): readonly Card[] {
  return board.cards.filter((card) => card.lane === lane);
}

/** The one with this id. */
export function byId<T extends { readonly id: string }>(list: readonly T[], id: string | undefined): T | undefined {
  return id === undefined ? undefined : list.find((one) => one.id === id);
}

/** Whether `card` waits, directly or through others, for `other`. */
export function waitsFor(board: Board, card: string, other: string): boolean {
  const seen = new Set<string>();
  const open = [card];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === other) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(byId(board.cards, id)?.blockedBy ?? []));
  }
  return false;
}
