// What happened, step by step: the package's own inspector below the drawing. Enters: the session. Leaves: which moment
// is looked at. The inspector only looks; what it shows of the past is played from the recording.

import type { Session } from "countersign/threat-model";
import { defineInspector, type TravelDetail } from "countersign/inspector";
import { useEffect, useRef, type ReactNode } from "react";
