import * as anthropic from "@ai-sdk/anthropic";
import * as openai from "@ai-sdk/openai";
import * as ai from "ai";
import { aiSdk } from "./lib/ai-sdk.mjs";

export const meta = { id: "aisdk", title: "AI SDK 6, streamText and its full stream", kind: "peer", w1: ["anthropic", "openai"], w2: ["anthropic", "openai"] };

export const { stream: w1, turn: w2 } = aiSdk({ ai, anthropic, openai });
