// The page's icons, drawn by hand on a 16 px grid: a sign beside every colour. Enters: a name. Leaves: SVG.

import type { ReactNode } from "react";

const PATHS = {
  add: "M8 3.5v9M3.5 8h9",
  arrow: "M8 3.5V12M4 8.5l4 4 4-4",
  boundary: "M2.5 5V2.5H5M7 2.5h2M11 2.5h2.5V5M13.5 7v2M13.5 11v2.5H11M9 13.5H7M5 13.5H2.5V11M2.5 9V7",
  change: "M3 13l.8-3 7-7 2.2 2.2-7 7L3 13zM9.6 4.2l2.2 2.2",
  check: "M3.5 8.5l3 3 6-7",
  chevron: "M6 4l4 4-4 4",
  connect: "M2.5 12.5a1.5 1.5 0 1 0 3 0 1.5 1.5 0 0 0-3 0zM5.2 11.4L12 4.6M8.2 4H12.5v4.3",
  copy: "M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3",
  cross: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  delete: "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5M6.8 7v3.6M9.2 7v3.6",
  down: "M4 6l4 4 4-4",
  external: "M2.5 4h11v8h-11z",
  file: "M4 2.5h5L12.5 6v7.5H4zM9 2.5V6h3.5",
  find: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3l3.4 3.4",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  fresh: "M7.5 3H4.2A1.2 1.2 0 0 0 3 4.2v7.6A1.2 1.2 0 0 0 4.2 13h7.6a1.2 1.2 0 0 0 1.2-1.2V8.5M6.5 9.5l.4-1.8L12 2.6l1.4 1.4-5.1 5.1-1.8.4z",
  grid: "M2.5 2.5h11v11h-11zM6.2 2.5v11M9.8 2.5v11M2.5 6.2h11M2.5 9.8h11",
  help: "M6 6.2a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.4M8 11.8h.01M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4z",
  history: "M8 4.8V8l2.2 1.6M2.6 5.5A6 6 0 1 1 2 8M2.5 2.5v3.2h3.2",
  info: "M8 7.3v4M8 4.8h.01M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4z",
  map: "M2.5 3.5h11v9h-11zM8.5 7.5h5v5h-5z",
  minus: "M3.5 8h9",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  open: "M2.5 12.5v-9h4L8 5h5.5v2M2.5 12.5L4.5 7h10l-2 5.5z",
  panel: "M2.5 3.5h11v9h-11zM10 3.5v9",
  process: "M5 4h6a2.5 2.5 0 0 1 2.5 2.5v3A2.5 2.5 0 0 1 11 12H5a2.5 2.5 0 0 1-2.5-2.5v-3A2.5 2.5 0 0 1 5 4z",
  read: "M1.8 8S4 4 8 4s6.2 4 6.2 4-2.2 4-6.2 4-6.2-4-6.2-4zM8 9.7a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z",
  redo: "M10 3.5l3 3-3 3M12.5 6.5H6.8a3.3 3.3 0 0 0 0 6.6H9",
  save: "M8 2.5v7.5M4.8 7L8 10.2 11.2 7M2.5 11v2.5h11V11",
  send: "M8 13V3.5M4 7.5l4-4 4 4",
  settings: "M2 4.5h6.5M12.5 4.5H14M2 11.5h1.5M7.5 11.5H14M10.5 6.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6zM5.5 13.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z",
  spark: "M8 2.5l1.3 3.7 3.7 1.3-3.7 1.3L8 12.5 6.7 8.8 3 7.5l3.7-1.3L8 2.5zM12.5 11v3M11 12.5h3",
  stop: "M4.5 4.5h7v7h-7z",
  store: "M3 4.2c0-2.2 10-2.2 10 0v7.6c0 2.2-10 2.2-10 0zM3 4.2c0 2.2 10 2.2 10 0",
  text: "M3.5 4.5v-1h9v1M8 3.5v9M6.5 12.5h3",
  threat: "M8 6.5v3M8 11.6h.01M8 2.2l6.3 11.3H1.7L8 2.2z",
  undo: "M6 3.5L3 6.5l3 3M3.5 6.5h5.7a3.3 3.3 0 0 1 0 6.6H7",
} as const;

/** An icon's name. */
export type IconName = keyof typeof PATHS;

/** One icon; it is decoration, the words stand beside it or in the label. */
export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className={`icon icon-${name}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
