// Files made to hurt: each is read or refused at a size where a cost with its square, or worse, would never end.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { emptyThreatModel, init, readThf, writeThf } from "countersign/threat-model";

before(() => init());

const MIB = 1024 * 1024;
const HEAD = 'version: "1.0"\nmetadata: { title: a, author: b, created: 2026-05-02, modified: 2026-05-02 }\n';
const fill = (part, size = 8 * MIB - 200) => part.repeat(Math.floor(size / part.length));
const entries = (count) => Array.from({ length: count }, (_, at) => `  - id: element-${at}\n    type: web_server\n    name: Element number ${at}\n    description: ""\n    technologies:\n      - rust\n`).join("");

const outcomeOf = (text) => readThf(text).then((read) => ({ read }), ({ code, message }) => ({ code, message }));

const TEXTS = {
  "50 000 entries are read": [HEAD + "elements:\n" + entries(50_000), "read"],
  "50 001 entries are not": [HEAD + "elements:\n" + entries(50_001), "file_too_large", /50000 members/],
  "50 001 entries in two sections are not": [HEAD + "elements:\n" + entries(50_000) + "layers:\n  - { id: l, name: L }\n", "file_too_large", /at most 50000 entries, got 50001/],
  "8 MiB on one line are read": [HEAD + "x: " + fill("x"), "read"],
  "8 MiB of words on one line are read": [HEAD + "x: " + fill("x "), "read"],
  "8 MiB of escapes are read": [HEAD + `x: "${fill("\\n")}"`, "read"],
  "8 MiB of a folded text are read": [HEAD + "x: >\n" + fill("  x\n"), "read"],
  "8 MiB of comments are read": [HEAD + fill("#\n"), "read"],
  "8 MiB of empty lines are read": [HEAD + fill("\n"), "read"],
  "8 MiB and a byte are not": [`${HEAD}#${"x".repeat(8 * MIB - HEAD.length)}`, "file_too_large", /8388608 bytes/],
  "bytes are counted, not units": [`${HEAD}x: ${"é".repeat(4 * MIB)}`, "file_too_large", /8388608 bytes/],
  "20 000 open lists": ["[".repeat(20_000), "file_too_large", /line 1: .*64 levels/],
  "20 000 open mappings": ['{"a":'.repeat(20_000), "file_too_large", /64 levels/],
  "20 000 dashes": [fill("- ", 40_000), "file_too_large", /64 levels/],
  "20 000 question marks": [fill("? ", 40_000), "file_too_large", /64 levels/],
  "4 000 steps to the right": [Array.from({ length: 4000 }, (_, at) => `${" ".repeat(at)}a:\n`).join(""), "file_too_large", /line 65: .*64 levels/],
  "8 MiB of open lists": [fill("["), "file_too_large", /64 levels/],
  "8 MiB of closed ones": [fill("]"), "unreadable_file"],
  "8 MiB of items": [`${HEAD}x: [${fill("1,")}]`, "file_too_large", /50000 members/],
  "8 MiB of commas": [`[${fill(",")}]`, "file_too_large"],
  "400 KB of commas": [`[${fill(",", 390_000)}]`, "unreadable_file"],
  "8 MiB of anchors": [`a: ${fill("&a ")}1`, "file_too_large"],
  "500 KB of anchors": [`a: ${fill("&a ", 500_000)}1`, "unreadable_file"],
  "8 MiB of tags": [`a: ${fill("!a ")}1`, "file_too_large"],
  "8 MiB of documents": [fill("--- a\n"), "unreadable_file", /line 2: .*several documents/],
  "8 MiB of ends of documents": [fill("...\n"), "unreadable_file"],
  "8 MiB of directives": [fill("%a b\n"), "file_too_large"],
  "8 MiB of keys": [Array.from({ length: 600_000 }, (_, at) => `k${at}: 1\n`).join(""), "file_too_large", /50000 members/],
  "8 MiB of an open quote": [`${HEAD}x: "${fill("x")}`, "unreadable_file"],
  "8 MiB of quotes": [`${HEAD}x: ${fill("'")}`, "read"],
  "8 MiB of tabs": [`a:\n${fill("\t")}`, "unreadable_file", /tab/],
  "8 MiB of colons": [fill(":"), "unreadable_file"],
};

for (const [name, [text, expected, words]] of Object.entries(TEXTS)) {
  test(`L8 ${name}`, async () => {
    const outcome = await outcomeOf(text);
    assert.equal(outcome.read === undefined ? outcome.code : "read", expected, outcome.message);
    if (words !== undefined) assert.match(outcome.message, words);
  });
}

const bomb = (levels, width, leaf = "[x, x, x, x, x, x, x, x, x, x]") => {
  const lines = Array.from({ length: levels }, (_, at) => `x${at}: &a${at} ${at === 0 ? leaf : `[${Array(width).fill(`*a${at - 1}`).join(", ")}]`}\n`);
  return HEAD + lines.join("");
};

test("L8 aliases stand for what they name, up to a bound", async () => {
  const { read } = await outcomeOf(bomb(4, 10));
  assert.equal(read.x3.flat(9).length, 10_000);
  assert.equal((await outcomeOf(bomb(10, 10))).code, "file_too_large");
  assert.equal((await outcomeOf(bomb(60, 9))).code, "file_too_large");
  assert.equal((await outcomeOf(bomb(40, 2))).code, "file_too_large");
  // wide where the leaves are long, deep where each level adds one
  assert.match((await outcomeOf(bomb(2, 1000, "x".repeat(100_000)))).message, /line \d+: .*8388608 characters/);
  assert.match((await outcomeOf(bomb(80, 1, "[x]"))).message, /64 levels/);
  assert.equal((await outcomeOf(`${HEAD}b: &b { ${Array.from({ length: 1000 }, (_, at) => `k${at}: 1`).join(", ")} }\nx:\n${"  - { <<: [*b, *b, *b] }\n".repeat(500)}`)).code, "file_too_large");
  assert.equal((await outcomeOf(`${HEAD}x: &x 1\ny:\n${"  - *x\n".repeat(40_000)}`)).read.y.length, 40_000);
});

test("64 levels are read and written, one more is neither", async () => {
  const nested = (levels) => Array.from({ length: levels }).reduce((inner) => [inner], "x");
  const model = emptyThreatModel({ title: "a", author: "b", today: "2026-05-02" });
  const deepest = { ...model, x: nested(63) };
  assert.deepEqual(await readThf(await writeThf(deepest)), deepest);
  assert.equal((await outcomeOf(`${HEAD}x: ${"[".repeat(63)}${"]".repeat(63)}`)).read.x.length, 1);
  assert.equal((await outcomeOf(`${HEAD}x: ${"[".repeat(64)}${"]".repeat(64)}`)).code, "file_too_large");
  assert.equal((await outcomeOf(`--- # by the library\n${HEAD}x: ${"[".repeat(63)}${"]".repeat(63)}`)).read.x.length, 1);
  assert.equal((await outcomeOf(`--- # by the library\n${HEAD}x: ${"[".repeat(64)}${"]".repeat(64)}`)).code, "file_too_large");
  await assert.rejects(writeThf({ ...model, x: nested(64) }), ({ code }) => code === "file_too_large");
});

test("what could not be read again is not written", async () => {
  const model = emptyThreatModel({ title: "a", author: "b", today: "2026-05-02" });
  for (const x of ["x".repeat(8 * MIB), "é".repeat(4 * MIB), Array.from({ length: 50_001 }, () => 1)]) {
    await assert.rejects(writeThf({ ...model, x }), ({ code }) => code === "file_too_large");
  }
  const elements = Array.from({ length: 50_000 }, (_, at) => ({ id: `e${at}`, type: "process", name: "A: hostile # name\nof two lines" }));
  const written = await writeThf({ ...model, diagrams: [], elements });
  assert.equal((await readThf(written)).elements.length, 50_000);
});
