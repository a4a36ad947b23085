/** What a model is known to be unable to do is refused before a byte leaves; what nothing is known of is tried. */
import type { LoopRequestParams } from "../loop.js";
import type { HttpProvider } from "../provider.js";
/** What a request to this provider says, or `unsupported_capability` in a sentence that helps; `window` is the host's own. */
export declare function preflight({ params, capabilities, format }: HttpProvider, offersTools: boolean, window: number | undefined): LoopRequestParams;
