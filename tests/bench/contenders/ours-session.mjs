// This package as a page uses it: a session over a response that streams, its view read after every change.
import * as core from "countersign/threat-model";
import { MODEL } from "../streams.mjs";
import { responseOf, jsonSchemas, PROMPT, TOOL_NAMES } from "./lib/host.mjs";

export const meta = { id: "ours-session", title: "Countersign, a session over a streamed response", kind: "ours", w1: ["anthropic"], w1obs: ["anthropic"], w2: ["anthropic"] };

const schemas = jsonSchemas();
let tools;

export async function init() {
  await core.init();
}

const declared = (more) => TOOL_NAMES.map((name) => core.tool({ name, description: name, inputSchema: schemas[name], execute: () => "ok", ...more }));

const opened = (requests, more) =>
  core.createSession({ provider: { format: "anthropic", params: { model: MODEL.anthropic }, open: async () => responseOf(requests.shift()) }, tools: (tools ??= declared()), now: () => 0, ...more });

export async function w1(chunks, { observe }) {
  const session = await opened([chunks]);
  let seen = 0;
  const read = () => {
    const text = session.view.messages[1]?.content[0]?.text;
    if (text === undefined || text.length === seen) return;
    seen = text.length;
    if (observe !== undefined) observe(text);
  };
  session.subscribe(read);
  await session.send(PROMPT);
  const { messages, calls } = session.view;
  session.dispose();
  const text = messages[1].content.find((block) => block.type === "text")?.text ?? "";
  return { text, calls: calls.map(({ id, providerId, toolName: name, input }) => ({ id: providerId ?? id, name, input })) };
}

// long inputs ask for approval, and nobody is there to give it
export const skip = (workload, { calls, work }) => (workload === "w1" && calls > 0) || work === "full";

export async function w2({ requests }) {
  const session = await opened([...requests], { limits: { maxIterations: 16, maxToolCallsPerTurn: 64 } });
  let approvals = 0;
  session.subscribe(() => {
    if (session.view.phase !== "awaiting_approval") return;
    for (const { id } of session.view.pending) if (session.approve(id).ok) approvals += 1;
  });
  const outcome = await session.send(PROMPT);
  const { messages, calls } = session.view;
  session.dispose();
  const text = messages.flatMap(({ role, content }) => (role === "assistant" ? content : [])).map((block) => (block.type === "text" ? block.text : "")).join("");
  return {
    text,
    calls: calls.map(({ id, providerId, toolName: name, input }) => ({ id: providerId ?? id, name, input })),
    approvals,
    succeeded: calls.filter(({ status }) => status === "succeeded").length,
    requests: 9,
    outcome,
  };
}
