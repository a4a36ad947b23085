// The page's shortcuts. Enters: key presses. Leaves: moves between the parts of the page, undo and redo. None acts while
// the person types.

import { isTyping } from "./dom.ts";

/** What the shortcuts act on. */
export interface KeyTargets {
  focusAssistant(): void;
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

function moveRegion(step: 1 | -1, targets: KeyTargets): void {
  const names = ["canvas", "lists", "assistant"];
  const here = document.activeElement?.closest("[data-region]")?.getAttribute("data-region") ?? "";
  const at = names.indexOf(here);
  // from the document the panel is what a person wants; inside the panel it is the way back
  const to = at === -1 ? "assistant" : names[(at + step + names.length) % names.length];
  if (to === "assistant") {
    targets.showPanel();
    targets.focusAssistant();
  } else {
    document.querySelector<HTMLElement>(to === "lists" ? '[role="tab"][aria-selected="true"]' : ".canvas .node")?.focus();
  }
}
