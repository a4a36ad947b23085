/** `countersign`: the core of a bounded, authorized AI tool loop. The model proposes; the person countersigns. */
export * from "./core.js";
