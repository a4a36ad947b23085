/** How the elements look: one sheet for all of them. A page changes it by `--countersign-*` and by `::part`. */
/** A sheet with all of it. */
export declare function styleSheet(): CSSStyleSheet;
