export { stream as w1, turn as w2 } from "./lib/tanstack.mjs";

export const meta = { id: "tanstack", title: "TanStack AI, the events of its chat", kind: "peer", w1: ["anthropic", "openai"], w2: ["anthropic", "openai"] };
