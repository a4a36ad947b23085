// Waiting for a page: what is read of it becomes what is expected, or the test fails with what was read last.
import assert from "node:assert/strict";

/** Waits until `read` gives `expected`; fails with what it gave last. */
export async function eventually(read, expected, message) {
  const until = Date.now() + 60_000;
  let last;
  do {
    last = await read();
    try {
      assert.deepEqual(last, expected);
      return;
    } catch {
      await new Promise((done) => setTimeout(done, 50));
    }
  } while (Date.now() < until);
  assert.deepEqual(last, expected, message);
}
