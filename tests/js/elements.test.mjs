// The elements without a page: they can be imported anywhere, their words are one replaceable table, and their escapes are the core's.
import assert from "node:assert/strict";
import { test } from "node:test";

import { defineElements, elementWords, statusOf, visible, withWords } from "countersign/elements";
import { init, ToolRegistry } from "countersign";

await init();

test("importing and defining the elements where there is no page does nothing and throws nothing", () => {
  assert.equal(globalThis.HTMLElement, undefined);
  defineElements();
  defineElements({ words: { card: { approve: "Ja" } } });
});

test("e4 the elements escape exactly what the core escapes, to the same text", () => {
  const registry = new ToolRegistry([{ name: "say", description: "Says it.", summary: "{text}", inputSchema: { type: "object", required: ["text"], properties: { text: { type: "string" } } } }]);
  const told = (text) => {
    const prepared = registry.prepare("say", { text });
    assert.ok(prepared.ok, prepared.issues?.join());
    return prepared.call.summary;
  };
  const quoted = told("x");
  const [before, after] = quoted.split("x");
  const points = [];
  for (let point = 0; point <= 0x10ffff; point += 1) {
    // all of the planes where there is something, and some of each of the others
    if ((point < 0x3400 || (point >= 0xa000 && point < 0x14000) || (point >= 0x1b000 && point < 0x1f800) || (point >= 0xe0000 && point < 0xe1200) || point % 997 === 0) && !(point >= 0xd800 && point <= 0xdfff)) points.push(point);
  }
  // quotes and backslashes are the summary's own
  const asked = points.filter((point) => point !== 0x22 && point !== 0x5c && point !== 0x60);
  let compared = 0;
  for (let at = 0; at < asked.length; at += 6) {
    const text = `a${String.fromCodePoint(...asked.slice(at, at + 6))}z`;
    assert.equal(visible(text), told(text).slice(before.length, told(text).length - after.length), JSON.stringify(text));
    compared += 1;
  }
  assert.ok(compared > 5000);
  assert.equal(visible("a\ud800b"), "a\\u{D800}b", "half a pair, which only a script can hold");
  assert.equal(visible("a\u202eb\n\u{e0041}"), "a\\u{202E}b\\n\\u{E0041}");
});

test("words are replaced one by one, in any depth, and the table itself stays", () => {
  const words = withWords({ card: { approve: "Annehmen" }, sections: { flows: ["Fluss", "Flüsse"] }, errors: { overloaded: "Später." }, group: { waiting: ["eine", "{n}"] } });
  assert.equal(words.card.approve, "Annehmen");
  assert.equal(words.card.deny, elementWords.card.deny);
  assert.deepEqual(words.sections.flows, ["Fluss", "Flüsse"]);
  assert.equal(words.errors.overloaded, "Später.");
  assert.equal(words.errors.transport, elementWords.errors.transport);
  assert.deepEqual(words.group.waiting, ["eine", "{n}"]);
  assert.equal(elementWords.card.approve, "Approve");
  assert.equal(withWords(undefined), elementWords);
  assert.equal(withWords(JSON.parse('{"__proto__": {"polluted": true}}')).polluted === true || {}.polluted === true, false);
});

test("no word is jargon, shouts, or is empty", () => {
  const words = [];
  const collect = (value) => (typeof value === "string" ? words.push(value) : Object.values(value).forEach(collect));
  collect(elementWords);
  assert.ok(words.length > 150);
  for (const word of words) {
    assert.notEqual(word.trim(), "");
    assert.doesNotMatch(word, /grant|digest|iteration|payload|schema|!|\bAI\b/i, word);
  }
});

test("the status word follows the phase", () => {
  const status = (phase, outcome = null) => statusOf({ phase, outcome });
  assert.deepEqual(["idle", "requesting", "streaming", "awaiting_approval", "executing"].map((phase) => status(phase)), ["ready", "thinking", "writing", "waiting", "applying"]);
  assert.equal(status("settled", "completed"), "ready");
  assert.equal(status("settled", "cancelled"), "stopped");
});
