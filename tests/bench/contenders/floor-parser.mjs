// A limit: the package `eventsource-parser`, then as by hand.
import { parserOf } from "./lib/parser.mjs";
import { PROVIDERS } from "./lib/reduce.mjs";

export const meta = { id: "floor-parser", title: "eventsource-parser, JSON.parse, concatenate", kind: "limit", w1: PROVIDERS, w1obs: ["anthropic"] };

export function w1(chunks, { provider, observe }) {
  const { reducer, feed } = parserOf(provider, observe);
  for (const chunk of chunks) feed(chunk);
  return reducer;
}
