// One value that changes, and who wants to know. Enters: values. Leaves: the value, to React and to anybody else.

import { useSyncExternalStore } from "react";

/** A value with listeners. */
export class Cell<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  /** The value as it is now. */
  get value(): T {
    return this.#value;
  }

  /** Sets the value; the same value tells nobody. */
  set(next: T): void {
    if (Object.is(next, this.#value)) return;
    this.#value = next;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Calls `listener` after each change; returns how to stop. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };
}

/** The cell's value; the component renders anew when it changes. */
export function useCell<T>(cell: Cell<T>): T {
  return useSyncExternalStore(cell.subscribe, () => cell.value);
}

/** A part of the cell's value; the component renders anew only when that part changes. */
export function useCellPart<T, S>(cell: Cell<T>, part: (value: T) => S): S {
  return useSyncExternalStore(cell.subscribe, () => part(cell.value));
}
