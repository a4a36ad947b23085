/** How the inspector looks. A page changes it by `--countersign-*`, by `color-scheme` and by `::part`. */

/** The height of one row of the log, in pixels: rows are placed by it. */
export const ROW_PX = 28;

/** The style sheet. */
export function inspectorSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(SHEET);
  return sheet;
}

const SHEET = `
:host {
  color-scheme: light dark;
  --_bg: var(--countersign-background, light-dark(#fff, #17191c));
  --_soft: var(--countersign-soft, light-dark(#f3f4f6, #282c31));
  --_text: var(--countersign-text, light-dark(#1c2026, #e7e9ec));
  --_muted: var(--countersign-muted, light-dark(#59626e, #a5adb8));
  --_line: var(--countersign-line, light-dark(#d9dde2, #383d44));
  --_edge: var(--countersign-edge, light-dark(#858d98, #7c858f));
  --_accent: var(--countersign-accent, light-dark(#2757c9, #94b5ff));
  --_on-accent: var(--countersign-on-accent, light-dark(#fff, #0c1a38));
  --_danger: var(--countersign-danger, light-dark(#b3261e, #ffa198));
  --_good: var(--countersign-good, light-dark(#1a7042, #7bd6a5));
  --_caution: var(--countersign-caution, light-dark(#775000, #f0c673));
  --_caution-soft: var(--countersign-caution-soft, light-dark(#fcf4e0, #322a18));
  --_radius: var(--countersign-radius, 8px);
  --_padding: var(--countersign-padding, 16px);
  --_size: var(--countersign-hit-size, 32px);
  --_fast: var(--countersign-motion, 120ms);
  --_mono: var(--countersign-mono, ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace);
  display: block; box-sizing: border-box; background: var(--_bg); color: var(--_text); text-align: start; scroll-padding-block-start: 120px;
  font: var(--countersign-font, 14px/20px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif);
}
@media (pointer: coarse) { :host { --_size: var(--countersign-hit-size, 44px); } }
@media (prefers-reduced-motion: reduce) { :host { --_fast: 0s; } }
:host([hidden]), [hidden] { display: none !important; }
*, *::before { box-sizing: border-box; }
h2, h3, p, ul, ol, dl, dd { margin: 0; padding: 0; }
ul, ol { list-style: none; }
button, input { font: inherit; color: inherit; }
bdi { unicode-bidi: isolate; }
code { unicode-bidi: plaintext; }
.numbers, .count, output, .cells > *, .state { unicode-bidi: plaintext; }
code, .exact { font-family: var(--_mono); font-size: 12px; line-height: 20px; overflow-wrap: anywhere; }
:focus { outline: none; }
:focus-visible { outline: 2px solid var(--_accent); outline-offset: 1px; }
.panel { container-type: inline-size; display: grid; gap: 16px; padding: 0 var(--_padding) var(--_padding); min-inline-size: 0; }
.panel > * { min-inline-size: 0; }
.head { position: sticky; inset-block-start: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; margin-inline: calc(-1 * var(--_padding)); padding: 8px var(--_padding); border-block-end: 1px solid var(--_line); background: var(--_bg); }
@container (max-width: 480px) { .head > .quiet { flex: 1 1 120px; min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } }
.panel > section:first-of-type { border-block-start: 0; padding-block-start: 0; }
h2 { font-size: 16px; font-weight: 600; }
h3 { display: flex; align-items: baseline; gap: 8px; padding-block-end: 8px; font-size: 13px; font-weight: 600; }
h3 .count, .quiet { color: var(--_muted); font-weight: 400; }
.empty { color: var(--_muted); }
section { border-block-start: 1px solid var(--_line); padding-block-start: 12px; }
.past { display: grid; gap: 4px; padding: 8px 12px; border-radius: var(--_radius); background: var(--_caution-soft); border-inline-start: 3px solid var(--_caution); }
.past strong { font-weight: 600; }
.track { display: grid; grid-template-columns: repeat(6, auto); gap: 4px; }
.track li { display: grid; gap: 4px; align-content: start; color: var(--_muted); font-size: 12px; line-height: 16px; }
.track li::before { content: ""; block-size: 4px; border-radius: 2px; background: var(--_line); }
.track li[data-passed]::before { background: var(--_edge); }
.track li[aria-current] { color: var(--_text); font-weight: 600; }
.track li[aria-current]::before { background: var(--_accent); }
.track small { font-size: 11px; line-height: 14px; font-weight: 400; }
dl { display: grid; grid-template-columns: minmax(112px, max-content) minmax(0, 1fr); gap: 4px 12px; }
dt { color: var(--_muted); }
dd { overflow-wrap: anywhere; min-inline-size: 0; }
dd.bad, .bad { color: var(--_danger); }
.facts { padding-block-start: 12px; }
.bars { display: grid; gap: 8px; }
.bar { display: grid; grid-template-columns: minmax(96px, 1fr) minmax(64px, 2fr) minmax(88px, max-content); align-items: center; gap: 12px; }
.bar .numbers { text-align: end; font-variant-numeric: tabular-nums; }
.meter { block-size: 6px; border-radius: 3px; background: var(--_soft); box-shadow: inset 0 0 0 1px var(--_line); overflow: hidden; }
.meter i { display: block; block-size: 100%; background: var(--_accent); transition: inline-size var(--_fast); }
.bar[data-full] .meter i { background: var(--_danger); }
.bar[data-full] .numbers { color: var(--_danger); font-weight: 600; }
.rows { display: grid; gap: 4px; }
details { border: 1px solid var(--_line); border-radius: calc(var(--_radius) - 2px); }
details > dl { padding: 4px 12px 12px; }
summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 10px; min-block-size: var(--_size); padding: 5px 10px; cursor: pointer; border-radius: calc(var(--_radius) - 3px); overflow-wrap: anywhere; }
summary:hover { background: var(--_soft); }
summary::marker { color: var(--_muted); }
.name { font-weight: 600; }
.state { margin-inline-start: auto; color: var(--_muted); }
.state[data-tone=good] { color: var(--_good); }
.state[data-tone=bad] { color: var(--_danger); }
.state[data-tone=wait] { color: var(--_caution); }
.text { white-space: pre-wrap; max-block-size: 160px; overflow: auto; }
.counts { display: flex; flex-wrap: wrap; gap: 4px 12px; padding-block-end: 8px; }
.counts:empty { display: none; }
.travel { flex: 999 1 440px; display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; min-inline-size: 0; }
.travel-steps, .travel-where { display: flex; align-items: center; gap: 4px; }
.travel-where { flex-wrap: wrap; gap: 4px 12px; }
.travel-where output { font-variant-numeric: tabular-nums; }
.button { display: inline-flex; align-items: center; justify-content: center; min-block-size: var(--_size); min-inline-size: var(--_size); padding: 4px 10px; border: 1px solid var(--_line); border-radius: calc(var(--_radius) - 2px); background: var(--_bg); cursor: pointer; transition: background var(--_fast); }
.button:hover { background: var(--_soft); border-color: var(--_edge); }
.button[aria-disabled=true] { color: var(--_muted); cursor: default; background: var(--_soft); border-color: var(--_line); }
.button.primary { border-color: transparent; background: var(--_accent); color: var(--_on-accent); font-weight: 500; }
.button.primary[aria-disabled=true] { background: var(--_soft); border-color: var(--_line); color: var(--_muted); }
.button svg { inline-size: 16px; block-size: 16px; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
:host(:dir(rtl)) .button svg { scale: -1 1; }
input[type=range] { flex: 1 1 120px; min-inline-size: 0; block-size: var(--_size); margin: 0; accent-color: var(--_accent); }
.log { position: relative; max-block-size: 280px; overflow: hidden auto; border: 1px solid var(--_line); border-radius: calc(var(--_radius) - 2px); scrollbar-width: thin; overflow-anchor: none; }
.log:focus-visible { outline-offset: -2px; }
.log ol { position: relative; }
.cells { display: grid; grid-template-columns: 5ch 8ch 8ch minmax(0, 2fr) minmax(0, 1fr) 7ch; align-items: center; gap: 8px; padding-inline: 10px; font-family: var(--_mono); font-size: 12px; }
@container (max-width: 480px) { .cells { grid-template-columns: 5ch 7ch 7ch minmax(0, 2fr) minmax(0, 1fr) 5ch; gap: 6px; padding-inline: 6px; font-size: 11px; } }
.cells > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.cells > :nth-child(1), .cells > :nth-child(2), .cells > :nth-child(6) { text-align: end; font-variant-numeric: tabular-nums; }
.columns { block-size: ${ROW_PX}px; color: var(--_muted); border: 1px solid transparent; scrollbar-gutter: stable; scrollbar-width: thin; overflow: hidden; }
.log li { position: absolute; inset-inline: 0; inset-block-start: 0; block-size: ${ROW_PX}px; cursor: default; }
.log.can-travel li { cursor: pointer; }
.log.can-travel li:hover { background: var(--_soft); }
.log li[data-later] { color: var(--_muted); }
.log li[aria-selected=true] { background: var(--_accent); color: var(--_on-accent); }
.log:focus-visible li[data-active]:not([aria-selected=true]) { box-shadow: inset 0 0 0 2px var(--_accent); }
.log:focus-visible li[data-active][aria-selected=true] { box-shadow: inset 0 0 0 2px var(--_bg); }
.sr { position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) { .meter i, .track li[aria-current]::before { background: Highlight; } .log li[aria-selected=true] { forced-color-adjust: none; background: Highlight; color: HighlightText; } }
`;
