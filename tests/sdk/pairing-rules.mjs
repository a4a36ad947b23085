// What each provider asks of a request's conversation, as its documentation and its refusals tell, read off the body
// alone. Each function gives the sentences of what is broken; a body that would be accepted gives none.

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const GEMINI_NAME = /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/;
// the part of OpenAPI's schema that Gemini reads
const GEMINI_SCHEMA = new Set(["type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems", "properties", "required", "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf", "propertyOrdering", "default", "minimum", "maximum"]);

const isBlank = (text) => typeof text !== "string" || text.trim() === "";
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function isObjectText(text) {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Collects what is wrong, each with where. */
function problems() {
  const found = [];
  const check = (holds, where, what) => holds || found.push(`${where}: ${what}`);
  return { found, check };
}

/** Anthropic Messages: roles in turn, results first in the very next message, signed thinking never last. */
function anthropic(body) {
  const { found, check } = problems();
  const seen = new Set();
  let due = [];
  let marks = JSON.stringify(body).split('"cache_control"').length - 1;
  check(body.messages.length > 0, "messages", "empty");
  check(marks <= 4, "cache_control", `${marks} markers, four are allowed`);
  check(Number.isInteger(body.max_tokens) && body.max_tokens >= 1, "max_tokens", "below 1");
  for (const [at, { role, content }] of body.messages.entries()) {
    const where = `messages.${at}`;
    check(role === (at % 2 === 0 ? "user" : "assistant"), where, `\`${role}\` out of turn`);
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    check(blocks.length > 0, where, "no content");
    const results = blocks.filter(({ type }) => type === "tool_result");
    check(blocks.slice(0, results.length).every(({ type }) => type === "tool_result"), where, "a result stands behind something else");
    check(sameList(results.map(({ tool_use_id }) => tool_use_id), due), where, `results for [${results.map(({ tool_use_id }) => tool_use_id)}], calls were [${due}]`);
    due = [];
    for (const [place, block] of blocks.entries()) {
      const here = `${where}.content.${place}`;
      check((role === "user" ? ["text", "tool_result"] : ["text", "tool_use", "thinking", "redacted_thinking"]).includes(block.type), here, `\`${block.type}\` from the ${role}`);
      if (block.type === "text") check(!isBlank(block.text), here, "blank text");
      if (block.type === "thinking") check(typeof block.thinking === "string" && !isBlank(block.signature), here, "thinking without its signature");
      if (block.type === "redacted_thinking") check(!isBlank(block.data), here, "sealed thinking without its data");
      if (/thinking/.test(block.type)) check(!("cache_control" in block), here, "a marker on thinking");
      if (block.type !== "tool_use") continue;
      check(/^[A-Za-z0-9_-]+$/.test(block.id), here, `id \`${block.id}\``);
      check(!seen.has(block.id), here, `id \`${block.id}\` again`);
      check(NAME.test(block.name), here, `name \`${block.name}\``);
      check(isObject(block.input), here, "input that is no object");
      seen.add(block.id);
      due.push(block.id);
    }
    if (role !== "assistant") continue;
    check(!/thinking/.test(blocks.at(-1)?.type ?? ""), where, "thinking with nothing behind it");
    if (at === body.messages.length - 1) check(!/\s$/.test(blocks.at(-1)?.text ?? ""), where, "the last words end with a blank");
  }
  check(due.length === 0, "messages", `calls [${due}] are never answered`);
  const tools = (body.tools ?? []).map(({ name, input_schema }) => ({ name, schema: input_schema }));
  checkTools(check, tools, NAME, body.tool_choice?.type === "tool" ? body.tool_choice.name : undefined);
  for (const { name, schema } of tools) check(!["oneOf", "anyOf", "allOf"].some((word) => word in schema), `tools.${name}`, "alternatives at the top");
  check(body.tool_choice === undefined || tools.length > 0, "tool_choice", "without tools");
  return found;
}

/** Chat Completions: behind a message with calls one `tool` message for each, before anybody else speaks. */
function chat(body) {
  const { found, check } = problems();
  const seen = new Set();
  let due = [];
  check(body.messages.some(({ role }) => role === "user" || role === "assistant"), "messages", "nobody speaks");
  for (const [at, message] of body.messages.entries()) {
    const { role, content, tool_calls: calls } = message;
    const where = `messages.${at}`;
    check(["system", "user", "assistant", "tool"].includes(role), where, `role \`${role}\``);
    check(role !== "system" || at === 0, where, "a system prompt that is not first");
    if (role === "tool") {
      check(due.length > 0 && message.tool_call_id === due[0], where, `an answer to \`${message.tool_call_id}\`, due is \`${due[0]}\``);
      check(!isBlank(content), where, "a blank result");
      due = due.slice(1);
      continue;
    }
    check(due.length === 0, where, `[${due}] are not answered`);
    due = [];
    check(calls === undefined || (role === "assistant" && calls.length > 0), where, "calls of nobody, or none of them");
    check(calls !== undefined && content === null ? true : !isBlank(content), where, "blank content");
    for (const call of calls ?? []) {
      check(call.type === "function", where, `type \`${call.type}\``);
      check(!isBlank(call.id) && call.id.length <= 40, where, `id \`${call.id}\``);
      check(!seen.has(call.id), where, `id \`${call.id}\` again`);
      check(NAME.test(call.function.name), where, `name \`${call.function.name}\``);
      check(isObjectText(call.function.arguments), where, "arguments that are no object");
      seen.add(call.id);
      due.push(call.id);
    }
  }
  check(due.length === 0, "messages", `[${due}] are never answered`);
  check(!("max_tokens" in body && "max_completion_tokens" in body), "max_tokens", "two limits");
  const tools = (body.tools ?? []).map(({ function: { name, parameters } }) => ({ name, schema: parameters }));
  checkTools(check, tools, NAME, body.tool_choice?.function?.name);
  for (const key of ["tool_choice", "parallel_tool_calls"]) check(!(key in body) || tools.length > 0, key, "without tools");
  return found;
}

/** Responses: every call exactly one output behind it, every reasoning item right before what it led to. */
function responses(body) {
  const { found, check } = problems();
  const calls = new Map();
  const items = typeof body.input === "string" ? [{ role: "user", content: body.input }] : body.input;
  check(items.length > 0, "input", "empty");
  for (const [at, item] of items.entries()) {
    const where = `input.${at}`;
    const type = item.type ?? "message";
    check(["message", "function_call", "function_call_output", "reasoning", "compaction"].includes(type), where, `type \`${type}\``);
    if (type === "message") {
      check(["user", "assistant", "system", "developer"].includes(item.role), where, `role \`${item.role}\``);
      const parts = typeof item.content === "string" ? [{ type: undefined, text: item.content }] : item.content;
      check(parts.length > 0, where, "no content");
      for (const part of parts) {
        check(!isBlank(part.text ?? part.refusal), where, "blank text");
        const own = item.role === "assistant" ? ["output_text", "refusal"] : ["input_text"];
        check(part.type === undefined || own.includes(part.type), where, `\`${part.type}\` from the ${item.role}`);
      }
    }
    if (type === "function_call") {
      check(!isBlank(item.call_id) && item.call_id.length <= 64, where, `id \`${item.call_id}\``);
      check(!calls.has(item.call_id), where, `id \`${item.call_id}\` again`);
      check(NAME.test(item.name), where, `name \`${item.name}\``);
      check(isObjectText(item.arguments), where, "arguments that are no object");
      calls.set(item.call_id, false);
    }
    if (type === "function_call_output") {
      check(calls.get(item.call_id) === false, where, `an output for \`${item.call_id}\`, which is ${calls.has(item.call_id) ? "answered" : "no call"}`);
      check(typeof item.output === "string" && item.output !== "", where, "no output");
      if (calls.has(item.call_id)) calls.set(item.call_id, true);
    }
    if (type === "reasoning") {
      const next = items[at + 1];
      const leads = next !== undefined && (["reasoning", "function_call"].includes(next.type) || next.role === "assistant");
      check(leads, where, "reasoning without the item it led to");
      check(Array.isArray(item.summary), where, "no summary");
      const isTold = !isBlank(item.encrypted_content) || item.content?.length > 0;
      check(body.store === true || isTold, where, "nothing is stored, and its content is not there");
    }
  }
  for (const [id, answered] of calls) check(answered, "input", `\`${id}\` is never answered`);
  const tools = (body.tools ?? []).filter(({ type }) => type === "function").map(({ name, parameters }) => ({ name, schema: parameters }));
  checkTools(check, tools, NAME, body.tool_choice?.name);
  return found;
}

/** Gemini: user first, roles in turn, as many responses in the next turn as there were calls, in their order. */
function gemini(body) {
  const { found, check } = problems();
  let due = [];
  check(body.contents.length > 0, "contents", "empty");
  for (const [at, { role, parts }] of body.contents.entries()) {
    const where = `contents.${at}`;
    check(role === (at % 2 === 0 ? "user" : "model"), where, `\`${role}\` out of turn`);
    check(parts.length > 0, where, "no parts");
    const answers = parts.filter(({ functionResponse }) => functionResponse).map(({ functionResponse }) => functionResponse);
    check(answers.length === due.length, where, `${answers.length} responses to ${due.length} calls`);
    for (const [place, { id, name }] of answers.entries()) {
      check(name === due[place]?.name && id === due[place]?.id, where, `response ${place} is for \`${name}\`, the call was of \`${due[place]?.name}\``);
    }
    due = [];
    for (const [place, part] of parts.entries()) {
      const here = `${where}.parts.${place}`;
      const kinds = ["text", "functionCall", "functionResponse", "inlineData"].filter((kind) => kind in part);
      check(kinds.length === 1, here, `it is [${kinds}] at once`);
      if ("text" in part) check(part.text !== "" || "thoughtSignature" in part, here, "no text");
      if ("thoughtSignature" in part) check(!isBlank(part.thoughtSignature) && role === "model", here, "a signature that is none");
      if ("functionResponse" in part) check(role === "user" && isObject(part.functionResponse.response), here, "no response of a tool");
      if (!("functionCall" in part)) continue;
      const { name, args, id } = part.functionCall;
      check(role === "model", here, "a call of the user");
      check(GEMINI_NAME.test(name), here, `name \`${name}\``);
      check(args === undefined || isObject(args), here, "args that are no object");
      due.push({ name, id });
    }
  }
  check(due.length === 0, "contents", `${due.length} calls are never answered`);
  const tools = (body.tools ?? []).flatMap(({ functionDeclarations }) => functionDeclarations).map(({ name, parameters }) => ({ name, schema: parameters ?? { type: "object" } }));
  const allowed = body.toolConfig?.functionCallingConfig?.allowedFunctionNames;
  checkTools(check, tools, GEMINI_NAME, ...(allowed ?? []));
  check(allowed === undefined || body.toolConfig.functionCallingConfig.mode !== "AUTO", "toolConfig", "names with AUTO");
  for (const { name, schema } of tools) for (const wrong of outsideOfSubset(schema)) check(false, `tools.${name}`, wrong);
  return found;
}

function checkTools(check, tools, pattern, ...chosen) {
  const names = tools.map(({ name }) => name);
  for (const { name, schema } of tools) {
    check(pattern.test(name), `tools.${name}`, "a name that is not taken");
    check(String(schema?.type).toLowerCase() === "object", `tools.${name}`, "a schema that is not of an object");
  }
  check(new Set(names).size === names.length, "tools", "one name twice");
  for (const name of chosen) check(name === undefined || names.includes(name), "tool_choice", `\`${name}\` is no tool`);
}

function outsideOfSubset(schema, isItems = false) {
  if (!isObject(schema)) return ["a schema that is no object"];
  const unknown = Object.keys(schema).filter((key) => !GEMINI_SCHEMA.has(key)).map((key) => `\`${key}\` is not read`);
  // a list must say of what, and may say: of anything
  if (Object.keys(schema).length === 0 && isItems) return [];
  const types = typeof schema.type === "string" || (schema.type === undefined && "anyOf" in schema) ? [] : ["no single type"];
  const listed = "enum" in schema && !schema.enum.every((value) => typeof value === "string") ? ["an enum of something else than strings"] : [];
  const items = String(schema.type).toLowerCase() === "array" && !("items" in schema) ? ["a list of nobody knows what"] : [];
  const known = schema.properties ?? {};
  const missing = (schema.required ?? []).filter((key) => !(key in known)).map((key) => `\`${key}\` is required and not there`);
  const below = [...Object.values(known), ...(schema.anyOf ?? [])].flatMap((one) => outsideOfSubset(one));
  const within = "items" in schema ? outsideOfSubset(schema.items, true) : [];
  return [...unknown, ...types, ...listed, ...items, ...missing, ...below, ...within];
}

function sameList(one, other) {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}

/** The rules of each format. */
export const RULES = { anthropic, "openai-chat": chat, "openai-responses": responses, gemini };
