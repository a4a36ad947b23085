/** Keeps the end of a conversation in sight while the person is there, and stays where they are otherwise. Knows boxes, no session. */
/** Follows the growth of what stands in a scrolling box. */
export declare class Follow {
    #private;
    private readonly scroll;
    private readonly log;
    /** The first group of cards that waits: it is read from its head. */
    private readonly waiting;
    private readonly below;
    constructor(scroll: HTMLElement, log: HTMLElement, 
    /** The first group of cards that waits: it is read from its head. */
    waiting: () => HTMLElement | undefined, below: (isBelow: boolean) => void);
    /** Begins to watch. */
    start(): void;
    /** Watches no longer. */
    stop(): void;
    /** Something came, or grew. */
    grew(isNew: boolean): void;
    /** Goes to the end, and follows from there. */
    toEnd(): void;
}
