// The rules themselves: a body that every provider takes breaks none, and each way to spoil it breaks one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { RULES } from "./pairing-rules.mjs";

const swap = (list, one, other) => ([list[one], list[other]] = [list[other], list[one]]);
const remove = (list, at) => list.splice(at, 1);
const double = (list, at) => list.splice(at, 0, structuredClone(list[at]));
const schema = { type: "object", properties: { q: { type: "string" } }, required: ["q"] };

// Each: a body, and the ways to spoil it.
const SPOILED = {
  anthropic: {
    body: {
      model: "m",
      max_tokens: 10,
      messages: [
        { role: "user", content: [{ type: "text", text: "hi" }] },
        { role: "assistant", content: [{ type: "thinking", thinking: "t", signature: "s" }, { type: "tool_use", id: "a", name: "find", input: {} }, { type: "tool_use", id: "b", name: "find", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "1" }, { type: "tool_result", tool_use_id: "b", content: "2" }, { type: "text", text: "go on" }] },
        { role: "assistant", content: "done" },
      ],
      tools: [{ name: "find", input_schema: schema }],
      tool_choice: { type: "tool", name: "find" },
    },
    spoil: {
      "a result is missing": ({ messages }) => remove(messages[2].content, 0),
      "a result stands twice": ({ messages }) => double(messages[2].content, 0),
      "results in another order": ({ messages }) => swap(messages[2].content, 0, 1),
      "a result behind the text": ({ messages }) => swap(messages[2].content, 1, 2),
      "a result of no call": ({ messages }) => remove(messages[1].content, 1),
      "a call twice": ({ messages }) => double(messages[1].content, 1),
      "the answering message is missing": ({ messages }) => remove(messages, 2),
      "a message twice": ({ messages }) => double(messages, 0),
      "the assistant first": ({ messages }) => remove(messages, 0),
      "nobody says anything": (body) => (body.messages = []),
      "a message without content": ({ messages }) => (messages[0].content = []),
      "blank text": ({ messages }) => (messages[0].content[0].text = " \n"),
      "an id with a dot": ({ messages }) => (messages[1].content[1].id = messages[2].content[0].tool_use_id = "a.1"),
      "a name with a blank": ({ messages }) => (messages[1].content[1].name = "find it"),
      "an input that is a list": ({ messages }) => (messages[1].content[1].input = []),
      "thinking without a signature": ({ messages }) => (messages[1].content[0].signature = ""),
      "thinking at the end": ({ messages }) => messages[3] = { role: "assistant", content: [{ type: "thinking", thinking: "t", signature: "s" }] },
      "thinking of the user": ({ messages }) => messages[0].content.push(messages[1].content[0]),
      "last words with a blank": ({ messages }) => (messages[3].content = "done "),
      "no output allowed": (body) => (body.max_tokens = 0),
      "five markers": ({ messages }) => messages[2].content.push(...[1, 2, 3, 4, 5].map(() => ({ type: "text", text: "x", cache_control: { type: "ephemeral" } }))),
      "a tool twice": ({ tools }) => double(tools, 0),
      "a tool that is no object's": ({ tools }) => (tools[0].input_schema = { type: "string" }),
      "alternatives at the top": ({ tools }) => (tools[0].input_schema = { type: "object", anyOf: [] }),
      "a tool is chosen that is none": (body) => (body.tool_choice.name = "other"),
    },
  },
  "openai-chat": {
    body: {
      model: "m",
      messages: [
        { role: "system", content: "s" },
        { role: "user", content: "hi" },
        { role: "assistant", content: null, tool_calls: ["a", "b"].map((id) => ({ id, type: "function", function: { name: "find", arguments: "{}" } })) },
        { role: "tool", tool_call_id: "a", content: "1" },
        { role: "tool", tool_call_id: "b", content: "2" },
        { role: "assistant", content: "done" },
      ],
      tools: [{ type: "function", function: { name: "find", parameters: schema } }],
    },
    spoil: {
      "a result is missing": ({ messages }) => remove(messages, 4),
      "all results are missing": ({ messages }) => messages.splice(3, 3),
      "a result stands twice": ({ messages }) => double(messages, 4),
      "results in another order": ({ messages }) => swap(messages, 3, 4),
      "words between calls and results": ({ messages }) => messages.splice(3, 0, { role: "user", content: "wait" }),
      "a result of no call": ({ messages }) => remove(messages, 2),
      "a call twice": ({ messages }) => double(messages[2].tool_calls, 0),
      "a list of no calls": ({ messages }) => (messages[5].tool_calls = []),
      "the system prompt last": ({ messages }) => messages.push(messages.shift()),
      "nothing said and no calls": ({ messages }) => (messages[5].content = null),
      "blank text": ({ messages }) => (messages[1].content = " "),
      "a blank result": ({ messages }) => (messages[3].content = ""),
      "an id that is too long": ({ messages }) => (messages[2].tool_calls[0].id = messages[3].tool_call_id = "x".repeat(41)),
      "arguments cut short": ({ messages }) => (messages[2].tool_calls[0].function.arguments = '{"a":'),
      "a name with a blank": ({ messages }) => (messages[2].tool_calls[0].function.name = "find it"),
      "nobody speaks": (body) => (body.messages = [body.messages[0]]),
      "two limits": (body) => (body.max_tokens = body.max_completion_tokens = 1),
      "parallel calls of no tools": (body) => Object.assign(body, { tools: [], parallel_tool_calls: true }),
      "a tool is chosen that is none": (body) => (body.tool_choice = { type: "function", function: { name: "other" } }),
    },
  },
  "openai-responses": {
    body: {
      model: "m",
      store: false,
      input: [
        { type: "message", role: "user", content: "hi" },
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "Z" },
        { type: "function_call", call_id: "a", name: "find", arguments: "{}" },
        { type: "function_call", call_id: "b", name: "find", arguments: "{}" },
        { type: "function_call_output", call_id: "a", output: "1" },
        { type: "function_call_output", call_id: "b", output: "2" },
        { role: "assistant", content: "done" },
      ],
      tools: [{ type: "function", name: "find", parameters: schema, strict: false }],
    },
    spoil: {
      "an output is missing": ({ input }) => remove(input, 4),
      "an output stands twice": ({ input }) => double(input, 4),
      "an output before its call": ({ input }) => swap(input, 3, 5),
      "an output of no call": ({ input }) => remove(input, 2),
      "a call twice": ({ input }) => double(input, 2),
      "what a thought led to is missing": ({ input }) => input.splice(2, 4, { role: "user", content: "and?" }),
      "a thought at the end": ({ input }) => input.push(input.splice(1, 1)[0]),
      "a thought without its content": ({ input }) => delete input[1].encrypted_content,
      "a thought without a summary": ({ input }) => delete input[1].summary,
      "blank text": ({ input }) => (input[0].content = " "),
      "the user's words as the model's": ({ input }) => (input[0].content = [{ type: "output_text", text: "hi" }]),
      "an id that is too long": ({ input }) => (input[2].call_id = input[4].call_id = "x".repeat(65)),
      "arguments that are a list": ({ input }) => (input[2].arguments = "[]"),
      "no output": ({ input }) => (input[4].output = ""),
      "an unknown item": ({ input }) => input.push({ type: "new" }),
      "nothing at all": (body) => (body.input = []),
      "a tool twice": ({ tools }) => double(tools, 0),
    },
  },
  gemini: {
    body: {
      contents: [
        { role: "user", parts: [{ text: "hi" }] },
        { role: "model", parts: [{ functionCall: { id: "a", name: "find", args: {} }, thoughtSignature: "s" }, { functionCall: { id: "b", name: "count", args: {} } }] },
        { role: "user", parts: [{ functionResponse: { id: "a", name: "find", response: { output: "1" } } }, { functionResponse: { id: "b", name: "count", response: { output: "2" } } }] },
        { role: "model", parts: [{ text: "done" }] },
      ],
      tools: [{ functionDeclarations: [{ name: "find", parameters: { type: "OBJECT", properties: { q: { type: "STRING" }, l: { type: "ARRAY", items: {} } }, required: ["q"] } }, { name: "count" }] }],
      toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["find"] } },
    },
    spoil: {
      "a response is missing": ({ contents }) => remove(contents[2].parts, 1),
      "a response stands twice": ({ contents }) => double(contents[2].parts, 1),
      "responses in another order": ({ contents }) => swap(contents[2].parts, 0, 1),
      "a response of no call": ({ contents }) => remove(contents[1].parts, 0),
      "a call twice": ({ contents }) => double(contents[1].parts, 0),
      "the responses are missing": ({ contents }) => contents.splice(2, 2),
      "another id": ({ contents }) => (contents[2].parts[0].functionResponse.id = "c"),
      "a turn twice": ({ contents }) => double(contents, 0),
      "the model first": ({ contents }) => remove(contents, 0),
      "a turn without parts": ({ contents }) => (contents[0].parts = []),
      "empty text": ({ contents }) => (contents[0].parts[0].text = ""),
      "two things in one part": ({ contents }) => (contents[1].parts[0].text = "x"),
      "a call of the user": ({ contents }) => contents[0].parts.push(contents[1].parts[1]),
      "a response that is a text": ({ contents }) => (contents[2].parts[0].functionResponse.response = "1"),
      "a name that begins with a digit": ({ contents }) => (contents[1].parts[0].functionCall.name = contents[2].parts[0].functionResponse.name = "0day"),
      "an empty signature": ({ contents }) => (contents[1].parts[0].thoughtSignature = ""),
      "nothing at all": (body) => (body.contents = []),
      "a keyword that is not read": ({ tools }) => (tools[0].functionDeclarations[0].parameters.additionalProperties = false),
      "a property of no type": ({ tools }) => (tools[0].functionDeclarations[0].parameters.properties.q = {}),
      "a list of nothing": ({ tools }) => delete tools[0].functionDeclarations[0].parameters.properties.l.items,
      "an enum of numbers": ({ tools }) => (tools[0].functionDeclarations[0].parameters.properties.q = { type: "INTEGER", enum: [1] }),
      "required and not there": ({ tools }) => (tools[0].functionDeclarations[0].parameters.required = ["z"]),
      "names with AUTO": ({ toolConfig }) => (toolConfig.functionCallingConfig.mode = "AUTO"),
      "a tool is chosen that is none": ({ toolConfig }) => (toolConfig.functionCallingConfig.allowedFunctionNames = ["other"]),
    },
  },
};

for (const [format, { body, spoil }] of Object.entries(SPOILED)) {
  test(`the rules of ${format} take what is right and see ${Object.keys(spoil).length} wrongs`, () => {
    assert.deepEqual(RULES[format](structuredClone(body)), []);
    for (const [how, change] of Object.entries(spoil)) {
      const wrong = structuredClone(body);
      change(wrong);
      assert.notDeepEqual(wrong, body, how);
      assert.notDeepEqual(RULES[format](wrong), [], how);
    }
  });
}
