// This package as a host without a session drives it: bytes into a `ToolLoop`, every update shown, every effect done.
import * as core from "countersign/threat-model";
import { MODEL } from "../streams.mjs";
import { jsonSchemas, PROMPT, SYSTEM, TOOL_NAMES } from "./lib/host.mjs";

const FORMATS = { anthropic: "anthropic", openai: "openai-chat", responses: "openai-responses", gemini: "gemini" };
const NOW_MS = 1_764_547_200_000;
// the turn of w2 has nine requests and 32 calls: one more of each than the defaults allow
// and one call of w1 is larger
const LIMITS = { maxIterations: 16, maxToolCallsPerTurn: 64, maxMessages: 5000, maxArgumentBytes: 4_194_304 };

export const meta = { id: "ours", title: "Countersign, its loop", kind: "ours" };

export { core };

let client;
let acting;

/** Loads the core, and says what this build of it supports. */
export async function init() {
  await core.init();
  const schemas = jsonSchemas();
  client = new core.ToolRegistry(TOOL_NAMES.map((name) => ({ name, description: name, inputSchema: schemas[name] })));
  acting = new core.ToolRegistry(core.graphActionTools());
  const providers = Object.keys(FORMATS).filter((provider) => speaks(FORMATS[provider]));
  Object.assign(meta, { w1: providers, w1obs: providers, w1hist: providers, w2: providers, w3: "readTools" in core, w4: true, w5: true, w6: "entityTools" in core });
}

function speaks(format) {
  try {
    new core.StreamDecoder(format).free();
    return true;
  } catch {
    return false;
  }
}

/** A conversation with what came before it, up to the person's next message. */
export const w1setup = ({ history }) => new core.ToolLoop({ tools: client, limits: LIMITS, ...(history === undefined ? {} : { history }) });

export function w1(chunks, { provider, observe }, loop) {
  const [{ id }] = loop.dispatch({ type: "submit", text: PROMPT, nowMs: NOW_MS }).effects;
  loop.request(id, FORMATS[provider], { model: MODEL[provider], system: SYSTEM });
  const done = { text: "", calls: [] };
  const show = (update) => {
    if (update.type === "text") {
      done.text += update.delta;
      if (observe !== undefined) observe(update.delta);
    } else if (update.type === "call" && update.call.status === "pending") {
      const { id, providerId, toolName, input } = update.call;
      done.calls.push({ id: providerId ?? id, name: toolName, input });
    }
  };
  for (const chunk of chunks) for (const update of loop.feed(id, chunk, NOW_MS).updates) show(update);
  return done;
}

export const w1after = (loop) => loop.free();

/** The document is taken in beforehand, as an editor holds it when the person asks. */
export function w2setup({ document, work }) {
  const store = work === "full" ? new core.DocumentStore("threat-model", document) : undefined;
  const tools = work === "full" ? acting : client;
  return { store, loop: new core.ToolLoop({ tools, limits: LIMITS, ...(store === undefined ? {} : { document: store }) }) };
}

export function w2({ provider, requests }, { loop, store }) {
  const done = { text: "", calls: [], approvals: 0, succeeded: 0, requests: 0, outcome: undefined };
  const seenAt = store?.revision ?? 0;
  const todo = [];
  // a call is told when it arrives, and again with what it would do
  let pending = new Map();
  const take = ({ updates, effects }) => {
    for (const update of updates) {
      if (update.type === "text") done.text += update.delta;
      else if (update.type === "settled") done.outcome = update.outcome;
      else if (update.type === "call") {
        const { call } = update;
        if (call.status === "pending") pending.set(call.id, call);
        else if (call.status === "succeeded") done.succeeded += 1;
      }
    }
    todo.push(...effects);
  };
  take(loop.dispatch({ type: "submit", text: PROMPT, nowMs: NOW_MS }));
  for (let effect = todo.shift(); effect !== undefined; effect = todo.shift()) {
    if (effect.type === "request") {
      loop.request(effect.id, FORMATS[provider], { model: MODEL[provider], system: SYSTEM });
      for (const chunk of requests[done.requests]) take(loop.feed(effect.id, chunk, NOW_MS));
      done.requests += 1;
      const cards = pending.values();
      pending = new Map();
      for (const { id, providerId, toolName, input, inputDigest, preview } of cards) {
        // a graph action knows its act by its name, and takes it out of the input
        done.calls.push({ id: providerId ?? id, name: toolName, input: store === undefined ? input : { action: toolName, ...input } });
        done.approvals += 1;
        take(loop.dispatch({ type: "approveCall", callId: id, seen: preview?.effectDigest ?? `${inputDigest}@${seenAt}`, nowMs: NOW_MS }));
      }
    } else if (effect.type === "execute") {
      take(loop.dispatch({ type: "callSettled", callId: effect.callId, outcome: { status: "ok", result: "ok" }, nowMs: NOW_MS }, effect.id));
    }
  }
  // an editor follows the patches; the whole document is read for the check alone
  return Object.defineProperty(done, "document", { get: () => store?.read() });
}

export function w2after({ loop, store }) {
  loop.free();
  store?.free();
}

/** Reads are tools of the core, so each is measured as the one call of a message. */
export function w3setup(document) {
  const store = new core.DocumentStore("threat-model", document);
  return { store, tools: new core.ToolRegistry(core.readTools("threat-model")) };
}

export function w3({ store, tools }, { tool, input }) {
  const loop = new core.ToolLoop({ tools, document: store });
  const [{ id }] = loop.dispatch({ type: "submit", text: PROMPT, nowMs: NOW_MS }).effects;
  loop.dispatch({ type: "message_start", model: "m" }, id);
  loop.dispatch({ type: "tool_call_complete", id: "read", name: tool, input }, id);
  const { updates } = loop.dispatch({ type: "message_stop", stopReason: "tool_use" }, id);
  const { result } = updates.findLast((update) => update.type === "call" && update.call.status === "succeeded").call;
  loop.free();
  return result;
}

export const w4 = {
  "prepare: validate, digest, summary": { object: (value, name) => client.prepare(name, value).ok },
};

export const w5 = {
  object: {
    "canonicalJson": { write: (value) => core.canonicalJson(value) },
    "inputDigest: canonical + SHA-256": { unchecked: true, write: (value) => core.inputDigest("tool", value) },
  },
  text: {
    "JSON.parse + canonicalJson": { write: (json) => core.canonicalJson(JSON.parse(json)) },
  },
};
