// A limit for reads: plain filters over arrays and one `JSON.stringify` of the page. No escaping, no cap of bytes.
export const meta = { id: "floor-query", title: "plain filters, JSON.stringify of the page", kind: "limit", w3: true };

export const w3setup = (document) => document;

export function w3(document, { tool, input }) {
  if (tool === "get_document_summary") return JSON.stringify(summary(document));
  if (tool === "get_entity") return JSON.stringify(entity(document, input));
  return JSON.stringify(search(document, input));
}

function summary(document) {
  const counted = (names, values) => {
    const counts = Object.fromEntries(names.map((name) => [name, 0]));
    for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
    return counts;
  };
  const { threats, metadata } = document;
  const sections = ["elements", "data_flows", "trust_boundaries", "threats", "layers", "groups", "relationships", "diagrams"];
  const severities = counted(["critical", "high", "medium", "low", "info"], threats.map(({ severity }) => severity));
  return {
    metadata,
    counts: Object.fromEntries(sections.map((name) => [name, document[name].length])),
    threats_by_severity: Object.entries(severities).map(([severity, count]) => ({ count, severity })),
    categories: counted([], threats.map(({ category }) => category)),
    mitigations: counted([], threats.map(({ mitigation }) => mitigation?.status ?? "none")),
  };
}

function entity(document, { kind, id }) {
  const ends = (end) => document.data_flows.filter((flow) => flow[end] === id).map((flow) => flow.id);
  return { kind, entity: document[kind].find((found) => found.id === id), in: ends("to"), out: ends("from") };
}

function search(document, { kind, text, trust_zone: zone, references, offset = 0, limit = 20 }) {
  const wanted = text?.toLowerCase();
  const says = ({ id, name, type, trust_zone, description, technologies, tags }) =>
    [id, name, type, trust_zone, description, ...technologies, ...tags].join("\n").toLowerCase().includes(wanted);
  const page = [];
  let total = 0;
  for (const found of document[kind]) {
    if (wanted !== undefined && !says(found)) continue;
    if (zone !== undefined && found.trust_zone !== zone) continue;
    if (references !== undefined && found.from !== references && found.to !== references) continue;
    if (total >= offset && page.length < limit) page.push(found);
    total += 1;
  }
  const shown =
    kind === "elements"
      ? ({ id, name, type, trust_zone, layer, group }) => ({ id, name, type, trust_zone, layer, group })
      : ({ id, name, from, to, protocol, authenticated }) => ({ id, name, from, to, protocol, authenticated });
  return { kind, page: { offset, limit, returned: page.length, total }, results: page.map(shown) };
}
