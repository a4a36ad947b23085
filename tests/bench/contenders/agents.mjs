// The OpenAI Agents SDK over chat completions, with its client's fetch replaced.
import { Agent, OpenAIChatCompletionsModel, Runner, setTracingDisabled, tool } from "@openai/agents";
import OpenAI from "openai";
import { MODEL } from "../streams.mjs";
import { jsonSchemas, PROMPT, responseOf, SYSTEM, TOOL_NAMES } from "./lib/host.mjs";

export const meta = { id: "agents", title: "OpenAI Agents SDK, its streamed run", kind: "peer", w1: ["openai"], w2: ["openai"] };

setTracingDisabled(true);
const schemas = jsonSchemas();
const runner = new Runner({ tracingDisabled: true });

// not strict: strict mode refuses optional members, so it parses the arguments and validates nothing
function agentOf(fetch, execute) {
  const client = new OpenAI({ apiKey: "k", fetch, dangerouslyAllowBrowser: true, maxRetries: 0 });
  const tools = TOOL_NAMES.map((name) => tool({ name, description: name, strict: false, parameters: schemas[name], needsApproval: true, execute }));
  return new Agent({ name: "bench", instructions: SYSTEM, model: new OpenAIChatCompletionsModel(client, MODEL.openai), tools });
}

async function read(stream, into) {
  for await (const event of stream) {
    if (event.type === "raw_model_stream_event") {
      if (event.data.type === "output_text_delta") into.text += event.data.delta;
    } else if (event.type === "run_item_stream_event" && event.item.type === "tool_call_item") {
      const { callId, name, arguments: json } = event.item.rawItem;
      into.calls.push({ id: callId, name, input: JSON.parse(json) });
    }
  }
  await stream.completed;
  if (stream.error) throw stream.error;
}

export async function w1(chunks) {
  const done = { text: "", calls: [] };
  await read(await runner.run(agentOf(async () => responseOf(chunks), async () => "ok"), PROMPT, { stream: true }), done);
  return done;
}

export async function w2({ requests }) {
  const done = { text: "", calls: [], approvals: 0, succeeded: 0, requests: 0, outcome: "completed" };
  const execute = async () => {
    done.succeeded += 1;
    return "ok";
  };
  const agent = agentOf(async () => responseOf(requests[done.requests++]), execute);
  let asked = PROMPT;
  for (;;) {
    const stream = await runner.run(agent, asked, { stream: true, maxTurns: 20 });
    await read(stream, done);
    if (!stream.interruptions?.length) return done;
    for (const waiting of stream.interruptions) {
      done.approvals += 1;
      stream.state.approve(waiting);
    }
    asked = stream.state;
  }
}
