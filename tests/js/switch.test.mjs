// One conversation, several models: `session.use`, and whose opaque state is sent to whom.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { CountersignError, createSession, DocumentStore, init, openaiCompatible } from "countersign";
import { scripted } from "countersign/testing";
import { add, boardTools, definition, initial, until, waits } from "./board.mjs";
import { answer, begin, calls, chatServer, chunk, finish, part, say, stream, usage } from "./servers/chat.mjs";

before(() => init());

const thought = (text) => chunk({ reasoning_content: text });
const thinking = (thoughts, said) => stream([begin(), thought(thoughts), say(said), finish(), usage()]);
const SIGNED = { google: { thought_signature: "c2lnLTE=" } };

async function served(t, answers) {
  const server = await chatServer(answers);
  t.after(() => server.close());
  const provider = (model, more = {}) => openaiCompatible({ model, baseURL: server.baseURL, ...more });
  return { server, provider };
}

async function opened(t, provider, options = {}) {
  const document = new DocumentStore(definition, initial());
  const session = await createSession({ provider, tools: boardTools, document, limits: { maxRetriesPerTurn: 0 }, ...options });
  t.after(() => {
    session.dispose();
    document.free();
  });
  return { session, document };
}

const turnLive = (error) => error instanceof CountersignError && error.code === "turn_live";

test("S5 the thoughts and signatures of a tool loop go back on their message and their call", async (t) => {
  const signed = { ...part(0, "call_a", "count_cards", "{}"), extra_content: SIGNED };
  const { server, provider } = await served(t, [stream([begin(), thought("I must "), thought("count."), calls(signed), finish("tool_calls"), usage()]), stream(answer("Two.")), stream(answer("Yes."))]);
  const { session } = await opened(t, provider("thinker"));
  assert.equal(await session.send("How many?"), "completed");
  assert.equal(await session.send("Sure?"), "completed");
  for (const { body } of server.requests.slice(1)) {
    const [, asked, answered] = body.messages;
    assert.equal(asked.reasoning_content, "I must count.");
    assert.deepEqual(asked.tool_calls[0].extra_content, SIGNED);
    assert.equal(answered.tool_call_id, asked.tool_calls[0].id);
  }
  assert.equal(server.requests.length, 3);
});

test("S5 a switch of the model: the conversation stays, what the other issued is not sent, and is sent again to its issuer", async (t) => {
  const { server, provider } = await served(t, [thinking("of a", "Hello"), thinking("of b", "Hi"), thinking("of a again", "Hey")]);
  const { session } = await opened(t, provider("a"));
  assert.equal(await session.send("one"), "completed");
  session.use(provider("b"));
  assert.equal(await session.send("two"), "completed");
  session.use(provider("a"));
  assert.equal(await session.send("three"), "completed");
  const kept = ({ body }) => body.messages.filter((message) => message.role === "assistant").map((message) => [message.content, message.reasoning_content]);
  assert.deepEqual(server.requests.map(({ body }) => body.model), ["a", "b", "a"]);
  assert.deepEqual(kept(server.requests[1]), [["Hello", undefined]]);
  assert.deepEqual(kept(server.requests[2]), [["Hello", "of a"], ["Hi", undefined]]);
});

test("S5 whose state is whose survives save and restore after a switch", async (t) => {
  const { server, provider } = await served(t, [thinking("of a", "Hello"), thinking("of b", "Hi"), thinking("more", "Hey"), thinking("more", "Ho")]);
  const { session } = await opened(t, provider("a"));
  await session.send("one");
  session.use(provider("b"));
  await session.send("two");
  const snapshot = session.save();
  const thoughts = ({ body }) => body.messages.flatMap((message) => message.reasoning_content ?? []);
  for (const [model, expected] of [["a", ["of a"]], ["b", ["of b"]]]) {
    const { session: again } = await opened(t, provider(model), { snapshot });
    assert.equal(again.save(), snapshot);
    assert.equal(await again.send("three"), "completed");
    assert.deepEqual(thoughts(server.requests.at(-1)), expected);
  }
});

test("a switch while a turn runs or waits is refused, and changes nothing", async (t) => {
  const first = scripted([{ calls: [add("A")] }, { text: "Done." }, { text: "Again." }]);
  const second = scripted([{ text: "Mine." }]);
  const { session } = await opened(t, first);
  const sent = session.send("go");
  assert.throws(() => session.use(second), turnLive);
  await until(session, waits);
  assert.throws(() => session.use(second), turnLive);
  session.approveAll();
  assert.throws(() => session.use(second), turnLive);
  assert.equal(await sent, "completed");
  assert.equal(await session.send("more"), "completed");
  assert.equal(first.requests.length, 3);
  session.use(second);
  assert.equal(await session.send("and you?"), "completed");
  assert.equal(second.requests.length, 1);
  assert.equal(second.requests[0].messages.length, 7);
  assert.throws(() => session.use({ name: "nobody" }), (error) => error.code === "invalid_options" && error.path === "provider");
  session.dispose();
  assert.throws(() => session.use(first), (error) => error.code === "use_after_free");
});

test("a switch after a turn that failed: the next message goes to the other provider, the keys of both stay out of sight", async (t) => {
  const bare = (secret) => ({ name: secret, format: "openai-chat", params: { model: "m" }, mask: (text) => text.replaceAll(secret, "[key]"), open: () => Promise.resolve(new Response(JSON.stringify({ error: { message: `${secret} and first-key`, type: "x" } }), { status: 400 })) });
  const { session } = await opened(t, bare("first-key"));
  assert.equal(await session.send("one"), "failed");
  session.use(bare("second-key"));
  assert.equal(await session.send("two"), "failed");
  assert.ok(!session.view.error.providerDetail.includes("first-key"), session.view.error.providerDetail);
  assert.ok(!session.save().includes("second-key"));
});
