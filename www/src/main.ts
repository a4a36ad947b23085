// The page: a document, an editor for it, and an assistant at its side. Enters: the package, the seed document.
// Leaves: the running page. Holds the store and the session; each part is told what it needs and no more.

import { DocumentStore, init, type CallRecord } from "countersign/threat-model";
import { createElement, createRef } from "react";
import { createRoot } from "react-dom/client";

import { Announcer } from "./announce.ts";
import { Assistant, type AssistantHandle } from "./assistant/Assistant.tsx";
import { attr, h, words } from "./dom.ts";
import { Canvas } from "./editor/canvas.ts";
import { Edits } from "./editor/edits.ts";
import { Lists } from "./editor/lists.ts";
import { proposalOf } from "./editor/proposal.ts";
import { icon } from "./icons.ts";
import { installKeys } from "./keys.ts";
import { Layout } from "./layout.ts";
import { asModel, type Model, type Section } from "./model.ts";
import { seed } from "./seed.ts";
import { strings } from "./strings.ts";
import { say } from "./text.ts";
import { installTooltips } from "./tooltip.ts";

/** The page with its document open. */
async function open(root: HTMLElement): Promise<void> {
  await init(new URL("threat-model.wasm", document.baseURI));
  const store = new DocumentStore("threat-model", seed);
  const announcer = new Announcer();
  const model = (): Model => asModel(store.read());
  let selected: { section: Section; id: string } | undefined;
  let redoable = 0;

  const select = (section: Section, id: string | undefined): void => {
    if (id === selected?.id) return;
    selected = id === undefined ? undefined : { section, id };
    draw();
  };
  const edits = new Edits(store, {
    refused: (why) => announcer.note(why),
    removed: (what) => announcer.note(what, { label: strings.edits.takeBack, run: undo }),
  });
  const canvas = new Canvas({ select, move: (id, to) => edits.move(id, to), remove: (section, id) => void edits.remove(section, id) });
  const lists = new Lists(edits, select);

  const undoButton = topButton("undo", strings.top.undo, () => undo());
  const redoButton = topButton("redo", strings.top.redo, () => redo());
  const toggle = h("button", { class: "button quiet toggle", type: "button", "aria-controls": "assistant", "data-key": strings.keys.panel }, icon("panel"), h("span", {}, strings.top.assistant));
  const title = h("span", { class: "doc-title", dir: "auto" });
  const bar = h("header", { class: "topbar" }, h("span", { class: "brand" }, mark(), h("span", { class: "brand-name" }, strings.product)), title, h("span", { class: "spacer" }), undoButton, redoButton, toggle);
  const host = h("div", { class: "assistant-host" });
  const assistant = createRef<AssistantHandle>();
  const panel = {
    document: store,
    announcer,
    look: (calls: readonly CallRecord[]) => canvas.propose(calls.length === 0 ? undefined : proposalOf(calls, model())),
    hide: () => {
      layout.show(false);
      toggle.focus();
    },
    handle: assistant,
  };
  const layout = new Layout(root, toggle, (shown) => {
    host.hidden = !shown;
  });

  function draw(): void {
    const now = model();
    if (selected !== undefined && !(now[selected.section] as readonly { id: string }[]).some((entity) => entity.id === selected?.id)) selected = undefined;
    canvas.draw(now, selected?.id);
    lists.draw(now, selected);
    words(title, now.metadata.title);
    const last = store.history().at(-1);
    const label = last === undefined ? undefined : last.source === "turn" ? strings.top.assistantChange : last.label;
    button(undoButton, label !== undefined, label === undefined ? strings.top.nothingToUndo : say(strings.top.undoTip, { label }));
    button(redoButton, redoable > 0, redoable > 0 ? strings.top.redoTip : strings.top.nothingToRedo);
  }

  function undo(): void {
    const last = store.history().at(-1);
    if (last === undefined || store.undo().status !== "committed") return;
    announcer.say(say(strings.top.undone, { label: last.source === "turn" ? strings.top.assistantChange : last.label }));
  }

  function redo(): void {
    if (redoable > 0 && store.redo().status === "committed") announcer.say(strings.top.redone);
  }

  store.onChange((change) => {
    redoable = change.source === "undo" ? redoable + 1 : change.source === "redo" ? Math.max(0, redoable - 1) : 0;
    draw();
  });

  root.replaceChildren(bar, h("main", { class: "work" }, canvas.root, lists.root), layout.handle, host, announcer.root);
  createRoot(host).render(createElement(Assistant, panel));
  installTooltips();
  installKeys({ focusAssistant: () => assistant.current?.focus(), undo, redo, showPanel: () => layout.show(true) });
  draw();
  attr(root, "data-ready", true);
}

function topButton(name: "undo" | "redo", label: string, run: () => void): HTMLButtonElement {
  const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
  const key = { undo: isMac ? strings.keys.undoMac : strings.keys.undo, redo: isMac ? strings.keys.redoMac : strings.keys.redo }[name];
  return h("button", { class: "icon-button", type: "button", "aria-label": label, "data-key": key, onclick: (event: Event) => {
    if (event.currentTarget instanceof Element && event.currentTarget.getAttribute("aria-disabled") !== "true") run();
  } }, icon(name));
}

function button(node: HTMLButtonElement, can: boolean, tip: string): void {
  attr(node, "aria-disabled", can ? null : "true");
  attr(node, "data-tip", tip);
}

function mark(): HTMLElement {
  return h("span", { class: "brand-mark", "aria-hidden": "true" }, icon("check"));
}

const root = document.getElementById("app");
if (root !== null) {
  root.replaceChildren(h("p", { class: "loading", role: "status" }, strings.loading));
  open(root).catch((error: unknown) => {
    root.replaceChildren(h("p", { class: "loading", role: "alert" }, strings.loadFailed));
    console.error(error);
  });
}
