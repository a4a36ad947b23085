/** What a JSON Schema asks a person for: which kind of field a schema is. Enters: a schema and its root. Leaves: a shape. Knows no value and no DOM. */
import type { Json } from "../engine/countersign.js";
/** A schema that is an object. */
export type Schema = {
    readonly [key: string]: Json;
};
/** How a schema is drawn. */
export type Shape = {
    readonly kind: "text";
    readonly isLong: boolean;
} | {
    readonly kind: "number";
    readonly isWhole: boolean;
} | {
    readonly kind: "boolean";
} | {
    readonly kind: "choice";
    readonly values: readonly Json[];
} | {
    readonly kind: "const";
    readonly value: Json;
} | {
    readonly kind: "list";
    readonly items: Schema;
    readonly isFixed: boolean;
} | {
    readonly kind: "object";
    readonly properties: readonly (readonly [name: string, schema: Schema])[];
    readonly required: ReadonlySet<string>;
    readonly extra: Schema | undefined;
} | {
    readonly kind: "variant";
    readonly options: readonly {
        readonly label: string;
        readonly schema: Schema;
    }[];
} | {
    readonly kind: "json";
};
/** A shape, whether `null` may stand in its place, and what the schema says of itself. */
export interface Drawn {
    readonly shape: Shape;
    readonly nullable: boolean;
    readonly title: string | undefined;
    readonly description: string | undefined;
}
/** What a schema asks for. */
export declare function drawn(schema: Schema, root: Schema): Drawn;
/** Whether a value can be of this schema, looking at its outside alone: enough to tell variants apart. */
export declare function fits(value: Json, schema: Schema, root: Schema): boolean;
/** The schema of a value that nobody described. */
export declare function inferred(value: Json): Schema;
/** Whether two values are equal, the order of keys aside. */
export declare function same(left: Json, right: Json): boolean;
/** Whether a value is an object, no list. */
export declare function isObject(value: unknown): value is Schema;
