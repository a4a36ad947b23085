// The AI SDK: `streamText` over a provider whose fetch answers with the stream.
import { MODEL } from "../../streams.mjs";
import { PROMPT, responseOf, SYSTEM, TOOL_NAMES, zodSchemas } from "./host.mjs";

/** The workloads over one version of the SDK; version 7 asks for approvals in a way of its own. */
export function aiSdk({ ai, anthropic, openai, seven = false }) {
  const schemas = zodSchemas();
  const toolsOf = (more = {}) => Object.fromEntries(TOOL_NAMES.map((name) => [name, ai.tool({ description: name, inputSchema: schemas[name], ...more })]));
  const modelOf = (provider, fetch) => {
    if (provider === "anthropic") return anthropic.createAnthropic({ apiKey: "k", fetch })(MODEL.anthropic);
    return openai.createOpenAI({ apiKey: "k", fetch }).chat(MODEL.openai);
  };
  const onError = ({ error }) => {
    throw error;
  };
  const common = { system: SYSTEM, maxRetries: 0, onError };
  const ask = (chunks, provider) => ai.streamText({ ...common, model: modelOf(provider, async () => responseOf(chunks)), messages: [{ role: "user", content: PROMPT }], tools: toolsOf() });

  return {
    async stream(chunks, { provider }) {
      const calls = [];
      let text = "";
      for await (const part of ask(chunks, provider).fullStream) {
        if (part.type === "text-delta") text += part.text;
        else if (part.type === "tool-call") calls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
        else if (part.type === "error") throw part.error;
      }
      return { text, calls };
    },
    // what its chat hook holds: one message, given anew after every chunk
    async uiStream(chunks, { provider, observe }) {
      let message;
      const stream = ask(chunks, provider).toUIMessageStream();
      for await (message of ai.readUIMessageStream({ stream, onError: (error) => onError({ error }), terminateOnError: true })) {
        const last = message.parts.at(-1);
        if (observe !== undefined && last?.type === "text") observe(last.text);
      }
      const texts = message.parts.filter(({ type }) => type === "text").map(({ text }) => text);
      const calls = message.parts.filter(({ type }) => type.startsWith("tool-")).map(({ type, toolCallId: id, input }) => ({ id, name: type.slice(5), input }));
      return { text: texts.join(""), calls };
    },
    async turn({ provider, requests }) {
      const done = { text: "", calls: [], approvals: 0, succeeded: 0, requests: 0, outcome: "completed" };
      const execute = async () => {
        done.succeeded += 1;
        return "ok";
      };
      const tools = toolsOf(seven ? { execute } : { execute, needsApproval: true });
      const asking = seven ? { toolApproval: Object.fromEntries(TOOL_NAMES.map((name) => [name, "user-approval"])) } : {};
      const stopWhen = (ai.isStepCount ?? ai.stepCountIs)(16);
      const model = modelOf(provider, async () => responseOf(requests[done.requests++]));
      const messages = [{ role: "user", content: PROMPT }];
      for (;;) {
        const run = ai.streamText({ ...common, ...asking, model, messages, tools, stopWhen });
        const waiting = [];
        for await (const part of run.fullStream) {
          if (part.type === "text-delta") done.text += part.text;
          else if (part.type === "tool-call") done.calls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
          else if (part.type === "tool-approval-request") waiting.push(part.approvalId);
          else if (part.type === "tool-error" || part.type === "error") throw part.error;
        }
        if (waiting.length === 0) return done;
        messages.push(...(run.responseMessages ? await run.responseMessages : (await run.response).messages));
        done.approvals += waiting.length;
        messages.push({ role: "tool", content: waiting.map((approvalId) => ({ type: "tool-approval-response", approvalId, approved: true })) });
      }
    },
  };
}
