// Which moment of the past is on the drawing, if any. Enters: the open document and its conversation. Leaves: the moment,
// and how to go to one and back. Another document or another conversation leads back by itself.

import type { Json, Session } from "countersign/threat-model";
import { useCallback, useEffect, useState } from "react";

import type { Workspace } from "../editor/workspace.tsx";
import { forget, pastOf, type Past } from "./past.ts";

/** The past that is looked at. */
export function usePast(workspace: Workspace, session: Session | undefined): { readonly past: Past | undefined; readonly look: (document: Json, step: number) => void; readonly back: () => void } {
  const [past, setPast] = useState<Past>();
  const back = useCallback(() => setPast(undefined), []);
  const look = useCallback((document: Json, step: number) => setPast(pastOf(document, step, workspace)), [workspace]);
  useEffect(() => back, [back, workspace, session]);
  useEffect(() => (past === undefined ? undefined : () => forget(past)), [past]);
  return { past, look, back };
}
