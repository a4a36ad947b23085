/** Masks what looks like a secret in text of a server before it is kept, and caps it; masks first, then cuts. */

const MAX_CODE_POINTS = 200;

// the value after a header name that authorizes
const AUTHORIZING = /\b((?:proxy-)?authorization|x-[a-z-]*key|api[-_ ]?key|[a-z-]*token|secret|password|cookie)(["']?\s*[:=]\s*["']?)((?:bearer|basic)\s+)?[^\s"',;}]+/giu;
const BEARER = /\b(bearer|basic)\s+[^\s"',;}]+/giu;
const KEY_SHAPED = /sk-[a-z0-9_-]+/giu;
const LONG_RUN = /[A-Za-z0-9_\-+/=.]{24,}/gu;

/** The text without secrets, at most 200 code points; undefined where nothing is left. */
export function redact(text: string, mask: (text: string) => string = (same) => same): string | undefined {
  const masked = mask(text)
    .replace(AUTHORIZING, "$1$2[redacted]")
    .replace(BEARER, "$1 [redacted]")
    .replace(KEY_SHAPED, "[redacted-key]")
    .replace(LONG_RUN, (run) => (/\d/u.test(run) ? "[redacted]" : run))
    .trim();
  if (masked === "") return undefined;
  const points = [...masked];
  return points.length > MAX_CODE_POINTS ? `${points.slice(0, MAX_CODE_POINTS).join("")}…` : masked;
}
