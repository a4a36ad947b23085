// A session over the board that ends with its test; its model is a script, or a provider of the test's own.
import { createSession, DocumentStore } from "countersign";
import { scripted } from "countersign/testing";
import { boardTools, definition, initial } from "./board.mjs";

/** Opens it. */
export async function opened(t, steps, options = {}) {
  const document = new DocumentStore(definition, initial());
  const provider = Array.isArray(steps) ? scripted(steps) : steps;
  const session = await createSession({ provider, tools: boardTools, document, ...options });
  t.after(() => {
    session.dispose();
    document.free();
  });
  return { session, document, provider };
}
