// A limit for whatever reads a fetched response: the same parser behind the reader of its body.
import { responseOf } from "./lib/host.mjs";
import { parserOf } from "./lib/parser.mjs";
import { PROVIDERS } from "./lib/reduce.mjs";

export const meta = { id: "floor-stream", title: "a response's reader, eventsource-parser, JSON.parse, concatenate", kind: "limit", w1: PROVIDERS, w1obs: ["anthropic"] };

export async function w1(chunks, { provider, observe }) {
  const { reducer, feed } = parserOf(provider, observe);
  const reader = responseOf(chunks).body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return reducer;
    feed(value);
  }
}
