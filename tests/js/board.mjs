// A small document of its own for the tests: a board of cards, with tools that the page runs.
import { tool, ToolError } from "countersign";

export const definition = { kind: "board", sections: [{ name: "cards", path: "/cards", titleKey: "title" }] };

export const initial = () => ({ title: "Plan", cards: [{ id: "card-1", title: "Write" }, { id: "card-2", title: "Test" }] });

const object = (properties, required = Object.keys(properties)) => ({ type: "object", properties, required, additionalProperties: false });

/** Reads without asking. */
export const countCards = tool({
  name: "count_cards",
  description: "Counts the cards.",
  inputSchema: object({}),
  effect: "read",
  execute: (_input, { document }) => ({ result: { count: document.cards.length } }),
});

/** Asks, and adds a card by a patch. */
export const addCard = tool({
  name: "add_card",
  description: "Adds a card.",
  inputSchema: object({ title: { type: "string" } }),
  summary: "Add {title}",
  execute: ({ title }, { document }) => {
    const id = `card-${1 + Math.max(0, ...document.cards.map((card) => Number(card.id.split("-")[1])))}`;
    return { result: `added ${id}`, patch: [{ op: "add", path: "/cards/-", value: { id, title } }] };
  },
});

/** Destroys, so it is approved alone; gives the whole next document. */
export const removeCard = tool({
  name: "remove_card",
  description: "Removes a card.",
  inputSchema: object({ id: { type: "string" } }),
  destructive: true,
  summary: "Remove {id}",
  execute: ({ id }, { document }) => {
    if (!document.cards.some((card) => card.id === id)) throw new ToolError(`there is no card \`${id}\``);
    return { result: `removed ${id}`, document: { ...document, cards: document.cards.filter((card) => card.id !== id) } };
  },
});

export const boardTools = [countCards, addCard, removeCard];

/** Calls as a script writes them. */
export const add = (title) => ({ name: "add_card", input: { title } });
export const remove = (id) => ({ name: "remove_card", input: { id } });

/** Resolves once the session's view is as `wanted` says. */
export async function until(session, wanted) {
  if (wanted(session.view)) return session.view;
  let stop;
  let timer;
  try {
    return await new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`the view never became as wanted: ${JSON.stringify(session.view, null, 1)}`)), 5000);
      stop = session.subscribe(() => {
        if (wanted(session.view)) resolve(session.view);
      });
    });
  } finally {
    clearTimeout(timer);
    stop?.();
  }
}

export const waits = (view) => view.phase === "awaiting_approval";

/** What was handed to the host's own error reporting while `work` ran. */
export async function reported(work) {
  const { queueMicrotask: real } = globalThis;
  const errors = [];
  globalThis.queueMicrotask = (fn) =>
    real(() => {
      try {
        fn();
      } catch (error) {
        errors.push(error);
      }
    });
  try {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 10));
  } finally {
    globalThis.queueMicrotask = real;
  }
  return errors;
}

/** The last tool results the model was sent, by call id. */
export function results(messages) {
  return messages.flatMap((message) => message.content.filter((block) => block.type === "tool_result"));
}
