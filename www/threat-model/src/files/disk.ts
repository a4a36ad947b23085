// Files as the browser gives and takes them: chosen, dropped, written back where it can, downloaded where it cannot.
// Enters: names and text. Leaves: files.

import { appStrings } from "../strings/app.ts";

/** A file a person chose; with a handle it can be written back to. */
export interface Picked {
  readonly name: string;
  readonly file?: File;
  readonly handle?: FileSystemFileHandle;
}

const ENDINGS = [".thf", ".yaml", ".yml"] as const;

interface FileTypes {
  readonly types: readonly { readonly description: string; readonly accept: Readonly<Record<string, readonly string[]>> }[];
}

// not every browser has these, and the standard declarations leave them out
declare global {
  interface Window {
    showOpenFilePicker?: (options: FileTypes) => Promise<FileSystemFileHandle[]>;
    showSaveFilePicker?: (options: FileTypes & { readonly suggestedName: string }) => Promise<FileSystemFileHandle>;
  }
}

const types = (endings: readonly string[]): FileTypes => ({ types: [{ description: appStrings.files.type, accept: { "application/yaml": endings } }] });

/** Whether a name is that of a threat model file. */
export function isThreatModelFile(name: string): boolean {
  return ENDINGS.some((ending) => name.toLowerCase().endsWith(ending));
}

/** Lets the person choose a file; nothing where they change their mind. */
export async function pickFile(): Promise<Picked | undefined> {
  if (window.showOpenFilePicker === undefined) return chooseByInput();
  try {
    const [handle] = await window.showOpenFilePicker(types(ENDINGS));
    return handle === undefined ? undefined : { name: handle.name, handle };
  } catch (error) {
    if (isChangeOfMind(error)) return undefined;
    throw error;
  }
}

/** Lets the person choose where to save; nothing where the browser cannot write files. */
export async function pickTarget(name: string): Promise<FileSystemFileHandle | "cancelled" | undefined> {
  if (window.showSaveFilePicker === undefined) return undefined;
  try {
    return await window.showSaveFilePicker({ ...types([".thf"]), suggestedName: name });
  } catch (error) {
    if (isChangeOfMind(error)) return "cancelled";
    throw error;
  }
}

/** Writes a file whole. */
export async function writeTo(handle: FileSystemFileHandle, text: string): Promise<void> {
  const stream = await handle.createWritable();
  await stream.write(text);
  await stream.close();
}

/** Hands a file to the browser's downloads. */
export function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function chooseByInput(): Promise<Picked | undefined> {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ENDINGS.join(",");
  input.hidden = true;
  document.body.append(input); // what nothing refers to may be collected before the person has chosen
  return new Promise((done) => {
    const end = (picked: Picked | undefined) => {
      input.remove();
      done(picked);
    };
    input.addEventListener("change", () => {
      const file = input.files?.[0];
      end(file === undefined ? undefined : { name: file.name, file });
    });
    input.addEventListener("cancel", () => end(undefined));
    input.click();
  });
}

function isChangeOfMind(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
