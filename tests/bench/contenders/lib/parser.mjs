// The package `eventsource-parser` in front of the smallest reducer: what two limits share.
import { createParser } from "eventsource-parser";
import { reducerOf } from "./reduce.mjs";

/** `feed` takes bytes; what they came to so far is in `reducer`. */
export function parserOf(provider, observe) {
  const reducer = reducerOf(provider);
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent({ data }) {
      if (data === "[DONE]") return;
      reducer.take(JSON.parse(data));
      if (observe !== undefined) observe(reducer.text);
    },
  });
  return { reducer, feed: (chunk) => parser.feed(decoder.decode(chunk, { stream: true })) };
}
