// Small things about texts: filling in a sentence, counting in words, the letters that stand for a name, a day.

/** Puts values into a sentence's braces. */
export function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The sentence for one, or for another number, filled in as `n`. */
export function count([one, many]: readonly [one: string, many: string], n: number): string {
  return fill(n === 1 ? one : many, { n });
}

/** At most two letters that stand for a name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? "")][0] ?? "").join("").toUpperCase();
}

/** A day as the person's language writes it; the text itself where it is none. */
export function day(text: string): string {
  const date = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? text : new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(date);
}

/** A text that is cut where it is too long to stand in a sentence. */
export function clip(text: string, most = 60): string {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}
