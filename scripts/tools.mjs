// The tools the build and the checks use, in the one version the project pins.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { firstLine, onPath, root, Stop, target } from "./run.mjs";

/** The version of the wasm-bindgen crate, which its command line tool must share. */
export const bindgenVersion = readFileSync(join(root, "Cargo.toml"), "utf8").match(/^wasm-bindgen = \{ version = "=([^"]+)"/m)?.[1];
/** Where setup installs the wasm-bindgen tools. */
export const toolsFolder = join(target, "tools");

/** A wasm-bindgen tool of exactly the pinned version, or undefined: the project's own first, then the PATH. */
export function findBindgen(name = "wasm-bindgen") {
  const own = join(toolsFolder, "bin", process.platform === "win32" ? `${name}.exe` : name);
  for (const path of [own, onPath(name)]) {
    if (!path || !existsSync(path)) continue;
    // the runner states no version of its own: it is as old as the generator beside it
    const asked = name === "wasm-bindgen" ? path : join(dirname(path), "wasm-bindgen");
    if (firstLine(asked, ["--version"])?.split(" ").at(-1) === bindgenVersion) return path;
  }
  return undefined;
}

/** A wasm-bindgen tool, or a stop that says how to get it. */
export function bindgen(name) {
  const path = findBindgen(name);
  if (!path) throw new Stop(`\`${name ?? "wasm-bindgen"}\` ${bindgenVersion} is not installed. Run \`npm run setup\`.`);
  return path;
}

/** Chromium or Chrome, or undefined. */
export function findBrowser() {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const places = [...names.map(onPath), ...names.map((name) => `/usr/bin/${name}`), "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];
  return [process.env.CHROMIUM, ...places].find((path) => path && existsSync(path));
}

/** The driver that belongs to the browser, or undefined. */
export function findDriver() {
  const places = [process.env.CHROMEDRIVER, onPath("chromedriver"), "/usr/bin/chromedriver", "/usr/lib/chromium/chromedriver"];
  return places.find((path) => path && existsSync(path));
}

/** What both need to start in a container, as root and without a screen. */
export const browserArgs = JSON.parse(readFileSync(join(root, "webdriver.json"), "utf8"))["goog:chromeOptions"].args;
