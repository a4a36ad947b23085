/** What every provider over HTTP shares: the key in a closure, one way to send, the secrets masked. Knows no wire format. */

import { CountersignError, report } from "../error.js";
import type { HttpProvider, ModelCapabilities, ProviderParams } from "../provider.js";
import { formsOf, maskExact } from "../redact.js";
import type { Json, ProviderFormat } from "../types.js";
import { capabilitiesOf, type ModelOwner } from "./models.js";

/** How a server is reached, whatever it speaks. */
export interface HttpOptions {
  /** The key, or how to get it, asked at each request. Leave it out where a server of your own adds it, or none is asked for. */
  apiKey?: string | undefined | (() => string | undefined | Promise<string | undefined>);
  /** More headers, those of a gateway for example. */
  headers?: Readonly<Record<string, string>>;
  /** Where the API is: an address, or a path of this page's own server; the provider's own address where nothing is said. */
  baseURL?: string;
  /** Sampling temperature. */
  temperature?: number;
  /** More members of the body. */
  extraBody?: Record<string, Json>;
  /** What the model can do, where it is not known or known wrongly; goes before what is known, member by member. */
  capabilities?: ModelCapabilities;
}

/** What a wire format says of itself. */
export interface HttpFormat {
  readonly name: string;
  readonly format: ProviderFormat;
  /** Whose models these are, where that is known. */
  readonly owner?: ModelOwner | undefined;
  /** The provider's own address, which asks for a key. */
  readonly ownURL: string;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The header that carries the key. */
  authorize(key: string): Record<string, string>;
  /** What is told of the page beside its origin, which CORS tells anyway; nothing where nothing is said. */
  readonly referrerPolicy?: ReferrerPolicy;
}

const HEADER_VALUE = /^[\x20-\x7e]+$/;
// shorter values (`true`, a version) would mask ordinary words
const SHORTEST_SECRET = 8;
const AUTHORIZING = /^(x-api-key|x-goog-api-key|api-key|authorization)$/i;
const ADDRESS = /^https?:\/\//i;
const PATH = /^\.{0,2}\//;
// stands for the page's own server while a path is looked at
const PAGE = "https://page.invalid";

/** The provider that speaks `wire` to the server of `options`. */
export function httpProvider(wire: HttpFormat, options: HttpOptions, params: ProviderParams, more: Record<string, Json> = {}): HttpProvider {
  const { apiKey, headers = {}, baseURL = wire.ownURL, temperature, extraBody } = options;
  if (typeof params.model !== "string" || params.model === "") {
    throw new CountersignError("invalid_options", "names no model", { path: "model", expected: "the model's name" });
  }
  if (typeof baseURL !== "string" || !isBase(baseURL)) {
    throw new CountersignError("invalid_options", "is no address", { path: "baseURL", expected: "an address that begins with http:// or https://, or a path of this page's own server, without spaces, name, password, query or fragment" });
  }
  if (typeof apiKey !== "function") refuseUnsendable(apiKey ?? "");
  const unsendable = Object.entries(headers).find(([, value]) => typeof value !== "string");
  if (unsendable !== undefined) throw new CountersignError("invalid_options", "is no text", { path: `headers.${unsendable[0]}`, expected: "the header's value" });
  const base = baseURL.replace(/\/+$/, "");
  const isOwn = originOf(base) === originOf(wire.ownURL);
  // a server that repeats an authorization header may leave out its scheme
  const secrets = new Set(Object.values(headers).flatMap((value) => [value, value.replace(/^\S+\s+/, "")]).filter((value) => value.length >= SHORTEST_SECRET).flatMap(formsOf));
  const keep = (key: string): void => formsOf(key).forEach((form) => secrets.add(form));
  if (typeof apiKey === "string" && apiKey !== "") keep(apiKey);

  const keyNow = async (): Promise<string | undefined> => {
    // a store of the host's may say `null` for none
    const key = (typeof apiKey === "function" ? await asked(apiKey) : apiKey) ?? "";
    refuseUnsendable(key);
    if (key !== "") {
      keep(key);
      return key;
    }
    if (!isOwn || Object.keys(headers).some((name) => AUTHORIZING.test(name))) return undefined;
    throw new CountersignError("no_api_key", `no key was given for ${wire.name}; add one in the settings and try again`);
  };

  const asked = async (ask: () => unknown): Promise<unknown> => {
    try {
      return await ask();
    } catch (thrown) {
      // what it says may be about the key: the operator hears of it, the turn only that there is none
      report(new CountersignError("host_failed", `the \`apiKey\` function of the provider ${wire.name} failed`, { cause: thrown }));
      throw new CountersignError("no_api_key", `this page's own \`apiKey\` function failed, so nothing was sent to ${wire.name}`);
    }
  };

  const extra = { ...extraBody, ...more, ...(temperature === undefined ? {} : { temperature }) };
  const address = isOwn ? undefined : originOf(base);
  const provider: HttpProvider = {
    name: wire.name,
    format: wire.format,
    ...(address === undefined ? {} : { address }),
    capabilities: capabilitiesOf(wire.owner, params.model, options.capabilities),
    params: Object.freeze({ ...params, ...(Object.keys(extra).length === 0 ? {} : { extraBody: extra }) }),
    async open({ path, text, signal, fetch }) {
      const key = await keyNow();
      return fetch(base + path, {
        method: "POST",
        // a redirect could carry the key to another server
        redirect: "manual",
        credentials: "omit",
        referrerPolicy: wire.referrerPolicy ?? "no-referrer",
        signal,
        headers: { "content-type": "application/json", ...wire.headers, ...headers, ...(key === undefined ? {} : wire.authorize(key)) },
        body: text,
      });
    },
    mask: (text) => maskExact(text, secrets),
  };
  return Object.freeze(provider);
}

// What an address holds beside server and path is told in errors of the network, and a path may be put behind neither
// a query nor a fragment; `//host` and `/\host` look like paths and are other servers.
function isBase(baseURL: string): boolean {
  if (/[\s?#]/.test(baseURL)) return false;
  const isAddress = ADDRESS.test(baseURL);
  if (!isAddress && !PATH.test(baseURL)) return false;
  try {
    const { username, password, origin } = new URL(baseURL, PAGE);
    return username === "" && password === "" && (isAddress || origin === PAGE);
  } catch {
    return false;
  }
}

// Without path, query and user: what may be shown of an address.
function originOf(address: string): string | undefined {
  try {
    return new URL(address).origin;
  } catch {
    return undefined;
  }
}

function refuseUnsendable(key: unknown): asserts key is string {
  if (typeof key !== "string") throw new CountersignError("no_api_key", "the key is no text", { path: "apiKey", expected: "the key, a function that gives it, or nothing" });
  if (key === "" || (HEADER_VALUE.test(key) && key === key.trim())) return;
  throw new CountersignError("no_api_key", "the key holds characters that cannot be sent (a space at an end, a line break, a typographic character); copy it again", {
    path: "apiKey",
  });
}
