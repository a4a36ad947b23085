// A limit: the least a decoder by hand can do in JavaScript. Nothing is checked and nothing is capped.
import { PROVIDERS, reducerOf } from "./lib/reduce.mjs";

export const meta = { id: "floor-hand", title: "split by hand, JSON.parse, concatenate", kind: "limit", w1: PROVIDERS, w1obs: ["anthropic"], w1hist: ["anthropic"] };

export function w1(chunks, { provider, observe }) {
  const reducer = reducerOf(provider);
  const decoder = new TextDecoder();
  let rest = "";
  for (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (!text.includes("\n")) {
      rest += text;
      continue;
    }
    const lines = rest + text;
    let at = 0;
    for (let end = lines.indexOf("\n"); end >= 0; end = lines.indexOf("\n", at)) {
      if (lines.startsWith("data: ", at)) {
        const data = lines.slice(at + 6, end);
        if (data !== "[DONE]") {
          reducer.take(JSON.parse(data));
          if (observe !== undefined) observe(reducer.text);
        }
      }
      at = end + 1;
    }
    rest = at === 0 ? lines : lines.slice(at);
  }
  return reducer;
}
