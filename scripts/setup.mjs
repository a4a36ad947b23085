// Brings the machine to where build and checks can run; does nothing where nothing is missing.
//   node scripts/setup.mjs            what a build needs
//   node scripts/setup.mjs --tests    and what the browser tests and the comparison with the providers' SDKs need
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { firstLine, hashOf, main, onPath, root, run, Stop } from "./run.mjs";
import { bindgenVersion, findBindgen, findBrowser, findDriver, toolsFolder } from "./tools.mjs";

const WASM = "wasm32-unknown-unknown";
// wasm-bindgen and the edition need no newer one; Cargo.toml says the same
const RUST = readFileSync(join(root, "Cargo.toml"), "utf8").match(/^rust-version = "(\d+)\.(\d+)"/m).slice(1, 3).map(Number);

await main(() => {
  node();
  rust();
  wasmTarget();
  packages();
  wasmBindgen();
  if (process.argv.includes("--tests")) {
    sdks();
    browser();
  }
});

function node() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  // vite asks for 20.19, 22.12 or newer
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return;
  throw new Stop(`Node ${process.versions.node} is too old: Countersign is built and tested with Node 20.19, 22.12 or newer. Install a current Node (any way you like, its own installer or a version manager) and run this again.`);
}

function rust() {
  const found = firstLine("cargo", ["--version"]);
  const version = found?.match(/(\d+)\.(\d+)/)?.slice(1, 3).map(Number);
  if (version && (version[0] > RUST[0] || (version[0] === RUST[0] && version[1] >= RUST[1]))) return;
  const why = found ? `\`${found}\` is too old` : "Rust was not found: there is no `cargo` on the PATH";
  throw new Stop(`${why}. Countersign needs Rust ${RUST.join(".")} or newer with rustup, its installer, which also brings the wasm target. Install rustup as rust-lang.org describes (or \`rustup update\` where it is there), open a new shell and run this again.`);
}

function wasmTarget() {
  const sysroot = firstLine("rustc", ["--print", "sysroot"]);
  if (sysroot && existsSync(join(sysroot, "lib", "rustlib", WASM, "lib"))) return;
  if (!onPath("rustup")) {
    throw new Stop(`The Rust here has no ${WASM} target and no rustup that could add it. Install rustup as rust-lang.org describes, or your system's package of that target, and run this again.`);
  }
  told(`adding the ${WASM} target`);
  try {
    run("rustup", ["target", "add", WASM]);
  } catch {
    throw new Stop(`rustup could not download the ${WASM} target. Check the network, then run \`rustup target add ${WASM}\` and this again.`);
  }
}

function packages() {
  const stamp = join(root, "node_modules", ".setup-stamp");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wantedPackages()) return;
  const command = existsSync(join(root, "package-lock.json")) ? "ci" : "install";
  told(`npm ${command}`);
  // no package of ours needs an install script
  run("npm", [command, "--ignore-scripts", "--no-audit", "--no-fund"], { env: { npm_config_loglevel: "error" } });
  writeFileSync(stamp, wantedPackages());
}

// The providers' own SDKs: a hundred megabytes that no build needs.
function sdks() {
  const folder = join(root, "tests", "sdk");
  const stamp = join(folder, "node_modules", ".setup-stamp");
  const wanted = hashOf([join(folder, "package.json"), join(folder, "package-lock.json")]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  told("npm ci in tests/sdk");
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, env: { npm_config_loglevel: "error" } });
  writeFileSync(stamp, wanted);
}

// What is asked for, without the rest of the manifests, which changes for other reasons.
function wantedPackages() {
  const asked = ["package.json", "pkg/package.json", "www/threat-model/package.json", "www/board/package.json"].map((path) => {
    const { dependencies, devDependencies, peerDependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, path), "utf8"));
    return JSON.stringify([dependencies, devDependencies, peerDependencies, optionalDependencies]);
  });
  return hashOf([join(root, "package-lock.json")], ...asked);
}

function wasmBindgen() {
  if (findBindgen() && findBindgen("wasm-bindgen-test-runner")) return;
  told(`installing the wasm-bindgen tools ${bindgenVersion} into the project (once, about three minutes)`);
  run("cargo", ["install", "wasm-bindgen-cli", "--version", bindgenVersion, "--no-default-features", "--root", toolsFolder, "--quiet", "--force"]);
}

function browser() {
  if (findBrowser() && findDriver()) return;
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version") && onPath("apt-get")) {
    told("installing Chromium and its driver");
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    run("apt-get", ["update", "-qq"], { env });
    run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium", "chromium-driver"], { env });
    if (findBrowser() && findDriver()) return;
  }
  const missing = [findBrowser() ? [] : "Chromium (or Chrome)", findDriver() ? [] : "its chromedriver"].flat().join(" and ");
  throw new Stop(`The browser tests need ${missing}. On Debian or Ubuntu: \`apt-get install chromium chromium-driver\` as root. Elsewhere install Chrome and the chromedriver of the same version, and put both on the PATH or name them in the environment variables CHROMIUM and CHROMEDRIVER.`);
}

function told(what) {
  console.log(`setup: ${what}`);
}
