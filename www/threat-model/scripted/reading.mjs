// What a request says about where the conversation stands. Enters: the messages of a request. Leaves: what the person
// asked last, how often the assistant has answered since, what became of each call, and what was seen of the document.

const FENCE = /<<<UNTRUSTED_DOCUMENT_DATA>>>\n([\s\S]*?)\n<<<END_UNTRUSTED_DOCUMENT_DATA>>>/;

/** Reads the history: `{ asked, step, calls, tools }`, calls in their order with `ok`, `value`, `told`. */
export function read(messages, tools) {
  const offered = new Set(tools);
  const start = messages.findLastIndex((message) => message.role === "user" && blocks(message).some((block) => block.type === "text"));
  if (start === -1) return { asked: "", step: 0, calls: [], tools: offered };
  const asked = blocks(messages[start]).findLast((block) => block.type === "text").text;
  const after = messages.slice(start + 1);
  const results = new Map();
  for (const message of after) {
    for (const block of blocks(message)) if (block.type === "tool_result") results.set(block.tool_use_id, block);
  }
  const answers = after.filter((message) => message.role === "assistant");
  const calls = answers.flatMap((message, step) =>
    blocks(message).filter((block) => block.type === "tool_use").map((block) => {
      const result = results.get(block.id);
      const told = textOf(result?.content);
      return { step, tool: block.name, input: block.input, ok: result !== undefined && result.is_error !== true, told, value: fenced(told) };
    }),
  );
  return { asked, step: answers.length, calls, tools: offered };
}

/** Messages of a Chat Completions request in the form that `read` understands. */
export function fromChat(messages) {
  return messages.filter((message) => message.role !== "system" && message.role !== "developer").map((message) => {
    const said = textOf(message.content);
    const text = said === "" ? [] : [{ type: "text", text: said }];
    // this format has no mark for a failure; what a tool gives stands between markers, and a failure does not
    if (message.role === "tool") return { role: "user", content: [{ type: "tool_result", tool_use_id: message.tool_call_id, content: said, is_error: !FENCE.test(said) }] };
    const calls = (message.tool_calls ?? []).map((call) => ({ type: "tool_use", id: call.id, name: call.function?.name, input: parsed(call.function?.arguments) }));
    return { role: message.role, content: [...text, ...calls] };
  });
}

/** The person's own words in a denial, where there are any. */
export function reasonIn(told) {
  return /\bsaid: "([^]{1,500})"\s*$/.exec(told)?.[1] ?? "";
}

/** What this turn has seen of one kind of thing; nothing where it has not looked yet. */
export function seen(calls, kind) {
  const looks = calls.filter((call) => call.ok && call.tool === "search_entities" && call.value.kind === kind && Array.isArray(call.value.results));
  if (looks.length === 0) return undefined;
  return [...new Map(looks.flatMap((look) => look.value.results).map((entity) => [entity.id, plain(entity)])).values()];
}

// angle brackets and backslashes arrive with a backslash before them
function plain(entity) {
  return Object.fromEntries(Object.entries(entity).map(([key, value]) => [key, typeof value === "string" ? value.replace(/\\([\\<>])/g, "$1") : value]));
}

// a result's data stands between markers, as one line of JSON
function fenced(text) {
  return parsed(FENCE.exec(text)?.[1]) ?? {};
}

function parsed(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

function blocks(message) {
  return typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
}

function textOf(content) {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n") : "";
}
