/** Misuse by the host: `code` is stable, `path` says where, `expected` what would have been right. */
export class CountersignError extends Error {
  override readonly name = "CountersignError";
  readonly code: string;
  declare readonly path?: string;
  declare readonly expected?: string;

  constructor(code: string, message: string, detail: { path?: string; expected?: string } = {}) {
    super(message);
    this.code = code;
    if (detail.path !== undefined) this.path = detail.path;
    if (detail.expected !== undefined) this.expected = detail.expected;
  }
}
