/** The few ways in which the elements make DOM. Foreign text enters text nodes and plain attributes alone; there is no markup from strings. */

const SVG = "http://www.w3.org/2000/svg";

// drawn by hand on a 16 px grid
const PATHS = {
  alert: "M8 6.5v3M8 11.6h.01M8 2.2l6.3 11.3H1.7L8 2.2z",
  change: "M3 13l.8-3 7-7 2.2 2.2-7 7L3 13zM9.6 4.2l2.2 2.2",
  check: "M3.5 8.5l3 3 6-7",
  chevron: "M4.5 6.5L8 10l3.5-3.5",
  cross: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  delete: "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5M6.8 7v3.6M9.2 7v3.6",
  down: "M8 3.5V12M4 8.5l4 4 4-4",
  info: "M8 7.3v4M8 4.8h.01M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4z",
  minus: "M3.5 8h9",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  plus: "M8 3.5v9M3.5 8h9",
  read: "M1.8 8S4 4 8 4s6.2 4 6.2 4-2.2 4-6.2 4-6.2-4-6.2-4zM8 9.7a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z",
  send: "M8 13V3.5M4 7.5l4-4 4 4",
  stop: "M4.5 4.5h7v7h-7z",
  undo: "M6 3.5L3 6.5l3 3M3.5 6.5h5.7a3.3 3.3 0 0 1 0 6.6H7",
  up: "M8 12.5V4M4 7.5l4-4 4 4",
  wait: "M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4zM8 4.6V8l2.3 1.6",
} as const;

/** An icon's name. */
export type IconName = keyof typeof PATHS;

/** What a node is given: attributes, and listeners by names that begin with `on`. */
export type Props = Readonly<Record<string, string | number | boolean | undefined | ((event: never) => void)>>;

/** A child, or nothing. */
export type Child = Node | string | false | null | undefined;

/** A node. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: readonly Child[]): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const name of Object.keys(props)) {
    const value = props[name];
    if (typeof value === "function") node.addEventListener(name.slice(2), value as (event: Event) => void);
    else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== false && child !== null && child !== undefined && child !== "") node.append(child);
  return node;
}

/** What is the same wherever it stands: made once, copied from then on. What is copied holds no listeners. */
export function stamp<T extends Element>(make: () => T): () => T {
  let first: T | undefined;
  return () => (first ??= make()).cloneNode(true) as T;
}

/** Sets an attribute, or takes it away. */
export function attribute(node: Element, name: string, value: string | number | boolean | null | undefined): void {
  if (value === undefined || value === null || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/** Hides a node or shows it; one that is so already is not touched. */
export function hide(node: HTMLElement, isHidden: boolean): void {
  if (node.hidden !== isHidden) node.hidden = isHidden;
}

/** Foreign text that cannot turn the words around it. */
export function foreign(text: string, className?: string, part?: string): HTMLElement {
  return h("bdi", { class: className, part }, text);
}

/** A sentence of ours with foreign text in it, each isolated. */
export function sentenceOf(template: string, values: Readonly<Record<string, string | Node>>): Node[] {
  return template.split(/(\{[a-zA-Z]+\})/).flatMap((piece) => {
    const key = /^\{(\w+)\}$/.exec(piece)?.[1];
    if (key === undefined || !Object.hasOwn(values, key)) return piece === "" ? [] : [document.createTextNode(piece)];
    const value = values[key];
    return typeof value === "string" ? [foreign(value)] : value === undefined ? [] : [value];
  });
}

/** One icon: decoration, the words stand beside it or in a label. */
export function icon(name: IconName): SVGElement {
  let make = icons.get(name);
  if (make === undefined) icons.set(name, (make = stamp(() => drawn(name))));
  return make();
}

const icons = new Map<IconName, () => SVGElement>();

function drawn(name: IconName): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  for (const [key, value] of [["viewBox", "0 0 16 16"], ["class", "icon"], ["data-icon", name], ["aria-hidden", "true"]] as const) svg.setAttribute(key, value);
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

/** Words for screen readers alone. */
export function spoken(text: string): HTMLElement {
  return h("span", { class: "sr" }, text);
}

/** The node that has the focus, through shadow roots. */
export function focused(): Element | null {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement != null) at = at.shadowRoot.activeElement;
  return at;
}

/** Whether a node is `outer` or stands in it, through shadow roots. */
export function within(outer: Node, node: Node | null): boolean {
  for (let at: Node | null = node; at !== null; at = at.parentNode ?? (at instanceof ShadowRoot ? at.host : null)) if (at === outer) return true;
  return false;
}

/** Whether a key press is text, or belongs to a dialog or a menu. */
export function isTyping(event: Event): boolean {
  return event.composedPath().some((node) => node instanceof HTMLElement && (node.isContentEditable || node.matches("input, textarea, select, dialog[open], [role=dialog], [role=menu], [role=textbox], [role=combobox], [role=slider]")));
}

/** Whether a key press is this letter, also where the keyboard writes others than Latin ones. */
export function isLetter(event: KeyboardEvent, letter: string): boolean {
  return event.key.toUpperCase() === letter || (/^[^\0-\x7f]$/.test(event.key) && event.code === `Key${letter}`);
}

/** Children by key, in order: what stays is not moved or made anew. */
export function keyed<T, V extends { readonly node: Element }>(parent: Element, views: Map<string, V>, items: readonly T[], keyOf: (item: T) => string, make: (item: T) => V, update: (view: V, item: T) => void): void {
  const keep = new Set(items.map(keyOf));
  for (const [key, view] of views) {
    if (keep.has(key)) continue;
    view.node.remove();
    views.delete(key);
  }
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    let view = views.get(key);
    if (view === undefined) views.set(key, (view = make(item)));
    if (view.node === place) place = place.nextElementSibling;
    else parent.insertBefore(view.node, place);
    update(view, item);
  }
}
