// From pkg/src to pkg/dist: one module per entry point, what both engines share in chunks, and the declarations.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { dist, engineFile, flavours, glueFolder } from "./engine.mjs";
import { filesUnder, hashOf, root, run, Stop, unlessDone } from "./run.mjs";

const source = join(root, "pkg", "src");
const types = join(dist, "types");
const [COUNTERSIGN, THREAT_MODEL] = flavours;

/** The entry points: every export of the package that is a module, and the source it is made of. */
export function entryPoints() {
  const { exports } = JSON.parse(readFileSync(join(root, "pkg", "package.json"), "utf8"));
  const modules = Object.values(exports).flatMap((entry) => (typeof entry === "object" ? [basename(entry.default, ".js")] : []));
  return modules.map((name) => {
    const found = [`${name}.ts`, `${name}.tsx`, join(name, "index.ts"), join(name, "index.tsx")].map((path) => join(source, path)).find((path) => existsSync(path));
    if (!found) throw new Stop(`pkg/package.json exports \`${name}\`, but pkg/src has no ${name}.ts`);
    return { name, path: found };
  });
}

/** The source files whose code imports the engine, themselves or through others; types alone do not count. */
export async function engineBound() {
  const { build } = await import("esbuild");
  const files = filesUnder(source).filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".d.ts"));
  const { metafile } = await build({
    ...common(),
    entryPoints: files,
    outdir: dist,
    write: false,
    metafile: true,
    plugins: [{ name: "engine stays out", setup: (build) => build.onResolve({ filter: /^#/ }, ({ path }) => ({ path, external: true })) }],
  });
  const imports = new Map(Object.entries(metafile.inputs).map(([path, input]) => [resolve(root, path), input.imports]));
  const bound = new Set();
  for (let grew = true; grew; ) {
    grew = false;
    for (const [path, list] of imports) {
      if (bound.has(path) || !list.some((to) => to.path.startsWith("#") || bound.has(resolve(root, to.path)))) continue;
      bound.add(path);
      grew = true;
    }
  }
  return bound;
}

/** Bundles the package and writes its declarations where their inputs changed. */
export async function buildPackage() {
  const glue = flavours.flatMap((flavour) => [glueFolder(flavour)]);
  const settings = ["tsconfig.base.json", "pkg/tsconfig.json", "pkg/package.json", "package-lock.json", "scripts/bundle.mjs"].map((path) => join(root, path));
  const inputs = hashOf([source, ...glue, ...settings]);
  const outputs = entryPoints().flatMap(({ name }) => [join(dist, `${name}.js`), join(types, `${name}.d.ts`)]);
  await unlessDone("package", inputs, outputs, async () => {
    for (const name of existsSync(dist) ? readdirSync(dist) : []) {
      if (!/\.(wasm|bytes\.js)$/.test(name)) rmSync(join(dist, name), { recursive: true });
    }
    await bundle();
    declare();
  });
}

function common() {
  return {
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    packages: "external",
    legalComments: "none",
    charset: "utf8",
    logLevel: "warning",
    tsconfigRaw: { compilerOptions: { target: "es2022", verbatimModuleSyntax: true, jsx: "react-jsx", useDefineForClassFields: true } },
  };
}

async function bundle() {
  const { build } = await import("esbuild");
  const bound = await engineBound();
  const { metafile } = await build({
    ...common(),
    entryPoints: entryPoints().map(({ name, path }) => ({ in: path, out: name })),
    outdir: dist,
    chunkNames: "chunk-[hash]",
    metafile: true,
    plugins: [twoEngines(bound)],
  });
  nameChunks(metafile);
}

// A file that imports the engine is loaded once for each engine: `#engine` means the one of the entry that
// asked. A file that does not is one module, whoever asks, and lands in a shared chunk. Paths of the former are
// relative to the project, because esbuild writes them into comments.
function twoEngines(bound) {
  const engineOf = (namespace) => flavours.find(({ name }) => name === namespace);
  return {
    name: "two engines",
    setup(build) {
      build.onResolve({ filter: /^#/ }, ({ path, namespace, importer }) => {
        const [, room, part = "engine"] = path.match(/^#(engine|threat-model)(?:\/(files))?$/) ?? [];
        const flavour = room === "threat-model" ? THREAT_MODEL : engineOf(namespace);
        if (!room || !flavour) return { errors: [{ text: `\`${path}\` is no part of an engine (in ${importer})` }] };
        if (room === "threat-model" && engineOf(namespace) !== THREAT_MODEL) return { errors: [{ text: `\`${path}\` belongs to threat-model.ts and what only it imports (in ${importer})` }] };
        return { path: relative(root, engineFile(flavour, part)), namespace: flavour.name, sideEffects: false };
      });
      build.onResolve({ filter: /^\./ }, async ({ path, kind, resolveDir, namespace, importer, pluginData }) => {
        if (pluginData === "asked" || kind === "entry-point") return undefined;
        // what ships beside the modules is named as it will be found there
        if (/^\.\/[\w-]+\.bytes\.js$/.test(path)) return { path, external: true };
        const found = await build.resolve(path, { kind, resolveDir, importer, namespace: "file", pluginData: "asked" });
        return found.errors.length > 0 || !bound.has(found.path) ? found : { path: relative(root, found.path), namespace: engineOf(namespace)?.name ?? COUNTERSIGN.name };
      });
      build.onResolve({ filter: /./ }, ({ path, kind }) => {
        if (kind !== "entry-point" || !bound.has(path)) return undefined;
        return { path: relative(root, path), namespace: path === join(source, "threat-model.ts") ? THREAT_MODEL.name : COUNTERSIGN.name };
      });
      build.onLoad({ filter: /./, namespace: COUNTERSIGN.name }, read);
      build.onLoad({ filter: /./, namespace: THREAT_MODEL.name }, read);
    },
  };
}

function read({ path }) {
  return { contents: readFileSync(join(root, path), "utf8"), resolveDir: dirname(join(root, path)), loader: extname(path).slice(1) };
}

// Chunk names without a hash, so that the list of published files does not change with every edit: a chunk is
// what exactly these entries share.
function nameChunks(metafile) {
  const outputs = Object.entries(metafile.outputs).map(([path, output]) => ({ file: basename(path), imports: output.imports.filter((to) => !to.external).map((to) => basename(to.path)), entry: output.entryPoint }));
  const chunks = outputs.filter(({ file }) => file.startsWith("chunk-"));
  const reaches = (from, chunk, seen = new Set()) => !seen.has(from) && seen.add(from) && (from === chunk || outputs.find(({ file }) => file === from).imports.some((to) => reaches(to, chunk, seen)));
  const users = (chunk) => outputs.filter(({ file, entry }) => entry && !file.startsWith("chunk-") && reaches(file, chunk.file)).map(({ file }) => basename(file, ".js")).sort();
  const sorted = chunks.map((chunk) => ({ chunk, users: users(chunk) })).sort((a, b) => b.users.length - a.users.length || (`${a.users}` < `${b.users}` ? -1 : 1));
  const names = new Map();
  for (const [at, { chunk, users }] of sorted.entries()) {
    const wanted = at === 0 ? "shared.js" : `shared-${users.join("-")}.js`;
    names.set(chunk.file, [...names.values()].includes(wanted) ? wanted.replace(".js", `-${at}.js`) : wanted);
  }
  for (const [from, to] of names) renameSync(join(dist, from), join(dist, to));
  for (const name of readdirSync(dist).filter((name) => name.endsWith(".js") && !name.endsWith(".bytes.js"))) {
    const text = readFileSync(join(dist, name), "utf8");
    // a chunk has no side effects, as package.json says: importing nothing from it is noise that a user's bundler warns of
    const renamed = text.replace(/^import "\.\/chunk-[A-Z0-9]{8}\.js";\n/gm, "").replace(/chunk-[A-Z0-9]{8}\.js/g, (chunk) => names.get(chunk) ?? chunk);
    if (renamed !== text) writeFileSync(join(dist, name), renamed);
  }
}

// Declarations name the engine's data types by a path inside the package.
function declare() {
  run(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-p", join(root, "pkg", "tsconfig.json")]);
  const written = filesUnder(types).filter((path) => path.endsWith(".d.ts"));
  const named = new Set();
  for (const path of written) {
    const text = readFileSync(path, "utf8").replace(/(["'])#(engine|threat-model)(\/types|\/files)?\1/g, (whole, quote, room, part) => {
      if (part !== "/types") throw new Stop(`${relative(root, path)} shows the raw engine: ${whole} is named in a public declaration, which may name \`#engine/types\` alone`);
      const flavour = room === "engine" ? COUNTERSIGN : THREAT_MODEL;
      named.add(flavour);
      const to = relative(dirname(path), join(types, "engine", `${flavour.name}.js`)).replaceAll("\\", "/");
      return `"${to.startsWith(".") ? to : `./${to}`}"`;
    });
    writeFileSync(path, text);
  }
  mkdirSync(join(types, "engine"), { recursive: true });
  for (const flavour of named) writeFileSync(join(types, "engine", `${flavour.name}.d.ts`), readFileSync(join(glueFolder(flavour), "types.d.ts")));
}
