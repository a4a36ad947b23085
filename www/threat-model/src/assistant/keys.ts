// The panel's own shortcuts: J and arrows go on among the cards that wait, A and D decide the one with the focus, U
// takes the turn back. Enters: key presses. Leaves: focus and decisions. None acts while the person types.

import { useCallback, useEffect, type RefObject } from "react";

import { targetOf } from "../app/keys.ts";
import type { Tray } from "./tray.ts";

/** Turns the shortcuts on; gives what moves the focus to the next card that waits and says whether there was one. */
export function useCardKeys(root: RefObject<HTMLElement | null>, tray: Tray, undoTurn: () => void): (step: 1 | -1) => boolean {
  const next = useCallback((step: 1 | -1): boolean => {
    const waiting = [...(root.current?.querySelectorAll<HTMLElement>(".card[data-waiting]") ?? [])].filter(tray.waits);
    const at = waiting.findIndex((card) => card.contains(document.activeElement));
    const card = waiting[at === -1 ? (step === 1 ? 0 : waiting.length - 1) : (at + step + waiting.length) % waiting.length];
    return reach(card);
  }, [root, tray]);
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(targetOf(event))) return;
      const card = root.current?.contains(document.activeElement) === true ? document.activeElement?.closest<HTMLElement>(".card[data-waiting]") : undefined;
      const id = card?.dataset["call"];
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if (key === "j" || (id !== undefined && (key === "ArrowDown" || key === "ArrowUp"))) {
        if (next(key === "ArrowUp" ? -1 : 1)) event.preventDefault();
      } else if (event.repeat) return; // a key held down decides one card, not the ones after it
      else if (key === "a" && id !== undefined) tray.approve(id, { byKey: true, at: event.timeStamp });
      else if (key === "d" && id !== undefined) tray.deny(id, { byKey: true, at: event.timeStamp });
      else if (key === "u") undoTurn();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [tray, next, root, undoTurn]);
  return next;
}

/** Puts the focus on a card and the card in sight; says whether there was one. */
export function reach(card: HTMLElement | undefined): boolean {
  card?.focus({ preventScroll: true });
  card?.scrollIntoView({ block: "nearest" });
  return card !== undefined;
}

// where a key press is text, or belongs to a dialog or a menu
function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest("input, textarea, select, dialog, [role=menu]") !== null);
}
