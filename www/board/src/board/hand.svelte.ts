// What the person has in hand: a card that is carried, the card that has the focus, what is filtered, what is looked at.
// Enters: the desk. Leaves: the board as it is drawn, and edits of the desk.

import { tick } from "svelte";

import type { PageVoice } from "../app/voice.svelte.ts";
import type { Desk } from "../document/desk.svelte.ts";
import { Draft } from "../document/draft.ts";
import { byId, type Board, type Card, type Label, type Person } from "../document/model.ts";
import { strings } from "../strings.ts";
import { clip, fill } from "../words.ts";
import type { Proposal } from "./proposal.ts";

/** Where a carried card would be put down. */
export interface Carried {
  readonly id: string;
  readonly lane: string;
  /** The card it would stand before; at the end of the lane where there is none. */
  readonly before: string | undefined;
  readonly by: "keys" | "pointer";
}

/** What is shown: everybody's, one person's, or nobody's cards; those with a label. */
export interface Filter {
  readonly person: string | "nobody" | undefined;
  readonly label: string | undefined;
}

const EVERYTHING: Filter = { person: undefined, label: undefined };

/** The person's hand over the board. */
export class Hand {
  /** The card that is carried. */
  carried: Carried | undefined = $state.raw();
  /** What is shown. */
  filter: Filter = $state.raw(EVERYTHING);
  /** The card whose details are open. */
  opened: string | undefined = $state();
  /** The card that keys act on. */
  current: string | undefined = $state();
  /** The lane that is being named. */
  naming: string | undefined = $state();
  /** The lane a card is being added to. */
  adding: string | undefined = $state();
  /** What a proposed change would do. */
  proposal: Proposal | undefined = $state.raw();

  constructor(
    readonly desk: Desk,
    readonly voice: PageVoice,
  ) {}

  /** The board with the carried card where it would be put down. */
  get shown(): Board {
    return this.#shown;
  }

  readonly #shown = $derived.by(() => {
    const { carried } = this;
    const { board } = this.desk;
    if (carried === undefined || byId(board.lanes, carried.lane) === undefined) return board;
    const draft = new Draft(board);
    draft.moveCard(carried.id, carried.lane, carried.before);
    return draft.board;
  });

  // by lane, in one walk over the board
  readonly #visible = $derived.by(() => {
    const lanes = new Map<string, Card[]>(this.#shown.lanes.map((lane) => [lane.id, []]));
    for (const card of this.#shown.cards) if (this.#passes(card)) lanes.get(card.lane)?.push(card);
    return lanes;
  });

  /** The cards of a lane that are shown. */
  visible(lane: string): readonly Card[] {
    return this.#visible.get(lane) ?? [];
  }

  /** Whether something is left out. */
  get isFiltered(): boolean {
    return this.filter.person !== undefined || this.filter.label !== undefined;
  }

  /** Shows everything. */
  showAll(): void {
    this.filter = EVERYTHING;
  }

  // every card asks: it is found once
  readonly #stop = $derived.by(() => {
    const current = byId(this.#shown.cards, this.current);
    const isShown = current !== undefined && this.#passes(current) && this.#visible.has(current.lane);
    return isShown ? current.id : [...this.#visible.values()].find((cards) => cards.length > 0)?.[0]?.id;
  });

  /** The card that one tab stop leads to. */
  get stop(): string | undefined {
    return this.#stop;
  }

  // the same lists while a board changes that holds the same people and labels
  readonly #people = $derived.by(() => this.desk.board.people);
  readonly #labels = $derived.by(() => this.desk.board.labels);

  /** Who can have a card. */
  get people(): readonly Person[] {
    return this.#people;
  }

  /** What a card can carry. */
  get labels(): readonly Label[] {
    return this.#labels;
  }

  /** What a proposed change would do, where it is about this card; a card that it is not about is not drawn anew. */
  proposed(id: string): Proposal | undefined {
    const { proposal } = this;
    return proposal !== undefined && (proposal.removed.has(id) || proposal.moved.has(id) || proposal.changed.has(id)) ? proposal : undefined;
  }

  /** Takes a card up by keyboard. */
  pickUp(id: string): void {
    const card = byId(this.desk.board.cards, id);
    if (card === undefined) return;
    const order = this.visible(card.lane);
    this.carried = { id, lane: card.lane, before: order[order.indexOf(card) + 1]?.id, by: "keys" };
    this.voice.sayNow(this.#place(strings.carry.up));
  }

  /** Moves a carried card by keyboard: places up or down, or lanes to the side. */
  async carry(places: number, lanes: number): Promise<void> {
    const { carried } = this;
    if (carried === undefined) return;
    const order = this.visible(carried.lane).filter((card) => card.id !== carried.id);
    const at = carried.before === undefined ? order.length : order.findIndex((card) => card.id === carried.before);
    const from = this.#shown.lanes.findIndex((lane) => lane.id === carried.lane);
    const lane = this.#shown.lanes[from + lanes]?.id;
    if (lane === undefined) return;
    const target = lanes === 0 ? order : this.visible(lane);
    const place = Math.min(Math.max(0, at + places), target.length);
    this.carried = { ...carried, lane, before: target[place]?.id };
    this.voice.sayNow(this.#place(strings.carry.at));
    await this.focus(carried.id);
  }

  /** Holds a carried card over a place, by pointer. */
  hover(id: string, lane: string, before: string | undefined): void {
    const { carried } = this;
    if (carried?.id === id && carried.lane === lane && carried.before === before) return;
    this.carried = { id, lane, before, by: "pointer" };
  }

  /** Puts a carried card down. */
  async drop(): Promise<void> {
    const { carried } = this;
    if (carried === undefined) return;
    if (carried.by === "keys") this.voice.sayNow(this.#place(strings.carry.dropped));
    this.carried = undefined;
    this.move(carried.id, carried.lane, carried.before);
    await this.focus(carried.id);
  }

  /** Puts a carried card back. */
  async putBack(): Promise<void> {
    const { carried } = this;
    if (carried === undefined) return;
    this.carried = undefined;
    const card = byId(this.desk.board.cards, carried.id);
    this.voice.sayNow(card === undefined ? strings.carry.gone : fill(strings.carry.cancelled, { title: clip(card.title) }));
    if (carried.by === "keys" && card !== undefined) await this.focus(carried.id);
  }

  /** Moves a card, as one step. */
  move(id: string, lane: string, before?: string): void {
    const { board } = this.desk;
    const card = byId(board.cards, id);
    const to = byId(board.lanes, lane);
    if (card === undefined || to === undefined) return;
    const label = card.lane === lane ? fill(strings.edits.placeCard, { title: clip(card.title) }) : fill(strings.edits.moveCard, { title: clip(card.title), lane: clip(to.name) });
    this.desk.edit(label, (draft) => draft.moveCard(id, lane, before));
  }

  /** Moves a card up or down among those that are shown. */
  shift(id: string, step: 1 | -1): void {
    const card = byId(this.desk.board.cards, id);
    if (card === undefined) return;
    const order = this.visible(card.lane);
    const at = order.findIndex((one) => one.id === id);
    if (step === -1 ? at > 0 : at < order.length - 1) this.move(id, card.lane, order[step === -1 ? at - 1 : at + 2]?.id);
  }

  /** Deletes a card; the focus goes on to its neighbour. */
  async deleteCard(id: string): Promise<void> {
    const card = byId(this.desk.board.cards, id);
    if (card === undefined) return;
    const order = this.visible(card.lane);
    const at = order.findIndex((one) => one.id === id);
    const next = order[at + 1] ?? order[at - 1];
    const label = fill(strings.edits.deleteCard, { title: clip(card.title) });
    this.desk.edit(label, (draft) => draft.deleteCards([id]));
    this.#tellDeleted(card.title);
    if (next !== undefined) await this.focus(next.id);
    else await this.#focus(`[data-lane="${CSS.escape(card.lane)}"] .add-card`);
  }

  /** Deletes a lane with its cards. */
  deleteLane(id: string): void {
    const lane = byId(this.desk.board.lanes, id);
    if (lane === undefined) return;
    this.desk.edit(fill(strings.edits.deleteLane, { name: clip(lane.name) }), (draft) => draft.deleteLane(id));
    this.#tellDeleted(lane.name);
  }

  /** Opens a card's details, or closes them. */
  async open(id: string | undefined): Promise<void> {
    const before = this.opened;
    this.opened = id;
    if (id === undefined && before !== undefined) await this.focus(before);
  }

  /** Gives a card the focus. */
  async focus(id: string): Promise<void> {
    this.current = id;
    await this.#focus(`[data-card="${CSS.escape(id)}"] .card-face`);
  }

  async #focus(selector: string): Promise<void> {
    await tick();
    const at = document.querySelector<HTMLElement>(selector);
    at?.focus({ preventScroll: true });
    at?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #passes(card: Card): boolean {
    const { person, label } = this.filter;
    if (this.carried?.id === card.id) return true;
    const isOfPerson = person === undefined || (person === "nobody" ? card.assignee === undefined : card.assignee === person);
    return isOfPerson && (label === undefined || card.labels?.includes(label) === true);
  }

  #place(sentence: string): string {
    const { id = "", lane = "" } = this.carried ?? {};
    const order = this.visible(lane);
    const at = order.findIndex((card) => card.id === id);
    return fill(sentence, { title: clip(order[at]?.title ?? ""), lane: byId(this.#shown.lanes, lane)?.name ?? "", at: at + 1, of: order.length });
  }

  #tellDeleted(what: string): void {
    this.voice.note(fill(strings.edits.deleted, { what: clip(what) }), { label: strings.bar.undo, run: () => this.desk.undo() });
  }
}
