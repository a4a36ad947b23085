// The board's own changes without a page: hundreds of them made by chance, held against the store of the package.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { DocumentStore, init } from "countersign";
import { build } from "esbuild";

const source = fileURLToPath(new URL("../../../www/board/src", import.meta.url));
let board;

before(async () => {
  await init();
  const names = { Draft: "document/draft.ts", definition: "document/definition.ts", seed: "document/seed.ts", patched: "board/patched.ts", proposalOf: "board/proposal.ts" };
  const contents = Object.entries(names).map(([name, path]) => `export { ${name} } from "./${path}";`).join("\n");
  const { outputFiles } = await build({ stdin: { contents, resolveDir: source, loader: "ts" }, bundle: true, format: "esm", write: false, external: ["countersign"] });
  board = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
});

// the same numbers for the same seed
function chance(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function anyChange(draft, pick) {
  const one = (list) => list[pick(list.length)];
  const { cards, lanes, people } = draft.board;
  const card = one(cards)?.id;
  const lane = one(lanes)?.id;
  const maybe = (value) => (pick(2) === 0 ? undefined : value);
  const changes = [
    () => draft.addLane(`Lane ${pick(100)}`, maybe(lane)),
    () => lane && draft.renameLane(lane, `Named ${pick(100)}`),
    () => lane && draft.moveLane(lane, maybe(one(lanes).id)),
    () => lane && pick(4) === 0 && draft.deleteLane(lane),
    () => lane && draft.addCard({ title: `Card ${pick(100)}`, lane }, maybe(card)),
    () => card && draft.updateCard(card, { assignee: maybe(one(people).id), estimate: maybe(pick(9)), notes: maybe("Noted") }),
    () => card && lane && draft.moveCard(card, lane, maybe(one(cards.filter((other) => other.lane === lane))?.id)),
    () => card && draft.deleteCards([card]),
    () => card && draft.splitCard(card, [{ title: "First" }, { title: "Second", estimate: 2 }, { title: "Third" }]),
  ];
  one(changes)();
}

test("a draft's patch makes the board it says, in the store as in the page, and breaks no rule", () => {
  const store = new DocumentStore(board.definition, board.seed, { history: 5 });
  for (let seed = 1; seed <= 400; seed += 1) {
    const pick = chance(seed);
    const draft = new board.Draft(store.read());
    for (let step = 0; step < 4; step += 1) anyChange(draft, pick);
    assert.deepEqual(board.patched(store.read(), draft.patch), draft.board, `seed ${seed}`);
    if (draft.patch.length === 0) continue;
    const outcome = store.edit(draft.patch, "by chance");
    assert.notEqual(outcome.status, "refused", `seed ${seed}: ${outcome.result}`);
    assert.deepEqual(store.read(), draft.board, `seed ${seed}`);
    if (store.read().cards.length > 40) store.edit(board.seed, "anew");
  }
  store.free();
});

test("the same change of the same board is the same patch, ids included", () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const [one, other] = [new board.Draft(board.seed), new board.Draft(structuredClone(board.seed))];
    const [a, b] = [chance(seed), chance(seed)];
    for (let step = 0; step < 4; step += 1) [anyChange(one, a), anyChange(other, b)];
    assert.deepEqual(one.patch, other.patch);
  }
});

test("what is drawn of any change stands where the change would put it", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const draft = new board.Draft(board.seed);
    for (let step = 0; step < 2; step += 1) anyChange(draft, chance(seed + step * 1000));
    const lines = board.seed.cards.filter((card) => !draft.board.cards.some(({ id }) => id === card.id)).map(({ id }) => ({ kind: "removed", section: "cards", id, title: id }));
    const { coming, moved, removed, lanes } = board.proposalOf(board.seed, { title: "", patch: draft.patch, effectDigest: "", lines, counts: [], hiddenLines: 0 }, []);
    if (draft.patch.length === 0) continue;
    for (const lane of draft.board.lanes) {
      // the board as it is, without what goes or moves, with what comes at the places it is drawn at
      const left = board.seed.cards.filter((card) => card.lane === lane.id && !removed.has(card.id) && !moved.has(card.id)).map((card) => card.id);
      const drawn = coming.get(lane.id) ?? [];
      const at = (id) => drawn.filter((one) => one.before === id).map((one) => one.card.id);
      assert.deepEqual([...left.flatMap((id) => [...at(id), id]), ...at(undefined)], draft.board.cards.filter((card) => card.lane === lane.id).map((card) => card.id), `seed ${seed}, ${lane.id}`);
      assert.ok(board.seed.lanes.some(({ id }) => id === lane.id) || lanes.some((one) => one.lane.id === lane.id));
    }
  }
});

test("a patch that does not fit what is drawn draws nothing of it", () => {
  assert.equal(board.patched(board.seed, [{ op: "remove", path: "/cards/99" }]), undefined);
  assert.equal(board.patched(board.seed, [{ op: "add", path: "/cards/0/labels/3/x", value: 1 }]), undefined);
  assert.equal(board.patched(board.seed, [{ op: "replace", path: "/nowhere/0", value: 1 }]), undefined);
});
