// The functions of a wasm file with their names and the bytes of their code, from its code and name sections.

import { bodiesOf, CUSTOM, importedFunctions, sectionsOf } from "./wasm.mjs";

const FUNCTION_NAMES = 1;

/** Every function: `name` as Rust wrote it, `bytes` of code, and the `room` of this crate (or the other crate) it belongs to. */
export function functionsOf(file) {
  const sections = sectionsOf(file);
  const names = new Map();
  for (const { id, content } of sections) if (id === CUSTOM && content.text() === "name") namesOf(content, names);
  const imported = importedFunctions(sections);
  return bodiesOf(sections).map((body, at) => {
    const name = readable(names.get(imported + at) ?? `function ${imported + at}`);
    return { name, bytes: body.length, room: roomOf(name) };
  });
}

function namesOf(section, names) {
  while (section.more()) {
    const id = section.byte();
    const part = section.part(section.number());
    if (id !== FUNCTION_NAMES) continue;
    for (let left = part.number(); left > 0; left -= 1) {
      const at = part.number();
      names.set(at, part.text());
    }
  }
}

// What the linker left of Rust's names: without the hash, and with the signs that were spelled out.
function readable(name) {
  if (name.startsWith("_R")) return newStyle(name);
  const parts = name.match(/^_ZN(.*)E(\.llvm\.\d+)?$/)?.[1];
  const plain = parts === undefined ? name : segments(parts).join("::");
  const signs = { LT: "<", GT: ">", RF: "&", BP: "*", LP: "(", RP: ")", C: ",", u20: " ", u27: "'", u5b: "[", u5d: "]", u7b: "{", u7d: "}", u3b: ";", u2b: "+" };
  return plain
    .replace(/\$(\w+)\$/g, (whole, sign) => signs[sign] ?? whole)
    .replace(/\.\./g, "::")
    .replace(/::h[0-9a-f]{16}$/, "");
}

function segments(text) {
  const found = [];
  for (let rest = text; rest !== ""; ) {
    const digits = rest.match(/^\d+/)?.[0];
    if (digits === undefined) return [text];
    found.push(rest.slice(digits.length, digits.length + Number(digits)).replace(/^_(?=\$)/, ""));
    rest = rest.slice(digits.length + Number(digits));
  }
  return found;
}

// The standard library's names: the path, as far as it is plain.
function newStyle(name) {
  const path = name.slice(2).replace(/C?s[0-9A-Za-z]*_(?=\d)/g, "").replace(/B[0-9a-z]*_/g, "");
  const words = [];
  for (let at = 0; at < path.length; ) {
    const digits = path.slice(at).match(/^[1-9]\d*/)?.[0];
    if (digits === undefined) {
      at += 1;
      continue;
    }
    const from = at + digits.length + (path[at + digits.length] === "_" ? 1 : 0);
    words.push(path.slice(from, from + Number(digits)));
    at = from + Number(digits);
  }
  return words.length > 1 ? words.join("::") : name;
}

function roomOf(name) {
  const ours = name.match(/countersign::(\w+)/)?.[1];
  if (ours !== undefined) return ours;
  if (/^(loop|store|registry|decoder|\w+_free|__wbindgen|__wbg)/i.test(name) || !name.includes("::")) return "wasm (exports and runtime)";
  return name.match(/(?:^|[<&* ])([a-z]\w+)::/)?.[1] ?? "other";
}
