import { version as engineVersion } from "#engine";
import { assertInitialized } from "./load.js";

export { CountersignError } from "./error.js";
export { init } from "./load.js";
export type { InitSource } from "./load.js";
export type * from "#engine/types";

/** The version of the engine that is loaded. */
export function version(): string {
  assertInitialized();
  return engineVersion();
}
