// The page's shortcuts. Enters: key presses. Leaves: moves between the parts of the page, decisions on the card that
// has the focus, undo and redo. None acts while the person types.

import { isTyping } from "./dom.ts";
import type { Panel } from "./panel/panel.ts";

/** What the shortcuts act on. */
export interface KeyTargets {
  readonly panel: Panel;
  undo(): void;
  redo(): void;
  showPanel(): void;
}

/** Turns the shortcuts on. */
export function installKeys(targets: KeyTargets): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (event.key === "F6") {
      event.preventDefault();
      moveRegion(event.shiftKey ? -1 : 1, targets);
    } else if (event.ctrlKey || event.metaKey) {
      undoKeys(event, targets);
    } else if (!event.altKey && !isTyping(event.target)) {
      plainKeys(event, targets);
    }
  });
}

function undoKeys(event: KeyboardEvent, targets: KeyTargets): void {
  if (isTyping(event.target) || event.altKey) return; // in a field the browser's own undo is meant
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) targets.redo();
  else targets.undo();
}

function plainKeys(event: KeyboardEvent, { panel }: KeyTargets): void {
  const card = panel.focusedCard();
  const inPanel = event.target instanceof Node && panel.root.contains(event.target);
  switch (event.key) {
    case "j":
    case "J":
      if (panel.next(1)) event.preventDefault();
      break;
    case "ArrowDown":
    case "ArrowUp":
      if (inPanel && card !== undefined && panel.next(event.key === "ArrowDown" ? 1 : -1)) event.preventDefault();
      break;
    case "a":
    case "A":
      if (event.repeat) break; // a key held down decides one card, not the ones after it
      card?.approve({ byKey: true });
      break;
    case "d":
    case "D":
      if (event.repeat) break;
      card?.deny({ byKey: true });
      break;
    case "u":
    case "U":
      if (!event.repeat) panel.undoTurn();
      break;
  }
}

function moveRegion(step: 1 | -1, targets: KeyTargets): void {
  const names = ["canvas", "lists", "assistant"];
  const here = document.activeElement?.closest("[data-region]")?.getAttribute("data-region") ?? "";
  const at = names.indexOf(here);
  // from the document the panel is what a person wants; inside the panel it is the way back
  const to = at === -1 ? "assistant" : names[(at + step + names.length) % names.length];
  if (to === "assistant") {
    targets.showPanel();
    const waiting = targets.panel.next(1);
    if (!waiting) targets.panel.focus();
  } else {
    document.querySelector<HTMLElement>(to === "lists" ? '[role="tab"][aria-selected="true"]' : ".canvas .node")?.focus();
  }
}
