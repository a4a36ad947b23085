// What the page remembers about itself from one visit to the next. Storage may be refused: then nothing is
// remembered, and nothing breaks.

/** What was remembered under a name. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`countersign.${name}`);
  } catch {
    return null;
  }
}

/** Remembers a value, or whether something is on. */
export function remember(name: string, value: string | boolean): void {
  try {
    localStorage.setItem(`countersign.${name}`, value === true ? "yes" : value === false ? "no" : value);
  } catch {
    // the page works the same without
  }
}
