// A session made of plain records, for the elements alone: decisions change the records as the core would.

let made = 0;

/** A call's record; what is given stands in it. */
export function call(given = {}) {
  made += 1;
  const id = given.id ?? `c1_1_${made}`;
  return {
    id, toolName: "update_step", input: { id: "step-1", set: { title: "Pack" } }, inputDigest: `digest of ${JSON.stringify(given.input ?? {})}`, summary: "update_step id: \"step-1\"", effect: "mutate", destructive: false, external: false,
    iteration: 1, status: "pending", result: null, resultFrom: null, isError: false, denialReason: null, denialNote: null, errorCode: null, edited: false, progress: null, preview: null, stale: null, act: null,
    expiresAtMs: null, awaiting: (given.status ?? "pending") === "pending" ? "user" : null, startedAtMs: null, committed: false, historyStep: null,
    ...given,
  };
}

/** A preview with these lines; counts are made of them. */
export function preview(title, lines = [], given = {}) {
  const counts = [];
  const seen = new Set();
  for (const line of lines) {
    const key = `${line.section} ${line.id}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const kind = line.field === undefined ? line.kind : "changed";
    const known = counts.find((each) => each.kind === kind && each.section === line.section);
    if (known) known.count += 1;
    else counts.push({ kind, section: line.section, count: 1 });
  }
  return { title, patch: [{ op: "replace", path: "/x", value: 1 }], effectDigest: JSON.stringify([title, lines]), lines, counts, hiddenLines: 0, ...given };
}

/** Lines, shortly: `added("steps", "s1", "Pack")`, `added("steps", "s1", "Pack", "owner", "Ann")`. */
export const added = (section, id, title, field, after) => ({ kind: "added", section, id, title, ...(field === undefined ? {} : { field, after }) });
export const removed = (section, id, title, field, before) => ({ kind: "removed", section, id, title, ...(field === undefined ? {} : { field, before }) });
export const changed = (section, id, title, field, before, after) => ({ kind: "changed", section, id, title, field, before, after });

/** A session. */
export class FakeSession {
  listeners = new Set();
  asked = [];
  tools = new Map();
  clock = 1_000_000;
  /** What the next decision answers in place of what it would. */
  refuse = undefined;

  constructor(given = {}) {
    this.current = Object.freeze({
      phase: "idle", messages: [], calls: [], pending: [], outcome: null, notice: null, error: null, usage: { inputTokens: 0, outputTokens: 0, costMicros: 0 }, progress: null, undo: "superseded", receipts: [], documentRevision: 1, reasoning: "",
    });
    this.set(given);
  }

  get view() {
    return this.current;
  }

  subscribe(fn) {
    this.listeners.add(fn);
    return () => this.listeners.delete(fn);
  }

  /** Shows another view. */
  set(given) {
    const calls = given.calls ?? this.current.calls;
    this.current = Object.freeze({ ...this.current, ...given, calls, pending: calls.filter((each) => each.status === "pending") });
    for (const listener of [...this.listeners]) listener();
  }

  /** Changes one record. */
  change(id, given) {
    this.set({ calls: this.current.calls.map((each) => (each.id === id ? { ...each, ...given } : each)) });
  }

  /** One turn over these calls, asked and answered. */
  turn(asked, said, calls, given = {}) {
    const content = [...(said === "" ? [] : [{ type: "text", text: said }]), ...calls.map(({ id, toolName, input }) => ({ type: "tool_call", id, name: toolName, input }))];
    this.set({ phase: calls.some(({ status }) => status === "pending") ? "awaiting_approval" : "settled", messages: [...this.current.messages, { role: "user", content: [{ type: "text", text: asked }] }, { role: "assistant", content }], calls: [...this.current.calls, ...calls], ...given });
    return this;
  }

  approve(callId, options) {
    return this.decide("approve", callId, options?.editedInput, { status: "succeeded", committed: true, edited: options?.editedInput !== undefined, ...(options?.editedInput === undefined ? {} : { input: options.editedInput }) });
  }

  approveAll(callIds) {
    this.asked.push(["approveAll", callIds]);
    for (const id of callIds) this.apply(id, { status: "succeeded", committed: true });
    return { ok: true, approved: callIds, refused: [] };
  }

  deny(callId, reason) {
    return this.decide("deny", callId, reason, { status: "denied", denialReason: "user_declined", denialNote: reason ?? null });
  }

  select(callId, targetId) {
    return this.decide("select", callId, targetId, { act: { index: 0, result: "ready" }, preview: preview(`Rename ${targetId}`, [changed("steps", targetId, targetId, "title", "Old", "New")]) });
  }

  cancel() {
    this.asked.push(["cancel"]);
    this.set({ phase: "settled", outcome: "cancelled", calls: this.current.calls.map((each) => (each.status === "pending" ? { ...each, status: "denied", denialReason: "turn_cancelled", awaiting: null } : each)) });
  }

  undo() {
    this.asked.push(["undo"]);
    if (this.current.undo !== "undoable") return { ok: false, reason: this.current.undo };
    this.set({ undo: "already_undone", calls: this.current.calls.map((each) => (each.status === "succeeded" ? { ...each, status: "undone" } : each)) });
    return { ok: true };
  }

  async send(text) {
    this.asked.push(["send", text]);
    if (this.failSend) throw new Error(this.failSend);
    this.set({ phase: "requesting", outcome: null, error: null, notice: null, messages: [...this.current.messages, { role: "user", content: [{ type: "text", text }] }] });
    return "completed";
  }

  preview(callId, input) {
    this.asked.push(["preview", callId, input]);
    return this.previews?.(input, callId) ?? { ok: true, input, preview: preview("As you edited it", [changed("steps", "step-1", "Pick", "title", "Pick", String(input?.set?.title))]) };
  }

  tool(name) {
    return this.tools.get(name);
  }

  now() {
    return this.clock;
  }

  decide(kind, callId, more, given) {
    this.asked.push([kind, callId, more]);
    if (this.refuse) {
      const answer = this.refuse;
      this.refuse = undefined;
      return answer;
    }
    this.apply(callId, given);
    return { ok: true };
  }

  apply(callId, given) {
    this.change(callId, { awaiting: given.status === undefined ? "user" : null, stale: null, ...given });
    if (this.current.pending.length === 0 && this.current.phase === "awaiting_approval") this.set({ phase: "settled", outcome: "completed", undo: this.current.calls.some(({ committed }) => committed) ? "undoable" : "superseded" });
  }
}
