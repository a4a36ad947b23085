// TanStack AI: `chat` over its own providers with their fetch replaced; its `StreamProcessor` is what its chat hook holds.
import { chat, maxIterations, StreamProcessor, toolDefinition } from "@tanstack/ai";
import { createAnthropicChat } from "@tanstack/ai-anthropic";
import { createOpenaiChatCompletions } from "@tanstack/ai-openai";
import { MODEL } from "../../streams.mjs";
import { PROMPT, responseOf, SYSTEM, TOOL_NAMES, zodSchemas } from "./host.mjs";

const schemas = zodSchemas();
const definitions = (more) => TOOL_NAMES.map((name) => toolDefinition({ name, description: name, inputSchema: schemas[name], ...more }));
const unrun = definitions({}).map((tool) => tool.client());
const asking = definitions({ needsApproval: true });

function adapterOf(provider, fetch) {
  const settings = { fetch, dangerouslyAllowBrowser: true, maxRetries: 0 };
  return provider === "anthropic" ? createAnthropicChat(MODEL.anthropic, "k", settings) : createOpenaiChatCompletions(MODEL.openai, "k", settings);
}

const refuseError = (part) => {
  if (part.type === "RUN_ERROR") throw new Error(JSON.stringify(part));
};

function heldBy(processor) {
  const parts = processor.getMessages().flatMap(({ role, parts }) => (role === "assistant" ? parts : []));
  const calls = parts.filter(({ type }) => type === "tool-call").map(({ id, name, input, arguments: json }) => ({ id, name, input: input ?? JSON.parse(json || "{}") }));
  return { text: parts.map((part) => (part.type === "text" ? part.content : "")).join(""), calls };
}

export async function stream(chunks, { provider }) {
  const open = new Map();
  const calls = [];
  let text = "";
  const adapter = adapterOf(provider, async () => responseOf(chunks));
  for await (const part of chat({ adapter, systemPrompts: [SYSTEM], messages: [{ role: "user", content: PROMPT }], tools: unrun })) {
    refuseError(part);
    const id = part.toolCallId;
    if (part.type === "TEXT_MESSAGE_CONTENT") text += part.delta;
    else if (part.type === "TOOL_CALL_START") open.set(id, { name: part.toolCallName ?? part.toolName, parts: [] });
    else if (part.type === "TOOL_CALL_ARGS") open.get(id).parts.push(part.delta);
    else if (part.type === "TOOL_CALL_END" && open.has(id)) {
      const { name, parts } = open.get(id);
      open.delete(id);
      calls.push({ id, name, input: part.input ?? JSON.parse(parts.join("") || "{}") });
    }
  }
  return { text, calls };
}

export async function uiStream(chunks, { provider, observe }) {
  const onMessagesChange = (messages) => {
    const message = messages.at(-1);
    const last = message?.role === "assistant" ? message.parts.at(-1) : undefined;
    if (last?.type === "text") observe(last.content);
  };
  const processor = new StreamProcessor(observe === undefined ? {} : { events: { onMessagesChange } });
  processor.addUserMessage(PROMPT);
  const adapter = adapterOf(provider, async () => responseOf(chunks));
  for await (const part of chat({ adapter, systemPrompts: [SYSTEM], messages: processor.getMessages(), tools: unrun })) {
    refuseError(part);
    processor.processChunk(part);
  }
  processor.finalizeStream?.();
  return heldBy(processor);
}

export async function turn({ provider, requests }) {
  const counts = { approvals: 0, succeeded: 0, requests: 0 };
  const tools = asking.map((tool) =>
    tool.server(async () => {
      counts.succeeded += 1;
      return "ok";
    }),
  );
  const adapter = adapterOf(provider, async () => responseOf(requests[counts.requests++]));
  const processor = new StreamProcessor({});
  processor.addUserMessage(PROMPT);
  for (let round = 0; round < 40; round += 1) {
    for await (const part of chat({ adapter, systemPrompts: [SYSTEM], messages: processor.getMessages(), tools, agentLoopStrategy: maxIterations(16) })) {
      refuseError(part);
      processor.processChunk(part);
    }
    processor.finalizeStream?.();
    const parts = processor.getMessages().flatMap(({ role, parts }) => (role === "assistant" ? parts : []));
    const waiting = parts.filter((part) => part.type === "tool-call" && part.state === "approval-requested" && part.approval).map(({ approval }) => approval.id);
    if (waiting.length === 0) break;
    counts.approvals += waiting.length;
    for (const id of waiting) processor.addToolApprovalResponse(id, true);
  }
  return { ...heldBy(processor), ...counts, outcome: "completed" };
}
