// The same bytes through our decoder and through the provider's own SDK: text, calls, stop reason, usage and opaque
// state must agree. Once for the streams of the corpus, once for answers made by chance and written as the provider does.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { before, test } from "node:test";
import { init } from "countersign";
import { EXCLUDED } from "./excluded.mjs";
import { difference, ours, theirs } from "./sides.mjs";
import { answerBy, chance, cutBy, FORMATS, streamOf } from "./streams.mjs";

const ANSWERS = 320;

const folder = new URL("../corpus/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith("-sse.jsonl"));
const casesOf = (file) => readFileSync(new URL(file, folder), "utf8").split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
const bytesOf = ({ chunks, base64 }) => (chunks !== undefined ? chunks.map((text) => new TextEncoder().encode(text)) : [base64].flat().map((text) => new Uint8Array(Buffer.from(text, "base64"))));
const nameOf = ({ format, name }) => `${format}: ${name}`;
const listed = EXCLUDED.flatMap(({ why, streams }) => Object.entries(streams).flatMap(([format, names]) => names.map((name) => [nameOf({ format, name }), why])));
const reasonOf = new Map(listed);
const compare = async (format, chunks, limits) => difference(ours(format, chunks, limits), await theirs(format, chunks));

before(async () => {
  await init();
  // the SDKs print the frames that they cannot read
  console.error = () => {};
});

test("what is excluded is in the corpus, once", () => {
  const known = files.flatMap((file) => casesOf(file).map(nameOf));
  const names = listed.map(([name]) => name);
  assert.equal(new Set(known).size, known.length, "a name is one stream's");
  assert.deepEqual(names.filter((name) => !known.includes(name)), [], "names that no stream has");
  assert.equal(reasonOf.size, names.length, "names that are listed twice");
});

for (const file of files) {
  test(`every stream of ${file} that the API could send is the same to its SDK`, async (t) => {
    const wrong = [];
    let agreed = 0;
    for (const each of casesOf(file)) {
      const found = await compare(each.format, bytesOf(each), each.limits);
      const why = reasonOf.get(nameOf(each));
      if (found === undefined) agreed += 1;
      if (found !== undefined && why === undefined) wrong.push(`${each.id} ${each.name}: ${found}`);
      if (found === undefined && why !== undefined) wrong.push(`${each.id} ${each.name} agrees, though it is excluded: ${why}`);
    }
    t.diagnostic(`${agreed} of ${casesOf(file).length} agree`);
    assert.equal(wrong.length, 0, wrong.join("\n"));
    assert.ok(agreed >= 10);
  });
}

for (const format of FORMATS) {
  test(`${ANSWERS} answers made by chance are the same to the SDK of ${format}`, async () => {
    for (let seed = 0; seed < ANSWERS; seed += 1) {
      const dice = chance(seed);
      const answer = answerBy(dice);
      const chunks = cutBy(dice, streamOf(format, answer, dice));
      const our = ours(format, chunks);
      assert.equal(difference(our, await theirs(format, chunks)), undefined, `seed ${seed}`);
      assert.equal(our.notices, 0, `seed ${seed}: nothing of a true stream is unreadable`);
      // neither may be wrong together with the other
      const said = (kind) => answer.parts.filter((part) => part.kind === kind);
      assert.equal(our.text, said("text").map(({ text }) => text).join(""), `seed ${seed}`);
      assert.deepEqual(our.calls.map(({ name, input }) => ({ name, input })), said("call").map(({ name, input }) => ({ name, input })), `seed ${seed}`);
    }
  });
}

test("a difference is seen", async () => {
  const dice = chance(3);
  const answer = { parts: [{ kind: "text", text: "ab" }, { kind: "call", id: "i", name: "find", input: { q: 1 }, sealed: "s" }], end: "calls", model: "m", input: 5, output: 7, cached: 2, thought: 1 };
  const chunks = [streamOf("anthropic", answer, dice)];
  const our = ours("anthropic", chunks);
  const their = await theirs("anthropic", chunks);
  assert.equal(difference(our, their), undefined);
  for (const wrong of [{ text: "a" }, { calls: [] }, { calls: [{ ...our.calls[0], id: "j" }] }, { calls: [{ ...our.calls[0], input: { q: 2 } }] }, { stop: "end_turn" }, { usage: { ...our.usage, outputTokens: 8 } }, { state: [{}] }, { failed: { code: "x" } }]) {
    assert.notEqual(difference({ ...our, ...wrong }, their), undefined, JSON.stringify(wrong));
  }
});
