/** The system prompt of a request: the host's words, the rules that go with the document, and the document's part as it is now. */

import { CountersignError } from "../error.js";
import { RULES } from "../handle.js";
import type { AdvertisedTool } from "../types.js";
import type { SessionOptions } from "./options.js";

const LEAST_BYTES = 1024;
const PARTS = ["none", "summary", "excerpt"];
const READ_TOOLS = ["get_document_summary", "get_entity", "search_entities"];

/** Refuses a part that does not exist, and room that is none. */
export function requirePromptOptions({ promptDocument, promptDocumentBytes }: SessionOptions): void {
  if (promptDocument !== undefined && !PARTS.includes(promptDocument)) {
    throw new CountersignError("invalid_options", "no part of a document is called that", { path: "promptDocument", expected: "`none`, `summary` or `excerpt`" });
  }
  if (promptDocumentBytes !== undefined && !(Number.isSafeInteger(promptDocumentBytes) && promptDocumentBytes >= LEAST_BYTES)) {
    throw new CountersignError("invalid_options", "the part of a prompt has more room than this", { path: "promptDocumentBytes", expected: `a whole number from ${LEAST_BYTES}` });
  }
}

/** The prompt; what changes least comes first, for providers that cache what requests begin with. */
export function composed(options: SessionOptions, offered: readonly AdvertisedTool[]): string | undefined {
  const { system: given, document, promptDocument: part = "none", promptDocumentBytes } = options;
  const system = typeof given === "function" ? given() : given;
  // what is no text is refused where the request is made
  if (document === undefined || part === "none" || (system !== undefined && typeof system !== "string")) return system;
  const [data, reading, proposal] = document[RULES];
  const rules = [
    data,
    offered.some(({ name }) => READ_TOOLS.includes(name)) ? reading : undefined,
    offered.some(({ effect }) => effect === "mutate") ? proposal : undefined,
  ];
  const unsaid = rules.filter((rule) => rule !== undefined && !system?.includes(rule));
  return [system, ...unsaid, document.prompt(part, promptDocumentBytes)].filter((text) => text !== undefined && text !== "").join("\n\n");
}
