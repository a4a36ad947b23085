// What failed, in one sentence with what to do next. Enters: the error and whom it came from. Leaves: words, and
// which of trying again and opening the settings makes sense.

import type { ProtocolError } from "countersign/threat-model";

import { strings } from "../strings/assistant.ts";
import { clip, say } from "../text.ts";
import { accessOf, type Settings } from "./settings/settings.ts";

/** An error as it is told. */
export interface Told {
  readonly text: string;
  /** Whether asking the same again may help. */
  readonly retry: boolean;
  /** Whether the way out is in the settings. */
  readonly settings: boolean;
}

const NOT_AGAIN = new Set(["refused_key", "forbidden", "payment", "not_found", "wrong_address", "bad_request", "unsupported_capability", "no_api_key", "bad_api_key", "context_overflow", "cancelled"]);
const IN_SETTINGS = new Set(["refused_key", "forbidden", "not_found", "wrong_address", "bad_request", "unreachable", "unsupported_capability", "no_api_key", "bad_api_key"]);

/** The error in a person's words; `arrived` says whether the provider had answered before in this turn. */
export function tell(error: ProtocolError, settings: Settings, arrived: boolean): Told {
  const key = keyOf(error, settings, arrived);
  const access = accessOf(settings);
  const text = say(strings.errors[key] ?? strings.errors["other"] ?? error.message, {
    provider: strings.settings.called[settings.kind],
    model: clip(access?.model ?? "", 60),
    address: clip(access?.baseURL ?? "", 120),
  });
  return { text, retry: !NOT_AGAIN.has(key), settings: access !== undefined && IN_SETTINGS.has(key) };
}

function keyOf(error: ProtocolError, settings: Settings, arrived: boolean): string {
  const access = accessOf(settings);
  // its status is that of any request that cannot be served
  if (error.code === "context_overflow") return error.code;
  switch (error.status) {
    case 400:
    case 422:
      return "bad_request";
    case 401:
      return "refused_key";
    case 402:
      return "payment";
    case 403:
      return "forbidden";
    case 404:
    case 405:
      return "not_found";
  }
  // a redirect or a web page: not what was looked for
  if (error.code === "http_status" && error.status !== undefined && error.status < 400) return "wrong_address";
  if (error.code === "no_api_key" && access?.apiKey !== "") return "bad_api_key";
  if (error.code === "transport" && !arrived && access !== undefined && access.baseURL !== "") return "unreachable";
  return error.code in strings.errors ? error.code : "other";
}
