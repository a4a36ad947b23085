// Gemini's `streamGenerateContent?alt=sse` as its servers stream it: frames, refusals, and what was sent to them.
const MODEL = "gemini-test";
const SIGNATURE = "Y2lwaGVydGV4dC1vZi1hLXRob3VnaHQtbm9ib2R5LXJlYWRz";

const usageMetadata = { promptTokenCount: 12, candidatesTokenCount: 4, thoughtsTokenCount: 2, totalTokenCount: 18 };
const frame = (payload) => `data: ${JSON.stringify(payload)}\r\n\r\n`;
const chunk = (parts, more = {}, responseId = "r-01") => frame({ candidates: [{ ...(parts === undefined ? {} : { content: { parts, role: "model" } }), index: 0, ...more }], usageMetadata, modelVersion: MODEL, responseId });
const thought = { text: "Hmm. Yes.", thought: true };
// a call carries no id here; the first of a message carries the signature of the thought before it
const call = ([, name, args], first) => ({ functionCall: { name, args }, ...(first ? { thoughtSignature: SIGNATURE } : {}) });

/** The format, as the suite that all providers share knows it. */
export const gemini = {
  format: "gemini",
  path: `/v1beta/models/${MODEL}:streamGenerateContent?alt=sse`,
  base: "/v1beta",
  model: MODEL,
  key: (headers) => headers["x-goog-api-key"],
  whole: (text, ...calls) => [
    chunk([thought]),
    ...(text === "" ? [] : [chunk([{ text: text.slice(0, 3) }]), chunk([{ text: text.slice(3) }])]),
    ...calls.map((each, at) => chunk([call(each, at === 0)])),
    chunk([{ text: "" }], { finishReason: "STOP" }),
  ],
  half: (text) => [chunk([{ text }])],
  // calls come whole: what can break off is the line that holds one
  halfCall: (text, each, args) => {
    const line = chunk([call([each[0], each[1], { cut: args }], true)]);
    return [chunk([{ text }]), line.slice(0, -20)];
  },
  spliced: (text, each) => [chunk([{ text }], { finishReason: "STOP" }), chunk([call(each, true)], { finishReason: "STOP" }, "r-02")],
  failure: (code, message) => frame({ error: { code, message, status: code === 429 ? "RESOURCE_EXHAUSTED" : "INTERNAL" } }),
  refusal: (code, message) => ({ error: { code, message, status: "SOME_STATUS", details: [] } }),
  sent: ({ systemInstruction, contents, tools = [], generationConfig }) => ({
    limit: generationConfig?.maxOutputTokens,
    system: (systemInstruction?.parts ?? []).map(({ text }) => text).join(),
    tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
    turns: contents.flatMap(({ role, parts }) => {
      const results = parts.filter((part) => part.functionResponse !== undefined).map(({ functionResponse }) => ({ result: { id: functionResponse.id, name: functionResponse.name, content: functionResponse.response } }));
      const text = parts.map((part) => part.text ?? "").join("");
      const calls = parts.filter((part) => part.functionCall !== undefined).map(({ functionCall }) => ({ id: functionCall.id, name: functionCall.name, input: functionCall.args }));
      return [...results, ...(text === "" && calls.length === 0 ? [] : [{ role: role === "model" ? "assistant" : role, text, ...(calls.length === 0 ? {} : { calls }) }])];
    }),
  }),
  state: ({ contents }) => contents.flatMap(({ parts }) => parts.filter((part) => part.thoughtSignature !== undefined).map((part) => ({ name: part.functionCall?.name, thoughtSignature: part.thoughtSignature }))),
  issued: [{ name: "count_cards", thoughtSignature: SIGNATURE }],
};
