// One tooltip for the page: any element with `data-tip` shows it on hover and on keyboard focus, with its key.
// Enters: pointer and focus events. Leaves: a small label beside the element; Escape hides it.

/** Turns the tooltips of the page on. */
export function installTooltips(): void {
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.role = "tooltip";
  tip.hidden = true;
  document.body.append(tip);
  let timer = 0;
  const hide = () => {
    clearTimeout(timer);
    tip.hidden = true;
  };
  const show = (target: Element) => {
    const text = target.getAttribute("data-tip");
    if (text === null || text === "" || !target.isConnected) return hide();
    const key = target.getAttribute("data-key");
    const name = document.createElement("kbd");
    name.textContent = key;
    tip.replaceChildren(text, ...(key === null ? [] : [name]));
    tip.hidden = false;
    const box = target.getBoundingClientRect();
    const own = tip.getBoundingClientRect();
    const left = Math.min(Math.max(8, box.left + box.width / 2 - own.width / 2), innerWidth - own.width - 8);
    const above = box.top - own.height - 6;
    tip.style.left = `${left}px`;
    tip.style.top = `${above > 8 ? above : box.bottom + 6}px`;
  };
  const from = (event: Event) => (event.target instanceof Element ? event.target.closest("[data-tip]") : null);
  document.addEventListener("pointerover", (event) => {
    const target = from(event);
    clearTimeout(timer);
    if (target === null) return hide();
    timer = window.setTimeout(() => show(target), 350);
  });
  document.addEventListener("focusin", (event) => {
    const target = from(event);
    if (target?.matches(":focus-visible") === true) show(target);
    else hide();
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("pointerdown", hide);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
}
