// What a request says about where the conversation stands. Enters: the body of a Messages request. Leaves: what the
// person asked last, how often the assistant has answered since, and what became of each call. Keeps nothing.

const FENCE = /<<<UNTRUSTED_DOCUMENT_DATA>>>\n([\s\S]*?)\n<<<END_UNTRUSTED_DOCUMENT_DATA>>>/;

/** Reads the history: `{ asked, step, calls }`, calls in their order with `ok`, `value`, `told`. */
export function read(messages) {
  const start = messages.findLastIndex((message) => message.role === "user" && blocks(message).some((block) => block.type === "text"));
  if (start === -1) return { asked: "", step: 0, calls: [] };
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
  return { asked, step: answers.length, calls };
}

/** The person's own words in a denial, where there are any. */
export function reasonIn(told) {
  return /\bsaid: "([^]{1,500})"\s*$/.exec(told)?.[1] ?? "";
}

// a result's data stands between markers, as one line of JSON
function fenced(text) {
  try {
    return JSON.parse(FENCE.exec(text)?.[1] ?? "null") ?? {};
  } catch {
    return {};
  }
}

function blocks(message) {
  return typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
}

function textOf(content) {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n") : "";
}
