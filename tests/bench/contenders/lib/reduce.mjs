// The least that still gives text and parsed calls out of parsed frames.

/** A reducer for one answer of a provider: `take` each parsed frame, then read `text` and `calls`. */
export const reducerOf = (provider) => new REDUCERS[provider]();

/** The providers there is a reducer for. */
export const PROVIDERS = ["anthropic", "openai", "responses", "gemini"];

const parsed = ({ id, name, parts }) => ({ id, name, input: JSON.parse(parts.join("") || "{}") });

class AnthropicReducer {
  text = "";
  calls = [];
  #open = new Map();
  take(frame) {
    if (frame.type === "content_block_delta") {
      const { delta } = frame;
      if (delta.type === "text_delta") this.text += delta.text;
      else if (delta.type === "input_json_delta") this.#open.get(frame.index).parts.push(delta.partial_json);
    } else if (frame.type === "content_block_start") {
      const { type, id, name } = frame.content_block;
      if (type === "tool_use") this.#open.set(frame.index, { id, name, parts: [] });
    } else if (frame.type === "content_block_stop") {
      const call = this.#open.get(frame.index);
      if (call !== undefined) this.calls.push(parsed(call));
      this.#open.delete(frame.index);
    }
  }
}

class OpenaiReducer {
  text = "";
  calls = [];
  #open = new Map();
  take({ choices: [choice] }) {
    if (choice === undefined) return;
    const { content, tool_calls: fragments } = choice.delta;
    if (content) this.text += content;
    for (const { index, id, function: part } of fragments ?? []) {
      if (!this.#open.has(index)) this.#open.set(index, { id, name: part.name, parts: [] });
      this.#open.get(index).parts.push(part.arguments ?? "");
    }
    if (!choice.finish_reason) return;
    for (const call of this.#open.values()) this.calls.push(parsed(call));
    this.#open.clear();
  }
}

class ResponsesReducer {
  text = "";
  calls = [];
  #open = new Map();
  take(frame) {
    if (frame.type === "response.output_text.delta") this.text += frame.delta;
    else if (frame.type === "response.function_call_arguments.delta") this.#open.get(frame.item_id).parts.push(frame.delta);
    else if (frame.type === "response.output_item.added") {
      const { type, id, call_id: callId, name } = frame.item;
      if (type === "function_call") this.#open.set(id, { id: callId, name, parts: [] });
    } else if (frame.type === "response.output_item.done") {
      const call = this.#open.get(frame.item.id);
      if (call !== undefined) this.calls.push(parsed(call));
    }
  }
}

class GeminiReducer {
  text = "";
  calls = [];
  take({ candidates: [candidate] }) {
    for (const { text, functionCall: call } of candidate.content.parts) {
      if (text) this.text += text;
      if (call !== undefined) this.calls.push({ id: call.id, name: call.name, input: call.args });
    }
  }
}

const REDUCERS = { anthropic: AnthropicReducer, openai: OpenaiReducer, responses: ResponsesReducer, gemini: GeminiReducer };
