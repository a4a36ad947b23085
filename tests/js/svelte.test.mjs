// `countersign/svelte` with Svelte 5 in a real browser, with Svelte 4 through real bundlers, and on a server.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createSession, DocumentStore, init } from "countersign";
import { createSessionState, sessionStore } from "countersign/svelte";
import { scripted } from "countersign/testing";
import * as svelte5 from "svelte/compiler";
import { add, boardTools, definition, initial, until, waits } from "./board.mjs";
import { svelte } from "./ui/svelte-plugin.mjs";
import { EXAMPLE, STALE, bare, examples, scenarios } from "./ui/page.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const require = createRequire(import.meta.url);
const guide = examples("svelte");
const run = scenarios("svelte-page.js", { plugins: [svelte(svelte5, "client"), guide.plugin] });

for (const [component, how] of [["Approve", "state for runes"], ["Store", "a store"]]) {
  test(`A1 with ${how} a click approves the record that was drawn, by its id too, and nothing that changed since`, async () => {
    const { before: first, early, after: then, late, byId } = await run("approves", component);
    assert.equal(first, "awaiting_approval 1 Add AAdd B");
    assert.equal(then, "awaiting_approval 2 Add AAdd B");
    assert.deepEqual(early.map(bare), [STALE, STALE]);
    assert.deepEqual([late, byId], [{ ok: true }, { ok: true }]);
  });

  test(`${how} ends its listeners with the component`, async () => {
    const { open, again, left } = await run("listenersComeAndGo", component);
    assert.deepEqual([open, again, left], [component === "Approve" ? 3 : 2, 0, 0]);
  });
}

test("another session, or none, is shown at once; one that is disposed of stays readable", async () => {
  const { seen, open } = await run("anotherSession");
  assert.deepEqual(seen, ["0 idle", "1 awaiting_approval Add One", "1 awaiting_approval Add Two", "1 awaiting_approval Add Two", "2 awaiting_approval Add Two", "2 settled", "0 idle"]);
  assert.deepEqual(open, [0, 0]);
});

test("A1 what a subscriber was given is what an id means once it was drawn, and no other call or record", async (t) => {
  await init();
  const document = new DocumentStore(definition, initial());
  const session = await createSession({ provider: scripted([{ calls: [add("A"), add("B"), add("C")] }, { text: "ok" }]), tools: boardTools, document });
  t.after(() => session.dispose());
  const sent = session.send("go");
  const drawn = () => new Promise((resolve) => setTimeout(resolve, 5));
  while (!waits(session.peek())) await drawn();
  const [a, b, c] = session.peek().pending.map(({ id }) => id);
  const edit = () => document.edit([{ op: "replace", path: "/title", value: `edited ${document.revision}` }], "Edit");
  // read for a moment, or no record at all
  const state = createSessionState(session);
  assert.equal(state.pending.length, 3);
  const stops = [sessionStore(session, (view) => view.pending.length).subscribe(() => undefined), sessionStore(session, (view) => view.pending, () => true).subscribe(() => undefined)];
  edit();
  await drawn();
  for (const id of [a, b, c]) assert.equal(session.approve(id).reason, "stale_effect");
  assert.deepEqual(session.approveAll().approved, []);
  // one record, then what followed it
  stops.push(sessionStore(session, (view) => view.calls.find(({ id }) => id === a)).subscribe(() => undefined));
  assert.equal(session.approve(a).reason, "stale_effect", "nothing is drawn yet");
  await drawn();
  edit();
  assert.equal(session.approve(a).reason, "stale_effect", "what changed is not drawn yet");
  await drawn();
  assert.equal(session.approve(b).reason, "stale_effect");
  assert.deepEqual(session.approve(a), { ok: true });
  // the whole view
  let view;
  stops.push(sessionStore(session).subscribe((given) => (view = given)));
  await drawn();
  assert.deepEqual(view.pending.map(({ id }) => id), [b, c]);
  assert.deepEqual(session.approveAll(), { ok: true, approved: [b, c], refused: [] });
  assert.equal(await sent, "completed");
  stops.forEach((stop) => stop());
});

test("outside of effects state is read as it is, and leaves no listener behind", async () => {
  const { before: first, after: then, summary, none, pending, members, view, open } = await run("outsideOfEffects");
  assert.deepEqual([first, then, summary, none, pending, open], [1, 2, "Add A", true, 1, 0]);
  assert.deepEqual(members, [...view, "call", "select", "view"].sort());
});

test("a store gives its value at once and tells of what it selects, when that changed", async () => {
  const { first, second, third, fourth } = await run("storesTellWhatChanged");
  assert.deepEqual(first, [true, "awaiting_approval", 1, "revision 1", "idle"]);
  assert.deepEqual(second, [true, 1, "revision 2"], "over another document the card is another record");
  assert.ok(third.includes("settled") && third.includes(0) && !third.includes("revision 2"));
  assert.deepEqual(fourth, []);
});

for (const apart of [true, false]) {
  test(`a delta runs what reads its text, ${apart ? "each in a task of its own" : "all in one task"}`, async (t) => {
    const { mounted, earlier, cards, counts, ms, end } = await run("renders", 1000, apart);
    assert.deepEqual([earlier, cards, end], [50, 20, true]);
    assert.deepEqual(mounted, { status: 1, message: 50, card: 20, "card by id": 20, "effect of phase": 1, "effect of calls": 1, "effect of view": 1 });
    t.diagnostic(`${JSON.stringify(counts)} in ${ms.toFixed(0)} ms`);
    assert.deepEqual([counts.card, counts["card by id"], counts["effect of calls"]], [undefined, undefined, undefined]);
    assert.ok(counts["the answer"] <= 1000 && counts.message <= 3);
    assert.ok(counts.status <= 3 && counts["effect of phase"] <= 3);
  });
}

test("A1 the guide's examples do what they say, also for a click that comes too late", async () => {
  assert.deepEqual(guide.names, ["Assistant.svelte", "Status.svelte", "Editor.svelte"]);
  const { refused, ...answer } = await run("theGuidesExample");
  assert.deepEqual(answer, EXAMPLE);
  assert.match(refused, /tools\[0\]/);
  assert.deepEqual(await run("theGuidesStores"), { before: "awaiting_approval Add A", outcome: "completed", after: "settled" });
});

test("on a server both give the view, and nothing for no session", async (t) => {
  await init();
  const session = await createSession({ provider: scripted([{ calls: [add("A")] }]), tools: boardTools.slice(1, 2) });
  t.after(() => session.dispose());
  void session.send("go");
  await until(session, waits);
  const { build } = await import("esbuild");
  const outdir = join(here, "..", "output", "ui", "svelte-server");
  await build({
    stdin: { contents: 'export { default as Approve } from "./Approve.svelte"; export { default as Store } from "./Store.svelte";', resolveDir: join(here, "ui", "svelte") },
    outfile: join(outdir, "app.mjs"), bundle: true, format: "esm", platform: "node", packages: "external", plugins: [svelte(svelte5, "server")], logLevel: "error",
  });
  const { render } = await import("svelte/server");
  const { Approve, Store } = await import(pathToFileURL(join(outdir, "app.mjs")).href);
  for (const component of [Approve, Store]) {
    const plain = (given) => render(component, { props: { session: given } }).body.replace(/<!--.*?-->/gs, "").replace(/\s+/g, " ").trim();
    assert.match(plain(session), /<p>awaiting_approval 0<\/p>.*<button>Add A<\/button>/);
    assert.match(plain(undefined), /<p>idle 0<\/p>/);
  }
  const script = "delete globalThis.WebAssembly; delete globalThis.fetch; const made = await import('countersign/svelte'); console.log(Object.keys(made).sort().join());";
  assert.equal(execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: here, encoding: "utf8" }).trim(), "createSessionState,sessionStore");
});

test("with Svelte 4 bundlers take it without a word, and its stores work there", async (t) => {
  // a folder of its own, outside the project, where `svelte` is Svelte 4
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "svelte4-")));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  cpSync(dirname(require.resolve("countersign/package.json")), join(modules, "countersign"), { recursive: true });
  cpSync(dirname(require.resolve("svelte4/package.json")), join(modules, "svelte"), { recursive: true });
  symlinkSync(dirname(require.resolve("yaml/package.json")), join(modules, "yaml"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "Store.svelte"), readFileSync(join(here, "ui", "svelte", "Store.svelte")));
  writeFileSync(join(folder, "app.js"), `
    import { createSessionState } from "countersign/svelte";
    import Store from "./Store.svelte";
    export const html = (session) => Store.render({ session }).html;
    export const state = createSessionState;
  `);
  const compiler = await import("svelte4/compiler");
  const plugin = svelte(compiler, "ssr");
  const { build } = await import("esbuild");
  const { warnings } = await build({ absWorkingDir: folder, entryPoints: ["app.js"], outfile: "esbuild/app.mjs", bundle: true, format: "esm", platform: "node", plugins: [plugin], logLevel: "silent", define: { global: "globalThis" } });
  assert.deepEqual(warnings, []);
  const vite = await import("vite");
  const said = [];
  const logger = { ...vite.createLogger("silent"), warn: (text) => said.push(text), warnOnce: (text) => said.push(text), error: (text) => said.push(text) };
  await vite.build({
    root: folder, configFile: false, customLogger: logger,
    plugins: [{ name: "svelte", transform: (code, id) => (id.endsWith(".svelte") ? { code: compiler.compile(code, { generate: "ssr", dev: true }).js.code, moduleType: "js" } : undefined) }],
    build: { outDir: "vite", emptyOutDir: true, lib: { entry: join(folder, "app.js"), formats: ["es"], fileName: () => "app.mjs" } },
  });
  assert.deepEqual(said, []);
  const session = await createSession({ provider: scripted([{ calls: [add("A")] }]), tools: boardTools.slice(1, 2) });
  t.after(() => session.dispose());
  void session.send("go");
  await until(session, waits);
  for (const bundler of ["esbuild", "vite"]) {
    const { html, state } = await import(pathToFileURL(join(folder, bundler, "app.mjs")).href);
    assert.match(html(session).replace(/\s+/g, " "), /<p>awaiting_approval 0<\/p> <button>Add A<\/button>/);
    assert.match(html(null), /<p>idle 0<\/p>/);
    assert.throws(() => state(session), { code: "unsupported_capability", message: /no runes/ });
  }
  // the same where no bundler is in between
  const { sessionStore: store } = await import(pathToFileURL(join(modules, "countersign", "dist", "svelte.js")).href);
  store(session, (view) => view.phase).subscribe((phase) => assert.equal(phase, "awaiting_approval"))();
});

test("a listener that throws on its first value leaves nothing behind, and a session may have no more than a view", async () => {
  let open = 0;
  const session = { peek: () => ({ phase: "idle" }), subscribe: () => ((open += 1), () => (open -= 1)) };
  assert.throws(() => sessionStore(session).subscribe(() => { throw new Error("mine"); }), /mine/);
  assert.equal(open, 0);
  assert.equal(createSessionState(session).phase, "idle");
  const bare = { view: { phase: "executing", calls: [], pending: [] }, subscribe: session.subscribe };
  sessionStore(bare).subscribe(({ phase }) => assert.equal(phase, "executing"))();
  assert.equal(createSessionState(bare).phase, "executing");
});
