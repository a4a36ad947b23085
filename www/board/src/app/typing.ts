// Where a key press is text, or belongs to a menu or dialog: no plain letter of the page may act there.

/** Whether it does. */
export function isTyping(event: Event): boolean {
  return event.composedPath().some((at) => at instanceof HTMLElement && (at.isContentEditable || at.matches("input:not([type=checkbox]), textarea, select, dialog, [role=menu]")));
}
