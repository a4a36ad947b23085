/** Masks what looks like a secret in text of a server before it is kept, and caps it; masks first, then cuts. */

import { wellFormed } from "./json.js";

const MAX_CODE_POINTS = 200;

// the value after a header name that authorizes; names are bounded, or a text of hyphens would be looked at again from each
const AUTHORIZING = /\b((?:proxy-)?authorization|x-[a-z-]{0,60}key|api[-_ ]?key|[a-z-]{0,60}token|secret|password|cookie)(["']?\s*[:=]\s*["']?)((?:bearer|basic)\s+)?[^\s"',;}]+/giu;
const BEARER = /\b(bearer|basic)\s+[^\s"',;}]+/giu;
const KEY_SHAPED = /sk-[a-z0-9_-]+/giu;
const LONG_RUN = /[A-Za-z0-9_\-+/=.]{24,}/gu;

/** The text without secrets, at most 200 code points; undefined where nothing is left. */
export function redact(text: string, mask: (text: string) => string = (same) => same): string | undefined {
  const masked = wellFormed(mask(text))
    .replace(AUTHORIZING, "$1$2[redacted]")
    .replace(BEARER, "$1 [redacted]")
    .replace(KEY_SHAPED, "[redacted-key]")
    .replace(LONG_RUN, (run) => (/\d/u.test(run) ? "[redacted]" : run))
    .trim();
  if (masked === "") return undefined;
  const points = [...masked];
  return points.length > MAX_CODE_POINTS ? `${points.slice(0, MAX_CODE_POINTS).join("")}…` : masked;
}

const EXACT = "[redacted-key]";
// a shorter beginning of a secret says nothing of it
const SHORTEST_PART = 4;
// a shorter one (`none`, `test`) stands inside ordinary words, and is masked where it stands alone
const SHORTEST_INSIDE = 8;

/** The text without these secrets; one that a cap cut off (the text ends in `…`) is masked by its beginning. */
export function maskExact(text: string, secrets: Iterable<string>): string {
  // the longest first, so that a secret inside another leaves nothing of it behind
  const ordered = [...secrets].filter((secret) => secret !== "").sort((a, b) => b.length - a.length);
  const masked = ordered.reduce((rest, secret) => (secret.length < SHORTEST_INSIDE ? rest.replace(alone(secret), EXACT) : rest.replaceAll(secret, EXACT)), text);
  if (!masked.endsWith("…")) return masked;
  const kept = masked.slice(0, -1);
  const cut = Math.max(0, ...ordered.map((secret) => beginningAtEnd(kept, secret)));
  return cut === 0 ? masked : `${kept.slice(0, -cut)}${EXACT}…`;
}

/** A secret as it is, and as a server writes it that repeats it in an address, in JSON or in base64. */
export function formsOf(secret: string): string[] {
  const forms = [secret, secret.replaceAll("/", "\\/")];
  try {
    // half a surrogate pair cannot stand in an address, and base64 is of bytes
    forms.push(encodeURIComponent(secret), btoa(secret));
  } catch {
    // what cannot be written so is not repeated so
  }
  return forms;
}

function alone(secret: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${secret.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(?![\\p{L}\\p{N}])`, "gu");
}

function beginningAtEnd(text: string, secret: string): number {
  for (let length = secret.length - 1; length >= SHORTEST_PART; length -= 1) if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}
