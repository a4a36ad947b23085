/** Every word the inspector says, in one place; here the terms of the machine are the right ones. `{n}` and the like are filled in. */

/** The words of the inspector, in English. */
export const inspectorWords = {
  title: "Inspector",
  noSession: "No session.",
  none: "None.",
  yes: "yes",
  no: "no",
  unlimited: "no limit",
  reached: "reached",
  turn: "Turn {id}",
  mode: "Mode",
  iteration: "Iteration",
  bound: "Bound",
  notice: "Notice",
  error: "Error",
  context: "Context",
  toolsDigest: "Tools digest",
  current: "current",
  phases: {
    label: "Phase",
    idle: "Idle",
    requesting: "Requesting",
    streaming: "Streaming",
    awaiting_approval: "Awaiting approval",
    executing: "Executing",
    settled: "Settled",
  },
  outcomes: { completed: "completed", cancelled: "cancelled", bounded: "bounded", failed: "failed" },
  budget: {
    title: "Budget",
    used: "{used} of {most}",
    requests: "Requests",
    iterations: "Iterations",
    calls: "Calls",
    callsThisIteration: "Calls of this iteration",
    retries: "Retries",
    repeats: "Repeats",
    tokens: "Tokens",
    cost: "Cost, micros",
    deadline: "Time, s",
  },
  calls: {
    title: "Calls",
    providerId: "Id of the provider",
    summary: "Summary",
    effect: "Effect",
    destructive: "Destructive",
    external: "External",
    iteration: "Iteration",
    awaiting: "Awaiting",
    inputDigest: "Input digest",
    effectDigest: "Effect digest",
    stale: "Stale because of",
    denial: "Denial",
    code: "Error code",
    input: "Input",
    result: "Result",
    expires: "Expires",
    edited: "Edited",
  },
  grants: {
    title: "Grants",
    scope: "Scope",
    call: "Call",
    iteration: "Iteration",
    inputDigest: "Input digest",
    effectDigest: "Effect digest",
    revision: "Document revision",
    expires: "Expires",
    consumed: "Consumed",
    spent: "consumed",
    open: "open",
    binding: "Binding",
  },
  denials: { title: "Denials", reason: "Reason", note: "Note", inputDigest: "Input digest" },
  violations: { title: "Violations", count: "{kind}, {n} in all", call: "Call {id}" },
  log: {
    title: "Inputs",
    columns: ["#", "Time", "Kind", "What", "Call", "Bytes"],
    notRecorded: "Nothing is recorded. Open the session with recordInputs: true.",
    full: "The recording grew too large and was given up.",
    unreadable: "The recording cannot be read.",
    event: "event",
    command: "command",
    feed: "bytes",
    endStream: "end",
    request: "request",
    setTools: "tools",
    document: "document",
    changes: "{n} changes, revision {revision}",
  },
  travel: {
    label: "Time travel",
    slider: "State after input",
    start: "Before the first input",
    back: "One input back",
    forward: "One input forward",
    now: "Back to now",
    after: "After {n} of {all} inputs",
    live: "Now, after {all} inputs",
    digest: "State digest",
    failed: "This moment cannot be rebuilt: {why}",
    past: "This is the past. What runs now is not shown.",
  },
};

/** The words of the inspector. */
export type InspectorWords = typeof inspectorWords;

/** Some of them: what is left out stays as it is. */
export type PartialInspectorWords = { readonly [K in keyof InspectorWords]?: InspectorWords[K] extends string | readonly string[] ? InspectorWords[K] : Partial<InspectorWords[K]> };

/** All words, some of them replaced. */
export function wordsWith(some: PartialInspectorWords): InspectorWords {
  const words: Record<string, unknown> = { ...inspectorWords };
  for (const [key, value] of Object.entries(some)) {
    if (!Object.hasOwn(inspectorWords, key) || value === undefined) continue;
    words[key] = typeof value === "string" || Array.isArray(value) ? value : { ...(words[key] as object), ...(value as object) };
  }
  return words as InspectorWords;
}

/** A sentence with its places filled. */
export function filled(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, key: string) => (Object.hasOwn(values, key) ? String(values[key]) : whole));
}
