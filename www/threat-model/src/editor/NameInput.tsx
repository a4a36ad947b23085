// A name being changed in place. Enters: the name as it is. Leaves: the new one, on Enter or when the field is left;
// Escape leaves everything as it was.

import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";

/** The field a name is typed in. */
export function NameInput({ label, name, done }: { readonly label: string; readonly name: string; readonly done: (next: string | undefined, byKey: boolean) => void }): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  const end = (next: string | undefined, byKey: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    done(next === undefined || next.trim() === "" ? undefined : next.trim(), byKey);
  };
  useEffect(() => {
    // the press that asked for the field ends first, and would take the focus away again
    const frame = requestAnimationFrame(() => {
      input.current?.focus({ preventScroll: true });
      input.current?.select();
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  const key = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") end(event.currentTarget.value, true);
    if (event.key === "Escape") end(undefined, true);
  };
  return <input ref={input} className="name-input nodrag nopan nokey" aria-label={label} defaultValue={name} dir="auto" onKeyDown={key} onBlur={(event) => end(event.currentTarget.value, false)} />;
}
