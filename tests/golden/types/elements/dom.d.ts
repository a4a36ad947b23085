/** The few ways in which the elements make DOM. Foreign text enters text nodes and plain attributes alone; there is no markup from strings. */
declare const PATHS: {
    readonly alert: "M8 6.5v3M8 11.6h.01M8 2.2l6.3 11.3H1.7L8 2.2z";
    readonly change: "M3 13l.8-3 7-7 2.2 2.2-7 7L3 13zM9.6 4.2l2.2 2.2";
    readonly check: "M3.5 8.5l3 3 6-7";
    readonly chevron: "M4.5 6.5L8 10l3.5-3.5";
    readonly cross: "M4.5 4.5l7 7M11.5 4.5l-7 7";
    readonly delete: "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5M6.8 7v3.6M9.2 7v3.6";
    readonly down: "M8 3.5V12M4 8.5l4 4 4-4";
    readonly info: "M8 7.3v4M8 4.8h.01M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4z";
    readonly minus: "M3.5 8h9";
    readonly more: "M3.5 8h.01M8 8h.01M12.5 8h.01";
    readonly plus: "M8 3.5v9M3.5 8h9";
    readonly read: "M1.8 8S4 4 8 4s6.2 4 6.2 4-2.2 4-6.2 4-6.2-4-6.2-4zM8 9.7a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z";
    readonly send: "M8 13V3.5M4 7.5l4-4 4 4";
    readonly stop: "M4.5 4.5h7v7h-7z";
    readonly undo: "M6 3.5L3 6.5l3 3M3.5 6.5h5.7a3.3 3.3 0 0 1 0 6.6H7";
    readonly up: "M8 12.5V4M4 7.5l4-4 4 4";
    readonly wait: "M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4zM8 4.6V8l2.3 1.6";
};
/** An icon's name. */
export type IconName = keyof typeof PATHS;
/** What a node is given: attributes, and listeners by names that begin with `on`. */
export type Props = Readonly<Record<string, string | number | boolean | undefined | ((event: never) => void)>>;
/** A child, or nothing. */
export type Child = Node | string | false | null | undefined;
/** A node. */
export declare function h<K extends keyof HTMLElementTagNameMap>(tag: K, props?: Props, ...children: readonly Child[]): HTMLElementTagNameMap[K];
/** What is the same wherever it stands: made once, copied from then on. What is copied holds no listeners. */
export declare function stamp<T extends Element>(make: () => T): () => T;
/** Sets an attribute, or takes it away. */
export declare function attribute(node: Element, name: string, value: string | number | boolean | null | undefined): void;
/** Hides a node or shows it; one that is so already is not touched. */
export declare function hide(node: HTMLElement, isHidden: boolean): void;
/** Foreign text that cannot turn the words around it. */
export declare function foreign(text: string, className?: string, part?: string): HTMLElement;
/** A sentence of ours with foreign text in it, each isolated. */
export declare function sentenceOf(template: string, values: Readonly<Record<string, string | Node>>): Node[];
/** One icon: decoration, the words stand beside it or in a label. */
export declare function icon(name: IconName): SVGElement;
/** Words for screen readers alone. */
export declare function spoken(text: string): HTMLElement;
/** The node that has the focus, through shadow roots. */
export declare function focused(): Element | null;
/** Whether a node is `outer` or stands in it, through shadow roots. */
export declare function within(outer: Node, node: Node | null): boolean;
/** Whether a key press is text, or belongs to a dialog or a menu. */
export declare function isTyping(event: Event): boolean;
/** Whether a key press is this letter, also where the keyboard writes others than Latin ones. */
export declare function isLetter(event: KeyboardEvent, letter: string): boolean;
/** Children by key, in order: what stays is not moved or made anew. */
export declare function keyed<T, V extends {
    readonly node: Element;
}>(parent: Element, views: Map<string, V>, items: readonly T[], keyOf: (item: T) => string, make: (item: T) => V, update: (view: V, item: T) => void): void;
export {};
