// What must compile for a user, and what must not.
import { CountersignError, init, version } from "countersign";
import type { AdvertisedTool, Json, ProtocolError, StreamEvent } from "countersign";
import * as testing from "countersign/testing";
import * as threatModel from "countersign/threat-model";

export async function started(bytes: Uint8Array<ArrayBuffer>, module: WebAssembly.Module): Promise<string> {
  await init();
  await init(bytes);
  await init(module);
  await init(new URL("https://example.invalid/countersign.wasm"));
  // @ts-expect-error null is no source
  await init(null);
  await threatModel.init();
  return version();
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
