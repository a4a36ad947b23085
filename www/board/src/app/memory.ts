// What this browser keeps of how the page was left; where it keeps nothing, the page begins as usual.

/** Keeps a value. */
export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`countersign-board.${name}`, value);
  } catch {
    // it is kept for as long as the page is open
  }
}

/** What was kept. */
export function remembered(name: string): string | undefined {
  try {
    return localStorage.getItem(`countersign-board.${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}
