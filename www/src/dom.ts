// Building and reusing DOM nodes. Enters: tags, attributes, children. Leaves: elements whose foreign text
// is always a text node. There is no way to set markup from a string here, and none elsewhere.

import type { Part } from "./text.ts";

type Child = Node | string | null | undefined | false;
type Value = string | number | boolean | undefined | ((event: never) => void);

const SVG = "http://www.w3.org/2000/svg";

function set(node: Element, attrs: Record<string, Value>): void {
  for (const [key, value] of Object.entries(attrs)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(key.slice(2), value as EventListener);
    else node.setAttribute(key, value === true ? "" : String(value));
  }
}

function add(node: Element, children: readonly Child[]): void {
  for (const child of children) if (child !== null && child !== undefined && child !== false) node.append(child);
}

/** An HTML element; attributes named `on…` are listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attrs: Record<string, Value> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  set(node, attrs);
  add(node, children);
  return node;
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(tag: K, attrs: Record<string, Value> = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const node = document.createElementNS(SVG, tag);
  set(node, attrs);
  add(node, children);
  return node;
}

/** A sentence whose foreign names stand out and cannot turn the words around them. */
export function sentence(parts: readonly Part[]): Node[] {
  return parts.map((part) => (typeof part === "string" ? document.createTextNode(part) : h("bdi", { class: "name" }, part.name)));
}

/** Sets an attribute, or takes it away. */
export function attr(node: Element, name: string, value: string | boolean | null): void {
  if (value === null || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else {
    const text = value === true ? "" : value;
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}

/** Sets text where it differs, so that a selection or a screen reader is not disturbed. */
export function words(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** The children of one parent, one per item, kept by key so that focus and selection survive a redraw. */
export class Keyed<T, N extends Element> {
  readonly #nodes = new Map<string, N>();

  constructor(
    private readonly parent: Element,
    private readonly key: (item: T) => string,
    private readonly create: (item: T) => N,
    private readonly update: (node: N, item: T) => void,
  ) {}

  /** Brings the children to `items`, in their order. */
  draw(items: readonly T[]): void {
    const seen = new Set<string>();
    let before: Element | null = this.parent.firstElementChild;
    for (const item of items) {
      let key = this.key(item);
      while (seen.has(key)) key += "'"; // a document may repeat an id where nothing forbids it
      seen.add(key);
      let node = this.#nodes.get(key);
      if (node === undefined) {
        node = this.create(item);
        this.#nodes.set(key, node);
      }
      this.update(node, item);
      if (node === before) before = before.nextElementSibling;
      else this.parent.insertBefore(node, before);
    }
    for (const [key, node] of this.#nodes) {
      if (seen.has(key)) continue;
      node.remove();
      this.#nodes.delete(key);
    }
  }

  /** The node of one item. */
  node(key: string): N | undefined {
    return this.#nodes.get(key);
  }
}

/** Whether a key press there is text, so that no shortcut may act on it. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}
