// Story 3: an id that is not there, an argument that is wrong, a tool that nobody offered. Each is answered with an
// error, which the assistant reads and corrects. Enters: where the conversation stands. Leaves: blocks.

import { seen } from "../reading.mjs";
import { call, changes, closest, heard, search, text } from "./parts.mjs";

const THREAT = { title: "Answers of the partner are taken on trust", category: "Spoofing", severity: "high", description: "Whoever can answer in the partner’s place decides what counts as done." };

const CHECKED = "Its answers are checked before they count.";

/** Does three things wrong, then right. */
export function makeMistakes(state) {
  const elements = seen(state.calls, "elements");
  if (state.calls.length === 0) {
    return [
      text("I write down from memory what I would change, without looking first."),
      call("update_element", { id: "the-payment-provider", updates: { description: CHECKED } }),
      call("add_threat", { threat: { ...THREAT, severity: "quite bad" } }),
      call("connect_elements", { from: "the-payment-provider", to: "the-checkout" }),
    ];
  }
  if (elements === undefined) {
    return [
      text(`${heard(state.calls, "")}None of the three could be done, and nothing was changed: no element has that id, “quite bad” is no severity, and there is no tool of that name. So now I look at what is really there.`),
      search("elements"),
      search("data_flows"),
    ];
  }
  const flows = seen(state.calls, "data_flows") ?? [];
  const target = closest(elements, "payment provider");
  if (target === undefined) return [text("The document has no elements, so there is nothing I could put right. Add one, then ask me again.")];
  const made = changes(state).filter((each) => each.step > 1);
  if (made.length === 0) {
    const back = flows.find((flow) => flow.to === target.id)?.from ?? elements.find((element) => element.id !== target.id)?.id;
    return [
      text(`Put right: the element is called “${target.name}”, the severity is one that exists, and the connection is made with the tool that is there.`),
      call("update_element", { id: target.id, updates: { description: CHECKED } }),
      call("add_threat", { threat: { ...THREAT, element: target.id } }),
      ...(back === undefined ? [] : [call("add_data_flow", { data_flow: { name: "Signed answer", from: target.id, to: back, protocol: "HTTPS", authenticated: true } })]),
    ];
  }
  return [text(made.some((each) => each.ok) ? "Three mistakes, three answers, and now it is right. Nothing of the mistakes is left in the document." : `${heard(made)}Nothing was changed, by the mistakes or since.`)];
}
