// The turn corpus, through the package: every case must end where it ends natively, byte for byte.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { before, test } from "node:test";
import { canonicalJson, DocumentStore, entityTools, init, replay, ToolLoop, ToolRegistry } from "countersign";

const folder = new URL("../corpus/", import.meta.url);
const read = (name) => readFileSync(new URL(name, folder), "utf8");
const shared = JSON.parse(read("turn-tools.json"));
const agreed = new Map(read("turn-outcomes.txt").trim().split("\n").map((line) => line.split(" ")));

before(() => init());

const named = (kind, value) => (typeof value === "string" ? shared[kind][value] : value);
const declared = (tool) => (tool.entityTools === undefined ? [named("tools", tool)] : entityTools(named("definitions", tool.entityTools)));
const registry = (tools) => new ToolRegistry((tools ?? []).flatMap(declared));

/** Plays one case with its bytes cut into chunks of `size`. */
function play(each, size) {
  let tools = registry(each.tools);
  const laterTools = [];
  const storeOf = (document, options) => new DocumentStore(named("definitions", each.definition ?? "board"), document, options);
  const store = each.document === undefined ? undefined : storeOf(named("documents", each.document), each.store);
  const document = store === undefined ? {} : { document: store };
  let loop = new ToolLoop({ ...each.options, tools, ...document, recordInputs: true });
  const request = (id) => loop.pending().find((effect) => effect.type === "request" && (id === undefined || effect.id === id));

  const answer = ({ sse, to, more, open, nowMs }) => {
    const id = to ?? request().id;
    if (to === undefined && more === undefined) loop.request(id, "anthropic", { model: "m" });
    const bytes = new TextEncoder().encode(sse);
    for (let at = 0; at < Math.max(bytes.length, 1); at += size) {
      if (to === undefined && !request(id)) return;
      loop.feed(id, bytes.subarray(at, at + size), nowMs);
      if (to !== undefined) return;
    }
    if (open === undefined && request(id)) loop.endStream(id, nowMs);
  };

  for (const step of each.script) {
    if (step.dispatch !== undefined) loop.dispatch(step.dispatch, step.effect);
    else if (step.sse !== undefined) answer(step);
    else if (step.edit !== undefined) store.edit(step.edit, "an edit");
    else if (step.undo !== undefined) store.undo();
    else if (step.redo !== undefined) store.redo();
    else if (step.setTools !== undefined) {
      laterTools.push(tools);
      loop.setTools((tools = registry(step.setTools)));
    }
    else if (step.restore !== undefined) {
      const restored = ToolLoop.restore(loop.snapshot(), { ...step.restore, tools, ...document, recordInputs: true });
      loop.free();
      loop = restored;
    } else assert.ok(step.check !== undefined, `no step is named ${Object.keys(step)}`);
    // what the native laws ask after every step, so that both looked at the loop as often
    loop.state();
  }
  const end = canonicalJson({ document: store?.read() ?? null, state: loop.state() });
  const snapshot = loop.snapshot();
  const recording = loop.recording();
  const own = store === undefined ? {} : { document: storeOf(JSON.parse(recording).document) };
  const again = replay(recording, { tools, laterTools, ...own });
  const told = (one) => ({ state: one.state(), digest: one.stateDigest(), snapshot: one.snapshot(), recording: one.recording(), pending: one.pending() });
  const replayed = { is: told(again), was: told(loop), document: [own.document?.read(), store?.read()], history: [own.document?.history(), store?.history()] };
  again.free();
  loop.free();
  return { digest: createHash("sha256").update(end).digest("hex"), end, snapshot, replayed };
}

const files = readdirSync(folder).filter((name) => /^turn-.*\.jsonl$/.test(name));
const cases = files.flatMap((file) => read(file).trim().split("\n").map((line) => JSON.parse(line)));

test("T1 every case of the corpus has an agreed end, and every agreed end a case", () => {
  assert.deepEqual(cases.map(({ id }) => id).sort(), [...agreed.keys()].sort());
});

for (const each of cases) {
  test(`${[each.rule].flat().join(" ")} ${each.id} ${each.name} (through the package)`, () => {
    const { replayed, ...whole } = play(each, Number.MAX_SAFE_INTEGER);
    assert.deepEqual(replayed.is, replayed.was, "S4: what was recorded is rebuilt");
    for (const [is, was] of [replayed.document, replayed.history]) assert.deepEqual(is, was);
    assert.equal(whole.digest, agreed.get(each.id), `it ended in ${whole.end}`);
    // T15: bytes cut elsewhere end in the same state and the same snapshot
    const { replayed: inPieces, ...cut } = play(each, 7);
    assert.deepEqual(cut, whole);
    assert.deepEqual(inPieces.is, inPieces.was);
  });
}
