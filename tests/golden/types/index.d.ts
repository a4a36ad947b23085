export { CountersignError } from "./error.js";
export { init } from "./load.js";
export type { InitSource } from "./load.js";
export type * from "./engine/countersign.js";
/** The version of the engine that is loaded. */
export declare function version(): string;
