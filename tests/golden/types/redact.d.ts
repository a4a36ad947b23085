/** Masks what looks like a secret in text of a server before it is kept, and caps it; masks first, then cuts. */
/** The text without secrets, at most 200 code points; undefined where nothing is left. */
export declare function redact(text: string, mask?: (text: string) => string): string | undefined;
