// The clock for tests.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeClock } from "countersign/testing";

const TIMERS = Symbol.for("countersign.timers");

test("a fake clock runs what falls due in order, at its own moment", async () => {
  const clock = fakeClock(1000);
  const ran = [];
  const { later } = clock.now[TIMERS];
  later(() => ran.push(`b ${clock.now()}`), 20);
  later(() => {
    ran.push(`a ${clock.now()}`);
    later(() => ran.push(`c ${clock.now()}`), 5);
  }, 10);
  const callOff = later(() => ran.push("never"), 15);
  callOff();
  await clock.advance(9);
  assert.deepEqual(ran, []);
  await clock.advance(100);
  assert.deepEqual(ran, ["a 1010", "c 1015", "b 1020"]);
  assert.equal(clock.now(), 1109);
});
