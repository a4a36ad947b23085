/** Unquoted scalars as YAML 1.2 core has them: text in, a plain value out. Dates, `yes` and `1_000` are texts. */
/** A number that a double cannot hold as it is written. */
export declare class Unheld extends Error {
}
/** What an unquoted scalar means; throws `Unheld` for numbers that would change in a double. */
export declare function plainScalar(source: string): string | number | boolean | null;
/** Whether YAML 1.2, or a reader of the older 1.1, takes this unquoted text for something else than a text. */
export declare function isSpecialWord(text: string): boolean;
/** Sets a member; `__proto__` is a name like any other. */
export declare function setMember(object: Record<string, unknown>, key: string, value: unknown): void;
