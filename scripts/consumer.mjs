// The package as a user gets it: packed once and installed from the tarball where the tests find it by its name.
// tests/node_modules stands nearer to a test than the workspace's link to pkg/, so what is tested is what ships.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hashOf, root, run, Stop, unlessDone } from "./run.mjs";

const tests = join(root, "tests");
const output = join(tests, "output");

/** Packs pkg/ and installs the tarball under tests/, where that was not done with these very bytes. */
export async function installPackage() {
  mkdirSync(output, { recursive: true });
  const quiet = { quiet: true, env: { npm_config_loglevel: "error" } };
  const [{ filename }] = JSON.parse(run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", output], { cwd: join(root, "pkg"), ...quiet }));
  const tarball = join(output, filename);
  const installed = join(tests, "node_modules", "countersign");
  await unlessDone("consumer", hashOf([join(tests, "package.json")], readFileSync(tarball).toString("base64")), [installed], () => {
    rmSync(join(tests, "node_modules"), { recursive: true, force: true });
    run("npm", ["install", "--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--install-links", tarball], { cwd: tests, ...quiet });
  });
  if (!existsSync(join(installed, "dist", "index.js"))) throw new Stop("the tarball was installed, but tests/node_modules/countersign has no dist/index.js");
}
