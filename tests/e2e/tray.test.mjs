// The demo's tray alone: when a decision counts, by a clock that the test sets.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const source = fileURLToPath(new URL("../../www/threat-model/src/assistant/tray.ts", import.meta.url));
const { outputFiles: [{ text }] } = await build({ entryPoints: [source], bundle: true, format: "esm", platform: "node", write: false });
const { Tray } = await import(`data:text/javascript,${encodeURIComponent(text)}`);

const call = (id, given = {}) => ({ id, status: "pending", awaiting: "user", act: null, stale: null, inputDigest: id, preview: { effectDigest: id }, ...given });

function laid(t, ...ids) {
  let now = 0;
  const asked = [];
  const taken = (kind) => (about) => (asked.push([kind, Array.isArray(about) ? about.map(({ id }) => id) : (about.id ?? about)]), { ok: true });
  t.mock.method(performance, "now", () => now);
  const tray = new Tray(() => ({ approve: taken("approve"), approveAll: taken("approveAll"), deny: taken("deny") }));
  for (const id of ids) tray.drawn(call(id));
  return { tray, asked, at: (ms) => (now = ms) };
}

test("a1 cards are approved together once each has been there for a moment when the hand moved, also where as many have changed", (t) => {
  const { tray, asked, at } = laid(t, "a", "b");
  at(1000);
  tray.drawn(call("b", { preview: { effectDigest: "another" } }));
  // pressed before it changed, heard long after
  at(5000);
  tray.approveAll(["a", "b"], { at: 990 });
  tray.approveAll(["a", "b"], { at: 1200 });
  assert.deepEqual(asked, []);
  tray.approveAll(["a", "b"], { at: 1400 });
  assert.deepEqual(asked, [["approveAll", ["a", "b"]]]);
});

test("a1 a card that folds long after it was decided moves those below it then, not when it was decided", (t) => {
  const { tray, asked, at } = laid(t, "a", "b");
  at(1000);
  tray.approve("a", { at: 1000 });
  at(2000);
  tray.drawn(call("a", { status: "approved" }));
  at(2100);
  tray.approve("b", { at: 2100 });
  assert.deepEqual(asked, [["approve", "a"]]);
  at(2400);
  tray.approve("b", { at: 2400 });
  assert.deepEqual(asked, [["approve", "a"], ["approve", "b"]]);
});

test("a5 the second click on \"Approve all\" decides nothing that came under it", (t) => {
  const { tray, asked, at } = laid(t, "a", "b", "c");
  at(1000);
  tray.approveAll(["a", "b"], { at: 1000 });
  at(1150);
  tray.approve("c", { at: 1150 });
  assert.deepEqual(asked, [["approveAll", ["a", "b"]]]);
});
