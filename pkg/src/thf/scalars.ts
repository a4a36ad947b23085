/** Unquoted scalars as YAML 1.2 core has them: text in, a plain value out. Dates, `yes` and `1_000` are texts. */

const WHOLE = /^[-+]?[0-9]+$/;
const OCTAL = /^0o[0-7]+$/;
const HEX = /^0x[0-9a-fA-F]+$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const NOT_FINITE = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const WORDS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ["", null], ["~", null], ["null", null], ["Null", null], ["NULL", null],
  ["true", true], ["True", true], ["TRUE", true], ["false", false], ["False", false], ["FALSE", false],
]);
// longer ones are no numbers a double holds, and a pattern need not look at megabytes
const LONGEST_NUMBER = 400;

/** A number that a double cannot hold as it is written. */
export class Unheld extends Error {}

/** What an unquoted scalar means; throws `Unheld` for numbers that would change in a double. */
export function plainScalar(source: string): string | number | boolean | null {
  const first = source.charCodeAt(0);
  // a digit, a sign or a dot: everything else begins a word
  if (!((first >= 48 && first <= 57) || first === 43 || first === 45 || first === 46)) {
    const word = source.length > 5 ? undefined : WORDS.get(source);
    return word === undefined ? source : word;
  }
  if (source.length > LONGEST_NUMBER) return source;
  if (NOT_FINITE.test(source)) throw new Unheld();
  const isWhole = WHOLE.test(source) || OCTAL.test(source) || HEX.test(source);
  if (!isWhole && !FLOAT.test(source)) return source;
  const number = Number(source);
  // too small for a double, and no zero as it is written
  if (number === 0 && /^[^eE]*[1-9]/.test(source)) throw new Unheld();
  if (isWhole ? !Number.isSafeInteger(number) : !Number.isFinite(number)) throw new Unheld();
  return number;
}

/** Whether YAML 1.2, or a reader of the older 1.1, takes this unquoted text for something else than a text. */
export function isSpecialWord(text: string): boolean {
  return text.length <= 5 && /^(?:~|null|true|false|yes|no|on|off|y|n)$/i.test(text);
}

/** Sets a member; `__proto__` is a name like any other. */
export function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
