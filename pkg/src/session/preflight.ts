/** What a model is known to be unable to do is refused before a byte leaves; what nothing is known of is tried. */

import { CountersignError } from "../error.js";
import type { LoopRequestParams } from "../loop.js";
import type { HttpProvider } from "../provider.js";

/** What a request to this provider says, or `unsupported_capability` in a sentence that helps; `window` is the host's own. */
export function preflight({ params, capabilities = {}, format }: HttpProvider, offersTools: boolean, window: number | undefined): LoopRequestParams {
  const named = params?.model === undefined || params.model === "" ? "the model" : `the model \`${params.model}\``;
  if (capabilities.streaming === false) {
    throw new CountersignError("unsupported_capability", `${named} cannot stream its answers, so nothing was sent; choose another one`);
  }
  if (capabilities.tools === false && offersTools) {
    throw new CountersignError("unsupported_capability", `${named} cannot call tools, so nothing was sent; choose another one, or go on without tools`);
  }
  // Gemini has no word for it
  const single = capabilities.parallelToolCalls === false && format !== "gemini";
  // told with each request: a conversation can be restored, or go on, with another model
  const maxInputTokens = window ?? capabilities.maxInputTokens;
  return { model: "", ...params, ...(single ? { parallelToolCalls: false } : {}), ...(maxInputTokens === undefined ? {} : { maxInputTokens }) };
}
