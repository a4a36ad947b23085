// One open document and what the person has in hand: what is selected, dragged, renamed, looked at. Enters: a store.
// Leaves: cells that the parts of the editor read, and the few acts that concern several of them.

import { createContext, useContext } from "react";

import type { DocumentStore } from "countersign/threat-model";

import { byId } from "../by-id.ts";
import type { Announcer } from "../announce.tsx";
import { Cell } from "../cell.ts";
import { asModel, nameOf, type Model, type Point, type Threat } from "../model.ts";
import { appStrings } from "../strings/app.ts";
import { editorStrings } from "../strings/editor.ts";
import { say } from "../text.ts";
import type { Press } from "./canvas-keys.ts";
import { Edits } from "./edits.ts";
import type { Box } from "./geometry.ts";
import { idsOf, keyOf, refOf, sectionOf, type Key } from "./key.ts";
import { entityOf } from "./lookup.ts";
import { Places } from "./places.ts";
import { proposalOf, type Looked, type Proposal } from "./proposal.ts";

/** What the canvas can be asked for. */
export interface View {
  /** Brings something into view, and gives it the focus where that is wanted. */
  show(key: Key, focus: boolean): void;
  /** The middle of what is in view. */
  middle(): Point;
  /** Acts on a key of the drawing; says whether it was one. */
  press(press: Press, focused: Key | undefined): boolean;
}

/** A choice from many things by name. */
export interface Choice {
  readonly title: string;
  readonly label: string;
  /** What can be chosen, nearest or first first. */
  readonly keys: readonly Key[];
  /** An entry of its own for choosing nothing. */
  readonly nothing?: string;
  choose(key: Key | undefined): void;
}

/** What undo and redo would do. */
export interface Steps {
  readonly undo: string | undefined;
  readonly redo: boolean;
}

/** The two sides of the drawer. */
export type Tab = "details" | "threats";

const BURST_MS = 600;
const NOTHING: ReadonlySet<Key> = new Set();
const NOWHERE: ReadonlyMap<Key, Box> = new Map();

/** One open document. */
export class Workspace {
  readonly model: Cell<Model>;
  readonly edits: Edits;
  readonly selection = new Cell<ReadonlySet<Key>>(NOTHING);
  /** Whether the focus may go on without changing the selection. */
  readonly gathering = new Cell(false);
  /** Where things are while they are moved; nothing of it is in the document yet. */
  readonly held = new Cell<ReadonlyMap<Key, Box>>(NOWHERE);
  readonly renaming = new Cell<Key | undefined>(undefined);
  readonly proposal = new Cell<Proposal | undefined>(undefined);
  /** What an open choice would take. */
  readonly hinted = new Cell<Key | undefined>(undefined);
  readonly choice = new Cell<Choice | undefined>(undefined);
  readonly tab = new Cell<Tab>("details");
  readonly threat = new Cell<Key | undefined>(undefined);
  readonly steps = new Cell<Steps>({ undo: undefined, redo: false });
  /** Counts the changes of the document since it was opened. */
  readonly changes = new Cell(0);
  view: View | undefined;
  /** Where the canvas was left; it is written into a saved file. */
  viewport: { readonly x: number; readonly y: number; readonly zoom: number } | undefined;
  #redoable = 0;
  #burst: ReturnType<typeof setTimeout> | undefined;
  #looked: Looked | undefined;
  readonly #stop: () => void;

  constructor(
    readonly store: DocumentStore,
    readonly announcer: Announcer,
    readonly places = new Places(),
    /** Whether this is a document as it was, only to be looked at. */
    readonly isPast = false,
  ) {
    // what a change did not touch stays the very same object in what the store reads
    this.model = new Cell(asModel(store.read()));
    this.edits = new Edits(store, this.model, places, announcer, () => this.undo(), isPast);
    const untell = store.onChange((change) => {
      // of the many changes of one turn, told one by one when all of them are made, the last says all there is to draw
      if (change.source === "turn" && change.revision < store.revision) return;
      this.model.set(asModel(store.read()));
      this.#changed(change.source);
    });
    this.#stop = () => {
      untell();
      clearTimeout(this.#burst);
    };
    this.#tellSteps();
  }

  /** Stops following the store. */
  close(): void {
    this.#stop();
  }

  /** Selects exactly these. */
  select(...keys: readonly Key[]): void {
    this.gathering.set(false);
    this.#select(new Set(keys));
  }

  /** Adds to the selection, or takes out of it. */
  toggle(key: Key): void {
    const next = new Set(this.selection.value);
    if (!next.delete(key)) next.add(key);
    this.gathering.set(true);
    this.#select(next);
  }

  /** Selects what the canvas says is selected now. */
  selectAll(keys: ReadonlySet<Key>): void {
    this.#select(keys);
  }

  /** What a command acts on: what is seen as selected, else what has the focus. */
  subject(focused: Key | undefined): ReadonlySet<Key> {
    return focused === undefined || this.selection.value.size > 0 ? this.selection.value : new Set([focused]);
  }

  /** The box of an element or a boundary as it is drawn now. */
  boxOf(key: Key): Box | undefined {
    const { section, id } = refOf(key);
    const held = this.held.value.get(key);
    if (held !== undefined) return held;
    if (section === "elements") return this.places.elements(this.model.value).get(id);
    return section === "trust_boundaries" ? this.places.boundaries(this.model.value).get(id) : undefined;
  }

  /** Moves things without committing yet; what stands in a moved boundary goes along. */
  hold(boxes: ReadonlyMap<Key, Box>, carries: boolean): void {
    const next = new Map(this.held.value);
    for (const [key, box] of boxes) {
      next.set(key, box);
      const { section, id } = refOf(key);
      const before = section === "trust_boundaries" && carries ? this.places.boundaries(this.model.value).get(id) : undefined;
      if (before === undefined) continue;
      for (const member of byId(this.model.value.trust_boundaries, id)?.contains ?? []) {
        const inner = keyOf("elements", member);
        const place = this.places.elements(this.model.value).get(member);
        if (place !== undefined && !boxes.has(inner)) next.set(inner, { ...place, x: place.x + box.x - before.x, y: place.y + box.y - before.y });
      }
    }
    this.held.set(next);
  }

  /** Moves by keyboard: several in a row become one step. */
  nudge(boxes: ReadonlyMap<Key, Box>, carries: boolean): void {
    this.hold(boxes, carries);
    clearTimeout(this.#burst);
    this.#burst = setTimeout(() => this.settle(), BURST_MS);
  }

  /** Commits what is held, as one step. */
  settle(): void {
    clearTimeout(this.#burst);
    const held = this.held.value;
    if (held.size === 0) return;
    this.edits.place(held);
    this.held.set(NOWHERE);
  }

  /** Lets go of what is held without committing it. */
  release(): void {
    clearTimeout(this.#burst);
    this.held.set(NOWHERE);
  }

  /** Takes the newest step back. */
  undo(): void {
    this.settle();
    const label = this.steps.value.undo;
    if (label !== undefined && this.store.undo().status === "committed") this.announcer.say(say(appStrings.top.undone, { label }));
  }

  /** Brings the step taken back last back again. */
  redo(): void {
    this.settle();
    if (this.#redoable > 0 && this.store.redo().status === "committed") this.announcer.say(appStrings.top.redone);
  }

  /** Deletes. */
  remove(keys: ReadonlySet<Key>): void {
    this.settle();
    this.edits.remove(keys);
  }

  /** Shows something: on the canvas, or a threat in its list. */
  go(key: Key, focus = true): void {
    const { section } = refOf(key);
    if (section === "threats") {
      this.threat.set(key);
      this.tab.set("threats");
      const target = this.targetOf(entityOf(this.model.value, key) as Threat | undefined);
      if (target !== undefined) this.view?.show(target, false);
      return;
    }
    this.select(key);
    this.view?.show(key, focus);
  }

  /** What a threat is drawn at. */
  targetOf(threat: Threat | undefined): Key | undefined {
    if (threat?.flow !== undefined) return keyOf("data_flows", threat.flow);
    return threat?.element === undefined ? undefined : keyOf("elements", threat.element);
  }

  /** Adds a threat on what is given, and opens it. */
  addThreat(subject: ReadonlySet<Key>): void {
    const [element] = idsOf(subject, "elements");
    const [flow] = idsOf(subject, "data_flows");
    const key = this.edits.addThreat(element !== undefined ? { element } : flow !== undefined ? { flow } : {});
    if (key === undefined) return;
    this.threat.set(key);
    this.tab.set("threats");
    this.renaming.set(key);
  }

  /** Asks for an element and connects to it. */
  connectFrom(id: string): void {
    const model = this.model.value;
    const here = this.places.elements(model).get(id);
    const distance = (key: Key) => {
      const box = this.places.elements(model).get(refOf(key).id);
      return box === undefined || here === undefined ? Infinity : Math.hypot(box.x - here.x, box.y - here.y);
    };
    const keys = model.elements.map((element) => keyOf("elements", element.id)).sort((a, b) => distance(a) - distance(b));
    this.choice.set({
      title: say(appStrings.picker.connectTitle, { name: nameOf(model, "elements", id) }),
      label: appStrings.picker.endTitle,
      keys: [...keys.slice(1), ...keys.slice(0, 1)], // itself last
      choose: (key) => {
        const flow = key === undefined ? undefined : this.edits.connect(id, refOf(key).id);
        if (flow !== undefined) this.rename(flow);
      },
    });
  }

  /** Selects something and lets the person name it in place. */
  rename(key: Key): void {
    if (this.isPast) return;
    this.select(key);
    this.view?.show(key, false);
    this.renaming.set(key);
  }

  /** Draws an effect over the document, or none. */
  readonly look = (looked: Looked | undefined): void => {
    this.#looked = looked;
    this.proposal.set(looked && proposalOf(looked, this.model.value));
  };

  #select(keys: ReadonlySet<Key>): void {
    const before = this.selection.value;
    if (before.size === keys.size && [...keys].every((key) => before.has(key))) return;
    this.selection.set(keys);
    if (keys.size > 1) this.announcer.say(say(editorStrings.canvas.selected[1], { n: keys.size }));
  }

  #changed(source: "user" | "turn" | "undo" | "redo"): void {
    this.#redoable = source === "undo" ? this.#redoable + 1 : source === "redo" ? Math.max(0, this.#redoable - 1) : 0;
    this.announcer.withdraw(); // its undo would take back another step than it tells of
    const model = this.model.value;
    const kept = [...this.selection.value].filter((key) => entityOf(model, key) !== undefined);
    if (kept.length !== this.selection.value.size) this.#select(new Set(kept));
    if (this.threat.value !== undefined && entityOf(model, this.threat.value) === undefined) this.threat.set(undefined);
    if (this.#looked !== undefined) this.proposal.set(proposalOf(this.#looked, model));
    this.#tellSteps();
    this.changes.set(this.changes.value + 1);
  }

  #tellSteps(): void {
    const last = this.store.history().at(-1);
    const undo = last === undefined ? undefined : last.source === "turn" ? appStrings.top.assistantChange : last.label;
    this.steps.set({ undo, redo: this.#redoable > 0 });
  }
}

/** The open document, for every part of the editor. */
export const WorkspaceContext = createContext<Workspace | undefined>(undefined);

/** The open document. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === undefined) throw new Error("no document is open here");
  return workspace;
}

/** Whether a key leads to something that is drawn as a box. */
export function isBox(key: Key): boolean {
  const section = sectionOf(key);
  return section === "elements" || section === "trust_boundaries";
}
