// Story 2: a deletion beside an update; what was denied is answered with something else. Enters: where the conversation
// stands. Leaves: blocks.

import { call, changes, closest, heard, look, text } from "./parts.mjs";

/** Removes what nobody needs, and protects what travels openly. */
export function cleanUp(state) {
  const { first, found } = look(state, "I look at what there is.", ["elements", "data_flows", "threats"]);
  if (first) return first;
  const old = closest(found.elements.filter((element) => /\b(old|legacy|unused|deprecated|obsolete|export)\b/i.test(`${element.name} ${element.id}`)), state.asked);
  const flow = weakest(found, old, state.asked);
  const made = changes(state);
  if (made.length === 0) return propose(old, flow, flow && found.threats.find((threat) => threat.flow === flow.id));
  const [removal, tightening] = ["delete_element", "update_data_flow"].map((tool) => made.find((each) => each.tool === tool));
  if (!made.some((each) => each.step > made[0].step)) {
    const instead = [
      removal && !removal.ok && old && call("update_element", { id: old.id, updates: { name: `${old.name.replace(/\s*\(old\)$/i, "")} (retiring)`, description: "Kept for now; to be removed once nobody needs its files.", encryption: "Files are encrypted at rest" } }),
      tightening && !tightening.ok && call("update_data_flow", { id: tightening.input.id, updates: { protocol: "HTTPS" } }),
    ].filter(Boolean);
    if (instead.length > 0) {
      const kept = removal && !removal.ok;
      return [text(`${heard(made)}${kept ? "Then the export stays. Instead I would mark it as retiring and have its files encrypted, so that it does less harm while it is there." : "Then without certificates: plain HTTPS would already protect what travels there."}`), ...instead];
    }
  }
  const done = made.filter((each) => each.ok).map((each) => each.tool);
  const told = [
    done.includes("delete_element") && `“${old?.name ?? "What was old"}” is gone, with the flows that led to it.`,
    done.includes("update_element") && "It stays, marked as retiring.",
    done.includes("update_data_flow") && `“${flow?.name ?? "The flow"}” is protected now.`,
  ].filter(Boolean);
  return [text(told.length === 0 ? "Understood, I leave everything as it is." : told.join(" "))];
}

function propose(old, flow, threat) {
  if (old === undefined && flow === undefined) return [text("Nothing here looks left over, and every flow says who is talking. I would leave it as it is.")];
  const words = [
    old && `“${old.name}” is old and nothing reads what it writes, so I would delete it.`,
    flow && `“${flow.name}” travels without protection; I would change that${threat ? ", and note it at the threat" : ""}.`,
  ].filter(Boolean);
  return [
    text(words.join(" And ")),
    ...(old ? [call("delete_element", { id: old.id })] : []),
    ...(flow ? [call("update_data_flow", { id: flow.id, updates: { protocol: "HTTPS with client certificates", authenticated: true } })] : []),
    ...(threat ? [call("update_threat", { id: threat.id, updates: { mitigation: { status: "in_progress", description: "What travels there is protected on its way." } } })] : []),
  ];
}

// an open flow that stays: the one whose ends were asked about
function weakest(found, old, asked) {
  const nameOf = (id) => found.elements.find((element) => element.id === id)?.name ?? "";
  const open = found.data_flows.filter((flow) => flow.authenticated === false && flow.from !== old?.id && flow.to !== old?.id);
  const chosen = closest(open.map((flow) => ({ id: flow.id, name: `${flow.name} ${nameOf(flow.from)} ${nameOf(flow.to)}` })), asked);
  return open.find((flow) => flow.id === chosen?.id);
}
