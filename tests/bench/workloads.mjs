// Every case of every workload: what goes in, how a contender is called, and what must come out.
import { createHash } from "node:crypto";
import { BROKEN_ELEMENT, changes, threatModel } from "./documents.mjs";
import { SCALE, scale } from "./scale.mjs";
import { answer, chunksOf, longCall } from "./streams.mjs";

const COUNTS = [1_000, 10_000, 100_000];
const SIZES = [100, 1_000, 10_000];
const PROVIDERS = ["anthropic", "openai"];
const FORMATS = [...PROVIDERS, "responses", "gemini"];

// how large the arguments of one call are, in KiB: two formats repeat a call in one line, which may hold 1 MiB in all
const ARGUMENTS = { anthropic: [64, 1_024], openai: [64, 1_024], responses: [64, 512], gemini: [64, 512] };
// a fragment is about twelve characters long
const FRAGMENTS_PER_KIB = 1_024 / 12;

const texts = (provider, deltas, cut) => ({ name: `${provider}/text ${deltas}/${cut}`, provider, deltas, calls: 0, cut });

/** What there is to race, by workload. */
export const WORKLOADS = {
  // long answers and large calls
  w1: [
    ...FORMATS.flatMap((provider) => COUNTS.map((deltas) => texts(provider, deltas, "event"))),
    ...COUNTS.map((deltas) => texts("anthropic", deltas, 16_384)),
    ...FORMATS.slice(1).map((provider) => texts(provider, 10_000, 16_384)),
    texts("anthropic", 10_000, 1_024),
    ...FORMATS.flatMap((provider) => [texts(provider, 1_000, 1), texts(provider, 10_000, 1)]),
    ...FORMATS.flatMap((provider) =>
      ARGUMENTS[provider].map((kib) => ({ name: `${provider}/a call of ${kib} KiB/event`, provider, deltas: 0, calls: 1, fragments: Math.round(kib * FRAGMENTS_PER_KIB), cut: "event" })),
    ),
    ...FORMATS.flatMap((provider) =>
      [[1, 1_000], [1, 10_000], [8, 500]].map(([calls, fragments]) => ({ name: `${provider}/${calls} calls of ${fragments} fragments/event`, provider, deltas: 200, calls, fragments, cut: "event" })),
    ),
  ],
  // the text read after every delta
  w1obs: COUNTS.map((deltas) => ({ ...texts("anthropic", deltas, "event"), observed: true })),
  // an answer with a conversation behind it
  w1hist: [0, 20, 200, 2_000].map((history) => ({ ...texts("anthropic", 10_000, "event"), name: `anthropic/text 10000 after ${history} messages`, history })),
  // a turn of eight messages with four approved calls each
  w2: [
    ...PROVIDERS.map((provider) => ({ name: `${provider}/no document work`, provider, size: 100, work: "none" })),
    ...SIZES.map((size) => ({ name: `anthropic/document of ${size}`, provider: "anthropic", size, work: "full" })),
    { name: "openai/document of 1000", provider: "openai", size: 1_000, work: "full" },
  ],
  // reads of a document
  w3: SIZES.flatMap((size) => reads(size).map(({ name }) => ({ name: `${name}/${size}`, size, read: name }))),
  // one tool input validated
  w4: ["add_element", "add_element broken", "update_element", "add_threat"].map((name) => ({ name })),
  // canonical JSON and digest
  w5: ["1 KB", "1 MB"].flatMap((size) => ["object", "text"].map((from) => ({ name: `${size} from ${from}`, size, from }))),
  // one change on documents of any size
  w6: SCALE,
  // the peak of memory over one long answer; run once, in a process of its own
  mem: FORMATS.map((provider) => texts(provider, 100_000, "event")),
};

function reads(size) {
  const middle = Math.ceil(size / 2);
  const search = (name, input) => ({ name, tool: "search_entities", input: { kind: "elements", ...input } });
  return [
    { name: "summary", tool: "get_document_summary", input: {} },
    search("search text", { text: "billing" }),
    search("page of 20", {}),
    search("page of 50", { limit: 50 }),
    search("last page of a zone", { trust_zone: "dmz", offset: Math.floor(size * 0.12) }),
    { name: "references", tool: "search_entities", input: { kind: "data_flows", references: `comp-${middle}` } },
    { name: "one entity", tool: "get_entity", input: { kind: "elements", id: `comp-${middle}` } },
  ];
}

const digest = (text) => createHash("sha256").update(text).digest("hex").slice(0, 16);
const sorted = (value) =>
  Array.isArray(value) ? value.map(sorted) : typeof value === "object" && value !== null ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])])) : value;
const canonical = (value) => JSON.stringify(sorted(value));
const callsDigest = (calls) => digest(canonical(calls.map(({ id, name, input }) => ({ id, name, input }))));

/**
 * One case made ready. Long ones give {setup?, run, after?, check}: a context, the work over it, the answer's fault or undefined.
 * Short ones give {variants: [{name, run, check}]}, which are run many times per sample. `units` counts what a case is divided by.
 */
export function prepare(workload, spec, contender) {
  switch (workload) {
    case "w1":
    case "w1obs":
    case "w1hist":
    case "mem":
      return stream(spec, contender);
    case "w2":
      return turn(spec, contender);
    case "w3":
      return read(spec, contender);
    case "w4":
      return validation(spec, contender);
    case "w5":
      return canon(spec, contender);
    case "w6":
      return scale(spec, contender);
    default:
      throw new Error(`no workload is named ${workload}`);
  }
}

function stream({ provider, deltas, calls, fragments, cut, history, observed }, contender) {
  const message = answer({ provider, deltas, calls: Array.from({ length: calls }, (_, at) => longCall(at, fragments)), fragments, seed: 11 });
  const chunks = chunksOf(message, cut);
  const earlier = history ? Array.from({ length: history }, (_, at) => ({ role: at % 2 ? "assistant" : "user", content: [{ type: "text", text: `message ${at}` }] })) : undefined;
  let looks = 0;
  const observe = observed
    ? (text) => {
        looks += text.charCodeAt(text.length - 1) & 1;
      }
    : undefined;
  const options = { provider, dataLines: message.dataLines, ...(observe ? { observe } : {}), ...(earlier ? { history: earlier } : {}) };
  return {
    units: { deltas: deltas + calls * (fragments ?? 0), chunks: chunks.length, bytes: chunks.reduce((sum, { length }) => sum + length, 0) },
    setup: contender.w1setup === undefined ? undefined : () => contender.w1setup(options),
    run: (context) => contender.w1(chunks, options, context),
    // an answer that was never looked at is a list of pieces: to make it one text is part of the work
    finish: ({ text }) => {
      if (text.length > 0) looks += text.charCodeAt(text.length - 1) & 1;
    },
    after: contender.w1after,
    check({ text, calls: got }) {
      if (digest(text) !== digest(message.text)) return `another text (${text.length} of ${message.text.length} characters)`;
      return callsDigest(got) === callsDigest(message.calls) ? undefined : `other calls: ${JSON.stringify(got).slice(0, 200)}`;
    },
  };
}

function turn({ provider, size, work }, contender) {
  const messages = Array.from({ length: 9 }, (_, at) =>
    answer({ provider, deltas: at < 8 ? 20 : 100, calls: at < 8 ? changes(at, size) : [], fragments: 12, seed: at + 1 }),
  );
  const input = { provider, requests: messages.map((message) => chunksOf(message, "event")), document: threatModel(size), work };
  const text = messages.map((message) => message.text).join("");
  const calls = messages.flatMap((message) => message.calls);
  return {
    units: { calls: 32, chunks: input.requests.flat().length },
    setup: contender.w2setup === undefined ? undefined : () => contender.w2setup(input),
    run: (context) => contender.w2(input, context),
    after: contender.w2after,
    check(got) {
      if (got.text !== text) return "another text";
      if (callsDigest(got.calls) !== callsDigest(calls)) return "other calls";
      const counts = { approvals: got.approvals, succeeded: got.succeeded, requests: got.requests, outcome: got.outcome };
      const wanted = { approvals: 32, succeeded: 32, requests: 9, outcome: "completed" };
      if (canonical(counts) !== canonical(wanted)) return JSON.stringify(counts);
      if (work !== "full") return undefined;
      return documentFault(got.document, size);
    },
  };
}

// Ids of threats are the contender's own to choose; everything else of the document must be what the calls say.
function documentFault(document, size) {
  if (document.elements.length !== size + 8) return `${document.elements.length} elements`;
  if (document.data_flows.length !== Math.round(size * 1.2) + 8) return `${document.data_flows.length} flows`;
  if (document.threats.length !== Math.round(size * 0.5) + 8) return `${document.threats.length} threats`;
  for (let at = 0; at < 8; at += 1) {
    const [added, , flow, threat] = changes(at, size);
    const element = document.elements[size + at];
    if (element.name !== added.input.element.name || element.description !== added.input.element.description) return `element ${at} differs`;
    if (document.data_flows.at(at - 8).to !== flow.input.data_flow.to) return `flow ${at} differs`;
    if (document.threats.at(at - 8).description !== threat.input.threat.description) return `threat ${at} differs`;
  }
  const last = changes(7, size)[1].input;
  const updated = document.elements.find(({ id }) => id === last.id);
  return updated?.description === last.updates.description ? undefined : "the update is missing";
}

function read({ size, read: wanted }, contender) {
  const document = threatModel(size);
  const { tool, input } = reads(size).find(({ name }) => name === wanted);
  const context = contender.w3setup(document);
  return { variants: [{ name: "", run: () => contender.w3(context, { tool, input }), tell: told }] };
}

// Ids and total of a read, whatever is around them: contenders are compared by it.
function told(result) {
  const text = String(result);
  const { results, page, counts, threats_by_severity: severities, entity } = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
  if (results) return `${page?.total} found, ${results.length} shown, ${digest(JSON.stringify(results.map(({ id }) => id)))}`;
  return digest(counts ? canonical(counts) + canonical(severities ?? null) : String(entity?.id));
}

function validation({ name }, contender) {
  const [element, update, , threat] = changes(3, 100).map(({ input }) => input);
  const value = { "add_element": element, "add_element broken": BROKEN_ELEMENT, "update_element": update, "add_threat": threat }[name];
  const tool = name.split(" ")[0];
  const wanted = value !== BROKEN_ELEMENT;
  const json = JSON.stringify(value);
  const variants = Object.entries(contender.w4).map(([label, { object, text, unchecked }]) => ({
    name: label,
    run: object ? () => object(value, tool) : () => text(json, tool),
    check: unchecked ? undefined : (got) => (got === wanted ? undefined : `said ${got}`),
  }));
  return { variants };
}

function canon({ size, from }, contender) {
  const value = size === "1 KB" ? { ...changes(1, 100)[3].input, extra: changes(2, 100).map(({ input }) => input) } : threatModel(1640, 7);
  const json = JSON.stringify(value);
  const wanted = digest(canonical(value));
  const variants = Object.entries(contender.w5[from] ?? {}).map(([label, { write, unchecked }]) => ({
    name: label,
    run: () => write(from === "object" ? value : json),
    check: unchecked ? undefined : (got) => (digest(got) === wanted ? undefined : "other bytes"),
  }));
  return { units: { bytes: json.length }, variants };
}
