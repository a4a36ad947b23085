/** The data types, generated from the core: written once in Rust, never restated here. */
export type * from "./engine/countersign.js";
