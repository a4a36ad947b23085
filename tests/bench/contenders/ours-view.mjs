// This package read as the others are: after every delta the whole text so far, from the loop.
import { init as load, meta as ours, w1after as after, w1setup as setup } from "./ours.mjs";
import { MODEL } from "../streams.mjs";
import { PROMPT, SYSTEM } from "./lib/host.mjs";

export const meta = { id: "ours-view", title: "Countersign, the whole text read from its loop", kind: "ours" };

export async function init() {
  await load();
  meta.w1obs = ours.w1obs.filter((provider) => provider === "anthropic");
}

export const w1setup = setup;

export function w1(chunks, { observe }, loop) {
  const [{ id }] = loop.dispatch({ type: "submit", text: PROMPT, nowMs: 0 }).effects;
  loop.request(id, "anthropic", { model: MODEL.anthropic, system: SYSTEM });
  let text = "";
  for (const chunk of chunks) {
    for (const update of loop.feed(id, chunk, 0).updates) {
      if (update.type !== "text") continue;
      text = loop.answer();
      observe(text);
    }
  }
  return { text, calls: [] };
}

export const w1after = after;
