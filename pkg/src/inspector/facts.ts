/** The parts of a turn's state as they are shown: phase, budget, calls, grants, denials, violations. Foreign text enters text nodes alone. */

import type { ApprovalGrant, CallRecord, Json, TurnState } from "#engine/types";
import { attribute, h, keyed, type Child } from "../elements/dom.js";
import { exactJson, visible } from "../elements/text.js";
import { budgetRows, PHASES } from "./model.js";
import { filled, type InspectorWords } from "./words.js";

// what is longer is told by its head and its tail
const LONGEST = 2000;
const MOST_ROWS = 500;

/** A value with its name; nothing is said of one that is not there. */
type Fact = readonly [name: string, value: Child, isBad?: boolean];

/** One part with a heading, and rows that stay while their keys do. */
class Part<T> {
  readonly node: HTMLElement;
  readonly #count = h("span", { class: "count" });
  readonly #empty = h("p", { class: "empty" });
  readonly #list = h("ul", { class: "rows" });
  readonly #rows = new Map<string, Row>();

  constructor(
    name: string,
    title: string,
    none: string,
    readonly key: (item: T) => string,
    readonly show: (item: T) => { readonly head: readonly Child[]; readonly facts: () => readonly Fact[] },
    ...above: readonly Node[]
  ) {
    this.#empty.textContent = none;
    const id = `part-${name}`;
    this.node = h("section", { "aria-labelledby": id, part: name }, h("h3", { id }, title, this.#count), ...above, this.#empty, this.#list);
  }

  draw(items: readonly T[]): void {
    this.#count.textContent = String(items.length);
    attribute(this.#empty, "hidden", items.length > 0);
    keyed(this.#list, this.#rows, items.slice(-MOST_ROWS), this.key, () => new Row(), (row, item) => row.draw(JSON.stringify(item), () => this.show(item)));
  }
}

/** One thing that unfolds; drawn anew only where it is another. */
class Row {
  readonly #summary = h("summary");
  readonly #facts = h("dl");
  readonly #details = h("details", {}, this.#summary, this.#facts);
  readonly node = h("li", {}, this.#details);
  #drawn = "";
  #fill: () => readonly Fact[] = () => [];

  constructor() {
    this.#details.addEventListener("toggle", () => this.#unfold());
  }

  draw(signature: string, show: () => { readonly head: readonly Child[]; readonly facts: () => readonly Fact[] }): void {
    if (signature === this.#drawn) return;
    this.#drawn = signature;
    const { head, facts } = show();
    this.#summary.replaceChildren(...head.filter((child): child is Node | string => typeof child === "string" || child instanceof Node));
    this.#fill = facts;
    this.#unfold();
  }

  #unfold(): void {
    fill(this.#facts, this.#details.open ? this.#fill() : []);
  }
}

/** Everything that is shown of one state. */
export class Facts {
  readonly nodes: readonly HTMLElement[];
  readonly #words: InspectorWords;
  readonly #steps = new Map<string, HTMLElement>();
  readonly #about = h("dl", { class: "facts" });
  readonly #bars = new Map<string, Bar>();
  readonly #calls: Part<CallRecord>;
  readonly #grants: Part<readonly [number, ApprovalGrant]>;
  readonly #denials: Part<TurnState["denials"][number]>;
  readonly #violations: Part<readonly [number, TurnState["violations"][number]]>;
  readonly #counts = h("ul", { class: "counts" });
  #startedAtMs = 0;
  #about_ = "";

  constructor(words: InspectorWords) {
    this.#words = words;
    for (const phase of PHASES) this.#steps.set(phase, h("li", {}, h("span", {}, words.phases[phase]), h("small")));
    const track = h("section", { part: "phase", "aria-label": words.phases.label }, h("ol", { class: "track" }, ...this.#steps.values()), this.#about);
    const bars = h("ul", { class: "bars" });
    const budget = h("section", { part: "budget", "aria-labelledby": "part-budget" }, h("h3", { id: "part-budget" }, words.budget.title), bars);
    for (const { name } of budgetRows(NOTHING, 0)) {
      const bar = new Bar(words.budget[name], words);
      this.#bars.set(name, bar);
      bars.append(bar.node);
    }
    this.#calls = new Part("calls", words.calls.title, words.none, (call) => call.id, (call) => this.#call(call));
    this.#grants = new Part("grants", words.grants.title, words.none, ([at]) => String(at), ([, grant]) => this.#grant(grant));
    this.#denials = new Part("denials", words.denials.title, words.none, (denial) => denial.callId, (denial) => ({
      head: [name(denial.toolName), exact(denial.callId), state(denial.reason, "bad")],
      facts: () => [[words.denials.reason, exact(denial.reason)], [words.denials.note, denial.note === null ? null : long(denial.note)], [words.denials.inputDigest, exact(denial.inputDigest)]],
    }));
    this.#violations = new Part("violations", words.violations.title, words.none, ([at]) => String(at), ([, violation]) => ({
      head: [name(violation.violation), violation.callId === null ? null : exact(violation.callId)],
      facts: () => [[words.violations.title, long(violation.detail)]],
    }), this.#counts);
    this.nodes = [track, budget, this.#calls.node, this.#grants.node, this.#denials.node, this.#violations.node];
  }

  /** Puts a state on screen as it is at a moment. */
  draw(turn: TurnState, nowMs: number): void {
    this.#startedAtMs = turn.budget.startedAtMs;
    this.#phase(turn);
    for (const { name: key, used, most } of budgetRows(turn, nowMs)) this.#bars.get(key)?.draw(used, most);
    this.#calls.draw(turn.calls);
    this.#grants.draw(turn.grants.map((grant, at) => [at, grant] as const));
    this.#denials.draw(turn.denials);
    const counts = Object.entries(turn.violationCounts).filter(([, n]) => n > 0);
    const told = counts.map(([kind, n]) => filled(this.#words.violations.count, { kind, n }));
    if (this.#counts.textContent !== told.join("")) this.#counts.replaceChildren(...told.map((text) => h("li", { class: "exact" }, text)));
    const all = counts.reduce((sum, [, n]) => sum + n, 0);
    this.#violations.draw(turn.violations.map((violation, at) => [all - turn.violations.length + at, violation] as const));
  }

  #phase({ phase, iteration, mode, outcome, bound, notice, error, toolsDigest, context }: TurnState): void {
    const words = this.#words;
    const at = PHASES.indexOf(phase);
    for (const [place, name_] of PHASES.entries()) {
      const step = this.#steps.get(name_);
      if (step === undefined) continue;
      attribute(step, "aria-current", place === at ? "step" : null);
      // a turn that settled did not pass every phase, so only the beginning is certain
      attribute(step, "data-passed", place < at && at < PHASES.length - 1);
      const small = step.querySelector("small");
      const note = place !== at ? "" : outcome === null ? words.current : words.outcomes[outcome];
      if (small !== null && small.textContent !== note) small.textContent = note;
    }
    const facts = [iteration, mode, bound, notice, error, toolsDigest, context];
    const signature = JSON.stringify(facts);
    if (signature === this.#about_) return;
    this.#about_ = signature;
    fill(this.#about, [
      [words.mode, exact(mode)],
      [words.iteration, exact(String(iteration))],
      [words.bound, bound === null ? null : exact(bound)],
      [words.notice, notice === null ? null : long(notice)],
      [words.error, error === null ? null : long(`${error.code}: ${error.message}${error.providerDetail === undefined ? "" : ` (${error.providerDetail})`}`), true],
      [words.context, context === null ? null : json(context as Json)],
      [words.toolsDigest, exact(toolsDigest)],
    ]);
  }

  #call(call: CallRecord): ReturnType<Part<CallRecord>["show"]> {
    const words = this.#words.calls;
    const denial = call.denialReason === null ? null : `${call.denialReason}${call.denialNote === null ? "" : `: ${call.denialNote}`}`;
    return {
      head: [name(call.toolName), exact(call.id), exact(short(call.preview?.effectDigest ?? call.inputDigest)), state(call.awaiting === null ? call.status : `${call.status}, ${call.awaiting}`, toneOf(call))],
      facts: () => [
        [words.providerId, call.providerId === undefined ? null : exact(call.providerId)],
        [words.summary, long(call.preview?.title ?? call.summary)],
        [words.effect, exact([call.effect, call.destructive ? words.destructive : "", call.external ? words.external : ""].filter(Boolean).join(", "))],
        [words.iteration, exact(String(call.iteration))],
        [words.awaiting, call.awaiting === null ? null : exact(call.awaiting)],
        [words.inputDigest, exact(call.inputDigest)],
        [words.effectDigest, call.preview === null ? null : exact(call.preview.effectDigest)],
        [words.stale, call.stale === null ? null : exact(call.stale.because)],
        [words.denial, denial === null ? null : long(denial), true],
        [words.code, call.errorCode === null ? null : exact(call.errorCode), true],
        [words.expires, call.expiresAtMs === null ? null : exact(this.#at(call.expiresAtMs))],
        [words.edited, call.edited ? this.#words.yes : null],
        [words.input, json(call.input)],
        [words.result, call.result === null ? null : long(call.result)],
      ],
    };
  }

  #grant(grant: ApprovalGrant): ReturnType<Part<CallRecord>["show"]> {
    const words = this.#words.grants;
    return {
      head: [name(grant.toolName), exact(grant.callId), exact(grant.scope), state(grant.consumed ? words.spent : words.open, grant.consumed ? "" : "wait")],
      facts: () => [
        [words.scope, exact(grant.scope)],
        [words.call, exact(grant.callId)],
        [words.iteration, exact(String(grant.iteration))],
        [words.inputDigest, exact(grant.inputDigest)],
        [words.effectDigest, exact(grant.effectDigest ?? "null")],
        [words.revision, exact(String(grant.documentRevision))],
        [words.expires, exact(grant.expiresAtMs === null ? "null" : this.#at(grant.expiresAtMs))],
        [words.consumed, grant.consumed ? this.#words.yes : this.#words.no],
        [words.binding, exact(grant.binding)],
      ],
    };
  }

  /** A moment, counted from the beginning of the turn. */
  #at(ms: number): string {
    return since(ms - this.#startedAtMs);
  }
}

/** One line of the budget. */
class Bar {
  readonly #fill = h("i");
  readonly #meter: HTMLElement;
  readonly #numbers = h("span", { class: "numbers" });
  readonly node: HTMLElement;
  readonly #words: InspectorWords;

  constructor(label: string, words: InspectorWords) {
    this.#words = words;
    this.#meter = h("div", { class: "meter", role: "meter", "aria-label": label, "aria-valuemin": 0 }, this.#fill);
    this.node = h("li", { class: "bar" }, h("span", { "aria-hidden": "true" }, label), this.#meter, this.#numbers);
  }

  draw(used: number, most: number | null): void {
    const [shown, words] = [plain(used), this.#words];
    const limit = most === null ? words.unlimited : plain(most);
    const isFull = most !== null && used >= most;
    const text = most === null ? `${shown}, ${limit}` : `${filled(words.budget.used, { used: shown, most: limit })}${isFull && used > 0 ? `, ${words.reached}` : ""}`;
    if (this.#numbers.textContent !== text) this.#numbers.textContent = text;
    // where nothing bounds it there is no end to measure by: a meter of nothing
    attribute(this.#meter, "aria-valuemax", most === null || most <= 0 ? Math.max(1, used) : most);
    attribute(this.#meter, "aria-valuenow", most === null ? used : Math.min(used, Math.max(most, 0)));
    attribute(this.#meter, "aria-valuetext", text);
    attribute(this.node, "data-full", isFull && used > 0);
    this.#fill.style.inlineSize = most === null || most <= 0 ? "0" : `${Math.min(100, (used / most) * 100).toFixed(1)}%`;
  }
}

/** A length of time as seconds. */
export function since(ms: number): string {
  return `${ms < 0 ? "−" : "+"}${(Math.abs(ms) / 1000).toFixed(3)} s`;
}

function fill(list: HTMLElement, facts: readonly Fact[]): void {
  const rows = facts.flatMap(([label, value, isBad]) => (value === null || value === undefined || value === false || value === "" ? [] : [h("dt", {}, label), h("dd", isBad === true ? { class: "bad" } : {}, value)]));
  list.replaceChildren(...rows);
  attribute(list, "hidden", rows.length === 0);
}

function toneOf(call: CallRecord): string {
  if (call.status === "succeeded") return "good";
  if (call.status === "pending" || call.status === "approved" || call.status === "running") return "wait";
  return call.status === "undone" ? "" : "bad";
}

function name(text: string): HTMLElement {
  return h("bdi", { class: "name" }, capped(text));
}

function state(text: string, tone: string): HTMLElement {
  return h("span", { class: "state", "data-tone": tone }, text);
}

function exact(text: string): HTMLElement {
  return h("code", {}, capped(text));
}

function long(text: string): HTMLElement {
  return h("div", { class: "text", dir: "auto", tabindex: text.length > 200 ? 0 : undefined }, capped(text));
}

function json(value: Json): HTMLElement {
  const { text } = exactJson(value, false, (n) => `… ${n} more …`);
  return h("div", { class: "text exact", dir: "ltr", tabindex: 0 }, capped(text));
}

function capped(text: string): string {
  const lines = (part: string): string => part.split("\n").map(visible).join("\n");
  return text.length <= LONGEST ? lines(text) : `${lines(text.slice(0, LONGEST))} … ${text.length - LONGEST} more …`;
}

function short(digest: string): string {
  return digest.length > 12 ? `${digest.slice(0, 12)}…` : digest;
}

function plain(n: number): string {
  return Number.isInteger(n) ? n.toLocaleString("en") : n.toLocaleString("en", { maximumFractionDigits: 1, minimumFractionDigits: 1 });
}

// for the names alone
const NOTHING = { budget: {}, limits: {}, phase: "idle" } as unknown as TurnState;
