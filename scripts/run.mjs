// What every script needs: where the project is, and how a command is started.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
export const target = process.env.CARGO_TARGET_DIR ? resolve(root, process.env.CARGO_TARGET_DIR) : join(root, "target");

/** A failure that is told in one paragraph, without a stack. */
export class Stop extends Error {}

/** Runs a command with its output shown; a failure stops the script. */
export function run(command, args, { cwd = root, env = {}, quiet = false } = {}) {
  const result = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    stdio: ["ignore", quiet ? "pipe" : "inherit", quiet ? "pipe" : "inherit"],
  });
  if (result.error) throw new Stop(`\`${command}\` could not be started: ${result.error.message}`);
  if (result.status !== 0) {
    if (quiet) process.stderr.write(`${result.stdout}${result.stderr}`);
    const end = result.status === null ? `was ended by ${result.signal}` : `exited with ${result.status}`;
    throw new Stop(`\`${[command, ...args].join(" ")}\` ${end}`);
  }
  return result.stdout ?? "";
}

/** The first line a command prints, or undefined where it cannot be run. */
export function firstLine(command, args) {
  const result = spawnSync(command, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return result.status === 0 ? result.stdout.split("\n")[0].trim() : undefined;
}

/** Where a program is on the PATH, or undefined. */
export function onPath(name) {
  const endings = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const ending of endings) {
      const path = join(folder, name + ending);
      if (folder && existsSync(path) && statSync(path).isFile()) return path;
    }
  }
  return undefined;
}

const NOT_OURS = new Set(["node_modules", "target", "dist", "output", ".git"]);

/** Every file under `path`, sorted, without what is generated or fetched. */
export function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !NOT_OURS.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(path, entry.name)) : entry.isFile() ? [join(path, entry.name)] : []));
}

/** One hash over names and contents, and over the given texts. */
export function hashOf(paths, ...texts) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap((path) => filesUnder(path))) hash.update(relative(root, path)).update("\0").update(readFileSync(path)).update("\0");
  for (const text of texts) hash.update(text).update("\0");
  return hash.digest("hex");
}

/** Runs `work` unless the stamp says that these inputs were done and every output is still there. */
export async function unlessDone(name, inputs, outputs, work) {
  const stamp = join(target, "stamps", name);
  if (outputs.every((path) => existsSync(path)) && existsSync(stamp) && readFileSync(stamp, "utf8") === inputs) return false;
  await work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, inputs);
  return true;
}

/** Runs a script's main function and tells a `Stop` in one paragraph. */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Stop ? `\n${error.message}` : error);
    process.exit(1);
  }
}
