// A severity as a word with a sign beside its colour.

import type { ReactNode } from "react";

import { appStrings } from "../../strings/app.ts";
import { shorten, wordFor } from "../../text.ts";

/** A severity. */
export function Severity({ severity }: { readonly severity: string }): ReactNode {
  return (
    <span className="severity" data-severity={severity}>
      {wordFor(appStrings.severities, severity) ?? shorten(severity, 20)}
    </span>
  );
}
