// A limit: `JSON.parse` of the frames, found and decoded beforehand. It gives no answer.
import { PROVIDERS } from "./lib/reduce.mjs";

export const meta = { id: "floor-json", title: "JSON.parse of the frames alone", kind: "limit", unchecked: true, w1: PROVIDERS };

export function w1(_chunks, { dataLines }) {
  let members = 0;
  for (const line of dataLines) members += JSON.parse(line).index === undefined ? 1 : 2;
  return { text: "", calls: [], members };
}
