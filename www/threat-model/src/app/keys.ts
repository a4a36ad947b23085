// The keys that act everywhere on the page. Enters: key presses. Leaves: acts on the page. Plain letters never act
// while the person types; keys with Control do, since they are no text.

/** What the keys act on. */
export interface KeyTargets {
  undo(): void;
  redo(): void;
  find(): void;
  open(): void;
  save(): void;
  help(): void;
  /** Shows or hides what happened, step by step. */
  inspect(): void;
  focusAssistant(): void;
  /** A key of the drawing that was pressed while nothing had the focus, or a button of the bar. */
  drawing(event: KeyboardEvent): void;
}

const REGIONS = ["canvas", "drawer", "inspector", "assistant"];

/** Turns the keys on; returns how to turn them off. */
export function installKeys(targets: KeyTargets): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]") !== null) return;
    if (event.key === "F6") {
      event.preventDefault();
      moveRegion(event.shiftKey ? -1 : 1, targets);
    } else if ((event.ctrlKey || event.metaKey) && !event.altKey && commandOf(event, targets)) {
      event.preventDefault();
    } else if (event.key === "?" && !isTyping(targetOf(event))) {
      event.preventDefault();
      targets.help();
    } else if (event.key.toLowerCase() === "i" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(targetOf(event))) {
      event.preventDefault();
      targets.inspect();
    } else if (event.target === document.body || (isInBar(event.target) && event.key !== "Enter" && event.key !== " ")) {
      targets.drawing(event);
    }
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}

/** Whether a key press there is text, so that no plain letter may act on it. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"));
}

/** Where a key was pressed, inside of a custom element too. */
export function targetOf(event: KeyboardEvent): EventTarget | null {
  return event.composedPath()[0] ?? event.target;
}

function isInBar(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(".topbar") !== null;
}

function commandOf(event: KeyboardEvent, targets: KeyTargets): boolean {
  switch (event.key.toLowerCase()) {
    case "z":
      if (isTyping(targetOf(event))) return false; // in a field the browser's own undo is meant
      if (event.shiftKey) targets.redo();
      else targets.undo();
      return true;
    case "y":
      if (isTyping(targetOf(event))) return false;
      targets.redo();
      return true;
    case "f":
      targets.find();
      return true;
    case "o":
      targets.open();
      return true;
    case "s":
      targets.save();
      return true;
  }
  return false;
}

function moveRegion(step: 1 | -1, targets: KeyTargets): void {
  const here = document.activeElement?.closest("[data-region]")?.getAttribute("data-region") ?? "";
  const regions = REGIONS.filter((name) => name === "assistant" || document.querySelector(`[data-region="${name}"]`) !== null);
  const at = regions.indexOf(here);
  // from the document the panel is what a person wants; inside the panel it is the way back
  const to = at === -1 ? "assistant" : regions[(at + step + regions.length) % regions.length];
  if (to === "assistant") targets.focusAssistant();
  else if (to === "drawer") document.querySelector<HTMLElement>('.drawer [role="tab"][aria-selected="true"]')?.focus();
  else if (to === "inspector") document.querySelector<HTMLElement>('[data-region="inspector"]')?.focus();
  else (document.querySelector<HTMLElement>(".react-flow__node.selected") ?? document.querySelector<HTMLElement>(".react-flow__node") ?? document.querySelector<HTMLElement>(".canvas"))?.focus();
}
