import { aiSdk } from "./lib/ai-sdk.mjs";
import { seven } from "./lib/seven.mjs";

export const meta = { id: "aisdk7", title: "AI SDK 7, streamText and its full stream", kind: "peer", w1: ["anthropic", "openai"], w2: ["anthropic", "openai"] };

export const { stream: w1, turn: w2 } = aiSdk({ ...seven, seven: true });
