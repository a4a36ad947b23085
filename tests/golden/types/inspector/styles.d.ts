/** How the inspector looks. A page changes it by `--countersign-*`, by `color-scheme` and by `::part`. */
/** The height of one row of the log, in pixels: rows are placed by it. */
export declare const ROW_PX = 28;
/** The style sheet. */
export declare function inspectorSheet(): CSSStyleSheet;
