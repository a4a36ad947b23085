// How the session and its board stood after some of its inputs. Enters: a recording. Leaves: that state, built anew in a
// store of its own; nothing of it runs, and the open board stays as it is.

import { DocumentStore, replay, type Json } from "countersign";
import type { PastState } from "countersign/inspector";

import { definition } from "../document/definition.ts";
import { boardTools } from "./tools.ts";

/** The state after the first `inputs` of a recording. */
export function travelTo(recording: string, inputs: number): PastState {
  const { document } = JSON.parse(recording) as { readonly document: Json };
  const store = new DocumentStore(definition, document);
  try {
    const loop = replay(recording, { tools: boardTools(() => undefined), document: store, until: inputs });
    try {
      return { state: loop.state(), document: store.read(), digest: loop.stateDigest() };
    } finally {
      loop.free();
    }
  } finally {
    store.free();
  }
}
