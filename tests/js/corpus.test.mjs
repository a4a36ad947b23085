// The corpus, through the package: the same lines as in Rust, with equal outcomes.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { before, test } from "node:test";
import { budgetMessages, buildRequest, init, pairingViolations, repairHistory, StreamDecoder } from "countersign";

const folder = new URL("../corpus/", import.meta.url);
const cases = (name) => readFileSync(new URL(name, folder), "utf8").split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
const label = ({ rule, id, name }) => [rule, id, name].flat().filter(Boolean).join(" ");

before(() => init());

/** Whether `actual` is what a case expects; `{ "$contains": "…" }` stands for a text that holds it. */
function matches(expected, actual) {
  if (typeof expected !== "object" || expected === null) return Object.is(expected, actual) || (expected === 0 && actual === 0);
  if ("$contains" in expected) return typeof actual === "string" && actual.includes(expected.$contains);
  if (typeof actual !== "object" || actual === null || Array.isArray(expected) !== Array.isArray(actual)) return false;
  const keys = Object.keys(expected);
  return keys.length === Object.keys(actual).length && keys.every((key) => Object.hasOwn(actual, key) && matches(expected[key], actual[key]));
}

function same(actual, expected, what) {
  assert.ok(matches(expected, actual), `${what}\n  expected ${JSON.stringify(expected)}\n  got      ${JSON.stringify(actual)}`);
}

function joined(events) {
  const list = [];
  for (const event of events) {
    const last = list.at(-1);
    if ((event.type === "text_delta" || event.type === "reasoning_delta") && last?.type === event.type) last.text += event.text;
    else list.push({ ...event });
  }
  return list;
}

function decode({ format, limits }, chunks) {
  const decoder = new StreamDecoder(format, limits);
  const events = chunks.flatMap((chunk) => decoder.push(chunk));
  events.push(...decoder.end());
  assert.deepEqual([...decoder.push(new TextEncoder().encode("data: {}\n\n")), ...decoder.end()], [], "nothing leaves after the end");
  decoder.free();
  return joined(events);
}

const bytesOf = ({ chunks, base64 }) => (chunks !== undefined ? chunks.map((text) => new TextEncoder().encode(text)) : [base64].flat().map((text) => new Uint8Array(Buffer.from(text, "base64"))));

for (const file of readdirSync(folder).filter((name) => name.endsWith("-sse.jsonl"))) {
  for (const each of cases(file)) {
    test(`${label(each)} (${file}, every cut)`, () => {
      const chunks = bytesOf(each);
      const whole = new Uint8Array(Buffer.concat(chunks));
      const wanted = joined(each.events);
      same(decode(each, chunks), wanted, "as its chunks");
      same(decode(each, [whole]), wanted, "whole");
      same(decode(each, Array.from(whole, (_, at) => whole.subarray(at, at + 1))), wanted, "one byte at a time");
      // every offset of short streams, a spread of long ones: native tests take them all
      const step = Math.max(1, Math.floor(whole.length / 400));
      for (let at = 0; at <= whole.length; at += step) same(decode(each, [whole.subarray(0, at), whole.subarray(at)]), wanted, `cut at ${at}`);
    });
  }
}

for (const each of readdirSync(folder).filter((name) => /^history.*\.jsonl$/.test(name)).flatMap(cases)) {
  test(`${label(each)} (history, ${each.kind})`, () => {
    const given = structuredClone(each.request ?? each.messages);
    switch (each.kind) {
      case "build": {
        const build = () => buildRequest(each.format, each.request);
        if (each.fault !== undefined) {
          assert.throws(build, (error) => error.code === each.fault.code && (each.fault.path === undefined || error.path === each.fault.path));
          break;
        }
        const { path, body } = build();
        assert.equal(JSON.stringify(build()), JSON.stringify({ path, body }));
        if (each.path !== undefined) assert.equal(path, each.path);
        for (const [key, expected] of Object.entries(each.body)) same(body[key] ?? null, expected, key);
        break;
      }
      case "pairing":
        same(pairingViolations(each.messages), each.violations, "violations");
        break;
      case "repair": {
        const { messages, repairs } = repairHistory(each.messages);
        same(messages, each.expected, "messages");
        same(repairs, each.repairs, "repairs");
        assert.deepEqual(pairingViolations(messages), []);
        assert.deepEqual(repairHistory(messages), { messages, repairs: [] });
        break;
      }
      case "budget": {
        const kept = budgetMessages(each.messages, each.window);
        if (each.error !== undefined) assert.equal(kept.ok === false && kept.error.code, each.error);
        else {
          assert.equal(kept.dropped, each.dropped);
          assert.deepEqual(kept.messages, each.messages.slice(each.dropped));
        }
        break;
      }
      default:
        assert.fail(`unknown kind ${each.kind}`);
    }
    assert.deepEqual(each.request ?? each.messages, given, "what was given is as it was");
  });
}
