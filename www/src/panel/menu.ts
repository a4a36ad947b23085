// A small menu below a button. Enters: labels and what they do. Leaves: one choice, or none; the focus returns.

import { attr, h } from "../dom.ts";

/** One entry. */
export interface MenuItem {
  readonly label: string;
  readonly run: () => void;
}

/** Opens a menu at a button; Escape, a click elsewhere or a choice closes it. */
export function openMenu(button: HTMLButtonElement, items: readonly MenuItem[]): void {
  if (button.getAttribute("aria-expanded") === "true") return;
  const entries = items.map((item) => h("button", { class: "menu-item", type: "button", role: "menuitem", tabindex: "-1", onclick: () => close(item.run) }, item.label));
  const menu = h("div", { class: "menu", role: "menu" }, ...entries);
  const outside = new AbortController();
  const close = (then?: () => void) => {
    outside.abort();
    menu.remove();
    attr(button, "aria-expanded", "false");
    button.focus({ preventScroll: true });
    then?.();
  };
  menu.addEventListener("keydown", (event) => {
    const at = entries.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      close();
    } else if (to !== undefined) {
      event.preventDefault();
      entries[(to + entries.length) % entries.length]?.focus();
    }
    event.stopPropagation();
  });
  document.addEventListener("pointerdown", (event) => {
    if (event.target instanceof Node && !menu.contains(event.target)) close();
  }, { signal: outside.signal, capture: true });
  attr(button, "aria-expanded", "true");
  document.body.append(menu);
  const at = button.getBoundingClientRect();
  const own = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(8, Math.min(at.right - own.width, innerWidth - own.width - 8))}px`;
  menu.style.top = `${at.bottom + own.height + 4 > innerHeight ? at.top - own.height - 4 : at.bottom + 4}px`;
  entries[0]?.focus();
}
