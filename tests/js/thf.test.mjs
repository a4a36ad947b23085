// Files of threat models: the corpus of tests/corpus/thf, and what a person is told of a file that is not read.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { before, test } from "node:test";
import { CountersignError, DocumentStore, emptyThreatModel, init, readThf, writeThf } from "countersign/threat-model";

const folder = new URL("../corpus/thf/", import.meta.url);
const names = (kind) => readdirSync(new URL(`${kind}/`, folder)).map((name) => name.replace(/\.thf$/, ""));
const file = (kind, name) => readFileSync(new URL(`${kind}/${name}.thf`, folder), "utf8");
const HEAD = 'version: "1.0"\nmetadata: { title: Kiosk, author: Mira Holm, created: 2026-05-02, modified: 2026-05-09 }\n';

before(() => init());

async function refused(promise) {
  const outcome = await promise.catch((error) => error);
  assert.ok(outcome instanceof CountersignError, "it was taken");
  return outcome;
}

for (const name of names("valid")) {
  test(`${name} is read, written and read again without a change`, async () => {
    const document = await readThf(file("valid", name));
    const text = await writeThf(document);
    assert.deepEqual(await readThf(text), document);
    assert.equal(await writeThf(await readThf(text)), text);
    assert.doesNotMatch(text, /\r|[&*]\w|^---|\t/m);
    const store = new DocumentStore("threat-model", document);
    assert.deepEqual(store.issues(), []);
    assert.deepEqual(store.read(), document);
    store.free();
  });
}

for (const name of ["threat-model-full", "architecture-full"]) {
  test(`${name} is written as it stands: every field in its place`, async () => {
    assert.equal(await writeThf(await readThf(file("valid", name))), file("valid", name));
  });
}

test("a tag that does not fit and a number that would become another are refused", async () => {
  for (const [value, words] of [["!!int 1.5", /`1\.5` is not of the type `!!int`/], ["!!map [1]", /a list is not of the type `!!map`/], ["!!seq { a: 1 }", /a mapping is not of the type `!!seq`/], ["1e-400", /no number holds `1e-400`/], ["-0.01e-999", /no number holds/]]) {
    const { code, message } = await refused(readThf(`${HEAD}x: ${value}\n`));
    assert.equal(code, "unreadable_file", value);
    assert.match(message, words);
  }
  const held = await readThf(`${HEAD}x: [!!int 1.0, !!map { a: 1 }, !!seq [1], 0e5, -0.0e-999]\n`);
  assert.deepEqual(held.x, [1, { a: 1 }, [1], 0, 0]);
});

test("what a file means is what it says", async () => {
  const scalars = await readThf(file("valid", "scalars"));
  assert.deepEqual(scalars.x_words, ["yes", "no", "on", "off", "y", "n", "Yes", "2026-05-02", "2026-05-02T10:00:00Z", "12:30", "1_000", "0x1G"]);
  assert.deepEqual(scalars.x_truths, [true, true, false]);
  assert.deepEqual(scalars.x_nothings, [null, null, null]);
  assert.deepEqual(scalars.x_numbers, [0, -17, 3, 15, 255, 1.5, 0.5, 1, 1000, -0.0025]);
  assert.equal(scalars.x_folded, "one line\nand another");
  assert.equal(scalars.x_plain, "goes on below");
  assert.equal(scalars.x_single, "it's one line");
  assert.equal(scalars.x_escapes, "tab\t nul\0 bell\u0007 A é \u{1F600} joined");
  assert.equal(scalars.x_kept, "two line ends\n\n");
  assert.equal(scalars.x_shifted, "  two spaces\n");
  assert.deepEqual(Object.keys(scalars.x_keys), ["1", "true", "null", "2026-05-02"]);

  const native = await readThf(file("valid", "native-style"));
  assert.equal(native.metadata.created, "2026-05-02");
  assert.equal(native.elements[0].description, "Sells tickets.\n\n  Takes cards only.\n");
  assert.deepEqual([native.elements[0].name, native.elements[0].trust_zone, native.elements[0].position], ['Kiosk "north"', "visitor's hall", { x: 100, y: -20.5 }]);

  const merged = (await readThf(file("valid", "anchors-and-merges"))).elements;
  assert.deepEqual(merged.map(({ type, trust_zone, technologies }) => [type, trust_zone, technologies]), [
    ["process", "hall", ["rust", "wasm"]], ["data_store", "core", ["rust", "wasm"]], ["process", "", ["rust", "wasm"]],
  ]);
  assert.equal(merged[2].name, "hall");
  assert.equal((await readThf(file("valid", "bom-and-crlf"))).elements[0].description, "two\nlines\n");
});

test("defaults are filled in, and a layout file is a text that nobody opens", async () => {
  const minimal = await readThf(file("valid", "minimal"));
  assert.deepEqual(minimal.elements[0], { id: "kiosk", type: "process", name: "Kiosk", trust_zone: "", description: "", technologies: [], tags: [] });
  for (const section of ["layers", "groups", "data_flows", "relationships", "trust_boundaries", "threats", "diagrams"]) assert.deepEqual(minimal[section], [], section);
  const { diagrams } = await readThf(file("valid", "layout-file"));
  assert.deepEqual(diagrams, [{ id: "main-dfd", name: "Level 0 DFD", layout_file: "../../../etc/passwd" }]);
});

test("unknown fields are kept behind the known ones, at every level", async () => {
  const document = await readThf(file("valid", "unknown-fields"));
  assert.equal(Object.getOwnPropertyDescriptor(document.elements[0], "__proto__")?.value, "an ordinary key");
  const text = await writeThf(document);
  assert.deepEqual(text.match(/^\w+(?=:)/gm), ["version", "metadata", "elements", "data_flows", "trust_boundaries", "threats", "diagrams", "x_root", "x_last"]);
  assert.match(text, /description: ""\n  x_review:\n    by: Tomas\n    "on": "2026-06-01"\n    done: "no"\n/);
  assert.match(text, /position:\n      x: 1\n      "y": 2\n      z: 3\n    x_cost: 12\.5\n    __proto__: an ordinary key\n/);
});

// file → code and the words a person needs: what, and where
const REFUSED = {
  "cut-in-quotes": ["unreadable_file", /^line \d+: the text is not one document of YAML 1\.2$/],
  "duplicate-key": ["unreadable_file", /^line 8: the key `elements` stands twice/],
  "duplicate-key-anchored": ["unreadable_file", /^line 9: the key `threats` stands twice/],
  "several-documents": ["unreadable_file", /^line 8: .*several documents/],
  "custom-tag": ["unreadable_file", /^line 7: the tag `!secret`/],
  "tab-indentation": ["unreadable_file", /^line 8: a tab/],
  empty: ["unreadable_file", /the file is empty$/],
  "only-comments": ["unreadable_file", /the file is empty$/],
  "unknown-alias": ["unreadable_file", /^line 7: the alias `\*nobody`/],
  "alias-of-itself": ["unreadable_file", /^line 7: the alias `\*loop`/],
  "merge-of-text": ["unreadable_file", /^line 7: `<<` takes a mapping/],
  "list-as-key": ["unreadable_file", /^line 7: a key must be a text/],
  "number-too-large": ["unreadable_file", /^line 7: no number holds `9007199254740993`/],
  "not-a-number": ["unreadable_file", /^line 7: no number holds `\.nan`/],
  "half-a-pair": ["unreadable_file", /^x: .*surrogate/],
  "root-list": ["unreadable_document", /^missing-section: document: /],
  "metadata-absent": ["unreadable_document", /^missing-section: metadata: .*`metadata`/],
  "created-absent": ["unreadable_document", /^missing-section: metadata\.created: .*missing.*`2026-05-02`/],
  "modified-with-time": ["unreadable_document", /^missing-section: metadata\.modified: `2026-05-09T10:00:00Z`.*time of day.*`2026-05-09`/],
  "created-no-day": ["unreadable_document", /^missing-section: metadata\.created: `2026-13-45`/],
  "section-no-list": ["unreadable_document", /^missing-section: threats: /],
  "version-no-text": ["unreadable_document", /^missing-section: version: .*text/],
  "version-unsupported": ["unreadable_document", /^unsupported-version: version: .*`2\.0`.*`1\.0`/],
  "layers-no-list": ["unreadable_document", /^missing-section: layers: /],
  "entry-no-mapping": ["unreadable_document", /^missing-section: elements\[0\]: /],
  "id-absent": ["unreadable_document", /^missing-section: elements\[0\]\.id: /],
  "unknown-severity": ["unreadable_document", /^invalid-value: threats\[t1\]\.severity: .*`high`.*`High`/],
};

for (const name of names("invalid")) {
  test(`${name} is refused`, async () => {
    const [code, words] = REFUSED[name];
    const error = await refused(readThf(file("invalid", name)));
    assert.equal(error.code, code);
    assert.match(error.message, words);
    assert.ok(error.message.length < 400 && !error.message.includes("corpus"));
  });
}

test("every refusal has its file", () => assert.deepEqual(names("invalid").sort(), Object.keys(REFUSED).sort()));

test("of several faults the first of the format's order is told", async () => {
  const told = async (text) => (await refused(readThf(text))).message;
  const metadata = "metadata: { title: 1, author: b, created: soon, modified: never }\n";
  assert.match(await told(`version: 2\n${metadata}elements: 1\nlayers: 2\n`), /metadata\.created/);
  assert.match(await told(`version: 2\n${metadata.replace("soon", "2026-05-02")}elements: 1\n`), /metadata\.modified/);
  assert.match(await told(HEAD.replace('"1.0"', "2") + "elements: 1\nthreats: 1\nlayers: 2\n"), /: elements: /);
  assert.match(await told(HEAD.replace('"1.0"', "2") + "layers: 2\n"), /: version: /);
});

const CLASSES = {
  "duplicate-element": "duplicate-id", "duplicate-group": "duplicate-id", "duplicate-layer": "duplicate-id", "duplicate-relationship": "duplicate-id",
  "group-named-as-element": "duplicate-id", "relationship-named-as-flow": "duplicate-id", "unknown-flow-target": "invalid-reference",
  "unknown-layer": "invalid-reference", "unknown-group": "invalid-reference", "unknown-parent": "invalid-reference",
  "unknown-relationship-end": "invalid-reference", "groups-in-a-circle": "circular-group-nesting",
};

test("a readable file with faulty content is read; the store tells, one class a file", async () => {
  assert.deepEqual(names("faulty").sort(), Object.keys(CLASSES).sort());
  for (const name of names("faulty")) {
    const document = await readThf(file("faulty", name));
    const store = new DocumentStore("threat-model", document);
    const issues = store.issues();
    assert.ok(issues.length > 0 && issues.every((line) => line.startsWith(`${CLASSES[name]}: `)), `${name}: ${issues}`);
    store.free();
    assert.deepEqual(await readThf(await writeThf(document)), document, "and nothing of it is lost");
  }
});

test("an empty threat model is a file too", async () => {
  const document = emptyThreatModel({ title: "Kiosk", author: "Mira: Holm", today: "2026-05-02" });
  assert.deepEqual(document.metadata, { title: "Kiosk", author: "Mira: Holm", created: "2026-05-02", modified: "2026-05-02", description: "" });
  assert.deepEqual(document.diagrams, [{ id: "main-dfd", name: "Level 0 DFD" }]);
  assert.deepEqual(await readThf(await writeThf(document)), document);
  assert.throws(() => emptyThreatModel({ title: "Kiosk", author: "Mira", today: "2026-02-30" }), (error) => error.code === "unreadable_document" && /metadata\.created/.test(error.message));
});

test("what is no text, and what is no document, is refused by name", async () => {
  for (const value of [undefined, null, 7, new Uint8Array(3)]) assert.equal((await refused(readThf(value))).code, "invalid_value");
  for (const [value, code] of [[null, "unreadable_document"], [[], "unreadable_document"], [{}, "unreadable_document"], [{ a: () => 1 }, "invalid_value"], [undefined, "invalid_value"]]) {
    assert.equal((await refused(writeThf(value))).code, code, String(value));
  }
});

test("the YAML library is loaded when a file needs it, never before", () => {
  // a program of its own: here the other tests have loaded it
  const program = `
    import { createRequire } from "node:module";
    const { cache } = createRequire(import.meta.url + "/x.js");
    const isLoaded = () => Object.keys(cache).some((path) => /node_modules.yaml.dist/.test(path));
    const { init, emptyThreatModel, readThf, writeThf } = await import("countersign/threat-model");
    await init();
    const document = emptyThreatModel({ title: "a", author: "b", today: "2026-05-02" });
    const loaded = [isLoaded()];
    const text = await writeThf(document);
    await readThf(text);
    loaded.push(isLoaded());
    await readThf("--- # beyond the plain part\\n" + text);
    loaded.push(isLoaded());
    console.log(JSON.stringify(loaded));
  `;
  const told = execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: new URL("..", import.meta.url), encoding: "utf8" });
  assert.deepEqual(JSON.parse(told), [false, false, true]);
});

test("what a page loads at once names neither the YAML library nor the reader of files", () => {
  const dist = new URL("./", import.meta.resolve("countersign/threat-model"));
  const eager = new Set();
  const follow = (name) => {
    if (eager.has(name)) return;
    eager.add(name);
    for (const [, to] of readFileSync(new URL(name, dist), "utf8").matchAll(/^(?:import|\} from) ?["']\.\/([^"']+)["'];/gm)) follow(to);
  };
  for (const name of ["index.js", "threat-model.js", "testing.js"]) follow(name);
  assert.ok(eager.size > 3, [...eager].join());
  for (const name of eager) assert.doesNotMatch(readFileSync(new URL(name, dist), "utf8"), /["']yaml["']|PlainReader/, name);
});
