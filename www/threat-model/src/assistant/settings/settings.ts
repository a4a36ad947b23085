// Who answers, and how it is reached. Enters: what the person wrote. Leaves: settings that can be used, or what is
// wrong with them. Keys stay in memory unless the person asks for them to be kept on the device.

import { strings } from "../../strings/assistant.ts";
import { clip, say } from "../../text.ts";

/** Who is reached over the network. */
export type Reached = "anthropic" | "openai" | "gemini" | "compatible";

/** Who answers. */
export type Kind = "scripted" | Reached;

/** How a provider is reached. */
export interface Access {
  readonly apiKey: string;
  readonly model: string;
  /** "" for the provider's own address. */
  readonly baseURL: string;
}

/** The settings: who answers now, and what was written for each. */
export interface Settings extends Readonly<Record<Reached, Access>> {
  readonly kind: Kind;
}

/** All of them, in the order in which they are offered. */
export const KINDS: readonly Kind[] = ["scripted", "anthropic", "openai", "gemini", "compatible"];

/** The addresses of those that have one of their own. */
export const OWN_ADDRESSES: Readonly<Partial<Record<Kind, string>>> = {
  anthropic: "https://api.anthropic.com",
  openai: "https://api.openai.com/v1",
  gemini: "https://generativelanguage.googleapis.com/v1beta",
};

/** Usual addresses of servers on the person's own computer. */
export const PRESETS: readonly (readonly [name: string, baseURL: string])[] = [
  ["Ollama", "http://localhost:11434/v1"],
  ["llama.cpp", "http://localhost:8080/v1"],
  ["vLLM", "http://localhost:8000/v1"],
  ["LM Studio", "http://localhost:1234/v1"],
];

/** The fields in which something may be wrong. */
export type Fault = { readonly field: keyof Access; readonly told: string };

const PLACE = "countersign.assistant";
const NOTHING: Access = { apiKey: "", model: "", baseURL: "" };

/** Before anything was set: the assistant that is built in. */
export const UNSET: Settings = { kind: "scripted", ...forEach(() => NOTHING) };

/** What the chosen provider is reached with; nothing for the one that is built in. */
export function accessOf(settings: Settings): Access | undefined {
  return settings.kind === "scripted" ? undefined : settings[settings.kind];
}

/** Who answers, in a person's words. */
export function whoAnswers(settings: Settings): string {
  const access = accessOf(settings);
  if (access === undefined) return strings.settings.builtIn;
  return say(strings.settings.withModel, { name: strings.settings.names[settings.kind], model: clip(access.model, 60) });
}

/** What is wrong with the settings, one line a field; empty where they can be used. */
export function faultsOf(settings: Settings): Fault[] {
  const access = accessOf(settings);
  if (access === undefined) return [];
  const told = strings.settings;
  const faults: Fault[] = [];
  if (access.baseURL === "" && settings.kind === "compatible") faults.push({ field: "baseURL", told: told.noAddress });
  else if (access.baseURL !== "" && addressOf(access.baseURL) === undefined) faults.push({ field: "baseURL", told: told.badAddress });
  if (access.model === "") faults.push({ field: "model", told: told.noModel });
  if (!/^[\x21-\x7e]*$/.test(access.apiKey)) faults.push({ field: "apiKey", told: told.badKey });
  return faults;
}

/** Whether the key would go over a line that others can read. */
export function isReadable(settings: Settings): boolean {
  const access = accessOf(settings);
  const address = access === undefined || access.apiKey === "" ? undefined : addressOf(access.baseURL);
  return address?.protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(address.hostname);
}

/** The settings as they are used: without the spaces that come with copying. */
export function trimmed(settings: Settings): Settings {
  const trim = ({ apiKey, model, baseURL }: Access): Access => ({ apiKey: apiKey.trim(), model: model.trim(), baseURL: baseURL.trim().replace(/\/+$/, "") });
  return { kind: settings.kind, ...forEach((kind) => trim(settings[kind])) };
}

/** What is kept on this device; nothing where the person did not ask for it, or it cannot be read. */
export function kept(): Settings | undefined {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "null");
    if (typeof found !== "object" || found === null) return undefined;
    const members = found as Record<string, unknown>;
    const kind = KINDS.find((each) => each === members["kind"]);
    if (kind === undefined) return undefined;
    // what was kept before there were as many holds nothing of the others
    const settings: Settings = { kind, ...forEach((each) => readAccess(members[each])) };
    return faultsOf(settings).length === 0 ? settings : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the settings with their keys; says whether the browser let it. */
export function keep(settings: Settings): boolean {
  try {
    localStorage.setItem(PLACE, JSON.stringify(settings));
    return true;
  } catch {
    return false;
  }
}

/** Takes what is kept off this device. */
export function forget(): void {
  try {
    localStorage.removeItem(PLACE);
  } catch {
    // where nothing may be stored, nothing is
  }
}

function forEach(access: (kind: Reached) => Access): Record<Reached, Access> {
  return { anthropic: access("anthropic"), openai: access("openai"), gemini: access("gemini"), compatible: access("compatible") };
}

function readAccess(found: unknown): Access {
  const read = (key: string): string => {
    const value = typeof found === "object" && found !== null ? (found as Record<string, unknown>)[key] : undefined;
    return typeof value === "string" ? value : "";
  };
  return { apiKey: read("apiKey"), model: read("model"), baseURL: read("baseURL") };
}

function addressOf(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" ? url : undefined;
}
