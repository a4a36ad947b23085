// What every contender is given alike: a response that streams, the tools as schemas, the words of the request.
import { z } from "zod";

export const SYSTEM = "You edit a threat model with the tools given.";
export const PROMPT = "Please extend the model.";
export const TOOL_NAMES = ["add_element", "update_element", "add_data_flow", "add_threat"];

/** A response whose body gives the chunks one by one. */
export function responseOf(chunks) {
  const left = chunks[Symbol.iterator]();
  const body = new ReadableStream({
    pull(controller) {
      const { done, value } = left.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response(body, { status: 200, headers: { "content-type": "text/event-stream; charset=utf-8" } });
}

/** The four tools as zod schemas. */
export function zodSchemas() {
  const word = z.string().min(1);
  const text = z.string().optional();
  const texts = z.array(z.string()).optional();
  const number = z.number().optional();
  const position = z.strictObject({ x: z.number(), y: z.number() }).optional();
  const element = { trust_zone: text, description: text, technologies: texts, position };
  const looks = { fill_color: text, stroke_color: text, fill_opacity: number, stroke_opacity: number, font_size: number, font_weight: text };
  const updates = { name: text, type: text, subtype: text, icon: text, stores: texts, encryption: text, layer: text, group: text, tags: texts, ...element, ...looks };
  const flow = { name: text, from: word, to: word, protocol: text, data: texts, authenticated: z.boolean().optional() };
  const status = z.enum(["not_started", "in_progress", "mitigated", "accepted", "transferred"]);
  const severity = z.string().refine((given) => ["critical", "high", "medium", "low", "info"].includes(given.toLowerCase()));
  const category = z.enum(["Spoofing", "Tampering", "Repudiation", "Information Disclosure", "Denial of Service", "Elevation of Privilege"]);
  const mitigation = z.strictObject({ status, description: z.string() }).optional();
  const threat = { title: word, category, element: text, flow: text, severity, description: word, mitigation };
  const act = (action, members) => z.strictObject({ action: z.literal(action), ...members });
  return {
    add_element: act("add_element", { element: z.strictObject({ type: word, name: word, ...element }) }),
    update_element: act("update_element", { id: word, updates: z.strictObject(updates) }),
    add_data_flow: act("add_data_flow", { data_flow: z.strictObject(flow) }),
    add_threat: act("add_threat", { threat: z.strictObject(threat) }),
  };
}

/** The same as JSON Schema. */
export function jsonSchemas() {
  return Object.fromEntries(
    Object.entries(zodSchemas()).map(([name, schema]) => {
      const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input" });
      return [name, json];
    }),
  );
}
