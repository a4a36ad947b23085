/** The order in which a file names its parts, and what it leaves out because reading fills it in again. */
/** The fields of one mapping, in order; those of the mappings under its fields. */
export interface Shape {
    /** The fields the format knows. */
    readonly fields: readonly string[];
    /** Fields that are left out where their list is empty. */
    readonly unlessEmpty?: readonly string[];
    /** Mappings, and lists of mappings, that have an order of their own. */
    readonly inner?: Readonly<Record<string, Shape>>;
}
/** The fields of `metadata`. */
export declare const METADATA: Shape;
/** A whole threat model: what is declared stands before what refers to it. */
export declare const THREAT_MODEL: Shape;
/** The shape of what stands under a field; a name that a file chose (`constructor`) has none. */
export declare function innerShape(shape: Shape | undefined, field: string): Shape | undefined;
/** The members of a mapping as a file names them: the known in their order, then the others in the one they have. */
export declare function ordered<T>(object: Readonly<Record<string, T>>, shape: Shape | undefined): [string, T][];
