// Which document is open and where it is kept: new, open, save. Enters: files. Leaves: a workspace for each, and files
// written. A file that cannot be read leaves everything as it was and is told of in one sentence.

import { DocumentStore, emptyThreatModel, readThf, writeThf, type Json } from "countersign/threat-model";

import type { Announcer } from "../announce.tsx";
import { Cell } from "../cell.ts";
import { Workspace } from "../editor/workspace.tsx";
import { appStrings } from "../strings/app.ts";
import { clip, say } from "../text.ts";
import { download, isThreatModelFile, pickFile, pickTarget, writeTo, type Picked } from "./disk.ts";
import { toSave } from "./saving.ts";

const words = appStrings.files;
const LARGEST = 8 * 1024 * 1024;
/** How many steps can be taken back. */
export const STEPS_KEPT = 100;

/** The document on the page. */
export class Desk {
  readonly workspace: Cell<Workspace>;
  /** The number of changes at the last save. */
  readonly savedAt = new Cell(0);
  /** What would be done after a yes to losing what is not saved. */
  readonly question = new Cell<(() => void) | undefined>(undefined);
  /** Grows with each document that is opened. */
  opened = 0;
  #file: Picked | undefined;

  constructor(
    first: Json,
    readonly announcer: Announcer,
  ) {
    this.workspace = new Cell(new Workspace(storeOf(first), announcer));
  }

  /** Starts an empty document. */
  empty(): void {
    this.#unlessUnsaved(() => this.#put(storeOf(emptyThreatModel({ title: words.newTitle, author: "", today: today() })), undefined));
  }

  /** Lets the person choose a file and opens it. */
  async open(): Promise<void> {
    await this.#unlessUnsaved(async () => {
      const picked = await pickFile();
      if (picked !== undefined) await this.#read(picked);
    });
  }

  /** Opens a file that was dropped on the page. */
  async take(picked: Picked): Promise<void> {
    await this.#unlessUnsaved(() => this.#read(picked));
  }

  /** Saves to the file the document came from, or to a new one. */
  async save(): Promise<void> {
    if (document.activeElement instanceof HTMLElement && document.activeElement.matches("input, textarea")) document.activeElement.blur(); // what is being typed belongs to it
    const workspace = this.workspace.value;
    workspace.settle();
    const changes = workspace.changes.value;
    const name = this.#file?.name ?? `${fileName(workspace.model.value.metadata.title)}.thf`;
    try {
      const text = await writeThf(toSave(workspace, today()));
      const target = this.#file?.handle ?? (await pickTarget(name));
      if (target === "cancelled") return;
      if (target === undefined) download(name, text);
      else {
        await writeTo(target, text);
        this.#file = { name: target.name, handle: target };
      }
      if (this.workspace.value === workspace) this.savedAt.set(changes);
      this.announcer.note(say(words.saved, { name: clip(target?.name ?? name, 60) }));
    } catch (error) {
      this.announcer.note(say(words.saveFailed, { name: clip(name, 60), why: whyOf(error) }));
    }
  }

  async #read(picked: Picked): Promise<void> {
    const name = clip(picked.name, 60);
    if (!isThreatModelFile(picked.name)) return this.announcer.note(say(words.wrongKind, { name }));
    try {
      const file = picked.file ?? (await picked.handle?.getFile());
      if (file === undefined) throw new Error(words.unreadable);
      if (file.size > LARGEST) return this.announcer.note(say(words.tooLarge, { name }));
      const store = storeOf(await readThf(await file.text()));
      this.#put(store, picked.handle === undefined ? undefined : { name: picked.name, handle: picked.handle });
      const issues = store.issues();
      const [first] = issues;
      this.announcer.note(first === undefined ? say(words.opened, { name }) : say(words.openedFaulty[issues.length === 1 ? 0 : 1], { name, n: issues.length, why: clip(first, 160) }));
    } catch (error) {
      this.announcer.note(say(words.openFailed, { name, why: whyOf(error) }));
    }
  }

  #put(store: DocumentStore, file: Picked | undefined): void {
    this.workspace.value.close();
    this.opened += 1;
    this.#file = file;
    this.savedAt.set(0);
    this.workspace.set(new Workspace(store, this.announcer));
  }

  #unlessUnsaved(run: () => Promise<void> | void): Promise<void> | void {
    if (this.workspace.value.changes.value === this.savedAt.value) return run();
    this.question.set(() => {
      this.question.set(undefined);
      void run();
    });
  }
}

function storeOf(document: Json): DocumentStore {
  return new DocumentStore("threat-model", document, { history: STEPS_KEPT });
}

function today(): string {
  const now = new Date();
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(now.getFullYear()).padStart(4, "0")}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

function fileName(title: string): string {
  const plain = title.trim().toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60);
  return plain === "" ? "threat-model" : plain;
}

function whyOf(error: unknown): string {
  return clip(error instanceof Error ? error.message : String(error), 200);
}
