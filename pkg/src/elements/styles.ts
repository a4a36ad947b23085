/** How the elements look: one sheet for all of them. A page changes it by `--countersign-*` and by `::part`. */

/** A sheet with all of it. */
export function styleSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(BASE + CARD + FORM + TRANSCRIPT);
  return sheet;
}

const BASE = `
:host {
  --_bg: var(--countersign-background, light-dark(#fff, #17191c));
  --_card: var(--countersign-card-background, light-dark(#fff, #1f2226));
  --_soft: var(--countersign-soft, light-dark(#f3f4f6, #282c31));
  --_text: var(--countersign-text, light-dark(#1c2026, #e7e9ec));
  --_muted: var(--countersign-muted, light-dark(#59626e, #a5adb8));
  --_line: var(--countersign-line, light-dark(#d9dde2, #383d44));
  --_edge: var(--countersign-edge, light-dark(#858d98, #7c858f));
  --_accent: var(--countersign-accent, light-dark(#2757c9, #94b5ff));
  --_on-accent: var(--countersign-on-accent, light-dark(#fff, #0c1a38));
  --_danger: var(--countersign-danger, light-dark(#b3261e, #ffa198));
  --_on-danger: var(--countersign-on-danger, light-dark(#fff, #3b0d09));
  --_danger-soft: var(--countersign-danger-soft, light-dark(#fcefed, #38221f));
  --_good: var(--countersign-good, light-dark(#1a7042, #7bd6a5));
  --_caution: var(--countersign-caution, light-dark(#775000, #f0c673));
  --_caution-soft: var(--countersign-caution-soft, light-dark(#fcf4e0, #322a18));
  --_radius: var(--countersign-radius, 8px);
  --_size: var(--countersign-hit-size, 32px);
  --_fast: var(--countersign-motion, 120ms);
  display: block;
  box-sizing: border-box;
  color: var(--_text);
  font: var(--countersign-font, 14px/20px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif);
  text-align: start;
}
@media (pointer: coarse) { :host { --_size: var(--countersign-hit-size, 44px); } }
@media (prefers-reduced-motion: reduce) { :host { --_fast: 0s; } *, *::before { animation: none !important; } }
:host([hidden]), [hidden] { display: none !important; }
*, *::before { box-sizing: border-box; }
p, ul, ol, fieldset, legend { margin: 0; padding: 0; border: 0; min-inline-size: 0; }
ul, ol { list-style: none; }
button, input, textarea, select { font: inherit; color: inherit; letter-spacing: inherit; }
bdi, [dir=auto] { unicode-bidi: isolate; }
.icon { inline-size: 16px; block-size: 16px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.icon[data-icon=more] { stroke-width: 2.4; }
.sr { position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.quiet { color: var(--_muted); }
.name { font-weight: 600; }
:focus { outline: none; }
:focus-visible { outline: 2px solid var(--_accent); outline-offset: 1px; }
.button {
  display: inline-flex; align-items: center; justify-content: center; gap: 6px; min-block-size: var(--_size); min-inline-size: var(--_size); padding: 4px 12px; cursor: pointer;
  border: 1px solid var(--_line); border-radius: calc(var(--_radius) - 2px); background: var(--_card); color: var(--_text); font-weight: 500; text-align: center;
  transition: background var(--_fast), border-color var(--_fast);
}
.button:hover { border-color: var(--_edge); background: var(--_soft); }
.button.primary { border-color: transparent; background: var(--_accent); color: var(--_on-accent); }
.button.danger { border-color: transparent; background: var(--_danger); color: var(--_on-danger); }
.button.primary:hover, .button.danger:hover { filter: brightness(.93); }
.card:not(:hover, :focus-within) .button.primary:not([aria-disabled=true]) { background: color-mix(in srgb, var(--_accent) 12%, var(--_card)); color: var(--_accent); }
.card:not(:hover, :focus-within) .button.danger:not([aria-disabled=true]) { background: color-mix(in srgb, var(--_danger) 10%, var(--_card)); color: var(--_danger); }
.button.icon-only { padding: 0; border-color: transparent; background: none; color: var(--_muted); }
.button.icon-only:hover { background: var(--_soft); color: var(--_text); }
.button[aria-disabled=true] { background: var(--_soft); border-color: var(--_line); color: var(--_muted); cursor: default; filter: none; }
.link { min-block-size: var(--_size); padding: 0 2px; border: 0; border-radius: 4px; background: none; color: var(--_accent); cursor: pointer; text-align: start; }
.link:hover { text-decoration: underline; }
.note { display: flex; gap: 8px; overflow-wrap: anywhere; }
.note > .icon { margin-block-start: 2px; }
.note > span { min-inline-size: 0; }
.note.problem { color: var(--_danger); }
.note.stale { padding: 6px 8px; border-radius: calc(var(--_radius) - 2px); background: var(--_caution-soft); }
.note.stale > .icon { color: var(--_caution); }
.note.loss { padding: 6px 8px; border-radius: calc(var(--_radius) - 2px); background: var(--_danger-soft); }
.note.loss > .icon { color: var(--_danger); }
.note.cascade > .icon { color: var(--_caution); }
.menu { position: fixed; inset: auto; margin: 0; padding: 4px; min-inline-size: 184px; max-inline-size: min(320px, calc(100vw - 16px)); border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_card); color: var(--_text); box-shadow: 0 8px 24px rgb(0 0 0 / 18%); }
.menu:not(.placed) { opacity: 0; }
.menu-item { display: block; inline-size: 100%; min-block-size: var(--_size); padding: 4px 10px; border: 0; border-radius: 4px; background: none; text-align: start; cursor: pointer; }
.menu-item:hover, .menu-item:focus-visible { background: var(--_soft); }
`;

const CARD = `
:host(countersign-card) { content-visibility: var(--countersign-card-visibility, visible); contain-intrinsic-size: auto 140px; }
.card { padding: 2px; border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_card); overflow-wrap: anywhere; }
.card:focus-visible, .card .line:focus-visible { outline-offset: -2px; }
.card.waiting { border-inline-start: 3px solid var(--_accent); }
.card.waiting.delete { border-inline-start-color: var(--_danger); }
.card.waiting:focus-within { border-color: var(--_edge); border-inline-start-color: var(--_accent); }
.card.waiting.delete:focus-within { border-inline-start-color: var(--_danger); }
.line { display: flex; align-items: flex-start; gap: 8px; padding: 8px 10px 4px; }
.mark { display: inline-flex; flex: none; margin-block-start: 2px; color: var(--_accent); }
.mark.read, .mark.quiet { color: var(--_muted); }
.mark.delete, .mark.bad { color: var(--_danger); }
.mark.good { color: var(--_good); }
.title { flex: 1; min-inline-size: 0; font-weight: 500; }
.title .name { font-weight: 700; }
.kind { flex: none; color: var(--_muted); font-size: 12px; }
.card.delete .kind { color: var(--_danger); }
.body { display: grid; gap: 8px; padding: 2px 10px 8px; }
.effect, .panel, .edit-effect { display: grid; gap: 6px; min-inline-size: 0; }
.effect:empty, .panel:empty, .edit-effect:empty { display: none; }
.rows { display: grid; gap: 2px; }
.row { display: flex; gap: 6px; min-inline-size: 0; }
.row > .icon { inline-size: 12px; block-size: 12px; margin-block-start: 4px; color: var(--_muted); }
.row.added > .icon { color: var(--_good); }
.row.removed > .icon { color: var(--_danger); }
.row.changed > .icon { color: var(--_accent); }
.row-text { min-inline-size: 0; }
.field { overflow-wrap: anywhere; }
.row .field { color: var(--_muted); }
.before { color: var(--_muted); text-decoration: line-through; text-decoration-thickness: 1px; }
.arrow { color: var(--_muted); display: inline-block; }
.arrow:dir(rtl) { transform: scaleX(-1); }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.menu-place { display: inline-flex; }
.expiry { margin-inline-start: auto; color: var(--_caution); font-size: 12px; font-variant-numeric: tabular-nums; }
button.line { align-items: flex-start; inline-size: 100%; min-block-size: var(--_size); padding: 5px 8px; border: 0; border-radius: calc(var(--_radius) - 2px); background: none; cursor: pointer; text-align: start; }
button.line:hover { background: var(--_soft); }
button.line > .icon { margin-block-start: 2px; }
button.line > .icon { color: var(--_muted); transition: transform var(--_fast); }
button.line[aria-expanded=true] > .icon { transform: rotate(180deg); }
.decided .title { font-weight: 400; }
.decided .title .name { font-weight: 600; }
.decided button.line[aria-expanded=false] .title { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 1; overflow: hidden; }
.told { display: flex; flex: 1; flex-wrap: wrap; gap: 0 12px; min-inline-size: 0; }
.told .title { flex: 1 1 50%; }
.outcome { flex: 0 1 auto; color: var(--_muted); }
.decided.good .outcome { color: var(--_good); }
.decided.bad .outcome { color: var(--_danger); }
.decided .body { padding-block-start: 4px; }
.exact { display: grid; gap: 4px; min-inline-size: 0; }
.exact-title, .label { color: var(--_muted); font-size: 12px; }
pre { margin: 0; padding: 8px; max-block-size: 280px; overflow: auto; border-radius: calc(var(--_radius) - 2px); background: var(--_soft); font: var(--countersign-code-font, 12px/18px ui-monospace, "SF Mono", Menlo, Consolas, monospace); white-space: pre-wrap; overflow-wrap: anywhere; }
.candidates { display: grid; gap: 2px; }
.candidates legend { margin-block-end: 4px; }
.candidate { display: flex; gap: 8px; align-items: baseline; min-block-size: var(--_size); padding: 6px; border-radius: 4px; cursor: pointer; }
.candidate:hover { background: var(--_soft); }
.candidate input { accent-color: var(--_accent); margin: 0; align-self: center; flex: none; }
@keyframes countersign-busy { 50% { opacity: .45; } }
.busy > .icon { animation: countersign-busy 1.4s ease-in-out infinite; }
`;

const FORM = `
.edit, .reason { display: grid; gap: 10px; padding: 10px; border-radius: calc(var(--_radius) - 2px); background: var(--_soft); min-inline-size: 0; }
.fields { display: grid; gap: 10px; min-inline-size: 0; }
.form-field { display: grid; gap: 4px; min-inline-size: 0; }
.field-head { display: flex; align-items: center; gap: 6px; min-block-size: 24px; }
.field-head > :first-child { flex: 1; min-inline-size: 0; }
.field-name { font-weight: 500; overflow-wrap: anywhere; }
.field-name .quiet { font-weight: 400; }
input.field, textarea.field, select.field { inline-size: 100%; min-block-size: var(--_size); padding: 5px 8px; border: 1px solid var(--_edge); border-radius: calc(var(--_radius) - 2px); background: var(--_bg); color: var(--_text); }
textarea.field { resize: vertical; field-sizing: content; max-block-size: 320px; }
.field.code { font: var(--countersign-code-font, 12px/18px ui-monospace, "SF Mono", Menlo, Consolas, monospace); }
.field[aria-invalid=true] { border-color: var(--_danger); box-shadow: 0 0 0 1px var(--_danger); }
.help { color: var(--_muted); font-size: 12px; line-height: 16px; overflow-wrap: anywhere; }
.issue { display: grid; gap: 2px; color: var(--_danger); font-size: 13px; line-height: 18px; }
.issue > span { display: flex; gap: 6px; overflow-wrap: anywhere; }
.problems:empty { display: none; }
.problems { color: var(--_danger); }
.problems ul { padding-inline-start: 24px; list-style: disc; font-size: 13px; line-height: 18px; overflow-wrap: anywhere; }
.problem-count { display: flex; align-items: center; gap: 8px; font-weight: 500; }
.check { display: inline-flex; align-items: center; gap: 6px; min-block-size: 24px; cursor: pointer; }
.check input { accent-color: var(--_accent); inline-size: 16px; block-size: 16px; margin: 0; flex: none; }
.check.none { color: var(--_muted); }
.nested { padding-inline-start: 10px; border-inline-start: 2px solid var(--_line); }
.text > .nested, .const > .nested { padding: 0; border: 0; }
.chips { display: flex; flex-wrap: wrap; gap: 6px; }
.chip, .tool { display: inline-flex; align-items: center; gap: 4px; min-block-size: var(--_size); padding: 2px 8px; border: 1px dashed var(--_edge); border-radius: 999px; background: none; color: var(--_text); cursor: pointer; }
.tool { padding: 2px; min-inline-size: var(--_size); justify-content: center; border-color: transparent; color: var(--_muted); }
.chip { justify-self: start; }
.chip:hover, .tool:hover:not(:disabled) { background: var(--_card); color: var(--_text); }
.tool:disabled { opacity: .4; cursor: default; }
.list, .items { display: grid; gap: 8px; }
.item { display: flex; gap: 4px; align-items: flex-start; }
.item > .form-field { flex: 1; }
.item > .form-field:is(.text, .number, .choice) > .field-head { position: absolute; clip-path: inset(50%); }
.form-field.const { display: flex; gap: 12px; align-items: baseline; }
.item-tools { display: inline-flex; }
.new-key { display: flex; gap: 6px; }
.edit-effect { padding: 8px 10px; border-radius: calc(var(--_radius) - 2px); background: var(--_card); }
.edit-title { font-weight: 600; }
`;

const TRANSCRIPT = `
:host(countersign-transcript) { position: relative; block-size: 100%; min-block-size: 0; background: var(--_bg); --countersign-card-visibility: auto; }
.transcript { position: relative; block-size: 100%; min-block-size: 0; }
.scroll { block-size: 100%; overflow: auto; overscroll-behavior: contain; padding: var(--countersign-padding, 16px); scrollbar-width: thin; }
.scroll:focus-visible { outline-offset: -2px; }
.log, .pieces, .turn, .group { display: flex; flex-direction: column; gap: 12px; min-inline-size: 0; }
.log { gap: 24px; }
.pieces:empty { display: none; }
.asked { align-self: flex-end; max-inline-size: 88%; padding: 8px 12px; border-radius: calc(var(--_radius) + 4px); border-end-end-radius: 4px; background: var(--_soft); }
.text { display: block; white-space: pre-wrap; overflow-wrap: anywhere; }
.said.cut { padding-inline-start: 10px; border-inline-start: 2px dashed var(--_edge); }
.empty { color: var(--_muted); }
.thinking { display: flex; gap: 4px; padding-block: 6px; }
.thinking i { inline-size: 6px; block-size: 6px; border-radius: 50%; background: var(--_muted); animation: countersign-busy 1.2s ease-in-out infinite; }
.thinking i:nth-child(2) { animation-delay: .15s; }
.thinking i:nth-child(3) { animation-delay: .3s; }
.group { gap: 8px; }
.cards > li + li { margin-block-start: 8px; }
.group-head { display: grid; gap: 4px; }
.group-row { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px; min-block-size: var(--_size); }
.group-count { font-weight: 600; }
.group-left { color: var(--_muted); font-size: 13px; line-height: 18px; }
details > summary { display: inline-flex; align-items: center; gap: 8px; min-block-size: var(--_size); padding-inline: 4px 8px; border-radius: 4px; color: var(--_muted); cursor: pointer; list-style: none; }
details > summary::-webkit-details-marker { display: none; }
summary:hover { color: var(--_text); }
summary .icon[data-icon=chevron] { transition: transform var(--_fast); }
details[open] > summary .icon[data-icon=chevron] { transform: rotate(180deg); }
.reads ul { display: grid; gap: 4px; padding: 4px 0 4px 28px; padding-inline: 28px 0; color: var(--_muted); overflow-wrap: anywhere; }
.reads .bad { color: var(--_danger); }
.ending { display: grid; gap: 8px; min-inline-size: 0; }
.ending:empty { display: none; }
.failure { display: grid; gap: 6px; justify-items: start; }
.receipt { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; padding-block-start: 8px; border-block-start: 1px solid var(--_line); }
.receipt > .icon { color: var(--_good); }
.receipt > .icon[data-icon=info] { color: var(--_muted); }
.receipt-text { flex: 1; min-inline-size: 120px; }
.below { position: absolute; inset-block-end: 12px; inset-inline-start: 50%; translate: -50% 0; border-radius: 999px; box-shadow: 0 4px 14px rgb(0 0 0 / 16%); }
:host(:dir(rtl)) .below { translate: 50% 0; }
.composer { display: grid; gap: 6px; }
.hint { color: var(--_muted); font-size: 12px; line-height: 16px; overflow-wrap: anywhere; }
.composer-box { display: flex; align-items: flex-end; gap: 6px; padding: 5px; border: 1px solid var(--_edge); border-radius: calc(var(--_radius) + 4px); background: var(--_bg); }
.composer-box:focus-within { border-color: var(--_accent); box-shadow: 0 0 0 1px var(--_accent); }
.composer-input { flex: 1; min-inline-size: 0; block-size: var(--_size); min-block-size: var(--_size); max-block-size: 160px; padding: calc((var(--_size) - 20px) / 2) 6px; border: 0; background: none; resize: none; overflow-wrap: anywhere; }
.composer-input:focus-visible { outline: none; }
.composer-input::placeholder { color: var(--_muted); opacity: 1; }
.round { padding: 4px; border-radius: calc(var(--_radius) - 1px); }
.round.button:not(.primary) { padding-inline: 10px; }
`;
