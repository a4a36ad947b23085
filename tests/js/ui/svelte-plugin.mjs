// Svelte components for esbuild, by the compiler of the Svelte that is given: what the plugins of bundlers do, without their settings.
import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** The plugin; `compiler` is that of Svelte 4 or 5, `generate` what its option of that name takes. */
export function svelte(compiler, generate) {
  return {
    name: "svelte",
    setup(build) {
      build.onLoad({ filter: /\.svelte$/ }, ({ path }) => {
        const { js, warnings } = compiler.compile(readFileSync(path, "utf8"), { filename: basename(path), dev: generate === "client", generate });
        return { contents: js.code, loader: "js", warnings: warnings.map(({ message }) => ({ text: message })) };
      });
    },
  };
}
