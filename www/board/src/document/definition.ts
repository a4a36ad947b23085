// What a board is: its schema, its sections and their references, how it is read, and the one rule that no schema can say.

import type { DocumentDefinition, JsonSchema } from "countersign";

import { COLOURS, PRIORITIES, waitsFor, type Board } from "./model.ts";

const id: JsonSchema = { type: "string", minLength: 1, maxLength: 80 };
const name: JsonSchema = { type: "string", minLength: 1, maxLength: 60 };
const ids: JsonSchema = { type: "array", items: id, maxItems: 20, uniqueItems: true };

/** The members of a card without its id, as the schema and the tools say them. */
export const cardFields = {
  title: { type: "string", minLength: 1, maxLength: 120 },
  lane: { ...id, description: "The id of a lane." },
  assignee: { ...id, description: "The id of a person." },
  labels: { ...ids, description: "Ids of labels." },
  blockedBy: { ...ids, description: "Ids of the cards that have to be done first." },
  estimate: { type: "number", minimum: 0, maximum: 100, description: "In days." },
  due: { type: "string", pattern: "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$", description: "A day, as 2026-03-31." },
  priority: { type: "string", enum: [...PRIORITIES] },
  notes: { type: "string", maxLength: 4000 },
} satisfies Record<string, JsonSchema>;

function listOf(properties: Record<string, JsonSchema>, required: readonly string[]): JsonSchema {
  return { type: "array", items: { type: "object", properties: { id, ...properties }, required: ["id", ...required], additionalProperties: false } };
}

/** The board as a document. */
export const definition: DocumentDefinition = {
  kind: "board",
  schema: {
    type: "object",
    properties: {
      title: name,
      lanes: listOf({ name }, ["name"]),
      people: listOf({ name }, ["name"]),
      labels: listOf({ name, colour: { type: "string", enum: [...COLOURS] } }, ["name", "colour"]),
      cards: listOf(cardFields, ["title", "lane"]),
    },
    required: ["title", "lanes", "people", "labels", "cards"],
    additionalProperties: false,
  },
  sections: [
    { name: "lanes", path: "/lanes", titleKey: "name", idPrefix: "lane", backReferences: [{ name: "cards", section: "cards", path: "/lane" }] },
    { name: "people", path: "/people", titleKey: "name", idPrefix: "person", backReferences: [{ name: "cards", section: "cards", path: "/assignee" }] },
    { name: "labels", path: "/labels", titleKey: "name", idPrefix: "label", backReferences: [{ name: "cards", section: "cards", path: "/labels" }] },
    {
      name: "cards",
      path: "/cards",
      titleKey: "title",
      idPrefix: "card",
      references: [
        { path: "/lane", section: "lanes", onDelete: "cascade" },
        { path: "/assignee", section: "people", onDelete: "clear" },
        { path: "/labels", section: "labels", onDelete: "clear" },
        { path: "/blockedBy", section: "cards", onDelete: "clear" },
      ],
      text: ["/notes"],
      filters: {
        lane: { path: "/lane", match: "equal" },
        assignee: { path: "/assignee", match: "equal_or_none" },
        label: { path: "/labels", match: "equal" },
        blocked_by: { path: "/blockedBy", match: "equal" },
        priority: { path: "/priority", match: "equal_or_none" },
      },
      compact: ["/lane", "/assignee", "/labels", "/blockedBy", "/estimate", "/due", "/priority"],
      counts: ["/priority"],
      backReferences: [{ name: "blocks", section: "cards", path: "/blockedBy" }],
    },
  ],
  rules: (document) => circles(document as unknown as Board),
};

// a card that waits for itself would never be begun
function circles(board: Board): string[] {
  return board.cards
    .filter((card) => (card.blockedBy ?? []).some((other) => waitsFor(board, other, card.id)))
    .map((card) => `cards: \`${card.id}\` is blocked, through the cards that block it, by itself`);
}
