// What must compile for a user, and what must not: tools, sessions, documents and the loop.
import { anthropic, createSession, DocumentStore, gemini, openai, openaiCompatible, tool, ToolError, ToolLoop } from "countersign";
import type { CallRecord, Effect, HttpProvider, ModelCapabilities, Outcome, Provider, Session, SessionView, StandardJsonSchema, Tool, TurnOutcome, Update } from "countersign";
import { fakeClock, recordTranscript, scripted } from "countersign/testing";

declare const schema: StandardJsonSchema<{ title: string; tags?: string[] }>;

export const typed: Tool = tool({
  name: "t",
  description: "d",
  inputSchema: schema,
  destructive: true,
  summary: "Do {title}",
  execute: async ({ title, tags }, { signal, document, progress, callId, idempotencyKey }) => {
    // @ts-expect-error a title is a text
    const wrong: number = title;
    progress(`${title} ${callId} ${idempotencyKey} ${wrong}`, 0.5);
    if (signal.aborted || document === undefined) throw new ToolError("stopped", { code: "cancelled" });
    return { result: { tags: tags ?? [] }, patch: [{ op: "remove", path: "/a" }] };
  },
});

export const plain = tool({
  name: "t",
  description: "d",
  inputSchema: { type: "object", properties: { n: { type: "number" } } },
  effect: "read",
  execute: (input) => {
    // @ts-expect-error the values of an input without types are JSON, not any
    input.n.toFixed();
    return typeof input["n"] === "number" ? "number" : null;
  },
});

// @ts-expect-error a tool needs a function that runs it
tool({ name: "t", description: "d", inputSchema: {} });
// @ts-expect-error a core tool is the core's to run
tool({ name: "t", description: "d", inputSchema: {}, runsOn: "core", execute: () => "x" });
// @ts-expect-error no such member
tool({ name: "t", description: "d", inputSchema: {}, dangerous: true, execute: () => "x" });
// @ts-expect-error a function is no result
tool({ name: "t", description: "d", inputSchema: {}, execute: () => () => 1 });
// @ts-expect-error no such code
new ToolError("x", { code: "oops" });

export const local: Provider = openaiCompatible({ model: "m", baseURL: "http://localhost:11434/v1", name: "Ollama", maxTokensField: "max_tokens", temperature: 0, extraBody: { seed: 1 } });
// @ts-expect-error a model must be named
openaiCompatible({ baseURL: "http://localhost:11434/v1" });
// @ts-expect-error no such name of the limit
openaiCompatible({ model: "m", maxTokensField: "limit" });
export const strict: Provider = openaiCompatible({ model: "m", baseURL: "https://api.example.com/v1", shortCallIds: true });
// @ts-expect-error Anthropic takes ids of any length
anthropic({ model: "m", shortCallIds: true });
// @ts-expect-error one name for the limit is all that Anthropic knows
anthropic({ model: "m", maxTokensField: "max_tokens" });

export const responses: HttpProvider = openai({ model: "m", apiKey: () => "key", reasoning: { effort: "low", summary: "auto" }, parallelToolCalls: false, capabilities: { tools: true, maxInputTokens: 1000 } });
export const plainResponses: Provider = openai({ model: "m", reasoning: false, headers: { "openai-project": "p" } });
export const google: Provider = gemini({ model: "m", apiKey: "key", temperature: 0, thinking: { includeThoughts: true }, extraBody: { safetySettings: [] } });
export const known: ModelCapabilities | undefined = responses.capabilities;
// @ts-expect-error reasoning is asked for with its members, or not at all
openai({ model: "m", reasoning: true });
// @ts-expect-error Gemini has no word for it
gemini({ model: "m", parallelToolCalls: false });
// @ts-expect-error the output limit has one name there
gemini({ model: "m", maxTokensField: "max_tokens" });
// @ts-expect-error no such capability
anthropic({ model: "m", capabilities: { images: true } });
// @ts-expect-error what a provider knows of its model is told, not written
responses.capabilities = {};

export async function talk(document: DocumentStore): Promise<TurnOutcome> {
  const session: Session = await createSession({
    provider: anthropic({ model: "m", apiKey: async () => "key" }),
    tools: () => [typed, plain],
    document,
    limits: { maxIterations: 3, approvalTtlMs: null },
    context: () => ({ principal: "ada" }),
    system: () => "s",
    storage: { load: async () => null, save: async () => undefined },
    onToolError: (callId: string, error: unknown) => console.log(callId, error),
    onCommit: ({ revision, patch, source }) => console.log(revision, patch.length, source),
    onUpdates: (updates: readonly Update[]) => console.log(updates.length),
  });
  const stop = session.subscribe(() => show(session.view));
  const decision = session.approve("c1", { editedInput: { a: 1 } });
  if (!decision.ok) console.log(decision.reason);
  // @ts-expect-error a decision taken has no reason
  if (decision.ok) console.log(decision.reason);
  const batch = session.approveAll(["c1"]);
  console.log(batch.approved, batch.refused.map(({ callId, reason }) => [callId, reason]));
  session.deny("c1", "why");
  // @ts-expect-error the view is read only
  session.view = session.view;
  // @ts-expect-error and so are its parts
  session.view.calls[0] = session.view.calls[1];
  stop();
  session.tools.replace(plain);
  session.dispose();
  return session.send("hi");
}

function show({ phase, pending, undo, receipts, progress, usage, reasoning, documentRevision }: SessionView): void {
  const waiting: readonly CallRecord[] = pending;
  // @ts-expect-error no such phase
  if (phase === "thinking") return;
  console.log(waiting.length, undo === "undoable", receipts[0]?.undone, progress?.label, usage.costMicros, reasoning, documentRevision);
}

// @ts-expect-error a session needs a provider
void createSession({ tools: [] });
// @ts-expect-error a model is named
anthropic({ apiKey: "x" });

export const providers: Provider[] = [
  scripted([{ text: "a", calls: [{ name: "t", input: { n: 1 } }] }, (request) => ({ text: String(request.index) })]),
  scripted([[{ type: "message_stop", stopReason: "end_turn" }]], { wire: "anthropic", chunkBytes: 3, now: fakeClock().now }),
  {
    mask: (text) => text.replaceAll("secret", "…"),
    async *events({ messages }) {
      yield { type: "text_delta", text: String(messages.length) };
    },
  },
  { format: "anthropic", open: async ({ path, body, signal, fetch }) => fetch(path, { body: JSON.stringify(body), signal }) },
];
// @ts-expect-error a script of another wire is not there yet
scripted([], { wire: "smoke" });

export function record(session: Session): string {
  const transcript = recordTranscript(session);
  transcript.stop();
  return transcript.text();
}

export function drive(document: DocumentStore): Outcome {
  const loop = new ToolLoop({ tools: [typed], document, conversationId: "c", prices: { inputMicrosPerToken: 1, outputMicrosPerToken: 2 } });
  loop.dispatch({ type: "submit", text: "hi", nowMs: 1 });
  // @ts-expect-error a submit has a time
  loop.dispatch({ type: "submit", text: "hi" });
  // @ts-expect-error no such command
  loop.dispatch({ type: "approveEverything" });
  return loop.feed("e1", new Uint8Array(), 2);
}

/** Every effect is handled, or this does not compile. */
export function handle(effect: Effect): string {
  switch (effect.type) {
    case "request":
      return effect.id;
    case "execute":
      return effect.idempotencyKey;
    case "preview":
      return `${effect.callId} within ${effect.timeoutMs} ms`;
    case "abort":
      return effect.ids.join();
  }
}

export const store = (): DocumentStore => new DocumentStore({ kind: "board", sections: [{ name: "cards", path: "/cards" }], rules: () => [] }, { cards: [] });
// @ts-expect-error a section has a path
export const unfinished = (): DocumentStore => new DocumentStore({ kind: "board", sections: [{ name: "cards" }] }, {});
