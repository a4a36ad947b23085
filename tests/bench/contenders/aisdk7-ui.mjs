import { aiSdk } from "./lib/ai-sdk.mjs";
import { seven } from "./lib/seven.mjs";

export const meta = { id: "aisdk7-ui", title: "AI SDK 7, read as its chat hook holds it", kind: "peer", w1: ["anthropic", "openai"], w1obs: ["anthropic"] };

export const skip = (_workload, { cut }) => cut !== "event";

export const { uiStream: w1 } = aiSdk({ ...seven, seven: true });
