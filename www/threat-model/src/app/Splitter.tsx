// A line between two parts of the page that can be moved by mouse and by arrow keys; where it stands is remembered.

import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";

import { remember, remembered } from "./memory.ts";

/** How far a part can be made. */
export interface Range {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly usual: number;
}

/** A size that is remembered, kept inside its range. */
export function useSize(range: Range): readonly [size: number, set: (size: number) => void] {
  const [size, setSize] = useState(() => within(range, Number(remembered(range.name) ?? range.usual)));
  const set = (next: number) => {
    const value = within(range, next);
    setSize(value);
    remember(range.name, String(value));
  };
  return [size, set];
}

/** The line; `vertical` stands between left and right. */
export function Splitter({ label, range, size, set, orientation }: { readonly label: string; readonly range: Range; readonly size: number; readonly set: (size: number) => void; readonly orientation: "vertical" | "horizontal" }): ReactNode {
  const isRtl = () => getComputedStyle(document.documentElement).direction === "rtl";
  const take = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const line = event.currentTarget;
    line.setPointerCapture(event.pointerId);
    const { width, height } = document.documentElement.getBoundingClientRect();
    const move = (at: globalThis.PointerEvent) => set(orientation === "horizontal" ? height - at.clientY : isRtl() ? at.clientX : width - at.clientX);
    line.addEventListener("pointermove", move);
    line.addEventListener("lostpointercapture", () => line.removeEventListener("pointermove", move), { once: true });
  };
  const key = (event: KeyboardEvent) => {
    const steps: Record<string, number> = orientation === "horizontal" ? { ArrowUp: 16, ArrowDown: -16 } : { ArrowLeft: isRtl() ? -16 : 16, ArrowRight: isRtl() ? 16 : -16 };
    const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
    if (step === undefined) return;
    event.preventDefault();
    set(size + step);
  };
  return (
    <div
      className={`splitter ${orientation}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuemin={range.least}
      aria-valuemax={range.most}
      aria-valuenow={size}
      onPointerDown={take}
      onDoubleClick={() => set(range.usual)}
      onKeyDown={key}
    />
  );
}

function within({ least, most, usual }: Range, size: number): number {
  return Number.isFinite(size) && size > 0 ? Math.round(Math.min(most, Math.max(least, size))) : usual;
}
