/** What an error body says, read from the places in which providers put it. Enters: text. Leaves: words to go by, and a detail that is shown. */
/** The words of an error body. */
export interface Said {
    /** Whether it is an error at all, and not an answer. */
    readonly isError: boolean;
    /** Types, codes and reasons, as the provider spells them. */
    readonly words: ReadonlySet<string>;
    /** The status it names itself; gateways put it there beside a 200. */
    readonly status?: number;
    /** What is told to people. */
    readonly message: string;
    /** All of it in one line. */
    readonly detail: string;
    /** How long to wait, where the body says so. */
    readonly retryAfterMs?: number;
}
/** Reads a body; one that is no JSON is told as it is, without tags. */
export declare function saidIn(text: string): Said;
