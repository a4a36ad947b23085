// The direction of the architecture, read from the source: who may know whom, and what no room may know at all.
import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { engineBound } from "./bundle.mjs";
import { filesUnder, main, root, Stop } from "./run.mjs";

// What a room may name besides itself. `turn` sees neither bytes nor a document's content.
const MAY_NAME = {
  protocol: [],
  tools: ["protocol"],
  providers: ["protocol", "tools", "history"],
  history: ["protocol", "tools"],
  document: ["protocol", "tools"],
  reading: ["protocol", "tools", "document"],
  entities: ["protocol", "tools", "document"],
  commit: ["protocol", "tools", "document"],
  threat_model: ["protocol", "tools", "document", "reading"],
  turn: ["protocol", "tools", "history"],
  plan: ["protocol", "tools", "history", "turn"],
  audit: ["protocol", "tools", "turn"],
  tool_loop: ["protocol", "tools", "providers", "history", "document", "reading", "entities", "commit", "threat_model", "turn", "plan", "audit"],
  wasm: ["protocol", "tools", "providers", "history", "document", "reading", "entities", "commit", "threat_model", "turn", "plan", "audit", "tool_loop"],
};

// A pure core has no clock, no chance and no input or output of its own.
const NEVER = [/\bstd::(time|fs|net|env|process|thread|io)\b/, /\b(rand|getrandom|chrono|tokio)::/, /\b(SystemTime|Instant)::now\b/];
const BINDINGS = /\b(wasm_bindgen|js_sys|web_sys|serde_wasm_bindgen)\b/;
// Shared TypeScript is handed the engine's objects; it never imports them.
const ENGINE_FREE = /^pkg\/src\/(session|providers|adapters|yjs|react|svelte|elements|review|inspector|mcp|testing|thf)\b/;
const MOST_LINES = 600;

const problems = [];

await main(async () => {
  const rust = filesUnder(join(root, "src")).filter((path) => path.endsWith(".rs"));
  const macros = exportedMacros(rust);
  for (const path of rust) checkRust(path, macros);
  for (const path of ["src", "pkg", "www", "tests", "scripts"].flatMap((folder) => filesUnder(join(root, folder)))) checkLength(path);
  if (existsSync(join(root, "node_modules", "esbuild"))) await checkEngineFree();
  for (const path of filesUnder(join(root, "www"))) checkDemo(path);
  if (problems.length > 0) throw new Stop(problems.join("\n"));
  console.log(`${rust.length} Rust files keep the direction`);
});

function checkRust(path, macros) {
  const room = roomOf(path);
  if (room === undefined) return;
  if (!(room in MAY_NAME)) return problem(path, 1, `the room \`${room}\` is not in the table of scripts/layers.mjs`);
  const text = withoutCommentsAndStrings(readFileSync(path, "utf8"));
  for (const { name, line } of [...namedRooms(text, macros), ...climbedTo(text, path, room)]) {
    if (name === room || MAY_NAME[room].includes(name)) continue;
    if (name in MAY_NAME) problem(path, line, `\`${room}\` may not name \`${name}\` (it may name: ${MAY_NAME[room].join(", ") || "nothing"})`);
    else problem(path, line, `\`crate::${name}\` names no room: name the room it comes from`);
  }
  for (const [at, line] of text.split("\n").entries()) {
    if (NEVER.some((pattern) => pattern.test(line))) problem(path, at + 1, `the core has no clock, no chance and no I/O: ${line.trim()}`);
    // the derive that writes the declarations of the data types runs nothing
    if (room !== "wasm" && BINDINGS.test(line)) problem(path, at + 1, `only \`wasm\` names the bindings: ${line.trim()}`);
  }
}

// Every `crate::name`, and every name of `crate::{…}`; an exported macro counts as the room that defines it.
function namedRooms(text, macros) {
  const found = [];
  for (const match of text.matchAll(/(?<![\w$])\$?crate\s*::\s*(\w+|\{)/g)) {
    const line = text.slice(0, match.index).split("\n").length;
    const names = match[1] === "{" ? topLevelNames(text, match.index + match[0].length) : [match[1]];
    for (const name of names) found.push({ name: macros.get(name) ?? name, line });
  }
  return found;
}

// Climbing out of a room by `super` is the same as naming the crate: once from its front file, twice from the others.
function climbedTo(text, path, room) {
  const front = [join(root, "src", `${room}.rs`), join(root, "src", room, "mod.rs")].includes(path);
  const climb = front ? /\bsuper::(\w+)/g : /\bsuper::super::(\w+)/g;
  return [...text.matchAll(climb)]
    .filter(([, name]) => name in MAY_NAME && !existsSync(join(root, "src", room, `${name}.rs`)) && !existsSync(join(root, "src", room, name)))
    .map((match) => ({ name: match[1], line: text.slice(0, match.index).split("\n").length }));
}

function topLevelNames(text, start) {
  const names = [];
  let depth = 0;
  for (const [token] of text.slice(start).matchAll(/[{},]|\w+|::|\*/g)) {
    if (token === "{") depth += 1;
    else if (token === "}" && depth === 0) return names;
    else if (token === "}") depth -= 1;
    else if (token === "," && depth === 0) names.fresh = true;
    else if (depth === 0 && /^\w+$/.test(token) && names.fresh !== false) {
      names.push(token);
      names.fresh = false;
    }
  }
  return names;
}

function exportedMacros(paths) {
  const macros = new Map();
  for (const path of paths) {
    for (const [, name] of readFileSync(path, "utf8").matchAll(/#\[macro_export\]\s*macro_rules!\s*(\w+)/g)) macros.set(name, roomOf(path));
  }
  return macros;
}

// The folder, or the file, under src/; lib.rs is the front page and names every room.
function roomOf(path) {
  const first = relative(join(root, "src"), path).split(sep)[0].replace(/\.rs$/, "");
  return first === "lib" ? undefined : first;
}

// The same text with the same lines, blanks where comments and strings stood.
function withoutCommentsAndStrings(text) {
  const blank = (part) => part.replace(/[^\n]/g, " ");
  return text.replace(/\/\/[^\n]*|\/\*[^]*?\*\/|r(#*)"[^]*?"\1|"(?:\\[^]|[^"\\])*"|'(?:\\[^']+|[^'\\])'/g, blank);
}

function checkLength(path) {
  // what a tool wrote is as long as what it tells of
  if (path.includes(join("tests", "golden"))) return;
  if (!/\.(rs|ts|tsx|mjs|svelte)$/.test(path) || relative(root, path).startsWith(join("pkg", "wasm"))) return;
  const lines = readFileSync(path, "utf8").split("\n").length - 1;
  if (lines > MOST_LINES) problem(path, lines, `${lines} lines; no file passes ${MOST_LINES}`);
}

async function checkEngineFree() {
  for (const path of await engineBound()) {
    if (ENGINE_FREE.test(relative(root, path).replaceAll(sep, "/"))) problem(path, 1, "shared TypeScript imports the engine, itself or through another file");
  }
}

// A demo is a host like any other: what it uses it finds under the package's name, and it shares nothing with another demo.
function checkDemo(path) {
  if (!/\.(ts|tsx|mjs|js|svelte)$/.test(path)) return;
  const editor = join(root, "www", relative(join(root, "www"), path).split(sep)[0]) + sep;
  const text = readFileSync(path, "utf8");
  for (const match of text.matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']*)["']/g)) {
    if (!resolve(path, "..", match[1]).startsWith(editor)) problem(path, text.slice(0, match.index).split("\n").length, `a demo imports only the package by name: \`${match[1]}\``);
  }
}

function problem(path, line, what) {
  problems.push(`${relative(root, path)}:${line}: ${what}`);
}
