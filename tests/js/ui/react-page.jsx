// The scenarios of react.test.mjs, in a page; each returns what it saw.
import { createSession, init } from "countersign";
import { useCall, useCalls, useCreateSession, useSession } from "countersign/react";
import { memo, startTransition, StrictMode, Suspense, useDeferredValue, useLayoutEffect, useState } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import { add, asking, counting, exampleOptions, longConversation, personAtTheExample, remove, settled, tally, waitFor } from "./sessions.js";

const main = () => document.querySelector("main");

function mounted(element) {
  const root = createRoot(main());
  flushSync(() => root.render(<StrictMode>{element}</StrictMode>));
  return root;
}

const text = () => main().textContent;
const button = (name) => [...document.querySelectorAll("button")].find((one) => one.textContent === name);

export async function approvesTheRecordThatWasDrawn() {
  const { session, document: board, sent } = await asking([add("A"), remove("card-1")]);
  const decisions = [];
  const Cards = () => useCalls(session, "pending").map((call) => <button key={call.id} onClick={() => decisions.push(session.approve(call))}>{call.summary}</button>);
  mounted(<Cards />);
  button("Add A").click();
  await settled();
  button("Remove card-1").click();
  const outcome = await sent;
  await settled();
  return { decisions, outcome, left: text(), titles: board.read().cards.map(({ title }) => title) };
}

export async function anEditInTheSameHandler() {
  const { session, edit } = await asking([add("A")]);
  const decisions = [];
  const Cards = () => useCalls(session, "pending").map((call) => (
    <button key={call.id} onClick={() => { edit(); decisions.push(session.approve(call), session.approve(call.id), session.approveAll([call]), session.approveAll()); }}>{call.summary}</button>
  ));
  const Late = () => useCalls(session, "pending").map((call) => <button key={call.id} onClick={() => decisions.push(session.approve(call))}>now</button>);
  mounted(<><Cards /><Late /></>);
  button("Add A").click();
  await settled();
  button("now").click();
  return { decisions };
}

export async function aCardThatIsShownLate() {
  const { session, edit } = await asking([add("A")]);
  const decisions = [];
  const old = session.peek().pending[0];
  // the list is held back as a slow tree holds it back; the header is drawn at once with the whole new view
  const held = { promise: undefined };
  let drawnOf;
  function Cards({ calls }) {
    if (held.promise !== undefined && calls[0] !== old) throw held.promise;
    useLayoutEffect(() => void (drawnOf = calls[0]));
    return calls.map((call) => <button key={call.id} onClick={() => decisions.push(session.approve(call))}>{call.summary}</button>);
  }
  function App() {
    const view = useSession(session);
    const calls = useDeferredValue(view.pending);
    return <><p>{view.documentRevision}</p><Suspense fallback="…"><Cards calls={calls} /></Suspense></>;
  }
  mounted(<App />);
  const before = document.querySelector("p").textContent;
  let release;
  held.promise = new Promise((resolve) => (release = resolve));
  edit();
  await settled();
  const after = document.querySelector("p").textContent;
  button("Add A").click();
  const early = decisions.splice(0);
  held.promise = undefined;
  release();
  await waitFor(() => drawnOf !== old);
  button("Add A").click();
  return { revisions: [before, after], early, late: decisions[0] };
}

export async function rendersThatAreThrownAway() {
  const { session, edit } = await asking([add("A")]);
  const seen = [];
  const never = new Promise(() => undefined);
  function Cards() {
    seen.push(...useCalls(session, "pending"));
    throw never;
  }
  function App() {
    const [show, setShow] = useState(false);
    return <><button onClick={() => startTransition(() => setShow(true))}>show</button><Suspense>{show && <Cards />}</Suspense></>;
  }
  mounted(<App />);
  button("show").click();
  await settled();
  const [current] = seen;
  const [byId, all] = [session.approve(current.id), session.approveAll()];
  edit();
  await settled();
  return { rendered: seen.length > 0, drawn: text(), byId, all, record: session.approve(current) };
}

export async function approvesById() {
  const ways = {
    "the whole view": (session) => useSession(session),
    "a list that was selected": (session) => useSession(session, (view) => view.pending),
    "all calls": (session) => useCalls(session),
    "one call": (session) => useCall(session, "call_1_1"),
    "a number": (session) => useSession(session, ({ pending }) => pending.length),
    "another call": (session) => useCall(session, "call_1_2"),
    "what was before": (session) => useSession(session, (view) => view.pending, () => true),
  };
  const decisions = {};
  for (const [way, useIt] of Object.entries(ways)) {
    const { session, edit } = await asking([add("A"), add("B")]);
    const App = () => <b>{JSON.stringify(useIt(session))}</b>;
    const before = session.approve("call_1_1");
    const root = mounted(<App />);
    edit();
    const early = session.approve("call_1_1");
    await settled();
    decisions[way] = [before, early, session.approve("call_1_1"), session.approveAll().approved.length];
    flushSync(() => root.unmount());
    session.dispose();
  }
  return { decisions };
}

export async function aSessionThatHasNoMoreThanAView() {
  const view = { ...(await asking([add("A")])).session.peek(), phase: "executing" };
  const App = () => `${useSession({ view, subscribe: () => () => undefined }).phase} ${useCalls({ peek: () => view, subscribe: () => () => undefined }).length}`;
  mounted(<App />);
  await settled();
  return { drawn: text() };
}

export async function noTearing() {
  const { session, edit } = await asking([add("A")]);
  const torn = [];
  let slices = 0;
  function Slow() {
    const revision = useSession(session, (view) => view.documentRevision);
    const until = performance.now() + 3;
    while (performance.now() < until);
    return <i>{revision}</i>;
  }
  function App() {
    const [many, setMany] = useState(0);
    const own = useSession(session, (view) => view.documentRevision);
    useLayoutEffect(() => {
      const drawn = new Set([...document.querySelectorAll("i")].map((one) => one.textContent));
      if (drawn.size > 1 || (drawn.size === 1 && !drawn.has(String(own)))) torn.push([...drawn, own]);
    });
    return <><button onClick={() => startTransition(() => setMany(40))}>many</button>{Array.from({ length: many }, (_, at) => <Slow key={at} />)}</>;
  }
  const root = createRoot(main());
  flushSync(() => root.render(<App />));
  button("many").click();
  for (let at = 0; at < 12; at += 1) {
    await new Promise((resolve) => setTimeout(resolve, 15));
    if (document.querySelectorAll("i").length === 0) slices += 1;
    edit();
  }
  await waitFor(() => document.querySelectorAll("i").length > 0);
  const drawn = [...new Set([...document.querySelectorAll("i")].map((one) => Number(one.textContent)))];
  return { torn, changedMeanwhile: slices > 0, drawn, revision: session.peek().documentRevision, count: document.querySelectorAll("i").length };
}

export async function listenersComeAndGo() {
  const { session, edit } = await asking([add("A"), add("B")]);
  const { shown, counts } = counting(session);
  const Card = ({ id }) => <b>{useCall(shown, id)?.summary}</b>;
  function App() {
    const calls = useCalls(shown, "pending");
    // selectors written in place are others at each render
    const phase = useSession(shown, (view) => view.phase);
    return <>{phase}{calls.map(({ id }) => <Card key={id} id={id} />)}</>;
  }
  const root = mounted(<App />);
  await settled();
  const open = counts.open;
  const subscribed = counts.subscribed;
  for (let at = 0; at < 5; at += 1) {
    edit();
    await settled();
  }
  const again = counts.subscribed - subscribed;
  session.deny("call_1_1");
  await settled();
  const fewer = counts.open;
  flushSync(() => root.unmount());
  return { open, again, fewer, left: counts.open };
}

export async function anotherSession() {
  const [one, two] = [await asking([add("One")]), await asking([add("Two")])];
  const [a, b] = [counting(one.session), counting(two.session)];
  let set;
  function App() {
    const [session, setSession] = useState(null);
    set = setSession;
    const calls = useCalls(session, (call) => call.status === "pending");
    const revision = useSession(session, (view) => view.documentRevision);
    return `${revision} ${calls.map(({ summary }) => summary).join()}`;
  }
  mounted(<App />);
  const seen = [text()];
  const step = async (change) => {
    change();
    await settled();
    seen.push(text());
  };
  await step(() => set(a.shown));
  await step(() => set(b.shown));
  await step(() => one.edit());
  await step(() => two.edit());
  await step(() => set(undefined));
  return { seen, open: [a.counts.open, b.counts.open] };
}

export async function disposedWhileMounted() {
  const { session, sent } = await asking([add("A")]);
  const App = () => `${useSession(session).phase} ${useCall(session, "call_1_1")?.summary}`;
  const root = mounted(<App />);
  const before = text();
  session.dispose();
  await sent;
  await settled();
  const after = text();
  flushSync(() => root.render(<StrictMode><App key="new" /></StrictMode>));
  const again = text();
  flushSync(() => root.unmount());
  return { before, after, again };
}

export async function creation() {
  await init();
  const log = [];
  let made = 0;
  const fake = (name) => ({ name, dispose: () => log.push(`disposed ${name}`) });
  let late;
  const drawn = [];
  function App({ name }) {
    const { session, error, pending } = useCreateSession(() => {
      made += 1;
      log.push(`made ${name}`);
      if (name === "bad") throw new Error("no key");
      return name === "slow" ? new Promise((resolve) => (late = () => resolve(fake(name)))) : fake(name);
    }, [name]);
    const now = `${name}:${pending ? "pending" : (session?.name ?? error.message)}`;
    if (drawn.at(-1) !== now) drawn.push(now);
    return now;
  }
  const root = mounted(<App name="a" />);
  await settled();
  const show = async (name) => {
    flushSync(() => root.render(<StrictMode><App name={name} /></StrictMode>));
    await settled();
  };
  await show("b");
  await show("slow");
  await show("bad");
  late();
  await settled();
  await show("c");
  flushSync(() => root.unmount());
  await settled();
  return { log, drawn, made };
}

export async function creationOfASession() {
  await init();
  const sessions = [];
  let release;
  const gate = new Promise((resolve) => (release = resolve));
  const provider = { name: "none", async *events() {} };
  function App() {
    const { session, pending } = useCreateSession(async () => {
      const one = await createSession({ provider, tools: [] });
      sessions.push(one);
      return one;
    }, []);
    const phase = useSession(session, (view) => view.phase);
    if (!pending) release();
    return `${pending} ${phase}`;
  }
  const root = mounted(<App />);
  const first = text();
  await gate;
  await settled();
  const second = text();
  flushSync(() => root.unmount());
  await settled();
  const freed = sessions.map((one) => {
    try {
      one.save();
      return "open";
    } catch (error) {
      return error.code;
    }
  });
  return { first, second, freed };
}

export async function hydrates() {
  const { session } = await asking([add("A")]);
  const App = () => <p>{useSession(session).phase}</p>;
  main().innerHTML = "<p>idle</p>";
  const errors = [];
  hydrateRoot(main(), <App />, { onRecoverableError: (error) => errors.push(String(error)) });
  await waitFor(() => text() !== "idle");
  return { drawn: text(), errors };
}

export async function renders(deltas, apart) {
  const session = await longConversation(deltas, apart);
  const { counts, count } = tally();
  const Card = memo(function Card({ id }) {
    count("card");
    return <li>{useCall(session, id)?.summary}</li>;
  });
  const Cards = memo(function Cards() {
    count("cards");
    return useCalls(session).map(({ id }) => <Card key={id} id={id} />);
  });
  const Message = memo(function Message({ at }) {
    const message = useSession(session, (view) => view.messages[at]);
    const says = message?.content.map((block) => block.text ?? "").join("") ?? "";
    count(says.startsWith("word 0") ? "the answer" : "message");
    return <p>{says}</p>;
  });
  const Messages = memo(function Messages() {
    count("messages");
    const length = useSession(session, (view) => view.messages.length);
    return Array.from({ length }, (_, at) => <Message key={at} at={at} />);
  });
  const Status = memo(function Status() {
    count("status");
    return useSession(session, (view) => view.phase);
  });
  const root = createRoot(main());
  flushSync(() => root.render(<><Status /><Messages /><Cards /></>));
  const mountedCounts = { ...counts };
  const earlier = session.peek().messages.length;
  for (const name of Object.keys(counts)) delete counts[name];
  const started = performance.now();
  await session.send("Write");
  await settled();
  return { mounted: mountedCounts, earlier, cards: session.peek().calls.length, counts, ms: performance.now() - started, end: text().includes(`word ${deltas - 1} `) };
}

export async function theGuidesExample() {
  const { Assistant } = await import("docs/react/Assistant.tsx");
  const { document: board, options } = await exampleOptions();
  const root = mounted(<Assistant options={options} />);
  const answer = await personAtTheExample(board);
  flushSync(() => root.render(<StrictMode><Assistant key="bad" options={{ ...options, tools: [{ name: "bad name" }] }} /></StrictMode>));
  await settled();
  return { ...answer, refused: document.querySelector("[role=alert]")?.textContent ?? text() };
}
