// Threat models of any size and the calls that change them, made from a seed.
import { numbersFrom, oneOf, textFrom } from "./streams.mjs";

const CATEGORIES = ["Spoofing", "Tampering", "Repudiation", "Information Disclosure", "Denial of Service", "Elevation of Privilege"];
const SEVERITIES = ["critical", "high", "medium", "low", "info"];
const STATUSES = ["not_started", "in_progress", "mitigated", "accepted", "transferred"];
const TYPES = ["process", "data_store", "external_entity", "api_gateway", "sql_database", "web_server", "message_queue"];
const ZONES = ["internal", "dmz", "external", "cloud", "restricted"];
const PROTOCOLS = ["HTTPS", "gRPC", "TLS", "SQL", "AMQP"];

const list = (length, make) => Array.from({ length }, (_, at) => make(at, at + 1));
const some = (share) => Math.max(1, Math.floor(share));

/** A threat model of n elements with 1.2 n flows, n/2 threats, and boundaries, groups and relationships in proportion. */
export function threatModel(n, seed = 42) {
  // members are drawn in the order they are written, so the order here is part of the bytes
  const next = numbersFrom(seed);
  const pick = (from) => oneOf(from, next);
  const first = (from, upTo) => from.slice(0, Math.floor(next() * upTo) + from.length - upTo + 1);
  const text = (pieces) => textFrom(next, pieces).trim();
  const layers = ["edge", "app", "data", "ops"].map((name) => ({ id: `layer-${name}`, name, description: `Layer ${name}` }));
  const groups = list(some(n / 50), (at, no) => ({ id: `group-${no}`, name: `Group ${no}`, type: "team", ...(at > 0 && at % 3 === 0 ? { parent: `group-${at}` } : {}) }));
  const elements = list(n, (at, no) => ({
    id: `comp-${no}`,
    type: pick(TYPES),
    name: `Service ${no}${at % 97 === 0 ? " Billing" : ""}`,
    trust_zone: pick(ZONES),
    layer: pick(layers).id,
    group: pick(groups).id,
    description: text(12),
    technologies: first(["TypeScript", "Docker"], 2),
    tags: first(["pci", "core"], 3),
    position: { x: (at % 100) * 250, y: Math.floor(at / 100) * 200 },
  }));
  const element = () => pick(elements).id;
  const data_flows = list(Math.round(n * 1.2), (_, no) => ({
    id: `flow-${no}`,
    flow_number: no,
    name: `Flow ${no}`,
    from: element(),
    to: element(),
    protocol: pick(PROTOCOLS),
    data: first(["credentials", "orders"], 2),
    authenticated: next() < 0.7,
  }));
  const trust_boundaries = list(some(n / 20), (at, no) => ({
    id: `boundary-${no}`,
    name: `Boundary ${no}`,
    contains: elements.slice(at * 20, no * 20).map(({ id }) => id),
    position: { x: at * 450, y: 50 },
    size: { width: 400, height: 300 },
  }));
  const threats = list(Math.round(n * 0.5), (_, no) => ({
    id: `threat-${no}`,
    title: `Threat ${no}`,
    category: pick(CATEGORIES),
    ...(next() < 0.6 ? { element: element() } : { flow: pick(data_flows).id }),
    severity: pick(SEVERITIES),
    description: text(15),
    ...(next() < 0.5 ? { mitigation: { status: pick(STATUSES), description: text(8) } } : {}),
  }));
  const relationships = list(some(n / 10), (_, no) => ({ id: `rel-${no}`, type: "depends_on", from: element(), to: element(), name: `Rel ${no}` }));
  const metadata = { title: `Bench ${n}`, author: "bench", created: "2026-01-01", modified: "2026-01-02", description: "A synthetic model", threat_analysis_enabled: true };
  const diagrams = [{ id: "main", name: "Main", kind: "dfd", description: "All", viewport: { x: 0, y: 0, zoom: 1 } }];
  return { version: "1.0", metadata, layers, groups, elements, data_flows, relationships, trust_boundaries, threats, diagrams };
}

/** The four calls of one message of the turn; they name what the document of n elements began with. */
export function changes(iteration, n) {
  const next = numbersFrom(5000 + iteration);
  const element = () => `comp-${Math.floor(next() * n) + 1}`;
  const text = (pieces) => textFrom(next, pieces).trim();
  const calls = [
    {
      action: "add_element",
      element: { type: "process", name: `New service ${iteration}`, trust_zone: "internal", description: text(10), technologies: ["Rust", "WASM"], position: { x: 100 + iteration, y: 50.5 } },
    },
    { action: "update_element", id: element(), updates: { description: text(14), trust_zone: "dmz", tags: ["reviewed"] } },
    { action: "add_data_flow", data_flow: { name: `New flow ${iteration}`, from: element(), to: element(), protocol: "HTTPS", data: ["tokens"], authenticated: true } },
    {
      action: "add_threat",
      threat: {
        title: `New threat ${iteration}`,
        category: "Tampering",
        element: element(),
        severity: "high",
        description: text(18),
        mitigation: { status: "not_started", description: "Review it" },
      },
    },
  ];
  return calls.map((input) => ({ name: input.action, input }));
}

/** An input that breaks three rules of `add_element`. */
export const BROKEN_ELEMENT = { action: "add_element", element: { type: "process", description: 7, technologies: ["a", 1], colour: "red" } };
