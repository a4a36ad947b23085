// Laws of files: nothing is lost, writing is stable, both readers agree, and no file costs more than a moment.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { emptyThreatModel, init, readThf, writeThf } from "countersign/threat-model";
import { parse } from "yaml";

before(() => init());

/** A small generator (mulberry32): the same seed, the same documents. */
function generator(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit) => Math.floor(next() * limit);
  return { below, one: (list) => list[below(list.length)], chance: (part) => next() < part };
}

const WORDS = [
  "null", "~", "", "true", "False", "yes", "No", "on", "y", "N", "1.0", "-7", "0x1f", "0o7", "1e3", ".5", ".inf", "-.INF", ".NaN", "1_000", "12:30", "2026-05-02", "2026-05-02T10:00:00Z",
  "- a", "-", "--- a", "---", "...", "? a", "?", ": a", ":", "a: b", "a:", "a :b", "a #b", "#a", "a#b", "&a", "*a", "!a", "!!str a", "%a", "@a", "`a`", "|", "|-", ">", "> a", "<<", "=", "[", "]", "[a]", "{", "{}", ",", "a, b", "'", "'a'", "it's", '"', '"a"', 'say "a"', "\\", "\\n", "C:\\temp", "a\\", "http://a/b?c=d#e",
  " a", "a ", "  ", "\t", "a\tb", "\ta", "\n", "\n\n", "a\n", "a\n\n", "a\n\n\n", "\na", "\n\na", " \na", "a\n b", "a\n  \nb", "a\n \n", "  a\nb", "\n  a", "a\n\nb", "a\n#b", "a\n- b", "a\n---\nb", "a\n...\n", "a: |\n  b", "a\r\nb", "a\rb", "\r", "a\n\tb",
  "\u0000", "\u0007", "\u001b[0m", "\u007f", "\u0085", "a\u0085b", "\u00a0a\u00a0", "\u00ad", "\u2028", "a\u2029b", "\u200b", "\u200d", "\u202eevil\u202c", "\u2066a\u2069", "\ufeff", "a\ufeff", "\ufffd", "\uffff", "\u{10ffff}", "\u{e0041}", "😀", "👩‍👩‍👧", "é", "e\u0301", "日本語", "\u0915\u094d\u200d", "constructor", "__proto__", "toString",
];
const PARTS = [...WORDS, "word", "two words", "x".repeat(300), "line\n", " ", "\n"];

function text(random) {
  if (random.chance(0.4)) return random.one(WORDS);
  const parts = Array.from({ length: random.below(6) }, () => random.one(PARTS));
  return parts.join(random.one(["", " ", "\n"])).repeat(random.chance(0.02) ? 200 : 1);
}

function number(random) {
  return random.one([0, 1, -1, 0.1, -2.5, 1e21, -1e21, 1e-7, 5e-324, 1.7976931348623157e308, 9007199254740991, -9007199254740991, 9007199254740992, 123456789.125, random.below(1000) / 8]);
}

function value(random, depth) {
  switch (random.below(depth > 4 ? 4 : 6)) {
    case 0: return null;
    case 1: return random.chance(0.5);
    case 2: return number(random);
    case 3: return text(random);
    case 4: return Array.from({ length: random.below(4) }, () => value(random, depth + 1));
    default: return extras(random, {}, depth + 1, 4);
  }
}

/** Adds unknown members; `__proto__` among them is a name like any other. */
function extras(random, object, depth, most) {
  for (let count = random.below(most); count > 0; count -= 1) {
    const key = random.chance(0.05) ? "k".repeat(1500) + random.below(9) : random.chance(0.5) ? `x_${random.below(50)}` : text(random);
    if (!Object.hasOwn(object, key)) Object.defineProperty(object, key, { value: value(random, depth), writable: true, enumerable: true, configurable: true });
  }
  return object;
}

/** A document a store holds: every field may be there or not, in any order, with unknown ones between. */
function document(random) {
  const maybe = (members) => {
    const entries = Object.entries(members).filter(([, make]) => typeof make !== "function" || random.chance(0.5));
    if (random.chance(0.3)) entries.reverse();
    return extras(random, Object.fromEntries(entries.map(([key, make]) => [key, typeof make === "function" ? make() : make])), 2, 3);
  };
  const some = (make) => Array.from({ length: random.below(4) }, (_, at) => make(at));
  const [words, texts, count] = [() => text(random), () => some(words), () => number(random)];
  const point = () => maybe({ x: number(random), y: number(random) });
  const size = () => maybe({ width: number(random), height: number(random) });
  const colors = { fill_color: words, stroke_color: words, fill_opacity: count, stroke_opacity: count };
  const ends = { source_handle: words, target_handle: words, label_offset: point, stroke_color: words, stroke_opacity: count };
  const whole = emptyThreatModel({ title: "t", author: "a", today: "2026-05-02" });
  Object.assign(whole, {
    metadata: maybe({ ...whole.metadata, title: text(random), author: text(random), description: text(random), created_by: words, modified_by: words, last_edit_timestamp: () => random.below(2e9), threat_analysis_enabled: () => random.chance(0.5), settings: () => maybe({ grid_size: () => random.below(99), default_element_fill: words }) }),
    layers: some((at) => maybe({ id: `l${at}`, name: text(random), description: words })),
    groups: some((at) => maybe({ id: text(random), name: text(random), type: words, parent: words, description: words, position: point, size, ...colors })),
    elements: some((at) => maybe({ id: `e${at}`, type: text(random), name: text(random), trust_zone: text(random), description: text(random), technologies: texts(), tags: texts(), layer: words, group: words, subtype: words, icon: words, stores: texts, encryption: words, position: point, ...colors, font_size: count, font_weight: words })),
    data_flows: some((at) => maybe({ id: `f${at}`, name: text(random), from: text(random), to: text(random), protocol: text(random), data: texts(), authenticated: random.chance(0.5), flow_number: () => random.below(4294967296), ...ends })),
    relationships: some((at) => maybe({ id: `r${at}`, type: text(random), from: text(random), to: text(random), name: words, description: words, ...ends })),
    trust_boundaries: some((at) => maybe({ id: `b${at}`, name: text(random), contains: texts(), position: point, size, ...colors })),
    threats: some((at) => maybe({ id: `t${at}`, title: text(random), category: "Denial of Service", severity: random.one(["critical", "high", "medium", "low", "info"]), description: text(random), element: words, flow: words, mitigation: () => maybe({ status: "in_progress", description: text(random) }) })),
    diagrams: some((at) => maybe({ id: `d${at}`, name: text(random), kind: words, description: words, layout_file: words, viewport: () => maybe({ x: number(random), y: 0, zoom: 1 }) })),
  });
  return extras(random, whole, 1, 4);
}

// the same text, moved out of the part that is read without the library
const throughLibrary = (written) => `--- # all of it\n${written}`;

test("nothing is lost, writing is stable, and both readers and the library itself read the same", async () => {
  let size = 0;
  for (let seed = 1; seed <= 250; seed += 1) {
    const before = document(generator(seed));
    const written = await writeThf(before);
    size += written.length;
    const after = await readThf(written);
    assert.deepEqual(after, before, `seed ${seed}`);
    assert.equal(await writeThf(after), written, `seed ${seed}`);
    assert.deepEqual(await readThf(written.replaceAll("\n", "\r\n")), before, `seed ${seed}, CRLF`);
    assert.deepEqual(await readThf(throughLibrary(written)), before, `seed ${seed}, by the library`);
    // what an older reader would take for a date, a truth or a number is in quotes: only the two dates differ there
    const old = parse(written, { version: "1.1", schema: "yaml-1.1", uniqueKeys: false, customTags: (tags) => tags.filter((tag) => tag.tag !== "tag:yaml.org,2002:timestamp") });
    if (!written.includes("__proto__")) assert.deepEqual(JSON.parse(JSON.stringify(old.elements)), JSON.parse(JSON.stringify(before.elements.map(shortened))), `seed ${seed}, by rules of 1.1`);
  }
  assert.ok(size > 250_000);
});

/** An element as it stands in a file: without the lists that reading fills in. */
function shortened(element) {
  const left = { ...element };
  for (const name of ["technologies", "tags"]) if (left[name].length === 0) delete left[name];
  return left;
}

test("every single hostile text survives in every place", async () => {
  for (const word of WORDS) {
    const empty = emptyThreatModel({ title: word, author: "a", today: "2026-05-02" });
    const before = { ...empty, elements: [{ id: word, type: word, name: `${word}${word}`, trust_zone: word, description: `${word}\n${word}`, technologies: [word, word], tags: [] }], x_list: [word, [word]] };
    Object.defineProperty(before, `${word} key`, { value: { [`${word}!`]: word }, enumerable: true });
    const written = await writeThf(before);
    assert.deepEqual(await readThf(written), before, JSON.stringify(word));
    assert.deepEqual(await readThf(throughLibrary(written)), before, JSON.stringify(word));
    assert.doesNotMatch(written, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/, "nothing unseen stands in the file");
  }
});

/** Edits of a text as a person makes them, good and bad. */
function mutated(random, lines) {
  const next = [...lines];
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    const at = random.below(next.length);
    const line = next[at] ?? "";
    next[at] = random.one([
      () => line.slice(0, random.below(line.length + 1)), () => ` ${line}`, () => line.replace(/^ /, ""), () => `${line} # c`, () => `${line}#c`, () => line.replaceAll('"', "'"), () => `${line} `, () => line.replace(": ", ":"),
      () => line.replace(": ", ":  "), () => `${line}\n`, () => `${line}\n# c`, () => line.replace("- ", "-  "), () => `${line} more: 1`, () => `${line}\n      more`, () => "", () => line.replace(/: .*/, ": [a, 'b', {c: 1, \"d\": -2.5}]"), () => line.replace(/: .*/, ": |+\n        a\n\n      "), () => line.replace(/: .*/, ": >-\n        a\n        b"),
      () => line.replace(/: (.*)/, ": $1\n"), () => `${line},`, () => line.replace(/\w/, random.one(PARTS)), () => `${line}\n${line}`, () => line.replace(/: /, ": - "), () => line.replace(/: .*/, ": {a: b, c}"), () => line.replace(/: .*/, ": [a,\n b]"), () => line.replace("- ", "- - "), () => line.replace(/: .*/, `: ${random.one(PARTS)}`),
    ])();
  }
  return next.join("\n");
}

test("what is read without the library is read as the library reads it", async () => {
  const outcome = (promise) => promise.then((read) => ({ read }), ({ code }) => ({ code }));
  let both = 0;
  for (let seed = 1; seed <= 800; seed += 1) {
    const random = generator(seed * 7919);
    const lines = (await writeThf(document(random))).split("\n").slice(0, 60);
    const edited = mutated(random, lines);
    if (/^(?:---|%|\.\.\.)/m.test(edited) || edited.startsWith("\ufeff")) continue;
    const [own, library] = [await outcome(readThf(edited)), await outcome(readThf(throughLibrary(edited)))];
    assert.deepEqual(own, library, `seed ${seed}\n${edited}`);
    if (own.read !== undefined) both += 1;
  }
  assert.ok(both > 200, `${both}`);
});
