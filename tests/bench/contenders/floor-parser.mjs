// A limit: the package `eventsource-parser`, then as by hand.
import { createParser } from "eventsource-parser";
import { reducerOf } from "./lib/reduce.mjs";

export const meta = { id: "floor-parser", title: "eventsource-parser, JSON.parse, concatenate", kind: "limit", w1: ["anthropic", "openai"], w1obs: ["anthropic"] };

export function w1(chunks, { provider, observe }) {
  const reducer = reducerOf(provider);
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent({ data }) {
      if (data === "[DONE]") return;
      reducer.take(JSON.parse(data));
      if (observe !== undefined) observe(reducer.text);
    },
  });
  for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
  return reducer;
}
