// The keys that act everywhere on the page. Enters: key presses. Leaves: undo and redo, and the focus in another region.

import type { Desk } from "../document/desk.svelte.ts";
import { isTyping } from "./typing.ts";

/** What the keys act on. */
export interface PageKeyTargets {
  readonly desk: Desk;
  focusAssistant(): void;
  isPanelOpen(): boolean;
  keys(): void;
}

/** Turns the keys on; returns how to turn them off. */
export function pageKeys({ desk, focusAssistant, isPanelOpen, keys }: PageKeyTargets): () => void {
  const pressed = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]") !== null) return;
    if (event.key === "F6") {
      event.preventDefault();
      nextRegion(event.shiftKey ? -1 : 1, isPanelOpen(), focusAssistant);
      return;
    }
    if (isTyping(event)) return; // in a field the browser's own undo is meant
    if (event.key === "?") {
      event.preventDefault();
      keys();
      return;
    }
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) desk.redo();
    else desk.undo();
  };
  document.addEventListener("keydown", pressed);
  return () => document.removeEventListener("keydown", pressed);
}

function nextRegion(step: 1 | -1, isPanelOpen: boolean, focusAssistant: () => void): void {
  const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")].filter((region) => isPanelOpen || region.dataset["region"] !== "assistant");
  const here = document.activeElement?.closest("[data-region]");
  const at = regions.findIndex((region) => region === here);
  // from the page itself, and from a board whose panel is closed, the assistant is what is meant
  const to = at === -1 || regions.length === 1 ? undefined : regions[(at + step + regions.length) % regions.length];
  if (to === undefined || to.dataset["region"] === "assistant") return focusAssistant();
  (to.querySelector<HTMLElement>('.card-face[tabindex="0"]') ?? to.querySelector<HTMLElement>("textarea, button"))?.focus();
}
