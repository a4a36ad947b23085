// The icons of the panel, drawn by hand on a 16 px grid: a sign beside every colour. Enters: a name. Leaves: SVG.

const PATHS = {
  add: "M8 3.5v9M3.5 8h9",
  change: "M3 13l.8-3 7-7 2.2 2.2-7 7L3 13zM9.6 4.2l2.2 2.2",
  delete: "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5M6.8 7v3.6M9.2 7v3.6",
  read: "M1.8 8S4 4 8 4s6.2 4 6.2 4-2.2 4-6.2 4-6.2-4-6.2-4zM8 9.7a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z",
  check: "M3.5 8.5l3 3 6-7",
  cross: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  undo: "M6 3.5L3 6.5l3 3M3.5 6.5h5.7a3.3 3.3 0 0 1 0 6.6H7",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  send: "M8 13V3.5M4 7.5l4-4 4 4",
  stop: "M4.5 4.5h7v7h-7z",
  down: "M8 3.5V12M4 8.5l4 4 4-4",
  chevron: "M6 4l4 4-4 4",
  info: "M8 7.3v4M8 4.8h.01M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4z",
  warning: "M8 6.5v3M8 11.6h.01M8 2.2l6.3 11.3H1.7L8 2.2z",
  settings: "M2 4.5h6.5M12.5 4.5H14M2 11.5h1.5M7.5 11.5H14M10.5 6.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6zM5.5 13.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z",
  fresh: "M7.5 3H4.2A1.2 1.2 0 0 0 3 4.2v7.6A1.2 1.2 0 0 0 4.2 13h7.6a1.2 1.2 0 0 0 1.2-1.2V8.5M6.5 9.5l.4-1.8L12 2.6l1.4 1.4-5.1 5.1-1.8.4z",
  spark: "M8 2.5l1.3 3.7 3.7 1.3-3.7 1.3L8 12.5 6.7 8.8 3 7.5l3.7-1.3L8 2.5zM12.5 11v3M11 12.5h3",
} as const;

/** An icon's name. */
export type IconName = keyof typeof PATHS;

/** One icon; it is decoration, the words stand beside it or in the label. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className={`icon icon-${name}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
