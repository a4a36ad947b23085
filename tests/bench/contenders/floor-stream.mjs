// A limit for whatever reads a fetched response: the same parser behind the reader of its body.
import { createParser } from "eventsource-parser";
import { responseOf } from "./lib/host.mjs";
import { reducerOf } from "./lib/reduce.mjs";

export const meta = { id: "floor-stream", title: "a response's reader, eventsource-parser, JSON.parse, concatenate", kind: "limit", w1: ["anthropic", "openai"], w1obs: ["anthropic"] };

export async function w1(chunks, { provider, observe }) {
  const reducer = reducerOf(provider);
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent({ data }) {
      if (data === "[DONE]") return;
      reducer.take(JSON.parse(data));
      if (observe !== undefined) observe(reducer.text);
    },
  });
  const reader = responseOf(chunks).body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return reducer;
    parser.feed(decoder.decode(value, { stream: true }));
  }
}
