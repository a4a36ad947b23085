// Histories made by chance: nearly everything that a conversation can go through, well formed or not.
const IDS = ["call_1", "call_2", "toolu_01AbC", "d.1", "d_1", "é", "x".repeat(70), "call-3", "fc 9", "a:b"];
const TEXTS = ["hi", "", " \n", "there ", "漢字", "\u0000", "Error: no"];
const NAMES = ["find", "add_element", "find it", "", "0day", "n".repeat(80)];

/** Opaque state as each provider issues it; what is sealed names its issuer. */
export const STATES = {
  "openai-chat": [{ reasoning_content: "sealed-by-openai-chat." }, { reasoning_details: [{ type: "reasoning.encrypted", data: "sealed-by-openai-chat", index: 0 }] }],
  anthropic: [{ type: "thinking", thinking: "t", signature: "sealed-by-anthropic" }, { type: "redacted_thinking", data: "sealed-by-anthropic" }],
  "openai-responses": [{ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed-by-openai-responses" }, { type: "reasoning", id: "rs_2", summary: [{ type: "summary_text", text: "s" }], encrypted_content: "sealed-by-openai-responses" }],
  gemini: [{ thoughtSignature: "sealed-by-gemini" }, { text: "", thoughtSignature: "sealed-by-gemini" }, { id: "fc-1", thoughtSignature: "sealed-by-gemini" }],
};

const TOOLS = [
  { name: "find", description: "Finds.", inputSchema: { type: "object", properties: { q: { type: "string", minLength: 1 }, most: { type: ["integer", "null"], minimum: 0 } }, required: ["q"], additionalProperties: false }, effect: "read", destructive: false },
  { name: "add_element", description: "Adds.", inputSchema: { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", properties: { kind: { const: "note" }, at: { oneOf: [{ type: "number" }, { type: "array", items: { type: "number" }, minItems: 2 }] }, n: { enum: [1, 2] } }, $defs: { s: { type: "string" } } }, effect: "mutate", destructive: false },
  { name: "none", description: "Takes nothing.", inputSchema: { type: "object" }, effect: "read", destructive: true },
];

/** A request as `buildRequest` takes it, and whether its history is one that a loop leaves. */
export function historyBy(dice, format) {
  const isOrderly = dice.often(0.5);
  const messages = isOrderly ? orderly(dice, format) : wild(dice, format);
  const tools = dice.often(0.7) ? TOOLS.slice(0, 1 + dice.below(3)) : [];
  const request = { model: "m-1", messages, tools, maxOutputTokens: 1 + dice.below(9_000) };
  if (dice.often(0.5)) request.system = dice.one(["Be brief.", "", " "]);
  if (dice.often(0.5)) request.toolChoice = dice.one(["auto", "none", ...tools.map(({ name }) => ({ tool: name }))]);
  if (dice.often(0.5)) request.parallelToolCalls = dice.often(0.5);
  if (dice.often(0.3)) request.cache = true;
  return { isOrderly, request };
}

// Turns as a loop leaves them: a question, calls with their results, words.
function orderly(dice, format) {
  const messages = [];
  const own = STATES[format] ?? STATES.anthropic;
  const provider = STATES[format] ? format : "anthropic";
  for (let turn = 0; turn <= dice.below(4); turn += 1) {
    messages.push({ role: "user", content: [{ type: "text", text: `question ${turn}` }] });
    for (let step = 0; step < dice.below(3); step += 1) {
      const ids = dice.many(3, (n) => `call_${turn}_${step}_${n}`);
      if (ids.length === 0) continue;
      const state = dice.often(0.5) ? [{ type: "provider_state", provider, value: dice.one(own) }] : [];
      const text = dice.often(0.4) ? [{ type: "text", text: "I will look. " }] : [];
      const calls = ids.map((id) => ({ type: "tool_call", id, name: "find", input: { q: id } }));
      // Gemini signs the first call of several, and its state says which one it belongs to
      const signed = provider === "gemini" ? [calls[0], ...state.map((block) => ({ ...block, callId: ids[0] })), ...calls.slice(1)] : calls;
      messages.push({ role: "assistant", content: [...(provider === "gemini" ? [] : state), ...text, ...signed] });
      messages.push({ role: "user", content: ids.map((toolCallId) => ({ type: "tool_result", toolCallId, content: dice.one(["found", "", "no such thing"]), ...(dice.often(0.3) ? { isError: true } : {}) })) });
    }
    if (dice.often(0.7)) messages.push({ role: "assistant", content: [{ type: "text", text: dice.one(["done", "done\n"]) }] });
  }
  return messages;
}

// Anything: calls without results, results without calls, ids twice, foreign state, nothing at all.
function wild(dice, format) {
  const block = () =>
    dice.one([
      () => ({ type: "text", text: dice.one(TEXTS) }),
      () => ({ type: "text", text: dice.one(TEXTS) }),
      () => ({ type: "tool_call", id: dice.one(IDS), name: dice.one(NAMES), input: dice.one([{}, { q: "x", n: [1, { a: null }] }, null, "text", [1]]) }),
      () => ({ type: "tool_call", id: dice.one(IDS), name: dice.one(NAMES), input: {} }),
      () => ({ type: "tool_result", toolCallId: dice.one(IDS), content: dice.one(TEXTS), ...(dice.often(0.5) ? { isError: dice.often(0.5) } : {}) }),
      () => ({ type: "tool_result", toolCallId: dice.one(IDS), content: "ok" }),
      () => {
        const provider = dice.one(Object.keys(STATES));
        return { type: "provider_state", provider: dice.often(0.7) && STATES[format] ? format : provider, value: dice.one(STATES[dice.often(0.9) && STATES[format] ? format : provider]), ...(dice.often(0.3) ? { callId: dice.one(IDS) } : {}) };
      },
    ])();
  return dice.many(8, () => ({ role: dice.one(["user", "assistant"]), content: dice.many(4, block) }));
}
