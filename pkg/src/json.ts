/** The way of plain values into the core and back: a serializer that refuses, with the place, what JSON would lose in silence. */

import { CountersignError } from "./error.js";

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** A value as JSON text; what JSON cannot hold exactly (NaN, functions, cycles, dates …) is refused with its path. */
export function toJson(value: unknown, root = ""): string {
  try {
    check(value, root, new Set());
    return JSON.stringify(value) ?? fail(root, "is undefined");
  } catch (thrown) {
    if (thrown instanceof RangeError) throw new CountersignError("invalid_value", "is nested too deeply", { path: root || "value" });
    throw thrown;
  }
}

/** JSON text of the core as a value; `__proto__` stays an own key. */
export function fromJson<T>(text: string): T {
  return JSON.parse(text) as T;
}

/** Freezes a value and everything in it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    for (const key of Object.keys(value)) deepFreeze((value as Record<string, unknown>)[key]);
    Object.freeze(value);
  }
  return value;
}

/** Whether two plain values are equal: by content, the order of keys aside. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, at) => sameJson(item, right[at]));
  }
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && sameJson((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]));
}

/** Whether a value is an object literal, of this realm or another. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The text with every half of a surrogate pair replaced by U+FFFD, as a decoder of bytes would. */
export function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

function check(value: unknown, path: string, above: Set<object>): void {
  switch (typeof value) {
    case "string":
      if (!isWellFormed(value)) fail(path, "holds half of a surrogate pair");
      return;
    case "boolean":
      return;
    case "number":
      if (!Number.isFinite(value)) fail(path, `is ${value}`);
      return;
    case "object":
      break;
    case "undefined":
      return fail(path, "is undefined");
    case "bigint":
    case "function":
    case "symbol":
      return fail(path, `is a ${typeof value}`);
  }
  if (value === null) return;
  if (above.has(value)) fail(path, "holds itself");
  above.add(value);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) check(value[at], `${path}[${at}]`, above);
  } else if (isPlainObject(value)) {
    for (const key of Object.keys(value)) {
      const member = value[key];
      // an optional member given as undefined is one that was left out
      if (member !== undefined) check(member, join(path, key), above);
    }
  } else {
    fail(path, `is a ${nameOf(value)}`);
  }
  above.delete(value);
}

function isWellFormed(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = text.charCodeAt(at + 1);
    if (unit > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) return false;
    at += 1;
  }
  return true;
}

function join(path: string, key: string): string {
  const step = IDENTIFIER.test(key) ? key : `[${JSON.stringify(key.length > 80 ? `${key.slice(0, 79)}…` : key)}]`;
  return path === "" || step.startsWith("[") ? path + step : `${path}.${step}`;
}

function nameOf(value: object): string {
  const constructor: unknown = (value as { constructor?: unknown }).constructor;
  return typeof constructor === "function" && constructor.name !== "" ? constructor.name : "special object";
}

function fail(path: string, what: string): never {
  throw new CountersignError("invalid_value", `${what}, which JSON cannot hold`, { path: path || "value", expected: "plain JSON" });
}
