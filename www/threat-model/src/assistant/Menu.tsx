// A button with a small menu below it. Enters: labels and what they do. Leaves: one choice, or none; the focus returns.

import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { createPortal } from "react-dom";

/** One entry. */
export interface MenuItem {
  readonly label: string;
  readonly hint?: string;
  readonly run: () => void;
}

/** A button that opens a menu; Escape, a click elsewhere or a choice closes it. */
export function MenuButton({ items, label, about, className, children }: { readonly items: readonly MenuItem[]; readonly label: string; readonly about?: string; readonly className: string; readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (run?: () => void): void => {
    setOpen(false);
    button.current?.focus({ preventScroll: true });
    run?.();
  };
  return (
    <>
      <button ref={button} type="button" className={className} aria-haspopup="menu" aria-expanded={open} aria-label={about === undefined ? label : `${label}: ${about}`} data-tip={label} onClick={() => setOpen(!open)}>
        {children}
      </button>
      {open && button.current !== null && createPortal(<Menu anchor={button.current} items={items} close={close} />, document.body)}
    </>
  );
}

function Menu({ anchor, items, close }: { readonly anchor: HTMLElement; readonly items: readonly MenuItem[]; readonly close: (run?: () => void) => void }) {
  const menu = useRef<HTMLDivElement>(null);
  const closing = useRef(close);
  closing.current = close;
  useLayoutEffect(() => {
    const node = menu.current;
    if (node === null) return;
    const [at, own] = [anchor.getBoundingClientRect(), node.getBoundingClientRect()];
    // beside its button, to the side that has room
    const left = at.left + own.width <= innerWidth - 8 ? at.left : at.right - own.width;
    node.style.left = `${Math.max(8, left)}px`;
    node.style.top = `${at.bottom + own.height + 4 > innerHeight ? at.top - own.height - 4 : at.bottom + 4}px`;
    node.querySelector<HTMLElement>("button")?.focus();
  }, [anchor]);
  useEffect(() => {
    const outside = (event: PointerEvent): void => {
      if (event.target instanceof Node && !menu.current?.contains(event.target) && !anchor.contains(event.target)) closing.current();
    };
    document.addEventListener("pointerdown", outside, true);
    return () => document.removeEventListener("pointerdown", outside, true);
  }, [anchor]);
  const key = (event: KeyboardEvent): void => {
    const entries = [...(menu.current?.querySelectorAll<HTMLElement>("button") ?? [])];
    const at = entries.findIndex((entry) => entry === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      close();
    } else if (to !== undefined) {
      event.preventDefault();
      entries[(to + entries.length) % entries.length]?.focus();
    }
    event.stopPropagation();
  };
  return (
    <div className="menu" role="menu" ref={menu} onKeyDown={key}>
      {items.map((item) => (
        <button key={item.label} className="menu-item" type="button" role="menuitem" tabIndex={-1} onClick={() => close(item.run)}>
          {item.label}
          {item.hint !== undefined && <span className="menu-hint">{item.hint}</span>}
        </button>
      ))}
    </div>
  );
}
