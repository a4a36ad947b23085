// Deciding as a person does who looks again: what has just changed or moved under a hand is there to be read first.
import assert from "node:assert/strict";

const AGAIN_MS = 600;
const PATIENCE_MS = 60_000;

/** Presses until it counts, however long this machine takes to draw what changed: until `isDone`, asked in the page, is true of one of the cards. */
export async function insist(cards, button, isDone) {
  const until = Date.now() + PATIENCE_MS;
  do {
    await button.click();
    const again = Date.now() + AGAIN_MS;
    do {
      for (const one of cards) if (await one.evaluate(isDone)) return;
      await new Promise((done) => setTimeout(done, 40));
    } while (Date.now() < again);
  } while (Date.now() < until);
  assert.fail(`pressing ${button} decided nothing`);
}
