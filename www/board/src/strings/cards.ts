// What the cards of this editor say where it differs from the elements' own words: its sections and fields by name.

/** The words, for `countersign-transcript` and `countersign-composer`. */
export const cardWords = {
  card: { outside: "This reaches somebody outside the board at once and cannot be undone." },
  sections: { lanes: ["lane", "lanes"], cards: ["card", "cards"], people: ["person", "people"], labels: ["label", "labels"] },
  fields: { lane: "Lane", assignee: "Assignee", labels: "Labels", blockedBy: "Blocked by", estimate: "Estimate", due: "Due", priority: "Priority", notes: "Notes", title: "Title", name: "Name", person: "Person", message: "Message", parts: "Parts", before: "Before", id: "Card", clear: "Leave out" },
  composer: { placeholder: "Ask about the board, or for a change" },
} as const;
