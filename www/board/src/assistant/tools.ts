// What the assistant can do here. Enters: a board as a tool is given it, and an input that was approved. Leaves: a patch
// that depends on these two alone, so that what a card showed is what is done, or a line that says why it cannot be.

import { ToolError, readTools, tool, type Json, type JsonSchema, type SessionTool, type ToolRun } from "countersign";

import { cardFields, definition } from "../document/definition.ts";
import { Draft, type NewCard } from "../document/draft.ts";
import { byId, waitsFor, type Board, type Card, type Optional } from "../document/model.ts";

/** Whether these tools are run on a draft, so that a card shows what they would do. */
const PREVIEWED = true;

const previewed: { readonly preview?: true } = PREVIEWED ? { preview: true } : {};

/** What a message to a person is handed to. */
export type Post = (to: string, text: string) => void;

/** The tools of the session. */
export function boardTools(post: Post): readonly SessionTool[] {
  return [...readTools(definition), workload, addCard, updateCard, moveCard, assignCard, splitCard, deleteCard, addLane, renameLane, deleteLane, notifyPerson(post)];
}

const cardId: JsonSchema = { ...cardFields.lane, description: "The id of a card." };
const laneId = cardFields.lane;
const laneName: JsonSchema = { type: "string", minLength: 1, maxLength: 60 };

function input(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): { readonly [keyword: string]: unknown } {
  return { type: "object", properties, required, additionalProperties: false };
}

const { title, lane, ...optional } = cardFields;

const addCard = tool({
  name: "add_card",
  description: "Adds a card to the end of a lane, or before another card of it. The id is made here.",
  inputSchema: input({ ...cardFields, before: { ...cardId, description: "The id of the card it shall stand before." } }, ["title", "lane"]),
  summary: "Add “{title}” to {lane}",
  ...previewed,
  execute(given, run) {
    const { before, ...fields } = given as unknown as NewCard & { before?: string };
    const draft = begin(run);
    checkFields(draft.board, fields);
    if (before !== undefined) need(draft.board, "cards", before);
    const id = draft.addCard(fields, before);
    return made(draft, { id });
  },
});

const updateCard = tool({
  name: "update_card",
  description: "Gives other values to fields of a card, and takes the fields of `clear` away. What is not named stays.",
  inputSchema: input({ id: cardId, title, ...optional, clear: { type: "array", items: { type: "string", enum: Object.keys(optional) }, uniqueItems: true } }, ["id"]),
  summary: "Change {id}",
  ...previewed,
  execute(given, run) {
    const { id, clear = [], ...fields } = given as unknown as Partial<NewCard> & { id: string; clear?: readonly Optional[] };
    const draft = begin(run);
    need(draft.board, "cards", id);
    checkFields(draft.board, fields, id);
    draft.updateCard(id, { ...fields, ...Object.fromEntries(clear.map((member) => [member, undefined])) });
    return made(draft, { id });
  },
});

const moveCard = tool({
  name: "move_card",
  description: "Moves a card to the end of a lane, or before another card of it.",
  inputSchema: input({ id: cardId, lane: laneId, before: { ...cardId, description: "The id of the card it shall stand before." } }, ["id", "lane"]),
  summary: "Move {id} to {lane}",
  ...previewed,
  execute(given, run) {
    const { id, lane: to, before } = given as { id: string; lane: string; before?: string };
    const draft = begin(run);
    need(draft.board, "cards", id);
    need(draft.board, "lanes", to);
    if (before !== undefined && need(draft.board, "cards", before).lane !== to) throw new ToolError(`before: \`${before}\` does not stand in \`${to}\``);
    draft.moveCard(id, to, before);
    return made(draft, { id, lane: to });
  },
});

const assignCard = tool({
  name: "assign_card",
  description: "Gives a card to a person, or to nobody where `person` is null.",
  inputSchema: input({ id: cardId, person: { anyOf: [cardFields.assignee, { type: "null" }], description: "The id of a person, or null." } }, ["id", "person"]),
  summary: "Assign {id} to {person}",
  ...previewed,
  execute(given, run) {
    const { id, person } = given as { id: string; person: string | null };
    const draft = begin(run);
    need(draft.board, "cards", id);
    if (person !== null) need(draft.board, "people", person);
    draft.updateCard(id, { assignee: person ?? undefined });
    return made(draft, { id, person });
  },
});

const splitCard = tool({
  name: "split_card",
  description: "Splits a card into two to six: it becomes the first part, new cards with the same person, labels and priority stand behind it.",
  inputSchema: input({ id: cardId, parts: { type: "array", minItems: 2, maxItems: 6, items: input({ title, estimate: cardFields.estimate }, ["title"]) } }, ["id", "parts"]),
  summary: "Split {id}",
  ...previewed,
  execute(given, run) {
    const { id, parts } = given as { id: string; parts: { title: string; estimate?: number }[] };
    const draft = begin(run);
    need(draft.board, "cards", id);
    const others = draft.splitCard(id, parts);
    return made(draft, { ids: [id, ...others] });
  },
});

const deleteCard = tool({
  name: "delete_card",
  description: "Deletes a card. Cards that it blocked are no longer blocked by it.",
  inputSchema: input({ id: cardId }, ["id"]),
  destructive: true,
  summary: "Delete {id}",
  ...previewed,
  execute(given, run) {
    const { id } = given as { id: string };
    const draft = begin(run);
    need(draft.board, "cards", id);
    draft.deleteCards([id]);
    return made(draft, { id });
  },
});

const addLane = tool({
  name: "add_lane",
  description: "Adds a lane at the end, or before another lane. The id is made here.",
  inputSchema: input({ name: laneName, before: { ...laneId, description: "The id of the lane it shall stand before." } }, ["name"]),
  summary: "Add the lane “{name}”",
  ...previewed,
  execute(given, run) {
    const { name, before } = given as { name: string; before?: string };
    const draft = begin(run);
    if (before !== undefined) need(draft.board, "lanes", before);
    const id = draft.addLane(name, before);
    return made(draft, { id });
  },
});

const renameLane = tool({
  name: "rename_lane",
  description: "Gives a lane another name.",
  inputSchema: input({ id: laneId, name: laneName }, ["id", "name"]),
  summary: "Rename {id} to “{name}”",
  ...previewed,
  execute(given, run) {
    const { id, name } = given as { id: string; name: string };
    const draft = begin(run);
    need(draft.board, "lanes", id);
    draft.renameLane(id, name);
    return made(draft, { id });
  },
});

const deleteLane = tool({
  name: "delete_lane",
  description: "Deletes a lane with all of its cards.",
  inputSchema: input({ id: laneId }, ["id"]),
  destructive: true,
  summary: "Delete the lane {id} and all of its cards",
  ...previewed,
  execute(given, run) {
    const { id } = given as { id: string };
    const draft = begin(run);
    need(draft.board, "lanes", id);
    const cards = draft.board.cards.filter((card) => card.lane === id).length;
    draft.deleteLane(id);
    return made(draft, { id, cards });
  },
});

const workload = tool({
  name: "workload",
  description: "Tells for each person how many cards are open and how many days they are estimated at. The last lane counts as done.",
  inputSchema: input({}, []),
  effect: "read",
  execute(_, run) {
    const { board } = begin(run);
    const done = board.lanes.at(-1)?.id;
    const open = (person: string): readonly Card[] => board.cards.filter((card) => card.assignee === person && card.lane !== done);
    return board.people.map(({ id, name }) => ({ id, name, cards: open(id).length, days: open(id).reduce((sum, card) => sum + (card.estimate ?? 0), 0) }));
  },
});

function notifyPerson(post: Post): SessionTool {
  return tool({
    name: "notify_person",
    description: "Sends a short message to a person of the team. It reaches them at once and cannot be taken back.",
    inputSchema: input({ person: { type: "string", minLength: 1, maxLength: 80, description: "The name of a person on the board." }, message: { type: "string", minLength: 1, maxLength: 400 } }, ["person", "message"]),
    external: true,
    summary: "Send a message to {person}: “{message}”",
    execute(given, run) {
      const { person, message } = given as { person: string; message: string };
      const { people } = begin(run).board;
      // by name, since the card a person approves says no more than the input
      if (!people.some(({ name }) => name === person)) throw new ToolError(`there is no \`${person}\` among the people; there are: ${people.slice(0, 10).map(({ name }) => name).join(", ")}`);
      post(person, message);
      return { sent: true };
    },
  });
}

function begin(run: ToolRun): Draft {
  return new Draft(run.document as unknown as Board);
}

function made(draft: Draft, result: Json): { result: Json; patch: Draft["patch"] } {
  return { result, patch: draft.patch };
}

type Listed = "lanes" | "people" | "labels" | "cards";

function need<S extends Listed>(board: Board, section: S, id: string): Board[S][number] {
  const list: readonly Board[S][number][] = board[section];
  const found = byId(list, id);
  if (found !== undefined) return found;
  throw new ToolError(`there is no \`${id}\` among the ${section}; there are: ${list.slice(0, 10).map((one) => one.id).join(", ")}`);
}

function checkFields(board: Board, { lane: to, assignee, labels = [], blockedBy = [] }: Partial<NewCard>, self?: string): void {
  if (to !== undefined) need(board, "lanes", to);
  if (assignee !== undefined) need(board, "people", assignee);
  for (const label of labels) need(board, "labels", label);
  for (const card of blockedBy) {
    need(board, "cards", card);
    if (self !== undefined && waitsFor(board, card, self)) throw new ToolError(`blockedBy: \`${card}\` already waits for \`${self}\``);
  }
}
