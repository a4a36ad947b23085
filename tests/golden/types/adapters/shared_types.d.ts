/** A Yjs document read as plain JSON and written to with as few operations as it takes, so that what others do at the same time is merged. */
import type * as Yjs from "yjs";
/** The classes of the Yjs that made the document; another copy of Yjs does not know its types. */
export type YjsClasses = Pick<typeof Yjs, "Map" | "Array" | "Text" | "AbstractType">;
/** A shared type, whatever it holds. */
export type SharedType = Yjs.Map<unknown> | Yjs.Array<unknown> | Yjs.Text;
/** How a value that is new becomes one of the shared document; nothing for the ordinary way. */
export type Shape = (value: unknown, path: readonly string[]) => unknown;
/** Reads shared types and keeps what it read of each until that is told to have changed. */
export declare class SharedReader {
    #private;
    constructor(types: YjsClasses);
    /** What a type holds: the very same value for every part that did not change. */
    read(type: SharedType): unknown;
    /** The same in the middle of a transaction, when nothing is told yet. */
    readAnew(type: SharedType): unknown;
    /** A type changed, and with it everything it stands in. */
    forget(type: SharedType): void;
}
/** Writes to shared types. */
export declare class SharedWriter {
    #private;
    constructor(types: YjsClasses, keys: readonly string[], shape: Shape);
    /** Makes a map that holds `before` hold `after`. */
    map(map: Yjs.Map<unknown>, before: Record<string, unknown>, after: Record<string, unknown>, path: readonly string[]): void;
}
