// What the assistant may do, and how it is told what the document is. Enters nothing. Leaves: tools and a prompt; the
// core has to be loaded.

import { graphActionTools, readTools, threatModelPrompt, type ToolDeclaration } from "countersign/threat-model";

/** The tools of the conversation: looking first, then changing. */
export function assistantTools(): ToolDeclaration[] {
  return [...readTools(), ...graphActionTools()];
}

/** How the assistant is instructed: what this page is, then what every threat model's assistant is told. */
export function systemPrompt(): string {
  return [
    "You help a person in an editor for threat models. You stand in a panel beside the drawing, and the person can go on editing while you work.",
    "Answer in plain text without markup, briefly, in the language the person writes in. Name things by their names, not by their ids.",
    threatModelPrompt(),
  ].join("\n\n");
}
