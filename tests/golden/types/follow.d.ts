/** A frozen document followed from one revision to the next: what did not change stays the very same value. */
import type { Json, JsonPatch } from "./types.js";
/** The document after a patch of whole entities, as the core tells it; lists that the patch names are copied once each. */
export declare function follow(document: Json, patch: JsonPatch): Json;
