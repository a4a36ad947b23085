// Stories that mostly look: a long answer to stop halfway, a review that runs into the bound of a turn, and a question
// answered in words alone. Enters: where the conversation stands. Leaves: blocks.

import { call, changes, heard, listed, look, many, search, text } from "./parts.mjs";

const KINDS = ["elements", "data_flows", "trust_boundaries", "threats"];

/** Story 4: explains everything at length. */
export function explain(state) {
  const { first, found } = look(state, "This will be long; stop me whenever you have read enough. I look at all of it first.", KINDS);
  if (first) return first;
  const nameOf = namer(found);
  const ends = (flow) => `${nameOf(flow.from)} to ${nameOf(flow.to)}`;
  return [text([
    `The model has ${many(found.elements.length, "element")}, ${many(found.data_flows.length, "data flow")}, ${many(found.trust_boundaries.length, "trust boundary", "trust boundaries")} and ${many(found.threats.length, "threat")}. I go through them in this order.`,
    ...found.elements.map((element) => `${element.name} is of the type ${element.type.replaceAll("_", " ")}${element.trust_zone ? ` and stands in the zone “${element.trust_zone}”` : ""}. ${arrivals(found, element.id)}`),
    ...found.data_flows.map((flow) => `${flow.name || "A flow without a name"} goes from ${ends(flow)}${flow.protocol ? ` over ${flow.protocol}` : ""}. ${flow.authenticated ? "Whoever talks there says who they are, so what arrives can be told apart from what a stranger sends." : "Nobody checks who talks there, so what arrives may come from anyone who can reach it."}`),
    ...found.trust_boundaries.map((boundary) => `The boundary “${boundary.name}” holds ${many(boundary.contains_count, "element")}. What crosses it deserves a second look, because trust changes there.`),
    ...found.threats.map((threat) => `“${threat.title}” is a matter of ${threat.category.toLowerCase()} and rated ${threat.severity}. ${threat.mitigation_status === "none" ? "Nothing is recorded against it yet." : `What is done about it: ${threat.mitigation_status.replaceAll("_", " ")}.`}`),
    "That is all of it.",
  ].join("\n\n"))];
}

/** Story 5: never finished, so that the turn reaches its bound. */
export function review(state) {
  const { first, found } = look(state, "I begin with what there is.", ["elements", "data_flows", "threats"]);
  if (first) return first;
  const made = changes(state);
  if (made.length === 0) {
    const open = found.data_flows.find((flow) => flow.authenticated === false);
    const target = open === undefined ? found.elements[0] && { element: found.elements[0].id } : { flow: open.id };
    const about = open?.name ?? found.elements[0]?.name;
    if (target !== undefined) return [text(`A first finding, about “${about}”. I note it and go on looking.`), call("add_threat", { threat: { title: `Review finding about ${about}`, category: "Tampering", severity: "low", description: "Noted in a review that never ends.", ...target } })];
  }
  const element = found.elements[state.step % Math.max(1, found.elements.length)];
  const again = search("threats", { limit: 10 + state.step });
  const words = state.step === 2 ? [text(`${made.some((each) => each.ok) ? "Noted. " : heard(made)}There is always one more thing to look at.`)] : [];
  return element === undefined ? [...words, again] : [...words, search("data_flows", { references: element.id, limit: 10 + state.step }), again];
}

/** Story 6: looks, then answers; nothing is proposed. */
export function whatIsUnprotected(state) {
  if (state.calls.length === 0) {
    return [text("I look."), call("get_document_summary", {}), search("data_flows", { authenticated: false }), search("threats", { mitigation_status: "none" }), search("elements")];
  }
  const { found } = look(state, "", ["elements", "data_flows", "threats"]);
  const { counts } = state.calls.find((each) => each.ok && each.tool === "get_document_summary")?.value ?? {};
  const [open, threats, nameOf] = [found.data_flows, found.threats, namer(found)];
  const total = counts?.data_flows ?? open.length;
  const flows = open.length === 0
    ? `Each of the ${many(total, "data flow")} says who is talking.`
    : `${open.length} of ${many(total, "data flow")} ${open.length === 1 ? "is" : "are"} not authenticated: ${open.map((flow) => `“${flow.name}” from ${nameOf(flow.from)} to ${nameOf(flow.to)}${flow.protocol ? `, over ${flow.protocol}` : ""}`).join("; ")}.`;
  const stake = threats.length === 0
    ? "Every threat that is written down has something recorded against it."
    : `What is at stake: ${listed(threats.map((threat) => threat.title))}, with nothing recorded against ${threats.length === 1 ? "it" : "them"} yet.`;
  return [text(`${flows}\n\n${stake}\n\nI changed nothing. Ask me to clean up, and I propose what I would do about it.`)];
}

function namer(found) {
  return (id) => found.elements.find((element) => element.id === id)?.name ?? id;
}

function arrivals(found, id) {
  const [into, out] = [found.data_flows.filter((flow) => flow.to === id).length, found.data_flows.filter((flow) => flow.from === id).length];
  if (into + out === 0) return "Nothing is connected to it, which is worth a question.";
  return `${many(into, "flow")} ${into === 1 ? "leads" : "lead"} to it and ${out} away from it.`;
}
