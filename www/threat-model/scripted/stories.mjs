// What the embedded assistant says: six stories over whatever document is open, and a friendly answer to anything else.
// Enters: where the conversation stands. Leaves: blocks of text and tool calls. A function of the history alone.

import { addCache } from "./stories/add-cache.mjs";
import { cleanUp } from "./stories/clean-up.mjs";
import { explain, review, whatIsUnprotected } from "./stories/looking.mjs";
import { makeMistakes } from "./stories/mistakes.mjs";
import { text } from "./stories/parts.mjs";

const STORIES = [
  [/\bmistakes?\b/i, makeMistakes],
  [/\bwithout end\b|\bagain and again\b/i, review],
  [/\bexplain\b/i, explain],
  [/\bunprotected\b|\bnot protected\b|\bat stake\b/i, whatIsUnprotected],
  [/\bcach(e|es|ing)\b/i, addCache],
  [/\b(clean|tidy)\b|\bexport\b/i, cleanUp],
];

/** The next answer. */
export function answer(state) {
  const story = STORIES.find(([asked]) => asked.test(state.asked))?.[1];
  if (story === undefined) return friendly();
  if (!state.tools.has("search_entities") && state.calls.length === 0) return { blocks: [text("This page gives me no way to look at the document, so I cannot help with it.")] };
  return { blocks: story(state) };
}

function friendly() {
  return {
    blocks: [text(
      "I am the scripted assistant that comes with this page, so I know six requests by heart. Ask me to “add a cache” and I propose several additions " +
      "that you can approve together. Ask me to “clean up the old export” and I propose a deletion, which you always decide on its own, beside another change. " +
      "Ask “what is unprotected?” and I look around without changing anything. Ask me to make mistakes, to explain everything, or to review without end, " +
      "and you see how each of these ends well. Whatever you deny, tell me why: I read it and propose something else.",
    )],
  };
}
