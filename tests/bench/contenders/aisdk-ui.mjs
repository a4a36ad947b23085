import * as anthropic from "@ai-sdk/anthropic";
import * as openai from "@ai-sdk/openai";
import * as ai from "ai";
import { aiSdk } from "./lib/ai-sdk.mjs";

export const meta = { id: "aisdk-ui", title: "AI SDK 6, read as its chat hook holds it", kind: "peer", w1: ["anthropic", "openai"], w1obs: ["anthropic"] };

// a message copied for every chunk: the largest answers once only
export const skip = (_workload, { deltas, cut }) => deltas >= 1e5 && cut !== "event";

export const { uiStream: w1 } = aiSdk({ ai, anthropic, openai });
