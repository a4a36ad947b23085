// What must compile for a user, and what must not: loading, errors and the pure functions.
import { canonicalJson, CountersignError, init, StreamDecoder, ToolRegistry } from "countersign";
import type { AdvertisedTool, Json, ProtocolError, StreamEvent } from "countersign";
import * as testing from "countersign/testing";
import * as threatModel from "countersign/threat-model";
import * as plain from "countersign";

export async function started(bytes: Uint8Array<ArrayBuffer>, module: WebAssembly.Module): Promise<string> {
  await init();
  await init(bytes);
  await init(module);
  await init(fetch("countersign.wasm"));
  await init(new URL("https://example.invalid/countersign.wasm"));
  // @ts-expect-error null is no source
  await init(null);
  await threatModel.init();
  return canonicalJson({ a: [1, null, "x"] });
}

export function told(error: unknown): string {
  if (!(error instanceof CountersignError)) return "";
  const path: string | undefined = error.path;
  // @ts-expect-error the code of an error is fixed
  error.code = "other";
  return `${error.code} ${path ?? ""}`;
}

// one class, whichever door it came through
export const same: typeof testing.CountersignError = threatModel.CountersignError;
// @ts-expect-error the plain entry point has no graph actions
plain.graphActionTools();
export const actions: threatModel.ToolDeclaration[] = threatModel.graphActionTools();
// @ts-expect-error nor the catalog, nor the read tools of a document it does not know
plain.componentCatalog();
// @ts-expect-error which is given
plain.readTools();
export const boardReading: plain.ToolDeclaration[] = plain.readTools({
  kind: "board",
  sections: [{ name: "cards", path: "/cards", filters: { state: { path: "/state", match: "equal" } }, backReferences: [{ name: "by", section: "cards", path: "/of" }] }],
});
// @ts-expect-error no such way to match
plain.readTools({ kind: "board", sections: [{ name: "cards", path: "/cards", filters: { state: { path: "/state", match: "like" } } }] });
export const componentIds: string[] = threatModel.componentCatalog().map(({ id }) => id);
// @ts-expect-error the catalog is frozen
threatModel.componentCatalog().push();
export const part = (store: plain.DocumentStore): string => store.prompt("excerpt", 4096) + store.prompt("summary");
export const reading: threatModel.ToolDeclaration[] = [...threatModel.readTools(), ...actions];
export const system: string = threatModel.threatModelPrompt();

export async function files(text: string): Promise<string> {
  const document: Json = await threatModel.readThf(text);
  new threatModel.DocumentStore("threat-model", document).free();
  // @ts-expect-error a file is text, not bytes
  await threatModel.readThf(new Uint8Array());
  // @ts-expect-error a new model has a day
  threatModel.emptyThreatModel({ title: "", author: "" });
  return threatModel.writeThf(document);
}

export function read(event: StreamEvent): Json {
  if (event.type === "text_delta") return event.text;
  if (event.type === "error") {
    const { code }: ProtocolError = event.error;
    // @ts-expect-error no such code
    return code === "teapot";
  }
  return null;
}

export const tool: AdvertisedTool = { name: "read", description: "", inputSchema: { type: "object" }, effect: "read", destructive: false };
// @ts-expect-error an effect is `read` or `mutate`
export const wrong: AdvertisedTool = { ...tool, effect: "write" };

// @ts-expect-error no such format
export const decoder = new StreamDecoder("smoke");
// @ts-expect-error a function is no JSON
canonicalJson(() => 1);
// @ts-expect-error undefined is no JSON
canonicalJson(undefined);

export function prepared(registry: ToolRegistry): string {
  const answer = registry.prepare("t", {});
  // @ts-expect-error there is a call only where it is ok
  answer.call;
  return answer.ok ? answer.call.inputDigest : answer.issues.join("\n");
}

export function freed(registry: ToolRegistry): void {
  using held = registry;
  held.list();
}
