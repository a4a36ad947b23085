// Which moment of the past is on the drawing, if any. Enters: the open document and its conversation. Leaves: the moment,
// and how to go to one and back. Another document or another conversation leads back by itself.

import type { Session } from "countersign/threat-model";
import { useCallback, useEffect, useState } from "react";

import type { Workspace } from "../editor/workspace.tsx";
import { forget, pastOf, type Moment, type Past } from "./past.ts";

/** The past that is looked at. */
export function usePast(workspace: Workspace, session: Session | undefined): { readonly past: Past | undefined; readonly look: (moment: Moment | undefined) => void } {
  const [past, setPast] = useState<Past>();
  const look = useCallback((moment: Moment | undefined) => setPast(moment && pastOf(moment, workspace)), [workspace]);
  useEffect(() => () => setPast(undefined), [workspace, session]);
  useEffect(() => (past === undefined ? undefined : () => forget(past)), [past]);
  return { past, look };
}
