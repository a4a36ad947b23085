// Puts functions that look alike side by side, so that a compressor that remembers 32 KB (gzip) finds them again.
// Enters: a finished wasm. Leaves: the same functions in another order, which nothing can observe.

import { bodiesOf, CUSTOM, HEAD_BYTES, importedFunctions, sectionsOf } from "./wasm.mjs";

/** How many bytes in a row make two functions look alike. */
const RUN = 6;
/** A run that stands in more functions than this says nothing about two of them. */
const COMMON = 60;
/** How many functions before it one is compared with. */
const BEFORE = 12;
/** How much less each of them counts than the one after it. */
const FADE = 0.3;

/**
 * The wasm with a name section that names every function by its place in the new order: `wasm-opt
 * --reorder-functions-by-name` then moves them and `--strip-debug` takes the names out again.
 */
export function namedByOrder(wasm) {
  const sections = sectionsOf(wasm);
  const imported = importedFunctions(sections);
  const order = similarOrder(bodiesOf(sections));
  const places = new Array(order.length);
  order.forEach((body, place) => (places[body] = place));
  const entries = places.flatMap((place, body) => [...leb(imported + body), ...text(`f${String(place).padStart(5, "0")}`)]);
  const map = [...leb(places.length), ...entries];
  const payload = [...text("name"), 1, ...leb(map.length), ...map];
  const kept = sections.filter(({ id }) => id !== CUSTOM).map(({ whole }) => whole);
  return Buffer.concat([wasm.subarray(0, HEAD_BYTES), ...kept, Buffer.from([CUSTOM, ...leb(payload.length), ...payload])]);
}

// Greedy: after each function the one most of whose runs stood in the last few.
function similarOrder(bodies) {
  const runs = bodies.map(runsOf);
  const holders = new Map();
  runs.forEach((own, body) => own.forEach((run) => holders.get(run)?.push(body) ?? holders.set(run, [body])));
  const left = new Set(bodies.keys());
  const order = [];
  const longest = bodies.reduce((best, bytes, body) => (bytes.length > bodies[best].length ? body : best), 0);
  for (let next = longest; next !== undefined; next = mostLike(order, runs, holders, left)) {
    left.delete(next);
    order.push(next);
  }
  return order;
}

function mostLike(order, runs, holders, left) {
  const scores = new Map();
  order.slice(-BEFORE).reverse().forEach((body, age) => {
    for (const run of runs[body]) {
      const bodies = holders.get(run);
      if (bodies.length > COMMON) continue;
      for (const other of bodies) if (left.has(other)) scores.set(other, (scores.get(other) ?? 0) + 1 / (1 + FADE * age));
    }
  });
  let best;
  let most = 0;
  for (const [body, score] of scores) {
    const share = score / (runs[body].size + 30);
    if (share > most || (share === most && body < best)) [best, most] = [body, share];
  }
  return best ?? left.values().next().value;
}

// Six bytes are one exact number.
function runsOf(bytes) {
  const runs = new Set();
  for (let at = 0; at + RUN <= bytes.length; at += 1) runs.add(bytes.readUIntBE(at, RUN));
  return runs;
}

function leb(value) {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(Math.floor(value / 128))];
}

function text(value) {
  return [...leb(value.length), ...Buffer.from(value)];
}
