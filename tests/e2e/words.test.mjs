// What the threat model's cards say, alone: lines and reasons in words, without a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const source = fileURLToPath(new URL("../../www/threat-model/src/assistant/words.ts", import.meta.url));
const { outputFiles: [{ text }] } = await build({ entryPoints: [source], bundle: true, format: "esm", platform: "node", write: false });
const { lines, problem } = await import(`data:text/javascript,${encodeURIComponent(text)}`);

test("what only stands elsewhere is told by what it stands behind, its names marked, also where the heading names it", () => {
  const moved = (title, after) => ({ kind: "changed", section: "elements", id: title, title, ...(after === undefined ? {} : { after }) });
  assert.deepEqual(lines([moved("Web app", "Orders"), moved("Till")], "Move Web app"), [
    { kind: "changed", parts: [{ name: "Web app" }, ": moved behind ", { name: "Orders" }] },
    { kind: "changed", parts: [{ name: "Till" }, ": moved to the front"] },
  ]);
});

test("why a waiting card would not work is said without what is for the model", () => {
  const told = (error) => problem({ toolName: "update_element" }, { error });
  assert.equal(told("`update_element`: id: `x` is not in `elements` now; the ids are `a`, `b`"), "there is no element x now");
  assert.equal(told("the proposed document is not valid, so nothing was changed:\nrule: document: too many cards\nand 4 more"), "too many cards");
  assert.equal(told(undefined), undefined);
});
