// Compiles `.svelte` files and `.svelte.ts` modules for esbuild. Enters: sources. Leaves: JavaScript, and their styles
// as CSS of their own. Markup is built element by element: the page's content policy lets no string become markup.

import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

import { transform } from "esbuild";
import { compile, compileModule } from "svelte/compiler";

const rootDir = fileURLToPath(new URL(".", import.meta.url));

const NO_MARKUP = `function refuse() { throw new Error("no string becomes markup here"); }
export { refuse as create_trusted_html, refuse as create_fragment_from_html };`;

/** The plugin; a warning of the compiler fails the build. */
export function svelte() {
  const styles = new Map();
  return {
    name: "svelte",
    setup(build) {
      build.onLoad({ filter: /\.svelte$/, namespace: "file" }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        return compiled(path, source, () => {
          const { js, css, warnings } = compile(source, { filename: path, rootDir, generate: "client", runes: true, css: "external", fragments: "tree" });
          styles.set(path, css?.code ?? "");
          return { warnings, code: css === null ? js.code : `${js.code}\nimport ${JSON.stringify(`${path}.css`)};\n` };
        });
      });
      build.onLoad({ filter: /\.svelte\.ts$/, namespace: "file" }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        const { code } = await transform(source, { loader: "ts", target: "es2022", tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } } });
        return compiled(path, source, () => {
          const { js, warnings } = compileModule(code, { filename: path, rootDir, generate: "client" });
          return { warnings, code: js.code };
        });
      });
      // Svelte's way from a string to markup, with a policy of its own that the page does not allow
      build.onLoad({ filter: /[\\/]svelte[\\/]src[\\/]internal[\\/]client[\\/]dom[\\/]reconciler\.js$/ }, () => ({ contents: NO_MARKUP, loader: "js" }));
      build.onResolve({ filter: /\.svelte\.css$/ }, ({ path }) => ({ path: path.replace(/\.css$/, ""), namespace: "svelte-css" }));
      build.onLoad({ filter: /./, namespace: "svelte-css" }, ({ path }) => ({ contents: styles.get(path) ?? "", loader: "css" }));
    },
  };
}

function compiled(path, source, work) {
  try {
    const { code, warnings } = work();
    return { contents: code, loader: "js", errors: warnings.map((warning) => message(path, source, warning)) };
  } catch (error) {
    return { errors: [message(path, source, error)] };
  }
}

function message(path, source, { message: text, start }) {
  if (start === undefined) return { text };
  return { text, location: { file: relative(process.cwd(), path), line: start.line, column: start.column, lineText: source.split("\n")[start.line - 1] ?? "" } };
}
