// Keeps the focus on the page: where what had it is taken away, the focus goes to what is around it, so that the next
// key still acts there. Enters: focus events and removals. Leaves: the focus, on something that is there.

/** Watches over the focus in `root`. */
export function keepFocus(root: HTMLElement): void {
  let around: readonly Element[] = [];
  document.addEventListener("focusin", (event) => {
    around = event.target instanceof Element && root.contains(event.target) ? ancestors(event.target) : [];
  });
  document.addEventListener("focusout", (event) => {
    // left by the person, and not taken away: then nothing has to be kept
    if (event.relatedTarget === null) queueMicrotask(() => {
      if (around[0]?.isConnected === true && document.activeElement !== around[0]) around = [];
    });
  });
  new MutationObserver(() => {
    if (around[0] === undefined || around[0].isConnected || document.activeElement !== document.body || document.querySelector("dialog[open]") !== null) return;
    const place = around.find((one) => one.isConnected && one.matches("[tabindex]")) ?? regionOf(around);
    around = [];
    if (place instanceof HTMLElement || place instanceof SVGElement) place.focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true });
}

function ancestors(element: Element): Element[] {
  const found: Element[] = [];
  for (let at: Element | null = element; at !== null; at = at.parentElement) found.push(at);
  return found;
}

// a part of the page that was made anew still is that part
function regionOf(around: readonly Element[]): Element | null {
  const name = around.map((one) => one.getAttribute("data-region")).find((region) => region !== null);
  return name === undefined || name === null ? null : document.querySelector(`[data-region="${name}"]`);
}
