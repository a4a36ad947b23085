/** Lists of entities compared by id: what went, what came, and the fewest that moved. */
/** Where two lists differ: everything before `start` and from the ends on is the same. */
export interface Middle {
    readonly start: number;
    readonly endBefore: number;
    readonly endAfter: number;
}
/** What leads from one list of ids to another: places to take out, from the back, then places to put in, from the front. */
export interface ListPlan {
    /** Places in the list before, the last one first. */
    readonly out: readonly number[];
    /** Places in the list after, the first one first; one that stood in the list before has moved. */
    readonly in: readonly number[];
}
/** The ids of a list whose items are all objects with an id of their own under one of the keys; nothing of any other list. */
export declare function idsOf(list: readonly unknown[], keys: readonly string[]): string[] | undefined;
/** What is between the beginning and the end that two lists have in common: the very same items, or what `same` says. */
export declare function middleOf<T>(before: readonly T[], after: readonly T[], same?: (left: T, right: T) => boolean): Middle;
/** Plans the change of a list of ids; everything that is not in the plan keeps its order. */
export declare function planOf(before: readonly string[], after: readonly string[]): ListPlan;
/** What leads from one list to another: what goes and comes, and which items stay, as places before and after. */
export interface ListChange extends ListPlan {
    readonly stay: readonly (readonly [before: number, after: number])[];
    /** Where an item that comes stood before, when it has only moved. */
    from(at: number): number | undefined;
}
/** Compares two lists: by id where all that differs has one, else by place. */
export declare function listChange(before: readonly unknown[], after: readonly unknown[], keys: readonly string[], same: (left: unknown, right: unknown) => boolean): ListChange;
