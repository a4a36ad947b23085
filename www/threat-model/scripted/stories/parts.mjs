// What the stories are made of: words, calls, looking at the document, and choosing from what was seen.
// Enters: the calls so far. Leaves: blocks.

import { reasonIn, seen } from "../reading.mjs";

const PAGE = 50;

/** Words. */
export const text = (words) => ({ text: words });

/** A call; the graph tools say their own name in the input. */
export const call = (tool, input) => ({ tool, input: /^(add|update|delete)_/.test(tool) ? { action: tool, ...input } : input });

/** A look at one kind of thing. */
export const search = (kind, more = {}) => call("search_entities", { kind, limit: PAGE, ...more });

/** What was seen of the kinds, or the words and calls that look at them first. */
export function look(state, words, kinds) {
  const found = Object.fromEntries(kinds.map((kind) => [kind, seen(state.calls, kind)]));
  const unseen = kinds.filter((kind) => found[kind] === undefined);
  if (unseen.length === 0) return { found };
  // a look that failed is not tried again: what cannot be seen is not there for this story
  if (state.calls.some((each) => each.tool === "search_entities")) return { found: Object.fromEntries(kinds.map((kind) => [kind, found[kind] ?? []])) };
  return { first: [text(words), ...unseen.map((kind) => search(kind))] };
}

/** The entity that shares the most words with what was asked; the first of those that are as good. */
export function closest(entities, asked) {
  const wanted = wordsIn(asked);
  const score = (entity) => wordsIn(`${entity.name ?? ""} ${entity.title ?? ""}`).filter((word) => wanted.includes(word)).length;
  return entities.reduce((best, entity) => (best === undefined || score(entity) > score(best) ? entity : best), undefined);
}

/** The calls that changed something or tried to. */
export const changes = (state) => state.calls.filter((each) => /^(add|update|delete)_/.test(each.tool));

/** The person's reason for a denial, put before an answer to it. */
export function heard(calls, otherwise = "Understood. ") {
  const reason = calls.filter((each) => !each.ok).map((each) => reasonIn(each.told)).find((words) => words !== "");
  return reason === undefined ? otherwise : `You said: “${reason}”. `;
}

/** “a”, “a” and “b”, “a”, “b” and “c”. */
export function listed(names) {
  const quoted = names.map((name) => `“${name}”`);
  return quoted.length < 2 ? (quoted[0] ?? "nothing") : `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}`;
}

/** "1 threat", "3 threats". */
export const many = (n, one, more = `${one}s`) => `${n} ${n === 1 ? one : more}`;

function wordsIn(words) {
  return words.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 3);
}
