// The scenarios of svelte.test.mjs, in a page; each returns what it saw.
import { createSessionState, sessionStore } from "countersign/svelte";
import { flushSync, mount, unmount } from "svelte";
import { add, asking, counting, exampleOptions, longConversation, personAtTheExample, settled, tally } from "./sessions.js";
import Approve from "./svelte/Approve.svelte";
import Long from "./svelte/Long.svelte";
import Store from "./svelte/Store.svelte";

const main = () => document.querySelector("main");
const text = () => main().textContent.trim().replace(/\s+/g, " ");
const button = (name) => [...document.querySelectorAll("button")].find((one) => one.textContent === name);
const components = { Approve, Store };

export async function approves(name) {
  const { session, edit, sent } = await asking([add("A"), add("B")]);
  const decisions = [];
  const decide = (call) => {
    if (call.summary === "Add B") edit();
    decisions.push(session.approve(call), session.approve(call.id));
  };
  const app = mount(components[name], { target: main(), props: { session, decide } });
  flushSync();
  const before = text();
  button("Add B").click();
  const early = decisions.splice(0);
  await settled();
  const after = text();
  button("Add A").click();
  await settled();
  const byId = session.approve("call_1_2");
  await unmount(app);
  session.cancel();
  await sent;
  return { before, early, after, late: decisions[0], byId };
}

export async function listenersComeAndGo(name) {
  const { session, edit } = await asking([add("A")]);
  const { shown, counts } = counting(session);
  const app = mount(components[name], { target: main(), props: { session: shown } });
  flushSync();
  await settled();
  const [open, subscribed] = [counts.open, counts.subscribed];
  for (let at = 0; at < 5; at += 1) {
    edit();
    await settled();
  }
  const again = counts.subscribed - subscribed;
  await unmount(app);
  await settled();
  return { open, again, left: counts.open };
}

export async function anotherSession() {
  const [one, two] = [await asking([add("One")]), await asking([add("Two")])];
  const [a, b] = [counting(one.session), counting(two.session)];
  const { default: Swap } = await import("./svelte/Swap.svelte");
  const app = mount(Swap, { target: main() });
  flushSync();
  const seen = [text()];
  const step = async (change) => {
    change();
    await settled();
    seen.push(text());
  };
  await step(() => app.show(a.shown));
  await step(() => app.show(b.shown));
  await step(() => one.edit());
  await step(() => two.edit());
  await step(() => two.session.dispose());
  await step(() => app.show(undefined));
  return { seen, open: [a.counts.open, b.counts.open] };
}

export async function outsideOfEffects() {
  const { session, edit } = await asking([add("A")]);
  const { shown, counts } = counting(session);
  const state = createSessionState(shown);
  const before = state.documentRevision;
  edit();
  const members = Object.keys(state).sort();
  return { before, after: state.documentRevision, summary: state.call("call_1_1").summary, none: state.call("x") === undefined, pending: state.pending.length, members, view: Object.keys(session.peek()).sort(), open: counts.open };
}

export async function renders(deltas, apart) {
  const session = await longConversation(deltas, apart);
  const { counts, count } = tally();
  mount(Long, { target: main(), props: { session, count } });
  flushSync();
  const mounted = { ...counts };
  const earlier = session.peek().messages.length;
  for (const name of Object.keys(counts)) delete counts[name];
  const started = performance.now();
  await session.send("Write");
  await settled();
  return { mounted, earlier, cards: session.peek().calls.length, counts, ms: performance.now() - started, end: text().includes(`word ${deltas - 1}`) };
}

export async function storesTellWhatChanged() {
  const { session, edit } = await asking([add("A")]);
  const told = [];
  const stops = [
    sessionStore(session).subscribe((view) => told.push(view === session.peek())),
    sessionStore(session, (view) => view.phase).subscribe((phase) => told.push(phase)),
    sessionStore(session, (view) => view.calls.filter(({ status }) => status === "pending")).subscribe((calls) => told.push(calls.length)),
    sessionStore(session, (view) => ({ at: view.documentRevision }), (a, b) => a.at === b.at).subscribe(({ at }) => told.push(`revision ${at}`)),
    sessionStore(null).subscribe((view) => told.push(view.phase)),
  ];
  const first = told.splice(0);
  edit();
  const second = told.splice(0);
  session.deny("call_1_1");
  await settled();
  const third = [...new Set(told.splice(0))];
  stops.forEach((stop) => stop());
  edit();
  return { first, second, third, fourth: told };
}

export async function theGuidesExample() {
  const { default: Editor } = await import("docs/svelte/Editor.svelte");
  const { document: board, options } = await exampleOptions();
  const app = mount(Editor, { target: main(), props: { options } });
  const answer = await personAtTheExample(board);
  await unmount(app);
  const bad = mount(Editor, { target: main(), props: { options: { ...options, tools: [{ name: "bad name" }] } } });
  await settled();
  const refused = document.querySelector("[role=alert]")?.textContent ?? text();
  await unmount(bad);
  return { ...answer, refused };
}

export async function theGuidesStores() {
  const { default: Status } = await import("docs/svelte/Status.svelte");
  const { session, sent } = await asking([add("A")]);
  mount(Status, { target: main(), props: { session } });
  flushSync();
  const before = text();
  button("Add A").click();
  const outcome = await sent;
  await settled();
  return { before, outcome, after: text() };
}
