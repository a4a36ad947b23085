// A limit: a whole turn in plain JavaScript. Decoded by hand, every input validated by ajv, every approval bound to the canonical
// input, four actions written by hand, the document's rules kept by look-ups in sets, each request's body written. No streams.
import Ajv from "ajv";
import { MODEL } from "../streams.mjs";
import { w1 as decode } from "./floor-hand.mjs";
import { jsonSchemas, PROMPT, SYSTEM } from "./lib/host.mjs";

export const meta = { id: "floor-turn", title: "a turn in plain JavaScript, ajv, look-ups in sets", kind: "limit", w2: ["anthropic", "openai"] };

const schemas = jsonSchemas();
const ajv = new Ajv({ strict: false });
const validators = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, ajv.compile(schema)]));
const tools = Object.entries(schemas).map(([name, input_schema]) => ({ name, description: name, input_schema }));

export function w2({ provider, requests, document: first, work }) {
  const done = { text: "", calls: [], approvals: 0, succeeded: 0, requests: 0, outcome: "completed", document: first, undo: first };
  const messages = [{ role: "user", content: PROMPT }];
  for (;;) {
    JSON.stringify({ model: MODEL[provider], system: SYSTEM, messages, tools, stream: true });
    const { text, calls } = decode(requests[done.requests], { provider });
    done.requests += 1;
    done.text += text;
    messages.push({ role: "assistant", content: [{ type: "text", text }, ...calls] });
    if (calls.length === 0) return done;
    messages.push({ role: "user", content: answered(done, calls, work) });
  }
}

function answered(done, calls, work) {
  const grants = new Map();
  for (const { id, name, input } of calls) {
    if (!validators[name](input)) throw new Error(`${name}: ${ajv.errorsText(validators[name].errors)}`);
    grants.set(id, canonical(input));
    done.approvals += 1;
  }
  return calls.map((call) => {
    if (grants.get(call.id) !== canonical(call.input)) throw new Error(`no grant for ${call.id}`);
    grants.delete(call.id);
    if (work === "full") done.document = checked(changed(done.document, call.input));
    done.succeeded += 1;
    done.calls.push(call);
    return { type: "tool_result", tool_use_id: call.id, content: `Applied ${call.name}` };
  });
}

const canonical = (value) => JSON.stringify(sorted(value));

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}

function changed(document, { action, ...given }) {
  const { elements, data_flows, threats } = document;
  switch (action) {
    case "add_element":
      return { ...document, elements: [...elements, { id: freshId(elements, "comp-"), trust_zone: "", description: "", technologies: [], ...given.element }] };
    case "update_element":
      if (!elements.some(({ id }) => id === given.id)) throw new Error(`no element ${given.id}`);
      return { ...document, elements: elements.map((element) => (element.id === given.id ? { ...element, ...given.updates } : element)) };
    case "add_data_flow":
      return { ...document, data_flows: [...data_flows, { id: freshId(data_flows, "flow-"), flow_number: data_flows.length + 1, data: [], authenticated: false, ...given.data_flow }] };
    case "add_threat":
      return { ...document, threats: [...threats, { id: freshId(threats, "threat-"), ...given.threat }] };
    default:
      throw new Error(action);
  }
}

function freshId(list, prefix) {
  let largest = 0;
  for (const { id } of list) if (id.startsWith(prefix)) largest = Math.max(largest, Number(id.slice(prefix.length)) || 0);
  return `${prefix}${largest + 1}`;
}

function checked(document) {
  const idsOf = (section) => {
    const ids = new Set();
    for (const { id } of document[section] ?? []) {
      if (typeof id !== "string" || ids.has(id)) throw new Error(`${section}: ${id}`);
      ids.add(id);
    }
    return ids;
  };
  const known = (ids, id) => {
    if (!ids.has(id)) throw new Error(`no ${id}`);
  };
  const maybe = (ids, id) => {
    if (id != null) known(ids, id);
  };
  const elements = idsOf("elements");
  const flows = idsOf("data_flows");
  const layers = idsOf("layers");
  const groups = idsOf("groups");
  const relationships = idsOf("relationships");
  const boundaries = new Set(document.trust_boundaries.map(({ id }) => id));
  for (const id of groups) if (elements.has(id) || boundaries.has(id)) throw new Error(`twice ${id}`);
  for (const id of relationships) if (flows.has(id)) throw new Error(`twice ${id}`);
  for (const { from, to } of document.data_flows) known(elements, from), known(elements, to);
  for (const { layer, group } of document.elements) maybe(layers, layer), maybe(groups, group);
  for (const { from, to } of document.relationships ?? []) known(elements, from), known(elements, to);
  for (const { contains } of document.trust_boundaries) for (const id of contains ?? []) known(elements, id);
  for (const { element, flow } of document.threats) maybe(elements, element), maybe(flows, flow);
  const parents = new Map();
  for (const { id, parent } of document.groups ?? []) {
    if (parent == null) continue;
    known(groups, parent);
    parents.set(id, parent);
  }
  for (const id of groups) {
    const seen = new Set([id]);
    for (let above = parents.get(id); above !== undefined; above = parents.get(above)) {
      if (seen.has(above)) throw new Error(`circle at ${above}`);
      seen.add(above);
    }
  }
  return document;
}
