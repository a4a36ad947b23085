// Builds the package into pkg/ (both engines, the modules, the declarations; skips what did not change), then the page.
//   node scripts/build.mjs                  refuses a `files` list that is not what was built
//   node scripts/build.mjs --update-files   writes that list into pkg/package.json
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { buildPackage } from "./bundle.mjs";
import { buildPage } from "./build-www.mjs";
import { buildEngine, dist, flavours } from "./engine.mjs";
import { main, root, Stop } from "./run.mjs";

await main(async () => {
  for (const flavour of flavours) await buildEngine(flavour);
  await buildPackage();
  copyTexts();
  everyFileIsNamed();
  await buildPage();
  sizes();
});

// npm publishes a folder: what stands at the root of the project is copied in; the package has a README of its own.
function copyTexts() {
  for (const name of readdirSync(root).filter((name) => /^(CHANGELOG\.md|LICENSE.*)$/.test(name))) copyFileSync(join(root, name), join(root, "pkg", name));
}

// The list in package.json says one by one what is published; a file that is built and not named would be missing there.
function everyFileIsNamed() {
  const pkg = join(root, "pkg");
  const manifest = JSON.parse(readFileSync(join(pkg, "package.json"), "utf8"));
  // npm adds README and LICENSE by itself
  const built = [...listed(dist), join(pkg, "CHANGELOG.md")].filter((path) => existsSync(path)).map((path) => relative(pkg, path).replaceAll("\\", "/"));
  if (process.argv.includes("--update-files")) {
    manifest.files = built;
    writeFileSync(join(pkg, "package.json"), `${JSON.stringify(manifest, null, 2).replace(/(\{|\[)\n\s+([^{}[\]]*?)\n\s+(\}|\])(?=,?\n)/g, oneLine)}\n`);
    return;
  }
  const unnamed = built.filter((path) => !manifest.files.includes(path));
  const absent = manifest.files.filter((path) => !built.includes(path));
  if (unnamed.length + absent.length === 0) return;
  const said = [unnamed.map((path) => `  built, not named: ${path}`), absent.map((path) => `  named, not there: ${path}`)].flat();
  throw new Stop(`\`files\` in pkg/package.json is not what the build makes (\`npm run build -- --update-files\` writes it anew):\n${said.join("\n")}`);
}

// Short lists and objects stay on one line, as a person writes them.
function oneLine(whole, open, inside, close) {
  const line = `${open} ${inside.replace(/\s*\n\s*/g, " ")} ${close}`;
  if (line.length > 130) return whole;
  return open === "[" ? `[${line.slice(2, -2)}]` : line;
}

function listed(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? listed(join(folder, entry.name)) : [join(folder, entry.name)]));
}

function sizes() {
  const kb = (bytes) => `${(bytes / 1024).toFixed(1)} KB`.padStart(10);
  console.log(`${"".padEnd(28)}${"raw".padStart(10)}${"gzip".padStart(10)}`);
  for (const path of listed(dist).filter((path) => /\.(js|wasm)$/.test(path))) {
    const bytes = readFileSync(path);
    console.log(`${relative(dist, path).padEnd(28)}${kb(bytes.length)}${kb(gzipSync(bytes, { level: 9 }).length)}`);
  }
}
