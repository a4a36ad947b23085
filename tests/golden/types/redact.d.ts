/** Masks what looks like a secret in text of a server before it is kept, and caps it; masks first, then cuts. */
/** The text without secrets, at most 200 code points; undefined where nothing is left. */
export declare function redact(text: string, mask?: (text: string) => string): string | undefined;
/** The text without these secrets; one that a cap cut off (the text ends in `…`) is masked by its beginning. */
export declare function maskExact(text: string, secrets: Iterable<string>): string;
/** A secret as it is, and as a server writes it that repeats it in an address, in JSON or in base64. */
export declare function formsOf(secret: string): string[];
