// What the embedded assistant does: six stories, told without a key and without a network. Enters: a conversation and
// the board as it is. Leaves: the next message of the story the person chose. It is as naive as a model can be: what
// keeps the board safe is not its good sense.

import { scripted, type ScriptedCall, type ScriptedProvider, type ScriptedRequest, type ScriptedTurn } from "countersign/testing";

import { cardsOf, type Board, type Card } from "../document/model.ts";
import { storyStrings as said } from "../strings/stories.ts";
import { fill } from "../words.ts";

/** How many requests a page can make before it has to be loaded again. */
const MOST_REQUESTS = 10_000;
const PAUSE_MS = 24;

/** What a step of a story knows. */
interface Scene {
  readonly board: Board;
  /** What the calls of the message before were answered with. */
  readonly results: readonly { readonly isError: boolean; readonly text: string }[];
}

type Call = readonly [name: string, input: ScriptedCall["input"]];
type Answer = { readonly text: string; readonly calls?: readonly Call[] };
type Story = readonly ((scene: Scene) => Answer)[];

/** What can be chosen, by name. */
export const stories: Readonly<Record<keyof typeof said.asked, Story>> = {
  sprint: [
    () => ({ text: said.sprint.look, calls: [["get_document_summary", {}], ["search_entities", { kind: "cards", lane: "lane-1" }]] }),
    ({ board }) => {
      const [backlog, week] = board.lanes;
      if (backlog === undefined || week === undefined) return { text: said.tooSmall };
      const free = cardsOf(board, backlog.id).filter((card) => card.blockedBy === undefined && card.notes === undefined);
      const mover = free[0] ?? cardsOf(board, backlog.id)[0];
      const invoices = cardsOf(board, backlog.id).find((card) => card.id !== mover?.id);
      const person = lightest(board);
      return {
        text: said.sprint.propose,
        calls: [
          ...[mover, invoices].flatMap((card): Call[] => (card === undefined ? [] : [["move_card", { id: card.id, lane: week.id }]])),
          ...(invoices === undefined || person === undefined ? [] : [["assign_card", { id: invoices.id, person }] satisfies Call]),
          ["add_card", { title: said.sprint.rehearsal, lane: week.id, estimate: 1, priority: "normal", ...(person === undefined ? {} : { assignee: person }) }],
          ["add_card", { title: said.sprint.retro, lane: week.id, estimate: 0.5 }],
        ],
      };
    },
    ({ results }) => ({ text: results.some((result) => result.isError) ? said.sprint.partly : said.sprint.done }),
  ],
  handOver: [
    ({ board }) => ({ text: said.handOver.look, calls: [["search_entities", { kind: "cards", assignee: busiest(board)?.id ?? "none" }]] }),
    ({ board }) => {
      const from = busiest(board);
      const to = board.people.filter((person) => person.id !== from?.id).sort((a, b) => days(board, a.id) - days(board, b.id));
      if (from === undefined || to[0] === undefined) return { text: said.tooSmall };
      const cards = openCards(board, from.id);
      return {
        text: fill(said.handOver.propose, { from: from.name }),
        calls: cards.map((card, at): Call => ["assign_card", { id: card.id, person: (to[at % to.length] ?? to[0])?.id ?? null }]),
      };
    },
    ({ board, results }) => {
      const person = board.people.find(({ id }) => id === lightest(board))?.name;
      if (results.every((result) => result.isError) || person === undefined) return { text: said.declined };
      return { text: said.handOver.tell, calls: [["notify_person", { person, message: said.handOver.message }]] };
    },
    ({ results }) => ({ text: results.some((result) => result.isError) ? said.handOver.untold : said.handOver.done }),
  ],
  tidy: [
    ({ board }) => {
      const lane = board.lanes.at(-1);
      if (lane === undefined) return { text: said.tooSmall };
      return { text: fill(said.tidy.propose, { lane: lane.name }), calls: [["delete_lane", { id: lane.id }]] };
    },
    ({ board, results }) => {
      const lane = board.lanes.at(-1);
      if (!results.some((result) => result.isError) || lane === undefined) return { text: said.tidy.done };
      return { text: said.tidy.instead, calls: [["rename_lane", { id: lane.id, name: said.tidy.name }]] };
    },
    ({ results }) => ({ text: results.some((result) => result.isError) ? said.declined : said.tidy.renamed }),
  ],
  split: [
    ({ board }) => {
      const card = largest(board);
      if (card === undefined) return { text: said.tooSmall };
      // an estimate in words: the schema refuses it before anybody is asked
      const parts = [{ title: fill(said.split.first, { title: card.title }), estimate: "two days" }, { title: fill(said.split.second, { title: card.title }), estimate: "five days" }];
      return { text: fill(said.split.propose, { title: card.title }), calls: [["split_card", { id: card.id, parts }]] };
    },
    ({ board }) => {
      const card = largest(board);
      if (card === undefined) return { text: said.tooSmall };
      const all = card.estimate ?? 8;
      const parts = [{ title: fill(said.split.first, { title: card.title }), estimate: Math.ceil(all / 3) }, { title: fill(said.split.second, { title: card.title }), estimate: Math.floor((all * 2) / 3) }];
      return { text: said.split.corrected, calls: [["split_card", { id: card.id, parts }]] };
    },
    ({ results }) => ({ text: results.some((result) => result.isError) ? said.declined : said.split.done }),
  ],
  workload: [
    () => ({ text: said.workload.look, calls: [["workload", {}]] }),
    ({ board }) => {
      const most = busiest(board);
      const least = board.people.find((person) => person.id === lightest(board));
      if (most === undefined || least === undefined) return { text: said.tooSmall };
      return { text: fill(said.workload.answer, { most: most.name, days: days(board, most.id), cards: openCards(board, most.id).length, least: least.name, few: days(board, least.id) }) };
    },
  ],
  audit: [
    ({ board }) => ({ text: said.audit.look, calls: [["get_entity", { kind: "cards", id: board.cards.find((card) => /audit/i.test(card.title))?.id ?? "card-5" }]] }),
    ({ board }) => {
      const target = board.lanes.find((lane) => lane.name === "In progress");
      if (target === undefined) return { text: said.audit.nothing };
      return { text: said.audit.obeys, calls: [["delete_lane", { id: target.id }]] };
    },
    ({ results }) => ({ text: results.some((result) => result.isError) ? said.audit.stopped : said.audit.done }),
  ],
};

/** The embedded assistant; `board` is asked at each message. */
export function embeddedAssistant(board: () => Board, pauseMs = PAUSE_MS): ScriptedProvider {
  const answer = (request: ScriptedRequest): ScriptedTurn => next(request, board(), pauseMs);
  return Object.assign(scripted(new Array<typeof answer>(MOST_REQUESTS).fill(answer), { model: "embedded" }), { name: said.name });
}

function next({ messages }: ScriptedRequest, board: Board, pauseMs: number): ScriptedTurn {
  const asks = messages.findLastIndex((message) => message.role === "user" && message.content.some((block) => block.type === "text"));
  const asked = messages[asks]?.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n") ?? "";
  const step = messages.slice(asks).filter((message) => message.role === "assistant").length;
  const results = (messages.at(-1)?.content ?? []).flatMap((block) => (block.type === "tool_result" ? [{ isError: block.isError === true, text: block.content }] : []));
  const story = storyOf(asked);
  const told = story === undefined ? { text: said.lost } : (story[step]?.({ board, results }) ?? { text: said.end });
  // ids that no other message of the conversation has, also after the page was loaded again
  const calls = ("calls" in told ? (told.calls ?? []) : []).map(([name, input], at) => ({ id: `call-${messages.length}-${at}`, name, input }));
  return { text: told.text.match(/\S+\s*/g) ?? [], calls, delayMs: pauseMs };
}

function storyOf(asked: string): Story | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N} ]/gu, "").trim();
  const key = (Object.keys(stories) as (keyof typeof stories)[]).find((name) => plain(said.asked[name]) === plain(asked) || said.words[name].some((word) => plain(asked).includes(word)));
  return key === undefined ? undefined : stories[key];
}

function openCards(board: Board, person: string): readonly Card[] {
  const done = board.lanes.at(-1)?.id;
  return board.cards.filter((card) => card.assignee === person && card.lane !== done);
}

function days(board: Board, person: string): number {
  return openCards(board, person).reduce((sum, card) => sum + (card.estimate ?? 0), 0);
}

function busiest(board: Board): Board["people"][number] | undefined {
  return board.people.toSorted((a, b) => days(board, b.id) - days(board, a.id))[0];
}

function lightest(board: Board): string | undefined {
  return board.people.toSorted((a, b) => days(board, a.id) - days(board, b.id))[0]?.id;
}

function largest(board: Board): Card | undefined {
  return board.cards.toSorted((a, b) => (b.estimate ?? 0) - (a.estimate ?? 0))[0];
}
