// Says that the past is on the drawing, and leads back. Enters: which step. Leaves: the wish to go back.

import type { ReactNode } from "react";

import { appStrings } from "../strings/app.ts";
import { say } from "../text.ts";
import type { Past } from "./past.ts";

const words = appStrings.past;

/** The bar over the drawing while the past is looked at. */
export function PastBar({ past, back }: { readonly past: Past; readonly back: () => void }): ReactNode {
  return (
    <div className="past-bar">
      <p role="status">{say(words.at, { n: past.step, m: past.of })}</p>
      <button type="button" className="button primary" onClick={back}>{words.back}</button>
    </div>
  );
}
