// Packages that write canonical JSON, and what limits them.
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import fast from "fast-json-stable-stringify";
import { configure } from "safe-stable-stringify";

export const meta = { id: "canon", title: "canonical JSON packages", kind: "peer", w5: true };

const safe = configure({ deterministic: true });
const sha256 = (text) => createHash("sha256").update(text).digest("hex");

export const w5 = {
  object: {
    "JSON.stringify, not canonical": { unchecked: true, write: (value) => JSON.stringify(value) },
    "canonicalize": { write: (value) => canonicalize(value) },
    "safe-stable-stringify": { write: (value) => safe(value) },
    "fast-json-stable-stringify": { write: (value) => fast(value) },
    "canonicalize + SHA-256": { unchecked: true, write: (value) => sha256(canonicalize(value)) },
  },
  text: {
    "JSON.parse + JSON.stringify, not canonical": { unchecked: true, write: (json) => JSON.stringify(JSON.parse(json)) },
    "JSON.parse + canonicalize": { write: (json) => canonicalize(JSON.parse(json)) },
    "JSON.parse + canonicalize + SHA-256": { unchecked: true, write: (json) => sha256(canonicalize(JSON.parse(json))) },
    "SHA-256 of the text alone": { unchecked: true, write: (json) => sha256(json) },
  },
};
