// A file dropped anywhere on the page is opened. Enters: drags. Leaves: the file, to the desk.

import { useEffect, useState } from "react";

import type { Desk } from "./desk.ts";
import type { Picked } from "./disk.ts";

/** Whether a file is being dragged over the page. */
export function useDrop(desk: Desk): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      const item = event.dataTransfer?.items[0];
      if (item?.kind !== "file") return;
      event.preventDefault();
      void pickedFrom(item).then((picked) => picked && desk.take(picked));
    };
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop);
    };
  }, [desk]);
  return isOver;
}

// both have to be asked for before the first wait: the drop's data is gone afterwards
async function pickedFrom(item: DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> }): Promise<Picked | undefined> {
  const file = item.getAsFile();
  const handle = await item.getAsFileSystemHandle?.().catch(() => null);
  if (file === null) return undefined;
  return handle?.kind === "file" ? { name: file.name, file, handle: handle as FileSystemFileHandle } : { name: file.name, file };
}
