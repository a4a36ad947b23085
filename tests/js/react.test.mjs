// `countersign/react` in a real browser, under StrictMode, and on a server without the core.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { useCall, useCalls, useCreateSession, useSession } from "countersign/react";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { EXAMPLE, STALE, bare, examples, scenarios } from "./ui/page.mjs";

const guide = examples("react");
const run = scenarios("react-page.jsx", { plugins: [guide.plugin] });

test("A1 a click approves the record that its card was drawn from", async () => {
  const { decisions, outcome, left, titles } = await run("approvesTheRecordThatWasDrawn");
  assert.deepEqual(decisions, [{ ok: true }, { ok: true }]);
  assert.equal(outcome, "completed");
  assert.equal(left, "");
  assert.deepEqual(titles, ["Test", "A"]);
});

test("A1 what changed in the handler that approves is not approved: nothing has been drawn since", async () => {
  const { decisions } = await run("anEditInTheSameHandler");
  assert.deepEqual(bare(decisions[0]), STALE);
  assert.deepEqual(bare(decisions[1]), STALE);
  assert.deepEqual(decisions[2].approved, []);
  assert.deepEqual(decisions[3].approved, []);
  assert.deepEqual(decisions[4], { ok: true });
});

test("A1 a card that is drawn late does not approve the newer one, though another component has the whole view", async () => {
  const { revisions, early, late } = await run("aCardThatIsShownLate");
  assert.notEqual(revisions[0], revisions[1], "the header is ahead of the card");
  assert.deepEqual(early.map(bare), [STALE]);
  assert.deepEqual(late, { ok: true });
});

test("A1 a render that is thrown away shows nothing", async () => {
  const { rendered, drawn, byId, all, record } = await run("rendersThatAreThrownAway");
  assert.equal(rendered, true);
  assert.equal(drawn, "show");
  assert.deepEqual(bare(byId), STALE);
  assert.match(byId.detail, /approve\(call\)/);
  assert.deepEqual(all.approved, []);
  assert.deepEqual(bare(record), STALE, "the record is of the document before the edit");
});

test("A1 what a hook delivered and React put on screen is what an id means, and no other call or record", async () => {
  const { decisions } = await run("approvesById");
  const [taken, refused] = [{ ok: true }, STALE];
  const expected = {
    "the whole view": [taken, 1], "a list that was selected": [taken, 1], "all calls": [taken, 1], "one call": [taken, 0],
    "a number": [refused, 0], "another call": [refused, 1], "what was before": [refused, 0],
  };
  assert.deepEqual(Object.keys(decisions), Object.keys(expected));
  for (const [way, [before, early, drawn, rest]] of Object.entries(decisions)) {
    assert.deepEqual([before, early].map(bare), [STALE, STALE], `${way}: nothing, or nothing new, was on screen yet`);
    assert.deepEqual([bare(drawn), rest], expected[way], way);
  }
});

test("a component is shown a session that has no more than a view", async () => {
  assert.deepEqual(await run("aSessionThatHasNoMoreThanAView"), { drawn: "executing 1" });
});

test("components that render in slices while the session goes on never show two moments at once", async () => {
  const { torn, changedMeanwhile, drawn, revision, count } = await run("noTearing");
  assert.deepEqual(torn, []);
  assert.equal(changedMeanwhile, true, "the document changed while the transition was rendering");
  assert.deepEqual([drawn, count], [[revision], 40]);
});

test("a component subscribes once, and whatever StrictMode mounts twice is ended once more", async () => {
  assert.deepEqual(await run("listenersComeAndGo"), { open: 4, again: 0, fewer: 3, left: 0 });
});

test("another session, or none, is shown at once and the one before it is left", async () => {
  const { seen, open } = await run("anotherSession");
  assert.deepEqual(seen, ["0 ", "1 Add One", "1 Add Two", "1 Add Two", "2 Add Two", "0 "]);
  assert.deepEqual(open, [0, 0]);
});

test("a session that is disposed of while it is shown stays readable", async () => {
  const { before: first, after: then, again } = await run("disposedWhileMounted");
  assert.equal(first, "awaiting_approval Add A");
  assert.equal(then, "settled Add A");
  assert.equal(again, then);
});

test("useCreateSession makes one session where StrictMode mounts twice, and leaks none that comes late", async () => {
  const { log, drawn, made } = await run("creation");
  assert.deepEqual(log, ["made a", "disposed a", "made b", "disposed b", "made slow", "made bad", "disposed slow", "made c", "disposed c"]);
  assert.deepEqual(drawn, ["a:pending", "a:a", "b:pending", "b:b", "slow:pending", "bad:pending", "bad:no key", "c:pending", "c:c"]);
  assert.equal(made, 5);
});

test("useCreateSession disposes of a real session when its component goes", async () => {
  assert.deepEqual(await run("creationOfASession"), { first: "true idle", second: "false idle", freed: ["use_after_free"] });
});

test("a page that was rendered on a server takes over without a mismatch", async () => {
  assert.deepEqual(await run("hydrates"), { drawn: "awaiting_approval", errors: [] });
});

for (const apart of [true, false]) {
  test(`a delta renders the one text it belongs to, ${apart ? "each in a task of its own" : "all in one task"}`, async (t) => {
    const { mounted, earlier, cards, counts, ms, end } = await run("renders", 1000, apart);
    assert.deepEqual([earlier, cards, end], [50, 20, true]);
    assert.deepEqual(mounted, { status: 1, messages: 1, message: 50, cards: 1, card: 20 });
    t.diagnostic(`${JSON.stringify(counts)} in ${ms.toFixed(0)} ms`);
    assert.equal(counts.card, undefined);
    assert.equal(counts.cards, undefined);
    assert.ok(counts["the answer"] <= 1000, "once for each delta at most");
    // the question, and the answer while it is empty
    assert.ok(counts.message <= 3, `${counts.message} renders of other messages`);
    assert.ok(counts.messages <= 3 && counts.status <= 3);
  });
}

test("A1 the guide's example does what it says, also for a click that comes too late", async () => {
  assert.deepEqual(guide.names, ["Assistant.tsx"]);
  const { refused, ...answer } = await run("theGuidesExample");
  assert.deepEqual(answer, EXAMPLE);
  assert.match(refused, /tools\[0\]/);
});

test("a server renders the view of nothing, and the hooks need no core", () => {
  const session = { peek: () => assert.fail("a server shows no session"), subscribe: () => assert.fail("a server subscribes to nothing") };
  function App() {
    const { session: made, pending } = useCreateSession(() => assert.fail("a server makes no session"), []);
    const view = useSession(session);
    return createElement("p", null, [view.phase, useCalls(session, "pending").length, useCall(session, "x") === undefined, made === undefined, pending].join(" "));
  }
  assert.equal(renderToString(createElement(App)), "<p>idle 0 true true true</p>");
  const script = "delete globalThis.WebAssembly; delete globalThis.fetch; const hooks = await import('countersign/react'); console.log(Object.keys(hooks).sort().join());";
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: fileURLToPath(new URL(".", import.meta.url)), encoding: "utf8" });
  assert.equal(printed.trim(), "useCall,useCalls,useCreateSession,useSession");
});
