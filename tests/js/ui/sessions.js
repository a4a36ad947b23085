// What the pages of both frameworks share: sessions over a board, and the long conversation whose renders are counted.
import { createSession, DocumentStore, init } from "countersign";
import { scripted } from "countersign/testing";
import { add, boardTools, definition, initial, remove, until, waits } from "../board.mjs";

export { add, remove, until, waits };

/** A session whose model proposes `calls`; `edit` is the person's own change of the document. */
export async function asking(calls, steps = [{ text: "Done." }]) {
  await init();
  const document = new DocumentStore(definition, initial());
  const session = await createSession({ provider: scripted([{ calls }, ...steps]), tools: boardTools, document });
  const sent = session.send("go");
  await peeked(session, waits);
  const edit = (title = `edited ${document.revision}`) => document.edit([{ op: "replace", path: "/cards/0/title", value: title }], "Edit");
  return { session, document, sent, edit };
}

/** What a guide's example is given: a model that writes, proposes three changes and says what came of it. */
export async function exampleOptions() {
  await init();
  const document = new DocumentStore(definition, initial());
  const step = { text: ["I would ", "change ", "this:"], calls: [add("A"), add("B"), remove("card-1")] };
  return { document, options: { provider: scripted([step, { text: ["All ", "done."] }]), tools: boardTools, document } };
}

/** The person at the example: writes, is too late for one click, approves the batch and then the removal; returns what they saw. */
export async function personAtTheExample(document) {
  const main = window.document.querySelector("main");
  const all = (selector) => [...main.querySelectorAll(selector)];
  const button = (name) => all("button").find((one) => one.textContent === name);
  const press = async (name) => {
    await waitFor(() => button(name), () => `there is no \`${name}\`: ${main.innerHTML}`);
    button(name).click();
  };
  // as somebody who looks again: what was pressed as its card changed decides nothing
  const decide = async (name) => {
    await press(name);
    await waitFor(() => (button(name)?.click(), button(name) === undefined), () => `\`${name}\` decided nothing: ${main.innerHTML}`);
  };
  const seen = (wanted) => waitFor(() => main.textContent.includes(wanted), () => `\`${wanted}\` was not drawn: ${main.innerHTML}`);
  await waitFor(() => main.querySelector("textarea"), () => `there is no composer: ${main.innerHTML}`);
  const area = main.querySelector("textarea");
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(area, "Tidy up");
  area.dispatchEvent(new Event("input", { bubbles: true }));
  await settled();
  await press("Send");
  await seen("Approve all 2");
  // a pause may come before the last of them
  await seen("Remove card-1");
  const first = all("article p").map((one) => one.textContent);
  const words = all("p.user, p.assistant").map((one) => one.textContent);
  // the document changes as the person presses, before anything is drawn
  const handler = () => document.edit([{ op: "replace", path: "/title", value: "Mine" }], "Edit");
  main.addEventListener("click", handler, { capture: true, once: true });
  await press("Approve");
  await seen("This changed while you were looking");
  const untouched = document.read().cards.length;
  await decide("Approve all 2");
  await decide("Delete");
  await seen("All done.");
  const { cards } = document.read();
  return { first, words, untouched, titles: cards.map(({ title }) => title), left: all("article").length };
}

/** Resolves once `wanted` says so. */
export async function waitFor(wanted, why) {
  for (let tries = 0; !wanted(); tries += 1) {
    if (tries > 4000) throw new Error(why?.() ?? document.body.innerHTML);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Resolves once what there is to show is as `wanted` says; counts as shown to nobody. */
export async function peeked(session, wanted) {
  while (!wanted(session.peek())) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** The session with its listeners counted. */
export function counting(session) {
  const counts = { subscribed: 0, open: 0 };
  const shown = {
    peek: () => session.peek(),
    subscribe(fn) {
      counts.subscribed += 1;
      counts.open += 1;
      const stop = session.subscribe(fn);
      let stopped = false;
      return () => {
        counts.open -= stopped ? 0 : 1;
        stopped = true;
        stop();
      };
    },
  };
  return { shown, counts };
}

/** How often each kind of thing was drawn. */
export function tally() {
  const counts = {};
  return { counts, count: (name) => void (counts[name] = (counts[name] ?? 0) + 1) };
}

/** A conversation of 50 messages with 20 cards that were decided; the next answer comes in `deltas` pieces, each in a task of its own where `apart`. */
export async function longConversation(deltas, apart) {
  await init();
  const document = new DocumentStore(definition, initial());
  const turns = Array.from({ length: 23 }, (_, at) => ({ text: `Answer ${at}` }));
  const provider = scripted([...turns, { calls: Array.from({ length: 20 }, (_, at) => add(`Card ${at}`)) }, { text: "All added." }]);
  const pieces = {
    name: "pieces",
    async *events() {
      yield { type: "message_start", model: "m" };
      for (let at = 0; at < deltas; at += 1) {
        if (apart) await nextTask();
        yield { type: "text_delta", text: `word ${at} ` };
      }
      yield { type: "message_stop", stopReason: "end_turn" };
    },
  };
  const session = await createSession({ provider, tools: boardTools, document, limits: { maxToolCallsPerIteration: 20, maxToolCallsPerTurn: 21 } });
  for (let at = 0; at < turns.length; at += 1) await session.send(`Question ${at}`);
  const sent = session.send("Add twenty cards");
  await until(session, waits);
  session.approveAll();
  await sent;
  session.use(pieces);
  return session;
}

/** After what is waiting in the page's queues: a message is a task of its own, without the delay of a timer. */
export function nextTask() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

export const settled = () => new Promise((resolve) => setTimeout(resolve, 60));
