/** A button with a small menu in the top layer. Enters: entries. Leaves: one choice or none; the focus returns to the button. */

import { attribute, h, icon, stamp } from "./dom.js";

/** One entry. */
export interface MenuItem {
  /** What it says. */
  readonly label: string;
  /** What it does. */
  readonly run: () => void;
}

const closed = stamp(() => h("button", { type: "button", class: "button icon-only", part: "button more", "aria-haspopup": "menu", "aria-expanded": "false" }, icon("more")));

/** A menu button; `items` is asked each time the menu opens. The menu itself is made when it opens first. */
export function menuButton(label: string, items: () => readonly MenuItem[]): HTMLElement {
  const button = closed();
  attribute(button, "aria-label", label);
  attribute(button, "title", label);
  const place = h("span", { class: "menu-place" }, button);
  // the browser opens it, after all who listen
  button.addEventListener("click", () => place.append(menuOf(button, label, items)), { once: true });
  return place;
}

function menuOf(button: HTMLButtonElement, label: string, items: () => readonly MenuItem[]): HTMLElement {
  const menu = h("div", { popover: "auto", role: "menu", class: "menu", part: "menu", "aria-label": label });
  const entries = (): HTMLElement[] => [...menu.children] as HTMLElement[];
  const close = (): void => {
    menu.hidePopover();
    button.focus({ preventScroll: true });
  };
  button.popoverTargetElement = menu;
  menu.addEventListener("beforetoggle", (event) => {
    menu.classList.remove("placed");
    if ((event as ToggleEvent).newState !== "open") return;
    const choose = (item: MenuItem) => () => {
      close();
      item.run();
    };
    menu.replaceChildren(...items().map((item, at) => h("button", { type: "button", role: "menuitem", tabindex: -1, autofocus: at === 0, class: "menu-item", part: "menu-item", onclick: choose(item) }, item.label)));
  });
  menu.addEventListener("toggle", (event) => {
    const isOpen = (event as ToggleEvent).newState === "open";
    attribute(button, "aria-expanded", String(isOpen));
    if (!isOpen) return;
    place(button, menu);
  });
  menu.addEventListener("keydown", (event) => {
    const all = entries();
    const at = all.indexOf((menu.getRootNode() as ShadowRoot).activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") close();
    else if (to !== undefined) all.at(to >= all.length ? 0 : to)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return menu;
}

// below its button, at the side that has room
function place(button: HTMLElement, menu: HTMLElement): void {
  const [at, own] = [button.getBoundingClientRect(), menu.getBoundingClientRect()];
  const isRtl = getComputedStyle(button).direction === "rtl";
  const start = isRtl ? at.right - own.width : at.left;
  const left = Math.max(8, Math.min(start, innerWidth - own.width - 8));
  const top = at.bottom + own.height + 4 > innerHeight ? at.top - own.height - 4 : at.bottom + 4;
  menu.style.left = `${left}px`;
  menu.style.top = `${Math.max(8, top)}px`;
  menu.classList.add("placed");
}
