export { uiStream as w1 } from "./lib/tanstack.mjs";

export const meta = { id: "tanstack-ui", title: "TanStack AI, read as its chat hook holds it", kind: "peer", w1: ["anthropic", "openai"], w1obs: ["anthropic"] };

// it grows with the square: the largest answer is run once, in one way only
export const skip = (workload, { provider, deltas, cut }) => deltas >= 1e5 && (workload !== "w1" || provider !== "anthropic" || cut !== "event");
