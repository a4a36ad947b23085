// The rows of a card: what only stands elsewhere, and values that are too long to stand there as a whole.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { createSession, DocumentStore, entityTools, init } from "countersign";
import { scripted } from "countersign/testing";

import { asked, card, closeAll, open, picture, textOf } from "./page.mjs";

after(closeAll);

const MOVED = `[{ kind: "changed", section: "steps", id: "s", title: "Pack", after: "Pick (at night)" }, { kind: "changed", section: "steps", id: "t", title: "Ship" }]`;
const WHOLE = "Show all of it";
const rowsOf = async (one) => (await one.locator(".row-text").allInnerTexts()).map((row) => row.replace(/\s+/g, " "));

test("what only stands elsewhere is told by what it stands behind, its names marked, in words a host can give", async (t) => {
  const page = await open(t);
  const one = await card(page, `{ id: "a", preview: preview("Move Pack behind Pick (at night)", ${MOVED}) }`);
  assert.deepEqual(await rowsOf(one), ["Pack: moved behind Pick (at night)", "Ship: moved to the front"]);
  assert.deepEqual(await one.locator(".row-text bdi.name").allInnerTexts(), ["Pack", "Pick (at night)", "Ship"]);
  assert.deepEqual(await one.locator("[part~=title] .name").allInnerTexts(), ["Pack", "Pick (at night)"]);
  await card(page, `{ id: "a", preview: preview("Move Pack", ${MOVED}), stale: { because: "document", lines: ${MOVED} } }`);
  assert.match(await textOf(one, "[part~=note-stale]"), /Changed meanwhile: Pack: moved behind Pick \(at night\) and 1 more\./);
  await picture(page, "card-moved", one);
  const german = await open(t, { words: { line: { movedBehind: "{other} vor {title}", movedFirst: "{title} nach vorn" } } });
  assert.deepEqual(await rowsOf(await card(german, `{ id: "a", preview: preview("Move Pack", ${MOVED}) }`)), ["Pick (at night) vor Pack", "Ship nach vorn"]);
});

test("that nothing changes is said where there is no line, no hidden one, and nothing that only the patch tells", async (t) => {
  const page = await open(t);
  const says = async (lines, given) => /This changes nothing/.test(await textOf(await card(page, `{ id: "a", preview: preview("Do it", ${lines}, ${given}) }`)));
  assert.equal(await says("[]", "{ patch: [] }"), true);
  assert.equal(await says(MOVED, "{ patch: [] }"), false);
  assert.equal(await says("[]", "{ patch: [], hiddenLines: 3 }"), false);
  assert.equal(await says("[]", "{}"), false, "a conversation without a document has no lines");
});

test("e4 a value of which head and tail are shown stands there as a whole on demand, as text", async (t) => {
  const page = await open(t);
  const long = `<b>${"one \u202E two\n".repeat(300)}</b>`;
  const given = await previewed({ steps: [{ id: "s", title: "Pack", hint: "x" }] }, { kind: "steps", id: "s", set: { hint: long, tags: [long] } });
  const short = given.lines.map(({ after }) => after);
  assert.deepEqual(short.map((value) => /… \d,\d{3} more …/.test(value)), [true, true]);
  const one = await card(page, { id: "a", preview: given });
  const shown = async (at) => (await one.locator("[part~=after]").allTextContents())[at];
  const more = one.getByRole("button", { name: WHOLE });
  assert.deepEqual([await shown(0), await more.count()], [short[0], 2]);
  await more.first().click();
  assert.equal(await shown(0), `<b>${"one \\u{202E} two\\n".repeat(300)}</b>`);
  await more.click();
  assert.equal(await shown(1), JSON.stringify([long]).replaceAll("\u202E", "\\u{202E}"));
  assert.equal(await one.locator("[part~=after] b").count(), 0, "text stays text");
  await one.getByRole("button", { name: "Show less" }).first().click();
  assert.equal(await shown(0), short[0]);
  assert.deepEqual(await asked(page), []);
});

test("e4 no whole value is offered where several read the same, or none does", async (t) => {
  const page = await open(t);
  const [head, tail] = ["h".repeat(132), "t".repeat(44)];
  const set = (path, between) => ({ op: "replace", path, value: head + between.padStart(33, "-") + tail });
  const offered = async (patch, hidden = 33) => {
    const line = { kind: "changed", section: "steps", id: "s", title: "Pack", field: "hint", before: "x", after: `${head}… ${hidden} more …${tail}` };
    return (await card(page, { id: "a", preview: { title: "Change it", lines: [line], counts: [], hiddenLines: 0, effectDigest: JSON.stringify(patch), patch } })).getByRole("button", { name: WHOLE }).count();
  };
  assert.equal(await offered([set("/steps/0/hint", "yes")]), 1);
  assert.equal(await offered([{ op: "replace", path: "/steps/0", value: { id: "s", hint: set("", "yes").value } }]), 1, "inside a whole entity too");
  assert.equal(await offered([set("/steps/0/hint", "yes"), set("/steps/1/hint", "yes")]), 1, "both are the same");
  assert.equal(await offered([set("/steps/0/hint", "yes"), set("/steps/1/hint", "no")]), 0, "either may be meant");
  assert.equal(await offered([set("/steps/0/hint", "yes")], 34), 0, "another length");
  assert.equal(await offered([set("/steps/0/note", "yes")]), 0, "another field");
  assert.equal(await offered([]), 0, "a change that is too large is not handed out");
});

/** What the core says of an update of this document. */
async function previewed(initial, input) {
  await init();
  const definition = { kind: "line", sections: [{ name: "steps", path: "/steps", titleKey: "title" }] };
  const provider = scripted([{ calls: [{ name: "update_entity", input }] }, { text: "ok" }]);
  const session = await createSession({ provider, tools: entityTools(definition), document: new DocumentStore(definition, initial) });
  const sent = session.send("go");
  while (session.view.phase !== "awaiting_approval") await new Promise((done) => setTimeout(done, 5));
  const [{ preview }] = session.view.pending;
  session.cancel();
  await sent;
  session.dispose();
  return preview;
}
