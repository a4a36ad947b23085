// The providers' own SDKs: each over its client with the fetch replaced, the answer folded by its own helper where it has one.
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { MODEL } from "../streams.mjs";
import { PROMPT, responseOf } from "./lib/host.mjs";

export const meta = { id: "sdk", title: "the providers' own SDKs", kind: "peer", w1: ["anthropic", "openai", "responses", "gemini"] };

const settings = (chunks) => ({ apiKey: "k", fetch: async () => responseOf(chunks), dangerouslyAllowBrowser: true, maxRetries: 0 });
const messages = [{ role: "user", content: PROMPT }];

const ASK = {
  async anthropic(chunks, model) {
    const { content } = await new Anthropic(settings(chunks)).messages.stream({ model, max_tokens: 4096, messages }).finalMessage();
    const calls = content.filter(({ type }) => type === "tool_use").map(({ id, name, input }) => ({ id, name, input }));
    return { text: textOf(content), calls };
  },
  async openai(chunks, model) {
    const { choices: [{ message }] } = await new OpenAI(settings(chunks)).chat.completions.stream({ model, messages }).finalChatCompletion();
    const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: json } }) => ({ id, name, input: JSON.parse(json) }));
    return { text: message.content ?? "", calls };
  },
  async responses(chunks, model) {
    const { output } = await new OpenAI(settings(chunks)).responses.stream({ model, input: PROMPT }).finalResponse();
    const calls = output.filter(({ type }) => type === "function_call").map(({ call_id: id, name, arguments: json }) => ({ id, name, input: JSON.parse(json) }));
    return { text: output.map(({ content }) => textOf(content ?? [])).join(""), calls };
  },
  // it has no helper that folds a stream: its chats keep the parts as they came
  async gemini(chunks, model) {
    const fetched = globalThis.fetch;
    globalThis.fetch = async () => responseOf(chunks);
    try {
      const done = { text: "", calls: [] };
      for await (const { candidates } of await new GoogleGenAI({ apiKey: "k" }).models.generateContentStream({ model, contents: PROMPT })) {
        for (const { text = "", functionCall: call } of candidates?.[0]?.content?.parts ?? []) {
          done.text += text;
          if (call !== undefined) done.calls.push({ id: call.id, name: call.name, input: call.args });
        }
      }
      return done;
    } finally {
      globalThis.fetch = fetched;
    }
  },
};

const textOf = (parts) => parts.map(({ text }) => text ?? "").join("");

export const w1 = (chunks, { provider }) => ASK[provider](chunks, MODEL[provider]);
