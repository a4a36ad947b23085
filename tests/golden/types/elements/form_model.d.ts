/** The form's own state: fields, what was typed in them, and the input they make. Enters: a schema and a value. Leaves: a value. Knows no DOM. */
import type { Json } from "../engine/countersign.js";
import { type Schema, type Shape } from "./form_schema.js";
/** One field. */
export interface Field {
    readonly schema: Schema;
    readonly shape: Shape;
    readonly nullable: boolean;
    readonly description: string | undefined;
    /** The schema's own name for it. */
    readonly title: string | undefined;
    /** What it is called in its object; empty for the whole and for items. */
    name: string;
    /** Whether it has to be there. */
    readonly required: boolean;
    /** Whether the schema names it; others can be taken away but not brought back. */
    readonly known: boolean;
    /** Whether it is there. */
    present: boolean;
    /** Whether it is `null`. */
    isNull: boolean;
    /** What was typed: text, a number, JSON. */
    text: string;
    /** The chosen value of a choice, a constant or a yes and no. */
    value: Json;
    /** The text of a field whose value was never touched: it stays what it was, to the last character. */
    touched: boolean;
    /** Fields of an object, items of a list. */
    children: Field[];
    /** The variants that were opened, by number, with what was typed in them. */
    readonly variants: Map<number, Field>;
    /** The variant that counts. */
    variant: number;
}
/** What is wrong with a field before the core is asked. */
export interface LocalProblem {
    /** The field. */
    readonly field: Field;
    /** What is wrong. */
    readonly kind: "number" | "json";
}
/** The form of a schema, filled with a value. */
export declare class FormModel {
    #private;
    /** The whole input. */
    readonly whole: Field;
    /** Fills the form. */
    constructor(schema: Schema, value: Json);
    /** The input that the form makes; fields with a problem of their own stand as their text. */
    input(): Json;
    /** What is wrong before the core is asked. */
    problems(): LocalProblem[];
    /** Which field each issue of the core is about: the nearest that is drawn. */
    placed(issues: readonly string[]): {
        readonly field: Field;
        readonly issue: string;
        readonly text: string;
    }[];
    /** Brings an optional field in, or leaves it out. */
    include(field: Field, present: boolean): void;
    /** A new item at the end of a list. */
    add(list: Field): Field | undefined;
    /** A new field of an object that takes any name; nothing where the name is taken. */
    addKey(object: Field, name: string): Field | undefined;
    /** Takes an item or an added field away. */
    remove(parent: Field, child: Field): void;
    /** Moves an item by one place. */
    move(list: Field, item: Field, by: 1 | -1): void;
    /** Chooses a variant; what was typed in another stays there. */
    choose(field: Field, variant: number): void;
}
/** A number as it was typed, where it is one. */
export declare function asNumber(text: string): number | undefined;
